import { createToolRegistry, defineTool } from 'toolgate'

// The long page is only there once the short one has been read: one after the other they would wait for ever.
let openLongPage = () => {}
const longPage = new Promise<void>(resolve => {
  openLongPage = resolve
})

const read = defineTool({
  name: 'read',
  description: 'Reads a page.',
  parameters: { page: { type: 'string', required: true } },
  // Without this line calls of the tool run alone.
  isConcurrencySafe: () => true,
  execute: async ({ page }) => {
    console.log(`start ${page}`)
    if (page === 'long') await longPage
    else openLongPage()
    console.log(`end ${page}`)
    return `text of ${page}`
  },
})
const publish = defineTool({
  name: 'publish',
  description: 'Publishes what was read.',
  parameters: {},
  execute: () => 'published',
})

const registry = createToolRegistry({ tools: [read, publish] })

// Listeners watch; they decide nothing, and one that throws changes nothing.
registry.on('result', ({ callId }) => console.log(`result ${callId}`))
registry.on('observer-error', ({ event, error }) => console.log(`a listener of ${event} broke: ${error}`))
registry.once('result', () => {
  throw new Error('the log is full')
})

const results = await registry.executeAll([
  { callId: 'a', name: 'read', arguments: { page: 'long' } },
  { callId: 'b', name: 'read', arguments: { page: 'short' } },
  { callId: 'c', name: 'publish' },
  { callId: 'c', name: 'publish' },
])
console.log(results.map(result => (result.isError ? result.error.code : result.value)))
