import { type CodeCall, type CodeLog, type QuickJsLimits, quickJsRuntime } from 'toolgate/quickjs'
import { describe, expect, test } from 'vitest'
import { gate, returned, run } from './support/run-code.js'

const withLimits = (limits: Partial<QuickJsLimits>) => quickJsRuntime({ limits })
const kindOf = async (program: string, limits: Partial<QuickJsLimits> = {}): Promise<string | undefined> =>
  (await run(program, {}, {}, withLimits(limits))).error?.kind

describe('limits are checked when the runtime is made', () => {
  const names = [
    'sourceBytes',
    'cpuMs',
    'wallMs',
    'memoryBytes',
    'stackBytes',
    'maxCalls',
    'outputBytes',
    'drainMs',
  ]
  test.each(names)('%s', name => {
    for (const value of [-1, 0.5, Number.NaN, Number.POSITIVE_INFINITY, '5', null === undefined])
      expect(() => quickJsRuntime({ limits: { [name]: value } as never }), `${name} ${value}`).toThrow(
        expect.objectContaining({ code: 'INVALID_OPTIONS', message: expect.stringContaining(name) }),
      )
  })
  test('unknown names', () => {
    expect(() => quickJsRuntime({ limits: { timeoutMs: 5 } as never })).toThrow(
      expect.objectContaining({ code: 'INVALID_OPTIONS' }),
    )
  })
  test('other options', () => {
    for (const options of [{ wasmModule: {} }, { now: 5 }, { random: 'x' }, { cpuClock: 'none' }])
      expect(() => quickJsRuntime(options as never)).toThrow(
        expect.objectContaining({ code: 'INVALID_OPTIONS' }),
      )
  })
  test('drainMs is handed on', () => {
    expect([withLimits({}).drainMs, withLimits({ drainMs: 5 }).drainMs]).toEqual([1000, 5])
  })
})

describe('a source too large for the memory', () => {
  const sources: readonly (readonly [string, string])[] = [
    ['a long sum', `let a = 0;${'a+=1;'.repeat(40_000)}return a`],
    [
      'many functions',
      `${Array.from({ length: 10_000 }, (_, i) => `function f${i}(a){return a}`).join(';')};return 1`,
    ],
    ['many names', `var ${Array.from({ length: 25_000 }, (_, i) => `v${i}`).join(',')};return 1`],
    ['many arrows', `return [${'()=>1,'.repeat(16_000)}].length`],
    [
      'many keys',
      `return Object.keys({${Array.from({ length: 25_000 }, (_, i) => `k${i}:1`).join(',')}}).length`,
    ],
  ]
  test.each(sources)('is told as such: %s', async (_what, program) => {
    for (const kib of [256, 320, 400]) {
      const runtime = quickJsRuntime({
        limits: { memoryBytes: kib * 1024, cpuMs: 20_000, sourceBytes: 1024 * 1024 },
      })
      const { error } = await run(program, {}, {}, runtime)
      expect(error?.kind).toBe('memory')
      expect(error?.message).toMatch(/^The program needed more than/)
    }
  })
})

describe('source-limit', () => {
  test('counts UTF-8 bytes, and the limit itself is allowed', async () => {
    const program = 'return "é"'
    expect(await kindOf(program, { sourceBytes: 11 })).toBeUndefined()
    expect(await kindOf(program, { sourceBytes: 10 })).toBe('source-limit')
  })
})

