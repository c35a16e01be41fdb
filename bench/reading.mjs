// Random texts against the reader of programs: npm run bench -- reading [--seconds N] [--seed S] [--count N] [--bytes N] [--print]
// Reading is not metered as running is: what a text takes must grow with its length, whatever lies in what. Each text is compared
// with a plain one of its length; `--seed S --count 1 --print` shows one again.
import { loadTypeStripper } from '../src/sandbox/quickjs/program/load-type-stripper.ts'
import { prepareProgram } from '../src/sandbox/quickjs/program/prepare-program.ts'
import { randomFrom } from './fuzz/random.mjs'
import { readOptions, seedsOf } from './fuzz/seeds.mjs'
import { AROUND, INSIDE } from './reading/shapes.mjs'

const values = readOptions({ bytes: { type: 'string', default: '65536' } })
const bytes = Number(values.bytes)
/** Times what a plain text takes. The parser may read a text of many meanings again and again, up to a bound of its own. */
const ALLOWED = 12
const MAX_DEPTH = 500
const MAX_LAYERS = 4
const SHOWN_UNITS = 400

const stripper = await loadTypeStripper()

/** Milliseconds of the process's own computing, the least of several tries: the machine has others to serve. */
function reading(text, tries) {
  let least = Number.POSITIVE_INFINITY
  for (let i = 0; i < tries; i++) {
    const began = process.cpuUsage()
    prepareProgram(text, stripper)
    const { user, system } = process.cpuUsage(began)
    least = Math.min(least, (user + system) / 1000)
  }
  return least
}

const filled = (part, length) => part.repeat(Math.max(1, Math.floor(length / part.length)))

/** Parts in one another or in a row, with one thing many times inside the innermost, behind all of them, or in each. */
function randomText(seed) {
  const random = randomFrom(seed)
  const pick = list => list[Math.floor(random() * list.length)]
  const layers = Array.from({ length: 1 + Math.floor(random() * MAX_LAYERS) }, () => pick(AROUND))
  const inside = pick(INSIDE)
  const open = layers.map(([opens]) => opens).join('')
  const close = layers
    .map(([, closes]) => closes)
    .reverse()
    .join('')
  const whole = open.length + close.length
  const depth = Math.max(1, Math.min(Math.floor(MAX_DEPTH * random()), Math.floor(bytes / 2 / whole)))
  const rest = bytes - depth * whole
  const way = random()
  if (way < 0.2) return filled(open + inside + close + pick([',', ';', '\n']), bytes)
  const nested = (first, last) => open.repeat(depth) + first + close.repeat(depth) + last
  if (way < 0.8) return nested(filled(inside, rest), '')
  if (way < 0.9) return nested(inside, filled(inside, rest))
  return filled(inside, rest) + nested(inside, '')
}

const plain = filled('const a = b(c, 1);\n', bytes)
for (let i = 0; i < 20; i++) reading(plain, 1)
const plainMs = reading(plain, 5)
const allowedMs = plainMs * ALLOWED

let texts = 0
let failures = 0
let slowest = { ms: 0, seed: 0 }
for (const seed of seedsOf(values)) {
  texts += 1
  const text = randomText(seed)
  if (values.print) console.log(text)
  let ms = reading(text, 1)
  if (ms > allowedMs) ms = reading(text, 3)
  if (ms > slowest.ms) slowest = { ms, seed }
  if (ms <= allowedMs) continue
  failures += 1
  process.exitCode = 1
  console.log(`seed ${seed}: ${Math.round(ms)} ms for ${JSON.stringify(text.slice(0, SHOWN_UNITS))}`)
}
console.log(
  `${texts} texts of ${bytes} bytes from seed ${values.seed}; a plain one takes ${plainMs.toFixed(1)} ms`,
)
console.log(
  `${failures} took more than ${ALLOWED} times that; the slowest ${slowest.ms.toFixed(1)} ms (seed ${slowest.seed})`,
)
