import { createToolRegistry, type Stages } from 'toolgate'
import { fakeTool, recordingApprover, scriptedModel } from 'toolgate/testing'

// What is tested: a policy that asks before anything is sent.
const askBeforeSending: Stages = {
  name: 'ask-before-sending',
  preExecute: ({ name }, next) => (name === 'send' ? { kind: 'ask', reason: 'it leaves the house' } : next()),
}

const search = fakeTool('search', ({ q }: { q: string }) => [`${q}@example.com`], {
  isConcurrencySafe: () => true,
})
const send = fakeTool('send', 'sent')
const approve = recordingApprover(['allowed-once', { outcome: 'rejected', reason: 'one is enough' }])
const registry = createToolRegistry({ tools: [search, send], stages: [askBeforeSending], approve })

// Two calls at once, then one for each answer, then a word.
const model = scriptedModel([
  {
    calls: [
      { name: 'search', arguments: { q: 'ada' } },
      { name: 'search', arguments: '{"q":"bob"}' },
    ],
  },
  results => ({
    calls: results.map(result => ({ name: 'send', arguments: { to: result.isError ? '' : result.value } })),
  }),
  { text: 'I have written to them.' },
])

for (const { calls, results, text } of await model.play(registry)) {
  for (const [i, { callId, name }] of calls.entries()) {
    const result = results[i]
    console.log(callId, name, result?.isError ? result.error.code : result?.value)
  }
  if (text !== '') console.log(text)
}
console.log(`asked ${approve.requests.length} times, sent ${send.runs()}:`, send.calls[0]?.arguments)
