import { createToolRegistry, defineTool, timeoutPolicy } from 'toolgate'

// Ends when it is told to: hand the signal on to whatever does the work.
const fetchPage = defineTool({
  name: 'fetch_page',
  description: 'Fetches a page.',
  parameters: {},
  timeoutMs: 20,
  execute: (_args, { signal }) =>
    new Promise<string>((_resolve, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason))
    }),
})

// Does not look at the signal. Nobody can stop it, so the call goes on without it.
let finish = () => {}
const migrate = defineTool({
  name: 'migrate',
  description: 'Migrates a database.',
  parameters: {},
  execute: () =>
    new Promise<string>(resolve => {
      finish = () => resolve('migrated')
    }),
})

const registry = createToolRegistry({
  tools: [fetchPage, migrate],
  // 20 ms for fetch_page, which says so; 50 ms for the others, and 30 more for those that do not stop.
  stages: [timeoutPolicy({ defaultMs: 50, graceMs: 30 })],
})
registry.on('late-settlement', ({ name, outcome }) => console.log(`${name} ${outcome} after all`))

for (const name of ['fetch_page', 'migrate']) {
  const result = await registry.execute({ callId: name, name })
  if (result.isError) console.log(`${result.error.code}: ${result.error.message}`, result.error.details)
}
finish()
