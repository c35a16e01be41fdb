import { readFileSync } from 'node:fs'
import { renderToolsSdk } from '../../dist/index.js'
import { declare } from '../contestants/cloudflare-codemode.mjs'
import { inTurn, missing, summary } from '../measure.mjs'

const COUNTS = [10, 1000, 10_000]
const ROUNDS = { 10: 200, 1000: 40, 10000: 9 }
const REAL = new URL('../../test/data/github-tools.json', import.meta.url)

const CONTESTANTS = [
  { name: 'toolgate', print: renderToolsSdk },
  {
    name: '@cloudflare/codemode',
    print: declare,
    note: 'the entry for browsers; checks that no two names meet',
  },
]

/** The tools of a real server again and again, no two of one name. */
function toolsOf(real, count) {
  return Array.from({ length: count }, (_, i) => {
    const { name, description, inputSchema } = real[i % real.length]
    return { name: `${name}_${i}`, description, parameters: inputSchema }
  })
}

function timeOnce(run) {
  const start = performance.now()
  run()
  return performance.now() - start
}

/** Times of each contestant for one count, and how long its text is; a contestant that fails is left out from then on. */
function printAll(tools, rounds) {
  const found = new Map(CONTESTANTS.map(({ name }) => [name, { times: [], bytes: 0 }]))
  for (const { name, print } of CONTESTANTS) {
    const entry = found.get(name)
    try {
      entry.bytes = Buffer.byteLength(print(tools))
    } catch (error) {
      entry.failure = error
    }
  }
  for (let round = 0; round < rounds; round++) {
    if (tools.length > 10) globalThis.gc()
    for (const { name, print } of inTurn(CONTESTANTS, round)) {
      const { times, failure } = found.get(name)
      if (failure === undefined) times.push(timeOnce(() => print(tools)))
    }
  }
  return found
}

export default function declarations() {
  const { tools: real } = JSON.parse(readFileSync(REAL, 'utf8'))
  const results = new Map()
  // Everybody warms up on the same text before anything counts.
  printAll(toolsOf(real, 1000), 10)
  for (const count of COUNTS) results.set(count, printAll(toolsOf(real, count), ROUNDS[count]))
  const lines = (count, line) =>
    CONTESTANTS.map(({ name, note }) => {
      const entry = results.get(count).get(name)
      return entry.failure === undefined ? line(name, entry, note) : missing(name, entry.failure)
    })
  const medianOf = (name, count) => summary(name, results.get(count).get(name).times).median
  const cases = COUNTS.map(count => ({
    name: `print ${count.toLocaleString('en')} tools`,
    lines: lines(count, (name, { times }, note) => summary(name, times, note)),
  }))
  for (const count of COUNTS)
    cases.push({
      name: `bytes per tool of ${count.toLocaleString('en')}`,
      lines: lines(count, (name, { bytes }) => {
        const size = Math.round(bytes / count)
        return { name, size, value: `${size} B` }
      }),
    })
  cases.push({
    name: 'time per tool of 10,000, to that of 1,000',
    lines: lines(10_000, name => {
      const growth = medianOf(name, 10_000) / 10_000 / (medianOf(name, 1000) / 1000)
      return { name, size: growth, value: `${growth.toFixed(2)}x`, note: '1x is linear' }
    }),
  })
  return {
    title: 'Declarations for Code Mode',
    text:
      `Printing ${COUNTS.map(count => count.toLocaleString('en')).join(', ')} tools as TypeScript: the ${real.length} tools of a real MCP server again and again. ` +
      'Toolgate prints what its compiler checks programs against: undeclared keys, constraints and results included.',
    cases,
  }
}
