import { createToolRegistry, defineTool } from '../contestants/toolgate.mjs'
import { inTurn, race, summary } from '../measure.mjs'

const BATCH = 1_000
const SIZES = [1_000, 10_000, 40_000]
const ROUNDS = 12

const ARGS = { i: { type: 'integer', required: true } }

const inputsOf = count =>
  Array.from({ length: count }, (_, i) => ({ callId: `c${i}`, name: 'tool', arguments: { i } }))

function toolOf(mode, execute = async () => 'ok') {
  return defineTool({ name: 'tool', description: 'Does nothing', parameters: ARGS, ...mode, execute })
}

const MODES = [
  ['safe', { isConcurrencySafe: () => true }],
  ['keyed, each with a key of its own', { resourceKeys: ({ i }) => [`${i}`] }],
  ['keyed, all with one key', { resourceKeys: () => ['one'] }],
  ['exclusive', {}],
]

const checked = results => {
  for (const result of results) if (result.isError) throw new Error(result.error.message)
}

/** The same thousand calls, made one by one and as a batch: the difference is what the pool costs. */
function overhead([name, mode]) {
  const registry = createToolRegistry({ tools: [toolOf(mode)] })
  const inputs = inputsOf(BATCH)
  return [
    {
      name: `${name}: execute, one after another`,
      run: async () => {
        for (const input of inputs) checked([await registry.execute(input)])
      },
    },
    { name: `${name}: executeAll`, run: async () => checked(await registry.executeAll(inputs)) },
  ]
}

/** A batch whose first call ends last, so that all others wait for it to commit. */
function slowHead([, mode], count) {
  let release
  const tool = toolOf(mode, async ({ i }) => {
    if (i === count - 1) release()
    if (i > 0) return 'ok'
    await new Promise(resolve => {
      release = resolve
    })
    return 'ok'
  })
  const registry = createToolRegistry({ tools: [tool] })
  const inputs = inputsOf(count)
  return async () => checked(await registry.executeAll(inputs))
}

/** Milliseconds for each call of batches of several sizes; none may cost more for being in a large one. */
async function growth(mode) {
  const entries = SIZES.map(count => ({ count, run: slowHead(mode, count), samples: [] }))
  for (const { run } of entries) await run()
  for (let round = 0; round < ROUNDS; round++)
    for (const { count, run, samples } of inTurn(entries, round)) {
      globalThis.gc?.()
      const start = performance.now()
      await run()
      samples.push((performance.now() - start) / count)
    }
  return entries.map(({ count, samples }) => summary(`one of ${count.toLocaleString('en')} calls`, samples))
}

export default async function scheduler() {
  const raced = await race(MODES.flatMap(overhead), { rounds: 150, sampleMs: 5, maxMs: 30_000 })
  const cases = MODES.map(([name], at) => {
    const [alone, batch] = raced.slice(2 * at, 2 * at + 2)
    const micros = ((batch.median - alone.median) / BATCH) * 1_000
    return {
      name: `${BATCH.toLocaleString('en')} calls, ${name}`,
      lines: [
        { ...alone, name: 'execute, one after another' },
        { ...batch, name: 'executeAll', note: `${micros.toFixed(2)} us more for each call` },
      ],
    }
  })
  for (const mode of MODES.slice(0, 2)) {
    const lines = await growth(mode)
    const factor = lines.at(-1).median / lines[0].median
    lines.at(-1).note = `${factor.toFixed(2)} times as much for each call, in a batch 40 times as large`
    cases.push({ name: `behind a slow first call, ${mode[0]}`, lines })
  }
  return {
    title: 'Scheduler',
    text: 'What a batch costs beside the same calls made one by one with `execute`, and what one call costs in larger batches. Bodies do nothing, asynchronously. The target is 3 us more for each call, and a cost that does not grow with the batch.',
    cases,
  }
}