describe('timeout-cpu', () => {
  test.each([
    ['a loop', 'for (;;) {}'],
    ['a promise executor behind a catch', 'return await new Promise(() => { for (;;) {} }).catch(() => "x")'],
    ['a caught loop', 'for (;;) try { for (;;) {} } catch {} finally { continue }'],
    ['promise jobs without end', 'for (;;) await null'],
    ['jobs that make jobs', 'const again = () => Promise.resolve().then(again); await again()'],
    ['a timer callback', 'setTimeout(() => { for (;;) {} }, 1); await new Promise(() => {})'],
    ['a getter of the result', 'return { get a() { for (;;) {} } }'],
    ['printing', 'console.log({ get a() { for (;;) {} } })'],
  ])('ends %s', async (_what, program) => {
    expect(await kindOf(program, { cpuMs: 100 })).toBe('timeout-cpu')
  })

  test('does not count waiting', async () => {
    const program = 'await new Promise(done => setTimeout(done, 600)); return 1'
    expect(await kindOf(program, { cpuMs: 300 })).toBeUndefined()
  })

  test('adds up over many short stretches', async () => {
    const program = 'for (;;) { for (let i = 0; i < 1e5; i++); await tools.tick() }'
    const { error } = await run(program, { tick: () => 1 }, {}, withLimits({ cpuMs: 100, maxCalls: 1e6 }))
    expect(error?.kind).toBe('timeout-cpu')
  })

  test('is told even where the clock stands still', async () => {
    const runtime = quickJsRuntime({ limits: { cpuMs: 100 }, cpuClock: 'counted' })
    expect((await run('for (;;) {}', {}, {}, runtime)).error?.kind).toBe('timeout-cpu')
    expect((await run('return 7', {}, {}, runtime)).value).toBe(7)
  })
})

describe('timeout-wall', () => {
  test('ends a wait, and the call hears of it', async () => {
    const seen = gate<AbortSignal>()
    const wait = ({ signal }: CodeCall) => {
      seen.open(signal)
      return new Promise(() => {})
    }
    const { error } = await run('await tools.wait()', { wait }, {}, withLimits({ wallMs: 60 }))
    expect(error?.kind).toBe('timeout-wall')
    expect((await seen.opened).aborted).toBe(true)
  })

  test('stands still while it is held', async () => {
    const asked = gate<() => void>()
    const answered = gate<number>()
    const human = ({ pauseWallClock }: CodeCall) => {
      asked.open(pauseWallClock())
      return answered.opened
    }
    const running = run('return await tools.human()', { human }, {}, withLimits({ wallMs: 60 }))
    const resume = await asked.opened
    await new Promise(done => setTimeout(done, 150))
    answered.open(5)
    resume()
    resume()
    expect((await running).value).toBe(5)
  })

  test('goes on after it was held', async () => {
    const human = ({ pauseWallClock }: CodeCall) => {
      pauseWallClock()()
      return new Promise(() => {})
    }
    const { error } = await run('await tools.human()', { human }, {}, withLimits({ wallMs: 60 }))
    expect(error?.kind).toBe('timeout-wall')
  })
})

