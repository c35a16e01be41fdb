import { createToolRegistry, defineTool, type Stages } from 'toolgate'

const say = (line: string) => console.log(line)

const stage = (name: string): Stages => ({
  name,
  preExecute: async (_call, next) => {
    say(`${name}: may it run?`)
    return next()
  },
  guard: () => {
    say(`${name}: guard`)
    return undefined
  },
  execute: async (_call, next) => {
    say(`${name}: before the body`)
    const result = await next()
    say(`${name}: after the body`)
    return result
  },
  postExecute: async (_call, _result, next) => {
    const decision = await next()
    say(`${name}: may it be seen?`)
    return decision
  },
  onResult: (_call, result) => say(`${name}: ${result.isError ? result.error.code : 'done'}`),
})

const greet = defineTool({
  name: 'greet',
  description: 'Greets.',
  parameters: {},
  execute: () => {
    say('the body')
    return 'hello'
  },
})

const registry = createToolRegistry({ tools: [greet], stages: [stage('outer'), stage('inner')] })
await registry.execute({ callId: '1', name: 'greet' })
