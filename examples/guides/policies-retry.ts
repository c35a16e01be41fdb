import { createToolRegistry, defineTool, retryPolicy, ToolgateError } from 'toolgate'

let requests = 0
const search = defineTool({
  name: 'search',
  description: 'Searches the web.',
  parameters: {},
  // What makes it safe to run again.
  annotations: { readOnlyHint: true },
  execute: () => {
    requests++
    if (requests < 3) throw new ToolgateError('SERVICE_BUSY', 'The service is busy')
    return 'three results'
  },
})

// Says nothing of itself, so a failed call may have sent the mail.
const sendMail = defineTool({
  name: 'send_mail',
  description: 'Sends a mail.',
  parameters: {},
  execute: () => {
    throw new ToolgateError('SERVICE_BUSY', 'The connection was lost')
  },
})

const registry = createToolRegistry({
  tools: [search, sendMail],
  stages: [
    retryPolicy({
      attempts: 3,
      codes: ['SERVICE_BUSY'],
      backoffMs: 5,
      onRetry: (call, { attempt, result }) =>
        console.log(`${call.name}, attempt ${attempt}: ${result.error.message}`),
    }),
  ],
})

for (const name of ['search', 'send_mail']) {
  const result = await registry.execute({ callId: name, name })
  console.log(`${name}: ${result.isError ? result.error.message : result.value}`)
}
