import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { Worker } from 'node:worker_threads'
import { type CodeCall, quickJsRuntime } from 'toolgate/quickjs'
import { type QuickJsWorkerOptions, quickJsWorkerRuntime, type WorkerLike } from 'toolgate/quickjs-worker'
import { afterEach, describe, expect, test } from 'vitest'
import { WORKER_SCRIPT } from '../../src/sandbox/quickjs/generated/worker-script.js'
import { gate, toolsOf } from './support/run-code.js'

const resourceLimits = { maxOldGenerationSizeMb: 64 }
const scriptUrl = (script: string): URL => new URL(`data:text/javascript,${encodeURIComponent(script)}`)
const open: ReturnType<typeof quickJsWorkerRuntime>[] = []

function workerRuntime(options: QuickJsWorkerOptions = {}) {
  const runtime = quickJsWorkerRuntime(options)
  open.push(runtime)
  return runtime
}

/** Starts workers of the package's script and keeps hold of them. */
function watchedWorkers(script: string = WORKER_SCRIPT) {
  const started: Worker[] = []
  const exited: number[] = []
  const worker = (): WorkerLike => {
    const made = new Worker(scriptUrl(script), { env: {}, execArgv: [], resourceLimits })
    made.on('exit', code => exited.push(code))
    started.push(made)
    return made
  }
  return { worker, started, exited }
}

/** The script of a worker that says it is ready and then answers the start of a run with this code. */
const fakeScript = (onRun: string): string => `
const port = process.getBuiltinModule('node:worker_threads').parentPort
port.on('message', message => {
  const [kind, run] = message
  if (kind === 'init') port.postMessage(['ready'])
  if (kind === 'ping') port.postMessage(['pong'])
  if (kind === 'run') { ${onRun} }
})`

/** A worker of this script first, and of the package's afterwards. */
const fakeFirst = (script: string) => {
  const real = watchedWorkers()
  const fake = watchedWorkers(script)
  let starts = 0
  const worker = () => (starts++ === 0 ? fake.worker() : real.worker())
  return { worker, fake, real }
}

afterEach(async () => {
  await Promise.all(open.splice(0).map(runtime => runtime.dispose?.()))
})

