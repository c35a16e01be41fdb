// Asks the instrumented engine itself whether the instrumentation is where it belongs. Node only: it reads V8's stacks.
import { editsOf } from './edit-text.mjs'

const { assert } = editsOf('The instrumented engine')

const encoder = new TextEncoder()
const SMALL_REFILL = 2000
const INTERRUPT_COUNTER = 232
const POLL_EVERY = 250

class Stopped extends Error {}

/** A bare engine: just enough host to evaluate a script and to see each time it polls or its fuel is used up. */
function bareEngine(binary, onAsk, { polls = true } = {}) {
  const memory = new WebAssembly.Memory({ initial: 32, maximum: 4096 })
  const grow = bytes => {
    try {
      memory.grow(Math.ceil(((bytes >>> 0) - memory.buffer.byteLength) / 65_536))
      return 1
    } catch {
      return 0
    }
  }
  let counter = 0
  const pollSoon = () => {
    new Int32Array(memory.buffer)[counter >> 2] = POLL_EVERY
  }
  const tick = () => {
    exports.fuel.value = SMALL_REFILL
    onAsk()
  }
  const poll = () => {
    pollSoon()
    onAsk()
    return 0
  }
  const known = { a: memory, k: grow, p: () => 0, tick, i: poll }
  const imports = new Proxy(known, { get: (target, name) => target[name] ?? (() => 0) })
  const { exports } = new WebAssembly.Instance(new WebAssembly.Module(binary), { a: imports })
  exports.fuel.value = SMALL_REFILL
  exports.u()
  const runtime = exports.K()
  exports.D(runtime, 131_072)
  if (polls) exports.Fa(runtime)
  const context = exports.N(runtime, 0)
  counter = context + INTERRUPT_COUNTER
  exports.polls.value = counter
  pollSoon()
  const put = text => {
    const bytes = encoder.encode(`${text}\0`)
    const pointer = exports.v(bytes.length)
    new Uint8Array(memory.buffer).set(bytes, pointer)
    return { pointer, size: bytes.length - 1 }
  }
  const file = put('check.js').pointer
  return {
    reports: () => exports.reports.value,
    evaluate(source) {
      const { pointer, size } = put(source)
      return exports.pa(context, pointer, size, file, 0, 0)
    },
  }
}

/** How often the engine asked while a program ran, and how often that went through a function. */
function observe(binary, program, functionIndex) {
  let total = 0
  let through = 0
  const engine = bareEngine(binary, () => {
    total += 1
    if (new Error().stack.includes(`wasm-function[${functionIndex}]`)) through += 1
  })
  engine.evaluate('0')
  total = 0
  through = 0
  engine.evaluate(program)
  return { total, through }
}

/** True if a program ends when the engine's question is answered by a throw. */
function stops(binary, program) {
  let left = Number.POSITIVE_INFINITY
  const engine = bareEngine(binary, () => {
    left -= 1
    if (left <= 0) throw new Stopped()
  })
  left = 50
  try {
    engine.evaluate(program)
    return false
  } catch (error) {
    return error instanceof Stopped
  }
}

/** True if a loop of an engine that has nobody to ask ends all the same. */
function endsUnasked(binary) {
  const engine = bareEngine(binary, () => {}, { polls: false })
  try {
    engine.evaluate('for (;;);')
    return false
  } catch (error) {
    return error instanceof WebAssembly.RuntimeError
  }
}

const LONG_STRETCH = 'x = x + 1 | 0; '.repeat(1000)
const DEEP_CHAIN = 'let o = {}; for (let i = 0; i < 4e5; i++) o = Object.create(o)'
const MUST_STOP = {
  'a loop': 'for (;;);',
  'straight-line bytecode': `let x = 0; for (;;) { ${LONG_STRETCH} }`,
  'a search in a huge sparse array': '[].indexOf.call({ length: 2 ** 53 - 1 }, 1)',
  'a bulk fill': 'const t = new Uint8Array(1e7); for (;;) t.fill(1)',
  'a bulk copy': 'const t = new Uint8Array(1e7); for (;;) t.copyWithin(0, 1)',
  'a regular expression': '/(a+)+$/.test("a".repeat(40) + "b")',
  'a walk along prototypes': `${DEEP_CHAIN}; ${'o.zz; '.repeat(300)}`,
}

/** What an engine has reported of its own limits once a program has run, or has been ended by it. */
function reportsOf(binary, program) {
  const engine = bareEngine(binary, () => {})
  try {
    engine.evaluate(program)
  } catch (error) {
    if (!(error instanceof WebAssembly.RuntimeError)) throw error
  }
  return engine.reports()
}

const RECURSION = 'const f = () => f() + 1; try { f() } catch {}'
const DEEP_SOURCE = 'try { JSON.parse("[".repeat(1e5)) } catch {}'
const ASKING_TOO_MUCH = 'try { new Uint8Array(1e9) } catch {}'
const FILLING = 'const a = []; for (;;) try { a.push({}) } catch {}'
const PRETENDING = 'try { throw new InternalError("stack overflow") } catch {}'
const STACK_USED_UP = 1
const MEMORY_REFUSED = 2
const ENDED_FOR_MEMORY = 4
const MUST_REPORT = [
  [RECURSION, STACK_USED_UP],
  [DEEP_SOURCE, STACK_USED_UP],
  [ASKING_TOO_MUCH, MEMORY_REFUSED],
  [FILLING, ENDED_FOR_MEMORY],
  [PRETENDING, 0],
]

/** Throws unless the interpreter is the function found by its shape, and every kind of work is charged. */
export function checkEngine(binary, interpreterIndex) {
  const loop = observe(binary, 'for (let i = 0; i < 1e5; i++);', interpreterIndex)
  assert(
    // What the opcodes used up is asked for by whichever loop comes next, and a few of those are elsewhere.
    loop.total > 700 && loop.through >= loop.total * 0.99,
    `a loop asked ${loop.total} times, ${loop.through} of them there`,
  )
  const straight = observe(
    binary,
    `let x = 0; for (let i = 0; i < 100; i++) { ${LONG_STRETCH} }`,
    interpreterIndex,
  )
  assert(straight.total >= 100, `a hundred passes of straight-line code asked ${straight.total} times`)
  for (const [what, program] of Object.entries(MUST_STOP))
    assert(stops(binary, program), `${what} is not charged`)
  assert(endsUnasked(binary), 'a loop goes on for ever when nobody can be asked')
  for (const [program, marks] of MUST_REPORT)
    assert(reportsOf(binary, program) === marks, `${program} does not leave the marks ${marks}`)
}
