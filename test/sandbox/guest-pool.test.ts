import { readFileSync } from 'node:fs'
import { quickJsRuntime } from 'toolgate/quickjs'
import { beforeAll, describe, expect, test } from 'vitest'
import type { CodeRunOutcome } from '../../src/sandbox/code-runtime.js'
import { POLYFILLS } from '../../src/sandbox/quickjs/generated/polyfills.js'
import { resolveLimits } from '../../src/sandbox/quickjs/limits.js'
import { loadTypeStripper } from '../../src/sandbox/quickjs/program/load-type-stripper.js'
import { prepareProgram } from '../../src/sandbox/quickjs/program/prepare-program.js'
import type { Guest } from '../../src/sandbox/quickjs/run/guest.js'
import { GuestPool } from '../../src/sandbox/quickjs/run/guest-pool.js'
import { makeGuest } from '../../src/sandbox/quickjs/run/make-guest.js'
import { ProgramRun } from '../../src/sandbox/quickjs/run/program-run.js'
import { setUpText } from '../../src/sandbox/quickjs/run/set-up-text.js'
import { toolsOf } from './support/run-code.js'

// Long enough for what ends by itself on the busiest machine; three programs use it up.
const limits = resolveLimits({ cpuMs: 2_000, outputBytes: 10_000, memoryBytes: 6 * 1024 * 1024 })
const namespaces = [toolsOf({ echo: ({ args }) => args[0], fail: () => Promise.reject(new Error('no')) })]

const randomHex = (bytes: number): string => 'a7'.repeat(bytes)

const setUp = setUpText(namespaces, limits.outputBytes)

let module: WebAssembly.Module
let bare: Guest
let fresh: Guest

function compile(name: string): Promise<WebAssembly.Module> {
  return WebAssembly.compile(
    readFileSync(new URL(`../../src/sandbox/quickjs/generated/${name}`, import.meta.url)),
  )
}

beforeAll(async () => {
  module = await compile('quickjs.wasm')
  // Not a copy of the image: an engine that boots and evaluates the prelude.
  const unbaked = await compile('unbaked.wasm')
  bare = makeGuest(unbaked, limits).guest
  const { guest, state } = makeGuest(unbaked, limits)
  guest.prepare(setUp, state)
  fresh = guest
})

/** What an instance has beside its memory. */
function globalsOf({ engine: { exports } }: Guest): readonly unknown[] {
  return [exports.stackPointer(), exports.polls.value, exports.reports.value]
}

/** How many words differ from those of a guest in which no program has ever run; what is beyond its memory must be zero. */
function differences(guest: Guest, from: Guest = fresh): number {
  const words = new BigUint64Array(guest.engine.memory.buffer)
  const wanted = new BigUint64Array(from.engine.memory.buffer)
  let count = 0
  for (let i = 0; i < words.length; i++) if (words[i] !== (wanted[i] ?? 0n)) count++
  return count
}

async function runIn(guest: Guest, program: string, given = namespaces): Promise<CodeRunOutcome> {
  const prepared = prepareProgram(program, await loadTypeStripper())
  if (!prepared.ok) throw new Error(prepared.message)
  guest.seed(1, 2)
  const settings = { limits, now: Date.now, countCpu: false, polyfills: POLYFILLS, randomHex }
  const run = new ProgramRun(guest, prepared.program, { program, namespaces: given }, settings)
  run.start(setUpText(given, limits.outputBytes))
  return run.outcome
}