describe('the host is not blocked', () => {
  test('while a program computes until its deadline', async () => {
    const runtime = workerRuntime({ limits: { cpuMs: 1500 } })
    await runtime.run({ program: 'return 1', namespaces: [] })
    let turns = 0
    let isOver = false
    const turn = (): void => {
      turns += 1
      if (!isOver) setTimeout(turn, 1)
    }
    turn()
    const { error } = await runtime.run({ program: 'for (;;) {}', namespaces: [] })
    isOver = true
    expect(error?.kind).toBe('timeout-cpu')
    // In process it would have been one.
    expect(turns).toBeGreaterThan(50)
  })

  test('by an abort, which ends a program in the middle of a loop and keeps what it printed', async () => {
    const { worker, started } = watchedWorkers()
    const runtime = workerRuntime({ worker, limits: { cpuMs: 60_000 } })
    const controller = new AbortController()
    const onLog = () => controller.abort(new Error('enough'))
    const { error, logs } = await runtime.run({
      program: 'console.warn("begun"); for (;;) {}',
      namespaces: [],
      signal: controller.signal,
      onLog,
    })
    expect([error?.kind, logs]).toEqual(['abort', ['[warn] begun']])
    expect(error?.message).toContain('enough')
    expect((await runtime.run({ program: 'return 7', namespaces: [] })).value).toBe(7)
    expect(started.length).toBe(2)
  })

  test.each([
    ['an abort', 60_000],
    ['the wall clock', 300],
  ])('by %s, and all that a program printed and called before its loop is told', async (why, wallMs) => {
    const runtime = workerRuntime({ limits: { cpuMs: 60_000, wallMs } })
    const controller = new AbortController()
    let ran = 0
    const seen: string[] = []
    const { error, logs, notRun } = await runtime.run({
      program: 'for (let i = 0; i < 300; i++) console.log("" + i); tools.pay({}); tools.log({}); for (;;) {}',
      namespaces: [
        toolsOf({
          pay: () => (ran += 1),
          log: () => (ran += 1),
        }),
      ],
      signal: controller.signal,
      onLog: ({ text }) => {
        seen.push(text)
        if (text === '299' && why === 'an abort') controller.abort(new Error('enough'))
      },
    })
    expect(error?.kind).toBe(why === 'an abort' ? 'abort' : 'timeout-wall')
    expect(logs).toEqual(Array.from({ length: 300 }, (_, i) => `${i}`))
    expect(seen).toEqual(logs)
    expect([notRun, ran]).toEqual([['pay', 'log'], 0])
  })

  test('by an abort shortly before the deadline, which is the abort all the same', async () => {
    const runtime = workerRuntime({ limits: { cpuMs: 80 } })
    const controller = new AbortController()
    const { error, logs } = await runtime.run({
      program: 'console.log("begun"); for (;;) {}',
      namespaces: [],
      signal: controller.signal,
      onLog: () => controller.abort(new Error('enough')),
    })
    expect([error?.kind, logs]).toEqual(['abort', ['begun']])
    expect(error?.message).toContain('enough')
  })

  test('by the wall clock, which a program that computes does not hold up', async () => {
    const runtime = workerRuntime({ limits: { cpuMs: 60_000, wallMs: 200 } })
    const { error } = await runtime.run({ program: 'for (;;) {}', namespaces: [] })
    expect(error?.kind).toBe('timeout-wall')
  })

  test('by many calls at once, whatever each takes of it', async () => {
    const runtime = workerRuntime()
    const seen: unknown[] = []
    let inThisTurn = 0
    let most = 0
    const take = ({ args }: CodeCall): void => {
      if (inThisTurn === 0)
        setTimeout(() => {
          inThisTurn = 0
        }, 0)
      inThisTurn += 1
      most = Math.max(most, inThisTurn)
      seen.push(args[0])
      const until = performance.now() + 2
      while (performance.now() < until);
    }
    await runtime.run({ program: 'return 1', namespaces: [] })
    const program = 'return (await Promise.all(Array.from({ length: 640 }, (_, i) => tools.take(i)))).length'
    const { value } = await runtime.run({ program, namespaces: [toolsOf({ take })] })
    expect(value).toBe(640)
    expect(seen).toEqual(Array.from({ length: 640 }, (_, i) => i))
    // Twenty milliseconds of calls are one turn.
    expect(most).toBeLessThanOrEqual(32)
  })

  test('by many lines, which come in few messages and in order', async () => {
    const runtime = workerRuntime()
    let seen = 0
    const onLog = () => void seen++
    const program = 'for (let i = 0; i < 50_000; i++) console.log(i); return 1'
    const { value, logs } = await runtime.run({ program, namespaces: [], onLog })
    expect([value, seen, logs.length, logs[0], logs.at(-1)]).toEqual([1, 50_000, 50_000, '0', '49999'])
  })
})

