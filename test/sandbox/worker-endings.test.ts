/** After `dispose()` no worker of the runtime is there, however far it had come. */
import { setTimeout as sleep } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { createToolRegistry } from 'toolgate'
import { quickJsWorkerRuntime, type WorkerLike } from 'toolgate/quickjs-worker'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { WORKER_SCRIPT } from '../../src/sandbox/quickjs/generated/worker-script.js'
import { gate } from '../support/tools.js'

const scriptUrl = (script: string): URL => new URL(`data:text/javascript,${encodeURIComponent(script)}`)

/** Starts workers of a script and counts those that are there. */
function countedWorkers(script: string = WORKER_SCRIPT) {
  let alive = 0
  let made = 0
  const start = (): WorkerLike => {
    const worker = new Worker(scriptUrl(script), { env: {}, execArgv: [] })
    alive += 1
    made += 1
    worker.on('exit', () => {
      alive -= 1
    })
    return worker
  }
  return { start, alive: () => alive, made: () => made }
}

const SILENT = 'setInterval(() => {}, 1000)'

describe('a runtime that is disposed of leaves no worker', () => {
  it.each([0, 5, 20, 60])('that has been starting for %d ms', async ms => {
    const workers = countedWorkers()
    const runtime = quickJsWorkerRuntime({ worker: workers.start })
    const runs = [1, 2].map(() => runtime.run({ program: 'return 1', namespaces: [] }))
    await sleep(ms)
    await runtime.dispose?.()
    expect(workers.alive()).toBe(0)
    for (const { error, value } of await Promise.all(runs)) expect(error?.kind ?? value).toMatch(/abort|1/)
  })

  it('that never says that it is ready', async () => {
    const workers = countedWorkers(SILENT)
    const runtime = quickJsWorkerRuntime({ worker: workers.start })
    const run = runtime.run({ program: 'return 1', namespaces: [] })
    while (workers.made() === 0) await sleep(1)
    await runtime.dispose?.()
    expect(workers.alive()).toBe(0)
    expect((await run).error).toMatchObject({ kind: 'abort', message: expect.stringContaining('disposed') })
  })

  it('that its source hands over afterwards', async () => {
    const workers = countedWorkers()
    const asked = gate()
    const handOver = gate()
    const worker = async (): Promise<WorkerLike> => {
      asked.open()
      await handOver.promise
      return workers.start()
    }
    const runtime = quickJsWorkerRuntime({ worker })
    const run = runtime.run({ program: 'return 1', namespaces: [] })
    await asked.promise
    await runtime.dispose?.()
    expect((await run).error?.kind).toBe('abort')
    handOver.open()
    while (workers.made() === 0 || workers.alive() > 0) await sleep(1)
  })

  it('whose source is never asked once it is too late', async () => {
    const workers = countedWorkers()
    const runtime = quickJsWorkerRuntime({ worker: workers.start })
    const run = runtime.run({ program: 'return 1', namespaces: [] })
    await runtime.dispose?.()
    expect((await run).error?.kind).toBe('abort')
    expect(workers.made()).toBe(0)
  })

  it('that was ended in the middle of a loop, and those that wait for it', async () => {
    const workers = countedWorkers()
    const runtime = quickJsWorkerRuntime({ worker: workers.start, maxWorkers: 1 })
    const printed = gate()
    const onLog = (): void => printed.open()
    const loop = runtime.run({ program: 'console.log(1); for (;;);', namespaces: [], onLog })
    const waits = runtime.run({ program: 'return 2', namespaces: [] })
    await printed.promise
    await runtime.dispose?.()
    expect(workers.alive()).toBe(0)
    expect((await loop).error?.kind).toBe('abort')
    expect((await waits).error?.kind).toBe('abort')
    expect(workers.made()).toBe(1)
  })

  it('that failed a run before', async () => {
    const workers = countedWorkers()
    const runtime = quickJsWorkerRuntime({ worker: workers.start, limits: { wallMs: 30 } })
    const { error } = await runtime.run({ program: 'for (;;);', namespaces: [] })
    expect(error?.kind).toBe('timeout-wall')
    await runtime.dispose?.()
    expect(workers.alive()).toBe(0)
  })
})

describe('an abort ends a worker that computes', () => {
  afterEach(() => {
    vi.useRealTimers()
  })

  it.each([
    [10, 8],
    [40, 40],
    [100, 50],
    [5_000, 50],
    [undefined, 50],
    [Number.POSITIVE_INFINITY, 50],
    [0, 50],
  ])('within a grace of %s ms: after %d ms', async (abortGraceMs, withinMs) => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
    const workers = countedWorkers()
    const runtime = quickJsWorkerRuntime({ worker: workers.start })
    const printed = gate()
    const controller = new AbortController()
    const { signal } = controller
    const program = 'console.log("begun"); for (;;);'
    const run = runtime.run({ program, namespaces: [], signal, abortGraceMs, onLog: () => printed.open() })
    await printed.promise
    controller.abort(new Error('enough'))
    await vi.advanceTimersByTimeAsync(withinMs)
    expect(await run).toMatchObject({ logs: ['begun'], error: { kind: 'abort' } })
    await runtime.dispose?.()
  })

  it('whose caller has a short one, and is told all that was printed', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance', 'Date'] })
    const codeRuntime = quickJsWorkerRuntime()
    const registry = createToolRegistry({ mode: 'code', codeRuntime, abortGraceMs: 40 })
    const printed = gate()
    registry.on('log', () => printed.open())
    const controller = new AbortController()
    const run = registry.execute({
      callId: 'p',
      name: 'run_code',
      arguments: { code: 'console.log("begun"); for (;;);', description: 'Computes without end' },
      signal: controller.signal,
    })
    await printed.promise
    controller.abort(new Error('enough'))
    for (let ms = 0; ms < 39; ms++) {
      await vi.advanceTimersByTimeAsync(1)
      await new Promise(resolve => setImmediate(resolve))
    }
    expect(await run).toMatchObject({
      error: { code: 'ABORTED', details: { kind: 'abort', logs: ['begun'] } },
    })
    await registry.dispose()
  })
})

it('takes no grace that is none', async () => {
  const runtime = quickJsWorkerRuntime()
  for (const abortGraceMs of [-1, Number.NaN, '1' as never])
    await expect(runtime.run({ program: 'return 1', namespaces: [], abortGraceMs })).rejects.toMatchObject({
      code: 'INVALID_OPTIONS',
    })
  await runtime.dispose?.()
})
