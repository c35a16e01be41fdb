// What the fuel costs: the same kernels in the engine as published and as instrumented, side by side in one process.
// node bench/fuel.mjs [rounds]
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'

const [rounds = '10'] = process.argv.slice(2)
const REFILL = 50_000
const INTERRUPT_COUNTER = 232
const POLL_EVERY = 250
const encoder = new TextEncoder()

const KERNELS = {
  fib: '(function f(n) { return n < 2 ? n : f(n - 1) + f(n - 2) })(21)',
  loop: '(() => { let x = 0; for (let i = 0; i < 3e5; i++) x = x + i | 0; return x })()',
  json: 'JSON.parse(JSON.stringify(Array.from({ length: 4000 }, (_, i) => ({ i, name: "n" + i, tags: [1, 2] })))).length',
  sort: 'Array.from({ length: 2e4 }, (_, i) => i * 7919 % 20011).sort((a, b) => a - b).length',
  regex: '"the quick brown fox ".repeat(5000).replace(/[a-z]+/g, w => w.length).length',
  concat: '(() => { let s = ""; for (let i = 0; i < 3e4; i++) s += "ab" + i; return s.length })()',
  objects:
    '(() => { const m = new Map(); for (let i = 0; i < 3e4; i++) m.set("k" + i % 1000, { i }); return m.size })()',
}

function engine(binary) {
  const module = new WebAssembly.Module(binary)
  const memory = new WebAssembly.Memory({ initial: 256, maximum: 4096 })
  let fuel
  let pollSoon = () => {}
  const grow = bytes => {
    memory.grow(Math.ceil(((bytes >>> 0) - memory.buffer.byteLength) / 65_536))
    return 1
  }
  const tick = () => {
    performance.now()
    fuel.value = REFILL
  }
  const poll = () => {
    pollSoon()
    return performance.now() < 0 ? 1 : 0
  }
  const known = { a: memory, k: grow, p: () => 0, i: poll, tick }
  const { exports } = new WebAssembly.Instance(module, {
    a: new Proxy(known, { get: (target, name) => target[name] ?? (() => 0) }),
  })
  fuel = exports.fuel
  exports.u()
  const runtime = exports.K()
  exports.D(runtime, 131_072)
  exports.Fa(runtime)
  const context = exports.N(runtime, 0)
  if (exports.polls !== undefined) {
    exports.polls.value = context + INTERRUPT_COUNTER
    pollSoon = () => {
      new Int32Array(memory.buffer)[(context + INTERRUPT_COUNTER) >> 2] = POLL_EVERY
    }
    pollSoon()
  }
  const put = text => {
    const bytes = encoder.encode(`${text}\0`)
    const pointer = exports.v(bytes.length)
    new Uint8Array(memory.buffer).set(bytes, pointer)
    return { pointer, size: bytes.length - 1 }
  }
  const file = put('bench.js').pointer
  return source => {
    const { pointer, size } = put(source)
    const began = performance.now()
    const value = exports.pa(context, pointer, size, file, 0, 0)
    const ms = performance.now() - began
    if (exports.na(context, value) !== 0) throw new Error(`a kernel failed: ${source}`)
    exports.P(context, value)
    exports.M(pointer)
    return ms
  }
}

const published = createRequire(import.meta.url).resolve('@jitl/quickjs-wasmfile-release-sync/wasm')
const instrumented = new URL('../src/sandbox/quickjs/generated/quickjs.wasm', import.meta.url)
const [before, after] = [published, instrumented].map(file => engine(readFileSync(file)))
let product = 1
for (const [name, source] of Object.entries(KERNELS)) {
  let [a, b] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY]
  for (let i = 0; i < Number(rounds); i++) {
    a = Math.min(a, before(source))
    b = Math.min(b, after(source))
  }
  product *= b / a
  console.log(
    `${name.padEnd(8)} ${a.toFixed(2).padStart(8)} ms ${b.toFixed(2).padStart(8)} ms  ${(b / a).toFixed(2)}x`,
  )
}
console.log(`geometric mean ${(product ** (1 / Object.keys(KERNELS).length)).toFixed(2)}x`)