const programs: readonly (readonly [what: string, program: string, kind: string | undefined])[] = [
  ['returned at once', 'return 1', undefined],
  [
    'called, printed and waited',
    'console.log(await tools.echo({ a: [1, 2] })); await tools.fail().catch(() => {}); return 2',
    undefined,
  ],
  ['threw', 'throw new TypeError("x")', 'exception'],
  ['did not parse in the engine', 'let a; let a', 'syntax'],
  ['left calls and timers behind', 'tools.echo(1); setTimeout(() => {}, 1e6); return 3', undefined],
  ['replaced what it could reach', hostileGlobals(), undefined],
  [
    'made many objects',
    'const a = []; for (let i = 0; i < 3e4; i++) a.push({ i }); return a.length',
    undefined,
  ],
  [
    'touched what is made when it is touched',
    'return [new URL("https://a.b/c").host, structuredClone([1]).length, (1e6).toLocaleString(), crypto.randomUUID().length]',
    undefined,
  ],
  ['was stopped in a loop', 'for (;;);', 'timeout-cpu'],
  ['was stopped in a builtin', '[].indexOf.call({ length: 2 ** 53 - 1 }, 1)', 'timeout-cpu'],
  ['was stopped in a promise', 'await new Promise(() => { for (;;); }).catch(() => {})', 'timeout-cpu'],
  ['recursed without end', 'const f = () => f(); f()', 'stack'],
  ['used up its memory', 'const a = []; for (;;) a.push({ a })', 'memory'],
  ['asked for more memory than there is', 'const a = new Uint8Array(1e9); return 1', 'memory'],
  [
    'used up its memory in a job',
    'await null; const a = new Map(); for (let i = 0; ; i++) a.set({ i }, [i])',
    'memory',
  ],
  [
    'used up its memory where it would catch that',
    'const a = []; try { for (;;) a.push("x".repeat(99) + a.length) } catch {} for (;;);',
    'memory',
  ],
  ['was refused a large buffer and went on', 'try { new Uint8Array(1e9) } catch {} for (;;);', 'timeout-cpu'],
  ['filled a buffer with its secrets', 'const t = new Uint8Array(3e6).fill(171); return t[0]', undefined],
  ['read deep JSON', 'JSON.parse("[".repeat(1e5))', 'stack'],
  ['wrote deep JSON', 'let v = 1; for (let i = 0; i < 2e4; i++) v = [v]; JSON.stringify(v)', 'stack'],
  ['was stopped in a regular expression', '/^(a+)+$/.test("a".repeat(50) + "b")', 'timeout-cpu'],
  ['was stopped while it sorted', '[1, 2, 3].sort(() => { for (;;); })', 'timeout-cpu'],
  [
    'was stopped by the end of its output in a getter',
    'console.log({ get a() { for (;;) console.log("y".repeat(99)) } })',
    'output-limit',
  ],
  ['passed large texts', 'const t = await tools.echo({ a: "x".repeat(1e5) }); return t.a.length', undefined],
  [
    'touched what is made when it is touched',
    'return new URL("https://a.b/c?d=1").searchParams.get("d") + typeof Intl.NumberFormat',
    undefined,
  ],
  ['threw an error of the engine', 'throw new InternalError("stack overflow")', 'exception'],
  ['nested deeper than the host', 'eval("(".repeat(5e4))', 'stack'],
  ['can never end', 'await new Promise(() => {})', 'deadlock'],
  ['printed too much', 'for (;;) console.log("x".repeat(500))', 'output-limit'],
]

function hostileGlobals(): string {
  return `Object.prototype.polluted = 1; Array.prototype.push = null; Math.random = () => 4
    for (const name of Object.getOwnPropertyNames(globalThis)) { try { delete globalThis[name] } catch {} }
    return 4`
}

/** How many programs with the same namespaces came before: then guests are at rest as one was when it began, or as an image has it. */
describe.each([0, 2])('a guest is word for word as new, %i programs later, after one that', before => {
  test.each(programs)('%s', async (_what, program, kind) => {
    const pool = new GuestPool(module, limits)
    let guest = pool.take(setUp)
    for (let i = 0; i < before; i++) {
      await runIn(guest, 'return await tools.echo(1)')
      pool.giveBack(guest)
      guest = pool.take(setUp)
    }
    expect([guest.setUpFrom, differences(guest)]).toEqual([setUp, 0])
    const outcome = await runIn(guest, program)
    expect(outcome.error?.kind).toBe(kind)
    expect(differences(guest)).toBeGreaterThan(0)
    pool.giveBack(guest)
    expect(pool.take(setUp)).toBe(guest)
    expect([guest.setUpFrom, differences(guest)]).toEqual([setUp, 0])
    expect(globalsOf(guest)).toEqual(globalsOf(fresh))
    expect([guest.memoryEnded, guest.stackEnded, guest.ranTooFarStraight]).toEqual([false, false, false])
    expect(await runIn(guest, 'return typeof Array.prototype.push + typeof polluted')).toEqual({
      value: 'functionundefined',
      logs: [],
    })
  })
})

describe('namespaces that are set up at rest', () => {
  const other = [toolsOf({ other: () => 'other' })]
  const otherSetUp = setUpText(other, limits.outputBytes)

  test('are gone for a program that has others', async () => {
    const pool = new GuestPool(module, limits)
    for (let i = 0; i < 3; i++) {
      const guest = pool.take(setUp)
      await runIn(guest, 'return 1')
      pool.giveBack(guest)
    }
    const guest = pool.take(otherSetUp)
    expect(guest.setUpFrom).toBe(otherSetUp)
    const names = await runIn(guest, 'return [Object.keys(tools), await tools.other()]', other)
    expect(names.value).toEqual([['other'], 'other'])
  })

  test('are those of the program, in whatever order programs come', async () => {
    const runtime = quickJsRuntime()
    for (const list of [
      namespaces,
      namespaces,
      other,
      other,
      other,
      namespaces,
      other,
      namespaces,
      namespaces,
      namespaces,
    ]) {
      const runs = [1, 2].map(() => runtime.run({ program: 'return Object.keys(tools)', namespaces: list }))
      for (const { value } of await Promise.all(runs)) expect(value).toEqual(list[0]?.functions)
    }
    await runtime.dispose?.()
  })

  test('are not set up at rest where that is more than a moment', async () => {
    const many = setUpText([toolsOf({ ['n'.repeat(70_000)]: () => 1 })], limits.outputBytes)
    const pool = new GuestPool(module, limits)
    for (let i = 0; i < 4; i++) {
      const guest = pool.take(many)
      expect([guest.setUpFrom, differences(guest, bare)]).toEqual([undefined, 0])
      pool.giveBack(guest)
    }
    expect(differences(pool.take(setUp))).toBe(0)
  })

  test('see the time of their program', async () => {
    let now = 1_000
    const runtime = quickJsRuntime({ now: () => now })
    for (let i = 0; i < 5; i++) {
      now += 1_000
      const program = 'return [Date.now(), performance.now() < 1000]'
      expect((await runtime.run({ program, namespaces })).value).toEqual([now, true])
    }
  })

  test.each([
    ['are too many to be kept', 8_000],
    ['take more memory than an instance begins with', 4_000],
  ])('may be any: where they %s', async (_what, count) => {
    const many = toolsOf(Object.fromEntries(Array.from({ length: count }, (_, i) => [`f${i}`, () => i])))
    const runtime = quickJsRuntime()
    for (let i = 0; i < 4; i++) {
      const program = `return [Object.keys(tools).length, await tools.f${count - 1}()]`
      const { value } = await runtime.run({ program, namespaces: [many] })
      expect(value).toEqual([count, count - 1])
    }
  })

  test('may need more memory than there is', async () => {
    const many = toolsOf(Object.fromEntries(Array.from({ length: 5_000 }, (_, i) => [`f${i}`, () => i])))
    const runtime = quickJsRuntime({ limits: { memoryBytes: 1024 * 1024 } })
    for (let i = 0; i < 4; i++) {
      const program = 'return Object.keys(tools).length'
      expect((await runtime.run({ program, namespaces: [many] })).error?.kind).toBe('memory')
      expect((await runtime.run({ program: 'return 1', namespaces })).value).toBe(1)
    }
  })
})