describe('memory', () => {
  test.each([
    ['texts', 'const a = []; for (;;) a.push("x".repeat(1e5) + a.length)'],
    ['small objects', 'const a = []; for (;;) a.push({ a: 1, b: 2 })'],
    ['buffers', 'const a = []; for (;;) a.push(new Uint8Array(1e6))'],
    ['one request', 'return new Uint8Array(1e9).length'],
    ['a map', 'const m = new Map(); for (let i = 0; ; i++) m.set(i, [i])'],
    ['closures', 'let f = () => 0; for (;;) { const g = f; f = () => g }'],
    ['promises', 'const a = []; for (;;) a.push(new Promise(() => {}))'],
  ])('ends %s', async (_what, program) => {
    expect(await kindOf(program, { memoryBytes: 12 * 1024 * 1024 })).toBe('memory')
  })

  test('may be caught by the program', async () => {
    const program = `let caught
try { new Uint8Array(1e9) } catch (e) { caught = e.name }
return caught`
    expect(await returned(program)).toBe('InternalError')
  })

  test.each([256, 512, 1024, 4096])('may be as small as %i KiB', async kib => {
    const runtime = withLimits({ memoryBytes: kib * 1024 })
    const { error } = await run('const a = []; for (;;) a.push("x".repeat(90) + a.length)', {}, {}, runtime)
    expect(error?.kind).toBe('memory')
    expect((await run('return 7', {}, {}, runtime)).value).toBe(7)
  })

  test('holds what the limit says', async () => {
    const fill = (mib: number) =>
      `const a = []; for (let i = 0; i < ${mib}; i++) a.push(new Uint8Array(1e6)); return a.length`
    expect(await kindOf(fill(28), { memoryBytes: 32 * 1024 * 1024 })).toBeUndefined()
    expect(await kindOf(fill(36), { memoryBytes: 32 * 1024 * 1024 })).toBe('memory')
  })

  test('that an answer does not fit into rejects the call', async () => {
    const runtime = withLimits({ memoryBytes: 8 * 1024 * 1024, cpuMs: 20_000 })
    const functions = {
      text: ({ args: [length] }: CodeCall) => 'x'.repeat(length as number),
      list: ({ args: [length] }: CodeCall) => Array(length).fill(1e20),
    }
    const program = `const ended = []
for (const call of [() => tools.text(1e6), () => tools.text(2.5e6), () => tools.text(3.3e6), () => tools.text(7e6), () => tools.text(2e7), () => tools.list(1e4), () => tools.list(3e5), () => tools.list(1e6)])
  ended.push(await call().then(value => value.length, error => error.code))
return ended`
    const over = 'LIMIT_EXCEEDED'
    const { value } = await run(program, functions, {}, runtime)
    expect(value).toEqual([1e6, 2.5e6, 3.3e6, over, over, 1e4, over, over])
    const { error } = await run('return (await tools.text(2e7)).length', functions, {}, runtime)
    expect(error?.message).toMatch(/The answer of "text" does not fit into the program's memory/)
  })
})

describe('stack', () => {
  test.each([
    ['recursion', 'const f = n => f(n + 1) + 1; return f(0)'],
    ['deep source', `return ${'('.repeat(50_000)}1${')'.repeat(50_000)}`],
    ['deep JSON text', 'return JSON.parse("[".repeat(1e5) + "]".repeat(1e5)).length'],
    ['deep JSON values', 'let v = 1; for (let i = 0; i < 1e5; i++) v = [v]; return JSON.stringify(v).length'],
    ['getters', 'const o = { get a() { return this.a } }; return o.a'],
  ])('ends %s', async (_what, program) => {
    expect(['stack', 'syntax', 'exception']).toContain(await kindOf(program))
    expect(await returned('return 7')).toBe(7)
  })

  test('may be caught by the program', async () => {
    expect(await returned('const f = () => f() + 1; try { f() } catch { return "caught" }')).toBe('caught')
  })
})

describe('call-limit', () => {
  const count = () => {
    let calls = 0
    return { calls: () => calls, functions: { ping: () => ++calls } }
  }
  const runtime = withLimits({ maxCalls: 3 })

  test('lets so many calls through and not one more', async () => {
    const { calls, functions } = count()
    const { error } = await run('for (let i = 0; i < 4; i++) await tools.ping()', functions, {}, runtime)
    expect(error?.kind).toBe('call-limit')
    expect(error?.message).toMatch(/^ToolCallError: A program may make 3 calls/)
    expect(calls()).toBe(3)
  })

  test('may be caught', async () => {
    const { calls, functions } = count()
    const program = `const all = await Promise.allSettled(Array.from({ length: 5 }, () => tools.ping()))
return all.map(r => r.value ?? [r.reason.name, r.reason.code])`
    const { value } = await run(program, functions, {}, runtime)
    const over = ['ToolCallError', 'LIMIT_EXCEEDED']
    expect([value, calls()]).toEqual([[1, 2, 3, over, over], 3])
  })

  test('is not claimed by an error that only looks like it', async () => {
    const program =
      'const e = new ToolCallError("A program may make 3 calls"); e.code = "LIMIT_EXCEEDED"; throw e'
    expect((await run(program, {}, {}, runtime)).error?.kind).toBe('exception')
  })
})

describe('output-limit', () => {
  const bytes = (logs: readonly string[], value: unknown): number =>
    new TextEncoder().encode(JSON.stringify(logs) + JSON.stringify(value)).length
  const cases: readonly (readonly [string, readonly string[], unknown])[] = [
    ['a value', [], { a: 'é"\n\u0001' }],
    ['lines', ['a', 'b"c', '😀'], null],
    ['both', ['x'.repeat(50)], ['y'.repeat(50), 1.5, true]],
    ['lone surrogates', ['\ud800'], '\udc00'],
  ]
  test.each(cases)('counts %s to the byte', async (_what, logs, value) => {
    const program = `for (const line of ${JSON.stringify(logs)}) console.log(line); return ${JSON.stringify(value)}`
    const limit = bytes(logs, value)
    const fits = await run(program, {}, {}, withLimits({ outputBytes: limit }))
    expect([fits.logs, fits.value, fits.error]).toEqual([logs, value, undefined])
    expect(await kindOf(program, { outputBytes: limit - 1 })).toBe('output-limit')
  })

  test('ends a program that prints without end, and keeps what fits', async () => {
    const { error, logs } = await run('for (;;) console.log("é😀")', {}, {}, withLimits({ outputBytes: 64 }))
    expect(error?.kind).toBe('output-limit')
    expect(bytes(logs, '') - 2).toBeLessThanOrEqual(64)
    expect(bytes(logs, '') - 2).toBeGreaterThan(58)
    expect(logs.every(line => 'é😀'.startsWith(line))).toBe(true)
  })
})

describe('deadlock', () => {
  test.each([
    ['a promise nobody settles', 'await new Promise(() => {})'],
    [
      'two that wait for each other',
      'let a, b; a = (async () => { await null; await b })(); b = (async () => { await a })(); await b',
    ],
    ['one after a call', 'await tools.ping(); await new Promise(() => {})'],
    ['one after a timer', 'await new Promise(done => setTimeout(done, 1)); await new Promise(() => {})'],
    ['a thenable that never answers', 'return { then() {} }'],
  ])('is seen at once: %s', async (_what, program) => {
    expect((await run(program, { ping: () => 1 })).error?.kind).toBe('deadlock')
  })

  test('is not seen while a call is under way', async () => {
    const program = 'return await Promise.race([new Promise(() => {}), tools.slow()])'
    const slow = () => new Promise(done => setTimeout(() => done(3), 20))
    expect(await returned(program, { slow })).toBe(3)
  })
})

describe('abort', () => {
  test('before the start starts nothing', async () => {
    let calls = 0
    const { error, logs } = await run(
      'console.log(1); await tools.ping()',
      { ping: () => ++calls },
      { signal: AbortSignal.abort('enough') },
    )
    expect([error?.kind, logs, calls]).toEqual(['abort', [], 0])
    expect(error?.message).toContain('enough')
  })

  test('while a call is under way ends the run at once and tells the call', async () => {
    const controller = new AbortController()
    const seen = gate<AbortSignal>()
    const wait = ({ signal }: CodeCall) => {
      seen.open(signal)
      return new Promise(() => {})
    }
    const running = run('console.log("a"); await tools.wait()', { wait }, { signal: controller.signal })
    const signal = await seen.opened
    expect(signal.aborted).toBe(false)
    controller.abort(new Error('the user left'))
    const { error, logs } = await running
    expect([error?.kind, logs, signal.aborted]).toEqual(['abort', ['a'], true])
    expect(error?.message).toContain('the user left')
  })

  test('stops a loop that is printing', async () => {
    const controller = new AbortController()
    const onLog = () => controller.abort()
    const { error } = await run(
      'for (;;) console.log(1)',
      {},
      { signal: controller.signal, onLog },
      withLimits({ cpuMs: 5000 }),
    )
    expect(error?.kind).toBe('abort')
  })

  test('reaches a program that never waits for the host', async () => {
    const controller = new AbortController()
    setTimeout(() => controller.abort(), 30)
    const { error } = await run(
      'for (;;) await null',
      {},
      { signal: controller.signal },
      withLimits({ cpuMs: 5000 }),
    )
    expect(error?.kind).toBe('abort')
  })

  test('leaves no listener on the signal', async () => {
    const { signal } = new AbortController()
    let listeners = 0
    const count = (name: 'addEventListener' | 'removeEventListener', by: number) => {
      const original = signal[name].bind(signal) as (...args: unknown[]) => void
      Object.defineProperty(signal, name, {
        value: (...args: unknown[]) => {
          listeners += by
          original(...args)
        },
      })
    }
    count('addEventListener', 1)
    count('removeEventListener', -1)
    await run('return 1', {}, { signal })
    await run('throw 1', {}, { signal })
    await run('let a = ', {}, { signal })
    expect(listeners).toBe(0)
  })
})

describe('the end of a run', () => {
  test('comes once: an answer after it is discarded', async () => {
    const late = gate<number>()
    const program =
      'tools.late().then(v => console.log(v)); await new Promise(done => setTimeout(done, 1)); return 1'
    const { value, notAwaited } = await run(program, { late: () => late.opened })
    expect([value, notAwaited]).toEqual([1, undefined])
    late.open(5)
    expect(await returned('return 2')).toBe(2)
  })

  test('names calls that were never awaited, in order', async () => {
    const functions = { a: () => 1, b: () => 2, c: () => 3 }
    const program = `tools.a(); await tools.b(); const p = tools.c(); tools.c().catch(() => {})
await Promise.all([tools.a()]); return 1`
    expect((await run(program, functions)).notAwaited).toEqual(['a', 'c'])
    expect((await run('tools.a(); throw 1', functions)).notAwaited).toEqual(['a'])
    expect((await run('return tools.a()', functions)).notAwaited).toBeUndefined()
  })

  test('is not held up by what the program left behind', async () => {
    const program =
      'Promise.resolve().then(() => Promise.resolve().then(() => Promise.resolve().then(() => { for (;;) {} }))); return 1'
    const { value, error } = await run(program)
    expect(value === 1 || error?.kind === 'timeout-cpu').toBe(true)
  })

  test('comes for every program when the runtime is disposed', async () => {
    const runtime = withLimits({})
    const started = gate()
    const wait = () => {
      started.open()
      return new Promise(() => {})
    }
    const running = run('await tools.wait()', { wait }, {}, runtime)
    await started.opened
    await runtime.dispose?.()
    await runtime.dispose?.()
    expect((await running).error?.kind).toBe('abort')
    await expect(run('return 1', {}, {}, runtime)).rejects.toMatchObject({ code: 'DISPOSED' })
  })
})

describe('console', () => {
  test('keeps order, marks warnings and errors, and prints values readably', async () => {
    const streamed: CodeLog[] = []
    const program = `console.log('a', 'b\\n', 1, null, undefined, true)
console.info({ a: [1, { b: 'c' }] })
console.warn('careful')
console.error(new TypeError('no'))
console.debug(12n, NaN, -0, Symbol('s'), () => 1)
const o = { n: 1n, m: new Map([['k', new Set([1])]]), d: new Date(0), e: new Error('x'), u: undefined }; o.self = o
console.log(o)
console.log(new (class Point { x = 1 })(), [, 1], tools.ping(), /a/g, new Uint8Array(2), Object.create(null))
console.log()`
    const { logs } = await run(program, { ping: () => 1 }, { onLog: log => streamed.push(log) })
    expect(logs).toEqual([
      'a b\n 1 null undefined true',
      '{"a":[1,{"b":"c"}]}',
      '[warn] careful',
      '[error] TypeError: no',
      '12n NaN -0 Symbol(s) [function]',
      '{"n":1n,"m":Map(1){"k"=>Set(1)[1]},"d":"1970-01-01T00:00:00.000Z","e":[Error: x],"u":undefined,"self":[circular]}',
      'Point {"x":1} [<1 empty item>,1] [Promise of tools.ping: not awaited] /a/g Uint8Array [0,0] {}',
      '',
    ])
    expect(streamed.map(log => log.level)).toEqual([
      'log',
      'info',
      'warn',
      'error',
      'debug',
      'log',
      'log',
      'log',
    ])
    expect(streamed[2]).toEqual({ level: 'warn', text: 'careful' })
  })

  test('streams before the program ends and keeps lines of one that fails', async () => {
    const printed = gate<string>()
    const hold = gate()
    const running = run(
      'console.log("first"); await tools.hold(); throw new Error("late")',
      { hold: () => hold.opened },
      { onLog: log => printed.open(log.text) },
    )
    expect(await printed.opened).toBe('first')
    hold.open()
    const { logs, error } = await running
    expect([logs, error?.kind]).toEqual([['first'], 'exception'])
  })

  test('does not let a throwing observer change the outcome', async () => {
    const onLog = () => {
      throw new Error('observer')
    }
    expect((await run('console.log(1); return 2', {}, { onLog })).value).toBe(2)
  })
})

describe('runs', () => {
  test('overlap without seeing each other', async () => {
    const hang = run(
      'await tools.hang()',
      { hang: () => new Promise(() => {}) },
      {},
      withLimits({ wallMs: 200 }),
    )
    const program = 'globalThis.mine = input; for (let i = 0; i < 10; i++) await tools.echo(i); return mine'
    const values = await Promise.all(
      [1, 2, 3].map(n => returned(program.replace('input', String(n)), { echo: ({ args }) => args[0] })),
    )
    expect(values).toEqual([1, 2, 3])
    expect((await hang).error?.kind).toBe('timeout-wall')
  })

  test('start calls in order and overlap them', async () => {
    const order: unknown[] = []
    const open = gate()
    const slow = ({ args }: CodeCall) => {
      order.push(args[0])
      if (order.length === 5) open.open()
      return open.opened.then(() => args[0])
    }
    expect(
      await returned('return await Promise.all([1, 2, 3, 4, 5].map(n => tools.slow(n)))', { slow }),
    ).toEqual([1, 2, 3, 4, 5])
    expect(order).toEqual([1, 2, 3, 4, 5])
  })

  test('may hold four hundred calls at once', async () => {
    const program = 'return (await Promise.all(Array.from({ length: 400 }, (_, i) => tools.echo(i)))).length'
    expect(await returned(program, { echo: ({ args }) => args[0] })).toBe(400)
  })

  test('take a ready module', async () => {
    const { ENGINE_BASE64 } = await import('../../src/sandbox/quickjs/generated/engine-binary.js')
    const wasmModule = await WebAssembly.compile(Buffer.from(ENGINE_BASE64, 'base64'))
    expect((await run('return 7', {}, {}, quickJsRuntime({ wasmModule }))).value).toBe(7)
  })

  test('have timers, microtasks and base64', async () => {
    const program = `const order = []
setTimeout(() => order.push('timer'), 0)
const cancelled = setTimeout(() => order.push('never'), 0)
clearTimeout(cancelled)
queueMicrotask(() => order.push('micro'))
await new Promise(done => setTimeout(done, 5, 'x'))
return [order, btoa('héé'), atob(' aGk= '), typeof structuredClone]`
    const value = (await returned(program)) as unknown[]
    expect(value.slice(0, 3)).toEqual([['micro', 'timer'], 'aOnp', 'hi'])
  })

  test('have timers that do not fire before the program ends when they are far away', async () => {
    const program = `const fired = []
for (const delay of [2 ** 31 - 1, 2 ** 31, 2 ** 53, Infinity, '1e400'])
  setTimeout(() => fired.push(String(delay)), delay)
for (const delay of [NaN, -1, -Infinity, undefined, 'soon', null, []])
  setTimeout(() => fired.push('now'), delay)
try { setTimeout(() => {}, 1n) } catch (e) { fired.push(e.name) }
await new Promise(done => setTimeout(done, 30))
return fired`
    expect(await returned(program)).toEqual(['TypeError', ...Array(7).fill('now')])
  })

  test('fail when a timer or microtask throws', async () => {
    for (const start of ['setTimeout', 'queueMicrotask']) {
      const { error } = await run(
        `${start}(() => { throw new Error('inside') }); await new Promise(d => setTimeout(d, 50))`,
      )
      expect([error?.kind, error?.message.split('\n')[0]]).toEqual(['exception', 'Error: inside'])
    }
  })
})