describe('a worker', () => {
  test('starts at the first program and serves those that follow', async () => {
    const { worker, started } = watchedWorkers()
    const runtime = workerRuntime({ worker })
    expect(started.length).toBe(0)
    for (let i = 0; i < 20; i++)
      expect((await runtime.run({ program: `return ${i}`, namespaces: [] })).value).toBe(i)
    expect(started.length).toBe(1)
  })

  test.each([
    ['never answers again', 'for (;;) {}', 'timeout-wall', { wallMs: 100 }],
    ['does not answer past the time to compute', 'for (;;) {}', 'timeout-cpu', { cpuMs: 50 }],
    ['ends by itself', 'process.exit(3)', 'crash', {}],
    ['throws', 'throw new Error("broken")', 'crash', {}],
    ['rejects', 'Promise.reject(new Error("broken"))', 'crash', {}],
    ['uses up its memory', 'const a = []; for (;;) a.push(new Array(1e6).fill(a))', 'crash', {}],
    ['says what no worker says', 'port.postMessage(["own", run])', 'crash', {}],
    ['says no list', 'port.postMessage({ kind: "outcome" })', 'crash', {}],
    ['tells an outcome that is none', 'port.postMessage(["outcome", run, "{}"])', 'crash', {}],
    ['tells an outcome that is no JSON', 'port.postMessage(["outcome", run, "{"])', 'crash', {}],
    ['prints what is no line', 'port.postMessage(["lines", run, "[1]"])', 'crash', {}],
    ['calls a namespace that is not there', 'port.postMessage(["call", run, 1, 5, `["a",[]]`])', 'crash', {}],
    ['calls what is not there', 'port.postMessage(["call", run, 1, 0, `["toString",[]]`])', 'crash', {}],
    ['calls without a name', 'port.postMessage(["call", run, 1, 0, `[1]`])', 'crash', {}],
  ] as const)(
    'that %s costs its run, and the next has another worker',
    async (_what, script, kind, limits) => {
      let calls = 0
      const namespaces = [toolsOf({ ping: () => ++calls })]
      const { worker, fake, real } = fakeFirst(fakeScript(script))
      const runtime = workerRuntime({ worker, limits })
      const { error, value } = await runtime.run({ program: 'return 7', namespaces })
      expect([error?.kind, value, calls]).toEqual([kind, undefined, 0])
      await expect.poll(() => fake.exited.length).toBe(1)
      const next = await runtime.run({ program: 'return 7', namespaces })
      expect([next.value, real.started.length]).toEqual([7, 1])
    },
  )

  test.each([
    ['says nothing and cannot be ended', 'postMessage'],
    ['cannot be held', 'ref'],
  ] as const)('of the host that %s is a refusal, and nothing is left unhandled', async (_what, method) => {
    const unhandled: unknown[] = []
    const note = (error: unknown): void => void unhandled.push(error)
    process.on('unhandledRejection', note)
    try {
      const made: string[] = []
      const worker = (): WorkerLike => {
        const fail = (): never => {
          made.push(method)
          throw new Error(`no ${method}`)
        }
        const real = new Worker(scriptUrl(WORKER_SCRIPT), { env: {}, execArgv: [], resourceLimits })
        const terminate = (): never => {
          void real.terminate()
          throw new Error('no end')
        }
        return {
          on: (event, listener) => real.on(event, listener),
          postMessage: message => real.postMessage(message),
          ref: () => real.ref(),
          terminate,
          [method]: fail,
        }
      }
      const runtime = workerRuntime({ worker })
      const outcome = await runtime.run({ program: 'return 7', namespaces: [] }).catch(error => error)
      expect(outcome).toMatchObject(
        method === 'ref' ? { error: { kind: 'crash' } } : { code: 'INVALID_OPTIONS' },
      )
      await runtime.dispose?.()
      await new Promise(done => setTimeout(done, 20))
      expect([made.length > 0, unhandled]).toEqual([true, []])
    } finally {
      process.off('unhandledRejection', note)
    }
  })

  test('that cannot be given an answer costs its run', async () => {
    const worker = (): WorkerLike => {
      const real = new Worker(scriptUrl(WORKER_SCRIPT), { env: {}, execArgv: [], resourceLimits })
      return {
        on: (event, listener) => real.on(event, listener),
        postMessage: message => {
          if (Array.isArray(message) && message[0] === 'reply') throw new Error('no reply')
          real.postMessage(message)
        },
        terminate: () => real.terminate(),
      }
    }
    const runtime = workerRuntime({ worker })
    const { error } = await runtime.run({
      program: 'return await tools.ping()',
      namespaces: [toolsOf({ ping: () => 'pong' })],
    })
    expect(error?.kind).toBe('crash')
  })

  test('that a dozen programs wait for is no leak in the eyes of the platform', async () => {
    const warnings: string[] = []
    const note = ({ message }: Error): void => void warnings.push(message)
    process.on('warning', note)
    try {
      const runtime = workerRuntime({ maxWorkers: 1 })
      const runs = Array.from({ length: 12 }, () => runtime.run({ program: 'return 7', namespaces: [] }))
      expect((await Promise.all(runs)).map(({ value }) => value)).toEqual(Array(12).fill(7))
      await new Promise(done => setTimeout(done, 10))
      expect(warnings).toEqual([])
    } finally {
      process.off('warning', note)
    }
  })

  test.each([
    [
      'a failure of no kind',
      'port.postMessage(["outcome", run, `{"logs":[],"error":{"kind":"__proto__","message":"x"}}`])',
    ],
    ['names that are none', 'port.postMessage(["waiting", run, "[1]"])'],
    ['answers of no calls', 'port.postMessage(["taken", run, "{}"])'],
    [
      'more calls than there may be',
      'for (let i = 0; i < 12; i++) port.postMessage(["call", run, i, 0, `["add",[]]`])',
    ],
  ])('that tells %s costs its run', async (_what, script) => {
    const runtime = workerRuntime({
      worker: watchedWorkers(fakeScript(script)).worker,
      limits: { maxCalls: 10 },
    })
    let calls = 0
    const namespaces = [toolsOf({ add: () => (calls += 1) })]
    expect((await runtime.run({ program: 'return 7', namespaces })).error?.kind).toBe('crash')
    expect(calls).toBeLessThanOrEqual(10)
  })

  test('that tells of another run is not heard', async () => {
    const script = fakeScript(
      'port.postMessage(["outcome", run + 1, `{"logs":[],"value":666}`]); port.postMessage(["outcome", run, `{"logs":[],"value":1}`])',
    )
    const runtime = workerRuntime({ worker: watchedWorkers(script).worker })
    expect((await runtime.run({ program: 'return 7', namespaces: [] })).value).toBe(1)
  })

  test.each([0, 1, 2, 3, 5])(
    'is given up by a dispose %d turns of the queue after a run began',
    async turns => {
      const runtime = quickJsWorkerRuntime({ limits: { cpuMs: 20_000 } })
      await runtime.run({ program: 'return 1', namespaces: [] })
      const running = runtime.run({ program: 'await new Promise(() => {})', namespaces: [toolsOf({})] })
      for (let i = 0; i < turns; i++) await null
      await runtime.dispose?.()
      const { error } = await running
      expect([error?.kind, error?.message.includes('disposed')]).toEqual(['abort', true])
    },
  )

  test('that ends between two programs is replaced', async () => {
    const { worker, started, exited } = watchedWorkers()
    const runtime = workerRuntime({ worker })
    await runtime.run({ program: 'return 1', namespaces: [] })
    await started[0]?.terminate()
    await expect.poll(() => exited.length).toBe(1)
    expect((await runtime.run({ program: 'return 7', namespaces: [] })).value).toBe(7)
    expect(started.length).toBe(2)
  })

  test('finds nothing of the outside in its own scope but the engine', async () => {
    const outside =
      'process require fetch WebSocket Worker XMLHttpRequest navigator Buffer global Atomics BroadcastChannel'
    const script = `const port = process.getBuiltinModule('node:worker_threads').parentPort
const outside = ${JSON.stringify(outside.split(' '))}
const before = outside.filter(name => name in globalThis).length
port.on('message', ([kind, run]) => {
  if (kind !== 'run') return
  const left = outside.filter(name => name in globalThis)
  port.postMessage(['outcome', run, JSON.stringify({ logs: left, value: before > 5 })])
})
${WORKER_SCRIPT}`
    const runtime = workerRuntime({ worker: watchedWorkers(script).worker })
    const { logs, value } = await runtime.run({ program: 'await new Promise(() => {})', namespaces: [] })
    expect([logs, value]).toEqual([[], true])
  })

  test('is found at a URL as well', async () => {
    for (const worker of [scriptUrl(WORKER_SCRIPT), scriptUrl(WORKER_SCRIPT).href])
      expect((await workerRuntime({ worker }).run({ program: 'return 7', namespaces: [] })).value).toBe(7)
  })

  test.each([
    ['a script that is not there', () => new URL('file:///nowhere/worker.js')],
    ['a script that fails', () => scriptUrl('throw new Error("broken")')],
    ['a script that ends', () => scriptUrl('process.exit(0)')],
    [
      'a function that throws',
      () => () => {
        throw new Error('no')
      },
    ],
    ['a function that gives no worker', () => () => ({}) as never],
  ] as const)('that cannot start, by %s, is misuse', async (_what, worker) => {
    const runtime = workerRuntime({ worker: worker() })
    await expect(runtime.run({ program: 'return 1', namespaces: [] })).rejects.toMatchObject({
      code: 'INVALID_OPTIONS',
    })
  })
})

