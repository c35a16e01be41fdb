import { createToolRegistry, defineTool } from 'toolgate'

const print = (text: string) => console.log(text)
const pause = (ms: number) => new Promise(resolve => setTimeout(resolve, ms))

const read = defineTool({
  name: 'read',
  description: 'Reads a file.',
  parameters: { path: { type: 'string', required: true } },
  isConcurrencySafe: () => true,
  async execute({ path }) {
    print(`read ${path} starts`)
    await pause(30)
    print(`read ${path} ends`)
    return `text of ${path}`
  },
})

const write = defineTool({
  name: 'write',
  description: 'Writes a file.',
  parameters: { path: { type: 'string', required: true } },
  // Writes of different files may overlap; writes of one file keep the model's order.
  resourceKeys: ({ path }) => [path.toLowerCase()],
  async execute({ path }, { callId }) {
    print(`${callId} writes ${path}`)
    await pause(10)
    print(`${callId} has written`)
    return 'written'
  },
})

const deploy = defineTool({
  name: 'deploy',
  description: 'Deploys.',
  parameters: {},
  execute: () => print('deploy, alone'),
})

const registry = createToolRegistry({ tools: [read, write, deploy], maxParallelCalls: 4 })

const input = (callId: string, name: string, path?: string) => ({
  callId,
  name,
  arguments: path === undefined ? {} : { path },
})
const calls = [
  input('r1', 'read', 'a.txt'),
  input('w1', 'write', 'b.txt'),
  input('w2', 'write', 'B.TXT'),
  input('d1', 'deploy'),
  input('w1', 'write', 'c.txt'),
  input('x1', 'copy'),
]
for (const call of calls) print(`${call.callId} ${call.name}: ${registry.executionMode(call).kind}`)

const results = await registry.executeAll(calls)
for (const result of results) print(`${result.callId}: ${result.isError ? result.error.code : 'ok'}`)
