import { createToolRegistry, defineTool, timeoutPolicy } from 'toolgate'

const pause = (ms: number) => new Promise(resolve => setTimeout(resolve, ms))

const build = defineTool({
  name: 'build',
  description: 'Builds the project.',
  parameters: { hangs: { type: 'boolean', required: true } },
  timeoutMs: 20_000,
  execute: async ({ hangs }, { progress, signal }) => {
    for (let completed = 1; completed <= 4; completed++) {
      await pause(100)
      progress({ completed, total: 4 })
      if (hangs && completed === 2) await new Promise(resolve => signal.addEventListener('abort', resolve))
    }
    return 'built'
  },
})

const registry = createToolRegistry({ tools: [build], stages: [timeoutPolicy({ idleMs: 300 })] })

// It takes longer than 300 ms, but is never silent for so long.
const built = await registry.execute({ callId: '1', name: 'build', arguments: { hangs: false } })
console.log(built.isError || built.value)

const hung = await registry.execute({ callId: '2', name: 'build', arguments: { hangs: true } })
console.log(hung.isError && hung.error.message)