describe('workers', () => {
  test('are as many as programs run at once, four are kept, and no more start than maxWorkers', async () => {
    const { worker, started, exited } = watchedWorkers()
    const runtime = workerRuntime({ worker, maxWorkers: 6 })
    const all = gate()
    const order: number[] = []
    let waiting = 0
    const meet = ({ args }: { args: readonly unknown[] }) => {
      order.push(args[0] as number)
      waiting += 1
      if (waiting === 6) all.open()
      return all.opened.then(() => args[0])
    }
    const namespaces = [toolsOf({ meet })]
    const runs = [1, 2, 3, 4, 5, 6, 7, 8].map(n =>
      runtime.run({ program: `return await tools.meet(${n})`, namespaces }),
    )
    const values = (await Promise.all(runs)).map(({ value }) => value)
    expect(values).toEqual([1, 2, 3, 4, 5, 6, 7, 8])
    expect(started.length).toBe(6)
    // The two that had to wait came last.
    expect(order.slice(6).toSorted()).toEqual([7, 8])
    await expect.poll(() => exited.length).toBe(2)
  })

  test('are waited for with an abort at hand', async () => {
    const runtime = workerRuntime({ maxWorkers: 1 })
    const started = gate()
    const answer = gate<number>()
    const hold = () => {
      started.open()
      return answer.opened
    }
    const running = runtime.run({ program: 'return await tools.hold()', namespaces: [toolsOf({ hold })] })
    await started.opened
    const controller = new AbortController()
    const waiting = runtime.run({ program: 'return 1', namespaces: [], signal: controller.signal })
    controller.abort('not needed')
    expect((await waiting).error).toMatchObject({
      kind: 'abort',
      message: expect.stringContaining('not needed'),
    })
    answer.open(5)
    expect((await running).value).toBe(5)
    expect((await runtime.run({ program: 'return 7', namespaces: [] })).value).toBe(7)
  })

  test('go to the first in line that still waits, and not to those that have gone', async () => {
    let rests = 0
    const worker = (): WorkerLike => {
      const real = new Worker(scriptUrl(WORKER_SCRIPT), { env: {}, execArgv: [], resourceLimits })
      return {
        on: (event, listener) => real.on(event, listener),
        postMessage: message => real.postMessage(message),
        terminate: () => real.terminate(),
        ref: () => real.ref(),
        unref: () => {
          rests += 1
          real.unref()
        },
      }
    }
    const runtime = workerRuntime({ maxWorkers: 1, worker })
    const started = gate()
    const answer = gate<number>()
    const hold = (): Promise<number> => {
      started.open()
      return answer.opened
    }
    const running = runtime.run({ program: 'return await tools.hold()', namespaces: [toolsOf({ hold })] })
    await started.opened
    const gone = Array.from({ length: 200 }, async () => {
      const controller = new AbortController()
      const waiting = runtime.run({ program: 'return 1', namespaces: [], signal: controller.signal })
      controller.abort('not needed')
      return (await waiting).error?.kind
    })
    const next = runtime.run({ program: 'return 7', namespaces: [] })
    expect(new Set(await Promise.all(gone))).toEqual(new Set(['abort']))
    answer.open(5)
    expect([(await running).value, (await next).value]).toEqual([5, 7])
    // After each of the two programs.
    expect(rests).toBe(2)
  })

  test('all end with the runtime, and so does who waits for one', async () => {
    const { worker, started, exited } = watchedWorkers()
    const runtime = workerRuntime({ worker, maxWorkers: 1 })
    const begun = gate()
    const hang = () => {
      begun.open()
      return new Promise(() => {})
    }
    const running = runtime.run({ program: 'await tools.hang()', namespaces: [toolsOf({ hang })] })
    await begun.opened
    const waiting = runtime.run({ program: 'return 1', namespaces: [] })
    await runtime.dispose?.()
    expect([(await running).error?.kind, (await waiting).error?.kind]).toEqual(['abort', 'abort'])
    expect([started.length, exited.length]).toEqual([1, 1])
    await expect(runtime.run({ program: 'return 1', namespaces: [] })).rejects.toMatchObject({
      code: 'DISPOSED',
    })
  })

  test('keep memory flat over many programs', async () => {
    const { worker, started } = watchedWorkers()
    const runtime = workerRuntime({ worker })
    const namespaces = [toolsOf({ echo: ({ args }) => args[0] })]
    const program = 'return (await tools.echo("x".repeat(1e5))).length'
    const some = async (): Promise<number> => {
      for (let i = 0; i < 150; i++) await runtime.run({ program, namespaces })
      return process.memoryUsage().rss
    }
    await some()
    const before = await some()
    const after = Math.min(await some(), await some())
    expect(after - before).toBeLessThan(64 * 1024 * 1024)
    expect(started.length).toBe(1)
  })

  test('keep no process up once their programs have ended', async () => {
    const source = fileURLToPath(new URL('../../src/quickjs-worker.ts', import.meta.url))
    const script = `import { quickJsWorkerRuntime } from ${JSON.stringify(source)}
const { value } = await quickJsWorkerRuntime().run({ program: 'return 7', namespaces: [] })
console.log(value)`
    const child = spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '--eval', script], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    let printed = ''
    child.stdout.on('data', data => (printed += data))
    const code = await new Promise(resolve => child.once('close', resolve))
    expect([code, printed]).toEqual([0, '7\n'])
  })
})

