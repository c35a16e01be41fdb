// Asks the instrumented engine itself whether the instrumentation is where it belongs. Node only: it reads V8's stacks.
const encoder = new TextEncoder()
const WASM_FRAME = /wasm-function\[(\d+)\]/
const SMALL_REFILL = 2000

class Stopped extends Error {}

/** A bare engine: just enough host to evaluate a script and to see each time its fuel is used up. */
function bareEngine(binary, onTick) {
  const memory = new WebAssembly.Memory({ initial: 256, maximum: 4096 })
  const grow = bytes => {
    memory.grow(Math.ceil(((bytes >>> 0) - memory.buffer.byteLength) / 65_536))
    return 1
  }
  let fuel
  const known = { a: memory, k: grow, p: () => 0, tick: () => onTick(fuel) }
  const imports = new Proxy(known, { get: (target, name) => target[name] ?? (() => 0) })
  const { exports } = new WebAssembly.Instance(new WebAssembly.Module(binary), { a: imports })
  fuel = exports.fuel
  fuel.value = SMALL_REFILL
  exports.u()
  const runtime = exports.K()
  exports.D(runtime, 131_072)
  const context = exports.N(runtime, 0)
  const put = text => {
    const bytes = encoder.encode(`${text}\0`)
    const pointer = exports.v(bytes.length)
    new Uint8Array(memory.buffer).set(bytes, pointer)
    return { pointer, size: bytes.length - 1 }
  }
  const file = put('check.js').pointer
  return {
    fuel,
    evaluate(source) {
      const { pointer, size } = put(source)
      return exports.pa(context, pointer, size, file, 0, 0)
    },
  }
}

function assert(condition, message) {
  if (!condition) throw new Error(`The instrumented engine is not as expected: ${message}`)
}

/** The function that asked most often while a program ran, and how often any did. */
function observe(binary, program) {
  const asked = new Map()
  let total = 0
  const engine = bareEngine(binary, fuel => {
    total += 1
    const index = Number(WASM_FRAME.exec(new Error().stack)?.[1])
    asked.set(index, (asked.get(index) ?? 0) + 1)
    fuel.value = SMALL_REFILL
  })
  engine.evaluate('0')
  asked.clear()
  total = 0
  engine.fuel.value = SMALL_REFILL
  engine.evaluate(program)
  const [hottest] = [...asked].sort((a, b) => b[1] - a[1])[0] ?? []
  return { hottest, total }
}

/** True if a program ends when the engine's question is answered by a throw. */
function stops(binary, program) {
  let left = Number.POSITIVE_INFINITY
  const engine = bareEngine(binary, fuel => {
    left -= 1
    if (left <= 0) throw new Stopped()
    fuel.value = SMALL_REFILL
  })
  left = 50
  try {
    engine.evaluate(program)
    return false
  } catch (error) {
    return error instanceof Stopped
  }
}

const LONG_BODY = `let x = 0; while (true) { ${'x = x + 1 | 0; '.repeat(4000)} }`
const DEEP_CHAIN = 'let o = {}; for (let i = 0; i < 4e5; i++) o = Object.create(o)'
const MUST_STOP = {
  'a loop': 'for (;;);',
  'straight-line bytecode': LONG_BODY,
  'a search in a huge sparse array': '[].indexOf.call({ length: 2 ** 53 - 1 }, 1)',
  'a bulk fill': 'const t = new Uint8Array(1e7); for (;;) t.fill(1)',
  'a bulk copy': 'const t = new Uint8Array(1e7); for (;;) t.copyWithin(0, 1)',
  'a regular expression': '/(a+)+$/.test("a".repeat(40) + "b")',
  'a walk along prototypes': `${DEEP_CHAIN}; ${'o.zz; '.repeat(300)}`,
}

/** Throws unless the interpreter is the function found by its shape, and every kind of work is charged. */
export function checkEngine(binary, interpreterIndex) {
  const loop = observe(binary, 'for (let i = 0; i < 5e5; i++);')
  assert(loop.total > 100 && loop.hottest === interpreterIndex, `a loop was charged ${loop.total} times`)
  for (const [what, program] of Object.entries(MUST_STOP))
    assert(stops(binary, program), `${what} is not charged`)
}
