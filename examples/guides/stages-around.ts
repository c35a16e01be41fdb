import { createToolRegistry, defineTool, type Stages } from 'toolgate'

let attempts = 0
const flaky = defineTool({
  name: 'fetch_mail',
  description: 'Fetches mail.',
  parameters: {},
  execute: () => {
    if (++attempts === 1) throw new Error('connection reset')
    return 'From: ada@example.com'
  },
})

// `next()` runs what is inside. A failed body is a result too, so there is nothing to catch.
const onceMore: Stages = {
  name: 'once-more',
  execute: async (_call, next) => {
    const result = await next()
    return result.isError && result.error.code === 'TOOL_FAILED' ? next() : result
  },
}

// Replaces what the model reads; programs and logs still get the value.
const hideAddresses: Stages = {
  name: 'hide-addresses',
  postExecute: (_call, result, next) => {
    const [block] = result.content
    if (block?.type !== 'text') return next()
    return { kind: 'accept', content: [{ type: 'text', text: block.text.replace(/\S+@\S+/g, '[address]') }] }
  },
}

const registry = createToolRegistry({ tools: [flaky], stages: [onceMore, hideAddresses] })
const result = await registry.execute({ callId: '1', name: 'fetch_mail' })
console.log(attempts, 'attempts')
console.log(result.content)
console.log(result.isError ? result.error.code : result.value)
