import * as ai from '../contestants/ai.mjs'
import * as dsh from '../contestants/dsh-tools.mjs'
import * as mcp from '../contestants/mcp-sdk.mjs'
import { caller, createToolRegistry, jsonSchemaParameters, noop } from '../contestants/toolgate.mjs'
import { attempt, inTurn, missing, race, summary } from '../measure.mjs'

const COUNTS = [10, 10_000]
const ROUNDS = { 10: 60, 10000: 7 }

const toolgate = schema => count => {
  const registry = createToolRegistry()
  for (let i = 0; i < count; i++) registry.register(noop(`tool_${i}`, schema))
  return { present: () => registry.present(), call: name => caller(registry, name) }
}

/** Each makes and registers `count` tools, timed as a whole, and answers how to present and to call them. */
const CONTESTANTS = [
  { name: 'toolgate', create: toolgate() },
  { name: 'toolgate, raw JSON Schema', create: toolgate(jsonSchemaParameters) },
  {
    name: '@deepseek-ai/dsh-tools',
    prepare: () => dsh.createRuntime(),
    create(count, root) {
      for (let i = 0; i < count; i++) root.tools.register(dsh.noop(`tool_${i}`))
      return { present: () => root.tools.schemas(), call: name => dsh.caller(root, name) }
    },
    presentNote: '`schemas()`',
  },
  {
    name: '@modelcontextprotocol/sdk',
    prepare: async () => {
      const server = mcp.createServer()
      mcp.registerNoop(server, 'first')
      return { server, client: await mcp.connect(server) }
    },
    create(count, { server, client }) {
      for (let i = 0; i < count; i++) mcp.registerNoop(server, `tool_${i}`)
      return { present: () => client.listTools(), call: name => mcp.caller(client, name) }
    },
    presentNote: '`client.listTools()` in memory',
  },
  {
    name: 'ai',
    create(count) {
      const tools = {}
      for (let i = 0; i < count; i++) tools[`tool_${i}`] = ai.noop()
      return { present: () => ai.present(tools), call: name => ai.caller(tools, name) }
    },
    registerNote: 'a plain object of `tool()`s; nothing is checked',
    presentNote: 'the JSON Schema of each by `asSchema`',
  },
]

async function timeOnce(run) {
  const start = performance.now()
  await run()
  return performance.now() - start
}

/** One round for one contestant and count: fresh tools, registered, presented twice. */
async function setUp(contestant, count, samples) {
  const prepared = await contestant.prepare?.()
  let made
  samples.register.push(
    await timeOnce(() => {
      made = contestant.create(count, prepared)
    }),
  )
  samples.first.push(await timeOnce(() => made.present()))
  samples.again.push(await timeOnce(() => made.present()))
  await made.call(`tool_${count - 1}`)()
  return made
}

export default async function manyTools() {
  const failures = new Map()
  const samples = new Map()
  const last = new Map()
  for (const count of COUNTS)
    for (let round = 0; round < ROUNDS[count]; round++)
      for (const contestant of inTurn(CONTESTANTS, round)) {
        const { name } = contestant
        if (failures.has(name)) continue
        const key = `${name} ${count}`
        if (!samples.has(key)) samples.set(key, { register: [], first: [], again: [] })
        if (count > 10) globalThis.gc()
        const made = await attempt(name, () => setUp(contestant, count, samples.get(key)))
        if (made.call === undefined) failures.set(name, made)
        else last.set(key, made)
      }
  const lines = (kind, count, note) =>
    CONTESTANTS.map(
      contestant =>
        failures.get(contestant.name) ??
        summary(contestant.name, samples.get(`${contestant.name} ${count}`)[kind], contestant[note]),
    )
  const cases = []
  for (const count of COUNTS) {
    const amount = count.toLocaleString('en')
    cases.push(
      { name: `make and register ${amount}`, lines: lines('register', count, 'registerNote') },
      { name: `present ${amount}, first time`, lines: lines('first', count, 'presentNote') },
      { name: `present ${amount} again`, lines: lines('again', count) },
    )
  }
  // Both sizes of everybody in one race, so that they compare.
  const racing = CONTESTANTS.filter(({ name }) => !failures.has(name)).flatMap(({ name }) =>
    COUNTS.map(count => ({ name, count, run: last.get(`${name} ${count}`).call(`tool_${count >> 1}`) })),
  )
  const raced = await race(racing)
  for (const count of COUNTS)
    cases.push({
      name: `one call among ${count.toLocaleString('en')}`,
      lines: CONTESTANTS.map(({ name }) => {
        const at = racing.findIndex(entry => entry.name === name && entry.count === count)
        return raced[at] ?? missing(name, 'see above')
      }),
    })
  return {
    title: 'Ten and ten thousand tools',
    text: `Registering and presenting: ${ROUNDS[10]} rounds for ten tools and ${ROUNDS[10_000]} for ten thousand, each with fresh tools.`,
    cases,
  }
}
