// Speaks the protocol, and tries to steer the terminal of whoever looks at it. With `die` it ends before it is ready.
import { createInterface } from 'node:readline'

const STEER = '\u001b]0;steered\u0007\u001b[31m\u009b31m\u202e'
if (process.argv[2] === 'die') {
  process.stderr.write(
    `${STEER}${'x'.repeat(50_000)}\nno entry for ${process.env.API_KEY} or ghp_${'Ab1'.repeat(12)}\n`,
  )
  process.exit(1)
}
const answers = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion,
    capabilities: { tools: {} },
    serverInfo: { name: STEER, version: '1' },
  }),
  'tools/list': () => ({
    tools: [
      {
        name: 'ok',
        description: `${STEER}\u2028 \u{e0041}\u200b\ufeff end`,
        inputSchema: { type: 'object', properties: { [STEER]: {} } },
      },
      { name: `name ${STEER}`, inputSchema: { type: 'object' } },
      { name: 'typed', inputSchema: { type: STEER + 'y'.repeat(50_000) } },
      { name: 'patterned', inputSchema: { type: 'object', properties: { a: { pattern: `(${STEER}` } } } },
    ],
  }),
}
createInterface({ input: process.stdin }).on('line', line => {
  const { id, method, params } = JSON.parse(line)
  if (id === undefined) return
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id, result: answers[method]?.(params) ?? {} })}\n`)
})
