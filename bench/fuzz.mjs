// Random programs against the sandbox: npm run bench -- fuzz [--seconds N] [--seed S] [--count N] [--print]
// Each program has a seed of its own, which is printed with what it did wrong; `--seed S --count 1 --print` shows it again.
import { isDeepStrictEqual } from 'node:util'
import { quickJsRuntime } from '../dist/quickjs.js'
import { randomProgram } from './fuzz/grammar.mjs'
import { randomFrom } from './fuzz/random.mjs'
import { readOptions, seedsOf } from './fuzz/seeds.mjs'

const values = readOptions()
const KNOWN = ['echo', 'fail', 'odd-name', 'then', 'slow', '__proto__', 'toJSON']
const limits = { cpuMs: 20, wallMs: 5000, memoryBytes: 16 * 2 ** 20, maxCalls: 50, outputBytes: 50_000 }
/** A program is counted in work, so that it does the same each time; 20 ms of work may take several times that. */
const BLOCKED_MS = 20 * 20 + 50

let random = Math.random
const options = { limits, cpuClock: 'counted', now: () => 1e12, random: () => random() }
// One runtime is used for all programs, the other for one: what one leaves behind would show as a difference.
const used = quickJsRuntime(options)

const hostState = () =>
  [Object, Array, Function, Promise, Error, Map, RegExp, String, globalThis]
    .map(
      o =>
        Reflect.ownKeys(o).map(String).join() +
        Reflect.ownKeys(o.prototype ?? {})
          .map(String)
          .join(),
    )
    .join('\n')

function isLossless(value) {
  return isDeepStrictEqual(JSON.parse(JSON.stringify(value)), value)
}

/** A memory that has grown before costs a program less: it comes a call further until it is stopped. */
const comparable = outcome => (outcome.error?.kind === 'timeout-cpu' ? { ...outcome, notRun: [] } : outcome)

async function observe(runtime, program, seed) {
  random = randomFrom(seed)
  const faults = []
  const tools = {
    global: 'tools',
    functions: KNOWN,
    open: true,
    errorClass: 'ToolCallError',
    async call({ name, args }) {
      if (!Array.isArray(args) || !isLossless(args)) faults.push(`arguments that are no JSON for ${name}`)
      if (name === 'slow') await new Promise(resolve => setImmediate(resolve))
      if (name === 'fail') throw new Error('it failed')
      if (!KNOWN.includes(name))
        return { ok: false, message: `no ${name.slice(0, 50)}`, properties: { code: 'UNKNOWN' } }
      return { ok: true, value: args[0] ?? null }
    },
  }
  const catalog = { global: 'catalog', functions: ['search'], call: async () => ({ ok: true, value: [] }) }
  // Not by the clock: the machine has others to serve.
  const began = process.cpuUsage()
  const outcome = await runtime.run({ program, namespaces: [tools, catalog] })
  const { user, system } = process.cpuUsage(began)
  const tookMs = (user + system) / 1000
  const { error, value, logs } = outcome
  if (error?.kind === 'crash') faults.push(`it crashed: ${error.message}`)
  if (error !== undefined && (typeof error.message !== 'string' || error.message === ''))
    faults.push('a failure without a text')
  if (value !== undefined && !isLossless(value)) faults.push('a value that is no JSON')
  if (
    Buffer.byteLength(JSON.stringify(logs)) +
      (value === undefined ? 0 : Buffer.byteLength(JSON.stringify(value))) >
    limits.outputBytes
  )
    faults.push('more output than the limit')
  return { outcome, faults, tookMs }
}

const before = hostState()
const kinds = {}
let programs = 0
let failures = 0
let slowest = { ms: 0, seed: 0 }
for (const seed of seedsOf(values)) {
  const program = randomProgram(seed)
  if (values.print) console.log(program)
  programs += 1
  const once = await observe(used, program, seed)
  const again = await observe(quickJsRuntime(options), program, seed)
  const faults = [...once.faults, ...again.faults]
  // A timer comes due between any two calls.
  const isRepeatable = !program.includes('setTimeout')
  if (isRepeatable && !isDeepStrictEqual(comparable(once.outcome), comparable(again.outcome)))
    faults.push(
      `it did not do the same twice:\n${JSON.stringify(once.outcome).slice(0, 600)}\n${JSON.stringify(again.outcome).slice(0, 600)}`,
    )
  if (hostState() !== before) faults.push('it changed the host')
  const healthy = await used.run({ program: 'return [1, typeof left, [1].map(x => x + 1)]', namespaces: [] })
  if (!isDeepStrictEqual(healthy.value, [1, 'undefined', [2]]))
    faults.push(`the next program: ${JSON.stringify(healthy)}`)
  const ms = Math.min(once.tookMs, again.tookMs)
  if (ms > slowest.ms) slowest = { ms, seed }
  if (ms > BLOCKED_MS) faults.push(`it took ${Math.round(ms)} ms`)
  const kind = once.outcome.error?.kind ?? 'value'
  kinds[kind] = (kinds[kind] ?? 0) + 1
  if (faults.length > 0) {
    failures += 1
    process.exitCode = 1
    console.log(`seed ${seed}: ${faults.join('; ')}`)
  }
}
console.log(`${programs} programs from seed ${values.seed}: ${JSON.stringify(kinds)}`)
console.log(`${failures} with faults; the slowest took ${slowest.ms.toFixed(1)} ms (seed ${slowest.seed})`)
