import { createToolRegistry, retryPolicy, type Stages, type ToolgateEvents, timeoutPolicy } from 'toolgate'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { countedTool, gate } from '../support/tools.js'

const CALL = { callId: '1', name: 'work' }
const GIVEN_UP = { isError: true, error: { code: 'GAVE_UP', message: 'took too long' } } as never

/** Goes on without the body as soon as it has started. */
const hasty = (body: Promise<unknown>): Stages => ({
  name: 'hasty',
  execute: (_call, next) => Promise.race([next(), body.then(() => GIVEN_UP)]),
})

const pass: Stages['execute'] = (_call, next) => next()
const retry = retryPolicy({ attempts: 2, retryable: () => true })

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

describe('a body that its stage leaves', () => {
  it('is told to stop and waited for before the call ends', async () => {
    const started = gate()
    const events: string[] = []
    const tool = countedTool('work', async (_args, { signal }) => {
      started.open()
      await new Promise(resolve => signal.addEventListener('abort', resolve))
      events.push(`stopped: ${signal.reason.message}`)
      return 'too late'
    })
    const registry = createToolRegistry({ tools: [tool], stages: [hasty(started.promise)] })
    registry.on('late-settlement', event => events.push(`late: ${event.outcome}`))
    registry.on('result', () => events.push('result'))
    const result = await registry.execute(CALL)
    expect(result).toMatchObject({ isError: true, error: { code: 'GAVE_UP' } })
    expect(events).toEqual([
      'stopped: Stage "hasty" ended before what it had started',
      'late: returned',
      'result',
    ])
  })

  it('keeps an exclusive call that follows it waiting until it has stopped', async () => {
    const started = gate()
    const order: string[] = []
    const slow = countedTool('work', async (_args, { signal }) => {
      started.open()
      await new Promise(resolve => signal.addEventListener('abort', resolve))
      await Promise.resolve()
      order.push('slow stopped')
    })
    const quick = countedTool('quick', () => order.push('quick ran'))
    const registry = createToolRegistry({
      tools: [slow, quick],
      stages: [
        {
          execute: (call, next) =>
            call.name === 'quick' ? next() : Promise.race([next(), started.promise.then(() => GIVEN_UP)]),
        },
      ],
    })
    await registry.executeAll([CALL, { callId: '2', name: 'quick' }])
    expect(order).toEqual(['slow stopped', 'quick ran'])
  })

  it('is given up on when the grace is over', async () => {
    const started = gate()
    const body = gate<string>()
    const tool = countedTool('work', () => {
      started.open()
      return body.promise
    })
    const registry = createToolRegistry({
      tools: [tool],
      stages: [hasty(started.promise)],
      abortGraceMs: 1_000,
    })
    const late: ToolgateEvents['late-settlement'][] = []
    registry.on('late-settlement', event => late.push(event))
    let ended = false
    const pending = registry.execute(CALL).finally(() => {
      ended = true
    })
    await vi.advanceTimersByTimeAsync(999)
    expect(ended).toBe(false)
    await vi.advanceTimersByTimeAsync(1)
    expect(await pending).toMatchObject({ isError: true, error: { code: 'GAVE_UP' } })
    expect(vi.getTimerCount()).toBe(0)
    expect(late).toEqual([])
    body.open('at last')
    await vi.advanceTimersByTimeAsync(0)
    expect(late).toMatchObject([{ callId: '1', name: 'work', outcome: 'returned' }])
  })

  it('is not waited for where the stage has told it to stop itself', async () => {
    const body = gate<string>()
    const tool = countedTool('work', () => body.promise)
    const registry = createToolRegistry({
      tools: [tool],
      stages: [
        {
          execute: (call, next) => {
            const own = new AbortController()
            call.signal = own.signal
            const running = next()
            own.abort(new Error('deadline'))
            void running
            return Promise.resolve(GIVEN_UP)
          },
        },
      ],
    })
    const late = vi.fn()
    registry.on('late-settlement', late)
    expect(await registry.execute(CALL)).toMatchObject({ error: { code: 'GAVE_UP' } })
    expect(late).not.toHaveBeenCalled()
    body.open('at last')
    await vi.advanceTimersByTimeAsync(0)
    expect(late).toHaveBeenCalledOnce()
  })

  it('is waited for when its stage throws', async () => {
    const stopped = gate()
    const tool = countedTool('work', async (_args, { signal }) => {
      await new Promise(resolve => signal.addEventListener('abort', resolve))
      stopped.open()
    })
    const registry = createToolRegistry({
      tools: [tool],
      stages: [
        {
          name: 'clumsy',
          execute: async (_call, next) => {
            void next()
            await Promise.resolve()
            throw new Error('oh')
          },
        },
      ],
    })
    expect(await registry.execute(CALL)).toMatchObject({ error: { code: 'STAGE_FAILED' } })
    await stopped.promise
  })

  const failures: readonly (readonly [string, Stages['execute'] & object, string])[] = [
    ['throws', () => Promise.reject(new Error('oh')), 'STAGE_FAILED'],
    ['answers what is no result', async () => 1 as never, 'INVALID_DECISION'],
    ['answers a failure of its own', async () => GIVEN_UP, 'GAVE_UP'],
  ]
  describe.each(failures)('where its stage %s', (_what, end, code) => {
    const run = async (stops: boolean, isAborted: boolean) => {
      const started = gate()
      const tool = countedTool('work', async (_args, { signal }) => {
        started.open()
        await new Promise(resolve => stops && signal.addEventListener('abort', resolve))
      })
      const leaving: Stages = {
        name: 'leaving',
        execute: async (call, next) => {
          void next()
          await started.promise
          if (isAborted) controller.abort(new Error('enough'))
          return end(call, next)
        },
      }
      const controller = new AbortController()
      const registry = createToolRegistry({ tools: [tool], stages: [leaving], abortGraceMs: 50 })
      const running = registry.execute({ ...CALL, signal: controller.signal })
      await vi.advanceTimersByTimeAsync(1_000)
      return (await running) as { readonly error?: { readonly code: string; readonly details?: object } }
    }

    it.each([
      ['had been left and stops', true, false, undefined],
      ['had been left and runs on', false, false, false],
      ['was aborted and stops', true, true, true],
      ['was aborted and runs on', false, true, false],
    ])('the failure of the call says of the body that it %s', async (_how, stops, isAborted, bodyStopped) => {
      const { error } = await run(stops, isAborted)
      expect(error?.code).toBe(code)
      expect((error?.details as { bodyStopped?: boolean } | undefined)?.bodyStopped).toBe(bodyStopped)
    })
  })

  it('of two attempts at once, the one that lost is told to stop', async () => {
    const losers: unknown[] = []
    const turns = [gate<string>(), gate<string>()]
    let attempt = 0
    const tool = countedTool('work', async (_args, { signal }) => {
      const turn = turns[attempt++]
      signal.addEventListener('abort', () => {
        losers.push(signal.reason)
        turn?.open('stopped')
      })
      return turn?.promise
    })
    const registry = createToolRegistry({
      tools: [tool],
      stages: [{ name: 'hedge', execute: (_call, next) => Promise.race([next(), next()]) }],
    })
    const pending = registry.execute(CALL)
    await vi.advanceTimersByTimeAsync(0)
    turns[1]?.open('second')
    expect(await pending).toMatchObject({ isError: false, value: 'second' })
    expect(losers).toHaveLength(1)
  })

  it.each([
    ['its stage had told it to stop', [timeoutPolicy({ defaultMs: 50, graceMs: 0 })]],
    ['another stage stands between', [timeoutPolicy({ defaultMs: 50, graceMs: 0 }), { execute: pass }]],
    ['the stage that it hangs in is itself left', [timeoutPolicy({ defaultMs: 50, graceMs: 0 }), retry]],
  ] as const)('keeps no timer once the call has ended: %s', async (_how, stages) => {
    const body = gate<string>()
    const tool = countedTool('work', () => body.promise)
    const registry = createToolRegistry({ tools: [tool], stages })
    const late = vi.fn()
    registry.on('late-settlement', late)
    const pending = registry.execute(CALL)
    await vi.advanceTimersByTimeAsync(51)
    expect(await pending).toMatchObject({ error: { code: 'TOOL_TIMEOUT', details: { bodyStopped: false } } })
    expect(vi.getTimerCount()).toBe(0)
    body.open('at last')
    await vi.advanceTimersByTimeAsync(0)
    expect(late).toHaveBeenCalledOnce()
  })
})