describe('the options', () => {
  test.each([
    ['unknown names', { now: Date.now }],
    ['limits out of bounds', { limits: { cpuMs: 0 } }],
    ['no workers', { maxWorkers: 0 }],
    ['parts of a worker', { maxWorkers: 1.5 }],
    ['a worker that is none', { worker: 5 }],
    ['an engine that is none', { wasmModule: {} }],
    ['a random that is no function', { random: 1 }],
    ['a clock that is none', { cpuClock: 'sun' }],
  ])('refuse %s', (_what, options) => {
    expect(() => quickJsWorkerRuntime(options as never)).toThrow(
      expect.objectContaining({ code: 'INVALID_OPTIONS' }),
    )
  })

  test('seed the randomness of each program', async () => {
    let state = 0
    const random = (): number => (state = (state + 0.37) % 1)
    const runtime = workerRuntime({ random })
    const program = 'return [Math.random(), crypto.randomUUID(), crypto.randomUUID()]'
    const draw = async () => (await runtime.run({ program, namespaces: [] })).value as unknown[]
    const [one, two] = [await draw(), await draw()]
    state = 0
    expect([await draw(), await draw()]).toEqual([one, two])
    expect(new Set([...one, ...two]).size).toBe(6)
    expect(one[1]).toMatch(/^[0-9a-f]{8}-/)
    state = 0
    const here = await quickJsRuntime({ random }).run({ program, namespaces: [] })
    expect((here.value as unknown[])[0]).toBe(one[0])
  })

  test('refuse an engine of another build', async () => {
    const wasmModule = new WebAssembly.Module(new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0]))
    const runtime = workerRuntime({ wasmModule })
    await expect(runtime.run({ program: 'return 1', namespaces: [] })).rejects.toMatchObject({
      code: 'INVALID_OPTIONS',
    })
  })
})
