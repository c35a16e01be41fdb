import { type ApprovalRequest, createToolRegistry, defineTool, type Stages } from 'toolgate'

const deleteFile = defineTool({
  name: 'delete_file',
  description: 'Deletes a file.',
  parameters: { path: { type: 'string', required: true } },
  presentCall: ({ path }) => ({ card: 'generic', kind: 'delete', title: `Delete ${path}` }),
  execute: ({ path }) => `Deleted ${path}`,
})

// Asks about one tool and leaves the others to the stages further in.
const askBeforeDeleting: Stages = {
  name: 'ask-before-deleting',
  preExecute: ({ name }, next) => (name === 'delete_file' ? { kind: 'ask', reason: 'it deletes' } : next()),
}

// Stands for a dialog. `arguments` are the very ones that will run, `card` is how the tool shows them.
async function askUser({ card, reason, arguments: args }: ApprovalRequest) {
  console.log(`${card?.title}? (${reason})`)
  if (JSON.stringify(args).includes('notes')) return 'allowed-once'
  return { outcome: 'rejected', reason: 'we still need it' } as const
}

const registry = createToolRegistry({ tools: [deleteFile], stages: [askBeforeDeleting], approve: askUser })
for (const path of ['notes.md', 'plan.md']) {
  const result = await registry.execute({ callId: path, name: 'delete_file', arguments: { path } })
  console.log(result.isError ? `${result.error.code}: ${result.error.message}` : result.value)
}
