import { createToolRegistry, defineTool, ToolgateError } from 'toolgate'

const loadUser = defineTool({
  name: 'load_user',
  description: 'Loads a user.',
  parameters: { id: { type: 'integer', required: true } },
  execute: ({ id }) => {
    if (id === 0) throw new Error('password "hunter2" was refused by db-3')
    throw new ToolgateError('NO_SUCH_USER', `There is no user ${id}; list_users has them all`, {
      details: { id },
    })
  },
})

const registry = createToolRegistry({
  tools: [loadUser],
  // What the model may read of errors that are not meant for it.
  describeError: error => {
    console.error('for the log:', error)
    return 'The database could not be reached; try again later'
  },
})

for (const id of [7, 0]) {
  const result = await registry.execute({ callId: `${id}`, name: 'load_user', arguments: { id } })
  if (result.isError) console.log(result.error)
}
