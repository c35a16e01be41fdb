import { createToolRegistry, defineTool, type Stages } from 'toolgate'

const files = new Set(['notes.md', '.env'])
const deleteFile = defineTool({
  name: 'delete_file',
  description: 'Deletes a file.',
  parameters: { path: { type: 'string', required: true } },
  execute: ({ path }) => (files.delete(path) ? `Deleted ${path}` : `There is no ${path}`),
})
const askFirst: Stages = {
  preExecute: ({ name }, next) => (name === 'delete_file' ? { kind: 'ask', reason: 'it deletes' } : next()),
}
const registry = createToolRegistry({
  tools: [deleteFile],
  stages: [askFirst],
  approve: ({ arguments: args }) => (JSON.stringify(args).includes('notes') ? 'allowed-once' : 'rejected'),
})
for (const path of [...files]) {
  const result = await registry.execute({ callId: path, name: 'delete_file', arguments: { path } })
  console.log(result.isError ? result.error.code : result.value)
}
