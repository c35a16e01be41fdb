import { createToolRegistry, defineTool, ToolgateError } from 'toolgate'

const bash = (where: string) =>
  defineTool({
    name: 'bash',
    description: 'Runs a command.',
    parameters: { command: { type: 'string', required: true } },
    execute: ({ command }) => `${command}, ${where}`,
  })

const registry = createToolRegistry({
  tools: [bash('on the host')],
  scopes: [
    { id: 'agents', restrict: { deny: ['bash'] } },
    { id: 'tester', parent: 'agents', grants: ['bash'], tools: [bash('in a container')] },
    { id: 'writer', parent: 'agents' },
  ],
})

// The mask of `agents` is lifted for `tester` alone, and it sees the nearest tool of the name: its own.
const result = await registry
  .scope('tester')
  .execute({ callId: '1', name: 'bash', arguments: { command: 'ls' } })
console.log(result.isError ? result.error.code : result.value)

try {
  registry.scope('writer').register(bash('anywhere'))
} catch (error) {
  if (ToolgateError.isInstance(error)) console.log(error.code)
}
