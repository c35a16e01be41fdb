import { createRunner } from 'run'

const hostFunctions = { tools: { add: ({ a, b }) => a + b, echo: ({ text }) => text } }

export function createRun() {
  const runner = createRunner()
  return async source => {
    const result = await runner.run({ source, hostFunctions })
    if (result.status !== 'completed') throw new Error(result.status)
    return result.value
  }
}
