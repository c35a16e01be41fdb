// How long programs without end block the host: npm run bench -- hostile [budget in ms] [part of a name]
// With `intrinsics` for the part: every function that a program can reach, called in every hostile way; give it a small budget
// and an hour, or a third argument for each so-manieth way.
import { quickJsRuntime } from '../src/quickjs.ts'
import { prepareProgram } from '../src/sandbox/quickjs/program/prepare-program.ts'
import { loadTypeStripper } from '../src/sandbox/quickjs/program/strip-types.ts'
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

const stripper = await loadTypeStripper()

// Types come off before the budget begins: that time is the host's own and is shown apart.
async function measure(program) {
  prepareProgram(program, stripper)
  const began = performance.now()
  prepareProgram(program, stripper)
  const strippedAt = performance.now()
  const { error } = await run(program)
  const stripMs = strippedAt - began
  return { ms: performance.now() - strippedAt - stripMs, kind: error?.kind ?? 'none' }
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