describe('what fails before the program is a function', () => {
  const runScript = (script: string): Promise<CodeRunOutcome> => {
    const guest = new GuestPool(module, limits).take(setUp)
    guest.seed(1, 2)
    const settings = { limits, now: Date.now, countCpu: false, polyfills: POLYFILLS, randomHex }
    const program = { script, callsResult: false, locate: () => undefined, text: script, code: script }
    const run = new ProgramRun(guest, program, { program: script, namespaces }, settings)
    run.start(setUp)
    return run.outcome
  }

  test.each([
    ['(async function(){ let a; let a })', 'syntax', /^SyntaxError/],
    ['(async function(){ return 1 }', 'syntax', /^SyntaxError/],
    [
      "(async function(){ })(); throw new Error('it ran'); (async function(){ })",
      'exception',
      /^Error: it ran/,
    ],
    ["throw new SyntaxError('it ran')", 'exception', /^SyntaxError: it ran/],
    ['eval("let b; let b")', 'exception', /^SyntaxError/],
    ['for (;;);', 'timeout-cpu', /./],
  ])('is judged by what the engine takes, not by what was thrown: %s', async (script, kind, message) => {
    const { error } = await runScript(script)
    expect([error?.kind, error?.message]).toEqual([kind, expect.stringMatching(message)])
  })
})

describe('a pool', () => {
  test('refuses an engine without its image', async () => {
    const pool = new GuestPool(await compile('unbaked.wasm'), limits)
    expect(() => pool.take(setUp)).toThrow(/not the toolgate\/quickjs\.wasm of this version/)
  })

  test('makes guests for another stack', async () => {
    const small = { ...limits, stackBytes: 32 * 1024 }
    const depth = 'let n = 0; const f = () => { n++; f() }; try { f() } catch {} return n'
    const depths = []
    for (const pool of [new GuestPool(module, limits), new GuestPool(module, small)]) {
      const first = await runIn(pool.take(setUp), depth)
      const guest = pool.take(setUp)
      await runIn(guest, depth)
      pool.giveBack(guest)
      const again = await runIn(pool.take(setUp), depth)
      expect(again).toEqual(first)
      depths.push(first.value as number)
    }
    expect(depths[0]).toBeGreaterThan(3 * (depths[1] as number))
  })

  test('does not hand a guest out twice', () => {
    const pool = new GuestPool(module, limits)
    const guests = Array.from({ length: 10 }, () => pool.take(setUp))
    expect(new Set(guests).size).toBe(10)
    for (const guest of guests) pool.giveBack(guest)
    const again = Array.from({ length: 10 }, () => pool.take(setUp))
    expect(new Set(again).size).toBe(10)
  })

  test('drops a guest whose memory has grown large', async () => {
    const pool = new GuestPool(module, { ...limits, memoryBytes: 64 * 1024 * 1024 })
    const guest = pool.take(setUp)
    expect(await runIn(guest, 'const t = new Uint8Array(2e7); return t.length')).toEqual({
      value: 2e7,
      logs: [],
    })
    pool.giveBack(guest)
    expect(pool.take(setUp)).not.toBe(guest)
  })

  test('makes guests whose random numbers differ and whose state does not', async () => {
    const pool = new GuestPool(module, limits)
    const [first, second] = [pool.take(setUp), pool.take(setUp)]
    first.seed(1, 2)
    second.seed(3, 4)
    expect(differences(first)).toBe(1)
    expect(differences(second)).toBe(1)
  })
})
