// How long programs without end block the host: npm run bench -- hostile [budget in ms] [part of a name]
// With `intrinsics` for the part: every function that a program can reach, called in every hostile way; give it a small budget
// and an hour, or a third argument for each so-manieth way.
import { quickJsRuntime } from '../src/quickjs.ts'
import { loadTypeStripper } from '../src/sandbox/quickjs/program/load-type-stripper.ts'
import { prepareProgram } from '../src/sandbox/quickjs/program/prepare-program.ts'
import { ENDLESS } from '../test/sandbox/support/hostile-programs.ts'
import { LIST_FUNCTIONS, sweep } from '../test/sandbox/support/intrinsics-sweep.ts'

const [budget = '300', part = '', every = '1'] = process.argv.slice(2)
const cpuMs = Number(budget)
const ALLOWED_MS = 50
const TRIES = 3
const runtime = quickJsRuntime({ limits: { cpuMs } })
const tools = {
  global: 'tools',
  functions: ['echo'],
  call: async ({ args }) => ({ ok: true, value: args[0] ?? null }),
}
const run = (program, on = runtime) => on.run({ program, namespaces: [tools] })

// What holds the host is what it computes in one go: between turns of the event loop, by the process's own clock of computing,
// so that others on the machine do not count. Types come off before the budget begins, in a turn of their own beforehand.
const stripper = await loadTypeStripper()

function holdWatch() {
  let last = process.cpuUsage()
  let longest = 0
  let watching = true
  const look = () => {
    const { user, system } = process.cpuUsage(last)
    longest = Math.max(longest, (user + system) / 1000)
    last = process.cpuUsage()
    if (watching) setImmediate(look)
  }
  setImmediate(look)
  return () => {
    watching = false
    look()
    return longest
  }
}

/** Milliseconds of computing that reading a program takes, the least of some tries. */
function readMs(program) {
  let least = Number.POSITIVE_INFINITY
  for (let i = 0; i < 3; i++) {
    const before = process.cpuUsage()
    prepareProgram(program, stripper)
    const { user, system } = process.cpuUsage(before)
    least = Math.min(least, (user + system) / 1000)
  }
  return least
}

async function measure(program) {
  const read = readMs(program)
  await new Promise(done => setImmediate(done))
  const end = holdWatch()
  const { error } = await run(program)
  // Reading and running may fall into one turn.
  return { ms: Math.max(0, end() - read), kind: error?.kind ?? 'none' }
}

await run('return 1')
const results = []
async function sweepAll() {
  const { value } = await run(LIST_FUNCTIONS, quickJsRuntime())
  for (const [i, fn] of value.entries()) {
    let ms = 0
    const timed = async program => {
      const began = performance.now()
      const outcome = await run(program)
      ms = performance.now() - began
      return outcome
    }
    for await (const { what, outcome } of sweep(fn, timed, {
      every: Number(every),
      first: i % Number(every),
    }))
      results.push({ name: what, ms, kind: outcome.error?.kind ?? 'none' })
  }
}
if (part === 'intrinsics') await sweepAll()
for (const [name, program] of ENDLESS.filter(([name]) => name.includes(part))) {
  let best = await measure(program)
  for (let i = 1; i < TRIES && best.ms > cpuMs + ALLOWED_MS; i++) {
    const again = await measure(program)
    if (again.ms < best.ms) best = again
  }
  results.push({ name, ...best })
}
results.sort((a, b) => b.ms - a.ms)
for (const { name, ms, kind } of results.slice(0, 12))
  console.log(`${ms.toFixed(1).padStart(8)} ms  ${kind.padEnd(12)} ${name}`)
const over = results.filter(({ ms }) => ms > cpuMs + ALLOWED_MS)
console.log(
  `${results.length} programs, budget ${cpuMs} ms: ${over.length} over by more than ${ALLOWED_MS} ms`,
)
