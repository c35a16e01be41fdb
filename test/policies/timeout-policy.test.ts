/** Decided: TMO-02, TMO-06, TMO-07. The other lines of the section are at the heads of the files beside. */
import { createToolRegistry, type Stages, ToolTimeoutError, timeoutPolicy } from 'toolgate'
import { describe, expect, it, vi } from 'vitest'
import { countedTool, gate } from '../support/tools.js'
import {
  CALL,
  codeOf,
  codesOf,
  errorOf,
  never,
  obedient,
  pass,
  sleep,
  virtualTime,
  watch,
} from './support.js'

virtualTime()

// The pipeline's own wait for a body that does not stop.
const BODY_GRACE_MS = 5_000

const STOPPED = {
  code: 'TOOL_TIMEOUT',
  name: 'ToolTimeoutError',
  message: 'Tool "work" did not end within 50 ms and was stopped. Ask it for less at a time',
  details: { timeoutMs: 50, bodyStopped: true },
}
const RUNNING = {
  ...STOPPED,
  message:
    'Tool "work" did not end within 50 ms. It was told to stop and may still be running: see what it has done before calling it again',
  details: { timeoutMs: 50, bodyStopped: false },
}

describe('a deadline', () => {
  it('is a stage’s affair: without one nothing enforces timeoutMs, and a tool that declares none has none (TMO-01)', async () => {
    const timers: number[] = []
    const body = async () => {
      timers.push(vi.getTimerCount())
      await sleep(5_000)
    }
    const declared = countedTool('work', body, { timeoutMs: 50 })
    const plain = countedTool('plain', body)
    const without = createToolRegistry({ tools: [declared] }).execute(CALL)
    await pass(5_000)
    expect(codeOf(await without)).toBe('ok')
    const registry = createToolRegistry({ tools: [declared, plain], stages: [timeoutPolicy()] })
    const results = Promise.all([
      registry.execute(CALL),
      registry.execute({ callId: '2', name: 'plain' }),
      registry.execute({ callId: '3', name: 'missing' }),
    ])
    await pass(5_000)
    expect(codesOf(await results)).toEqual(['TOOL_TIMEOUT', 'ok', 'UNKNOWN_TOOL'])
    // The first timer is the deadline of the tool that declares one; the second is the sleep of its body.
    expect(timers).toEqual([0, 1, 2])
  })

  it('of a tool stands before the default, whichever is longer', async () => {
    const tools = [20, 200, undefined].map((timeoutMs, at) =>
      countedTool(`tool${at}`, obedient, timeoutMs === undefined ? {} : { timeoutMs }),
    )
    const registry = createToolRegistry({ tools, stages: [timeoutPolicy({ defaultMs: 100 })] })
    const results = Promise.all(tools.map(({ name }) => registry.execute({ callId: name, name })))
    await pass(200)
    const limits = (await results).map(result => errorOf(result)?.details)
    expect(limits).toEqual([20, 200, 100].map(timeoutMs => ({ timeoutMs, bodyStopped: true })))
  })

  it('counts from the dispatch: policy, approval and the turn in a batch are free (TMO-02)', async () => {
    const reasons: unknown[] = []
    const tool = countedTool('work', async (_args, { signal }) => {
      signal.addEventListener('abort', () => reasons.push(signal.reason))
      await sleep(40)
    })
    const registry = createToolRegistry({
      tools: [tool],
      stages: [
        timeoutPolicy({ defaultMs: 50 }),
        { preExecute: async () => (await sleep(10_000), { kind: 'ask' }) },
      ],
      approve: async () => (await sleep(10_000), 'allowed-once' as const),
    })
    const results = registry.executeAll([CALL, { ...CALL, callId: '2' }])
    await pass(40_080)
    expect(codesOf(await results)).toEqual(['ok', 'ok'])
    const controller = new AbortController()
    const aborted = registry.execute({ ...CALL, signal: controller.signal })
    await pass(20_010)
    controller.abort('by the caller')
    await pass(30)
    expect(codeOf(await aborted)).toBe('ABORTED')
    expect(reasons).toEqual(['by the caller'])
  })

  it('ends a body that never settles, with its milliseconds in the text (C3)', async () => {
    const tool = countedTool('work', never, { timeoutMs: 50 })
    const registry = createToolRegistry({ tools: [tool], stages: [timeoutPolicy()] })
    const result = watch(registry.execute(CALL))
    await pass(1_049)
    expect(result.now()).toBe('pending')
    await pass(1)
    expect(result.now()).toMatchObject({
      isError: true,
      error: RUNNING,
      content: [{ type: 'text', text: `Error: ${RUNNING.message}` }],
    })
    await pass(BODY_GRACE_MS)
  })
})

describe('once the timer has fired', () => {
  it.each<[string, (reason: unknown) => unknown]>([
    ['returns a value', () => 'done after all'],
    ['returns what no tool may', () => 42],
    ['throws an error of its own', () => Promise.reject(new Error('broken pipe'))],
    ['throws the reason', reason => Promise.reject(reason)],
    ['throws an AbortError', () => Promise.reject(new DOMException('stop', 'AbortError'))],
    ['throws nothing', () => Promise.reject(undefined)],
  ])('the call ends with TOOL_TIMEOUT though the body %s (TMO-03)', async (_what, end) => {
    let reason: unknown
    const tool = countedTool('work', async (_args, { signal }) => {
      await new Promise(resolve => signal.addEventListener('abort', resolve))
      reason = signal.reason
      return end(reason)
    })
    const registry = createToolRegistry({ tools: [tool], stages: [timeoutPolicy({ defaultMs: 50 })] })
    const result = watch(registry.execute(CALL))
    await pass(49)
    expect(result.now()).toBe('pending')
    await pass(1)
    expect(result.now()).toMatchObject({ callId: '1', name: 'work', isError: true, error: STOPPED })
    expect(reason).toBeInstanceOf(ToolTimeoutError)
    expect(reason).toMatchObject({
      message: 'Tool "work" did not end within 50 ms',
      details: { timeoutMs: 50 },
    })
  })

  it('a later abort of the caller changes nothing; one that came before is ABORTED (TMO-04)', async () => {
    const tool = countedTool('work', async (_args, { signal }) => {
      await new Promise(resolve => signal.addEventListener('abort', resolve))
      await sleep(100)
    })
    const registry = createToolRegistry({ tools: [tool], stages: [timeoutPolicy({ defaultMs: 50 })] })
    const late = new AbortController()
    const timedOut = registry.execute({ ...CALL, signal: late.signal })
    await pass(60)
    late.abort()
    await pass(100)
    expect(errorOf(await timedOut)).toEqual(STOPPED)

    const early = new AbortController()
    const aborted = registry.execute({ ...CALL, signal: early.signal })
    await pass(49)
    early.abort()
    await pass(100)
    expect(errorOf(await aborted)).toMatchObject({ code: 'ABORTED', details: { bodyStopped: true } })
  })

  it('the disposal of the scope is an abort like the caller’s', async () => {
    const tool = countedTool('work', obedient)
    const registry = createToolRegistry({ tools: [tool], stages: [timeoutPolicy({ defaultMs: 50 })] })
    const scope = registry.createScope({ id: 'session' })
    const result = scope.execute(CALL)
    await pass(10)
    const disposed = scope.dispose()
    await pass(0)
    expect(codeOf(await result)).toBe('ABORTED')
    await disposed
  })

  it('the body has graceMs to end; the end of one that takes longer is told by late-settlement (TMO-06)', async () => {
    const body = gate<string>()
    const tool = countedTool('work', () => body.promise)
    const stages = [timeoutPolicy({ defaultMs: 50, graceMs: 200 })]
    const registry = createToolRegistry({ tools: [tool], stages })
    const late = vi.fn()
    registry.on('late-settlement', late)
    const result = watch(registry.execute(CALL))
    await pass(249)
    expect(result.now()).toBe('pending')
    await pass(1)
    expect(result.now()).toMatchObject({ error: RUNNING })
    expect(late).not.toHaveBeenCalled()
    body.fail(new Error('nobody hears this'))
    await pass(BODY_GRACE_MS)
    expect(late.mock.calls).toMatchObject([[{ callId: '1', name: 'work', outcome: 'threw' }]])
  })

  it.each([
    // A timer takes a millisecond at the least.
    ['0: not at all, but for what stops at once', 0, 1],
    ['Infinity: as long as the pipeline does', Number.POSITIVE_INFINITY, 5_000],
  ])('graceMs %s', async (_what, graceMs, waited) => {
    const tools = [countedTool('work', never), countedTool('quick', obedient)]
    const stages = [timeoutPolicy({ defaultMs: 50, graceMs })]
    const registry = createToolRegistry({ tools, stages })
    const result = watch(registry.execute(CALL))
    const quick = watch(registry.execute({ callId: '2', name: 'quick' }))
    await pass(50 + waited - 1)
    expect(result.now()).toBe('pending')
    await pass(1)
    expect(result.now()).toMatchObject({ error: RUNNING })
    expect(quick.now()).toMatchObject({ error: { details: { bodyStopped: true } } })
    await pass(BODY_GRACE_MS)
  })

  it('a body that the pipeline gave up on has not stopped', async () => {
    const tool = countedTool('work', never)
    const stages = [timeoutPolicy({ defaultMs: 50 })]
    const registry = createToolRegistry({ tools: [tool], stages, abortGraceMs: 10 })
    const result = watch(registry.execute(CALL))
    await pass(60)
    expect(result.now()).toMatchObject({ error: RUNNING })
  })

  it('what the body deferred survives, with what stages further in said (TMO-07)', async () => {
    const context = (source: string) => ({ source, content: [{ type: 'text', text: 'note' }] as const })
    const tool = countedTool('work', async (_args, { deferContext, signal }) => {
      deferContext(context('body'))
      await new Promise(resolve => signal.addEventListener('abort', resolve))
      deferContext(context('body at the end'))
    })
    const speaking: Stages = {
      execute: async (_call, next) => ({ ...(await next()), additionalContexts: [context('stage')] }),
    }
    const stages = [timeoutPolicy({ defaultMs: 50 }), speaking]
    const result = watch(createToolRegistry({ tools: [tool], stages }).execute(CALL))
    await pass(50)
    expect(result.now()).toMatchObject({
      error: STOPPED,
      additionalContexts: [{ source: 'body' }, { source: 'body at the end' }, { source: 'stage' }],
    })
  })
})

describe('of a timeout nothing is left', () => {
  it('on a signal that lives on, whatever became of the calls (C5)', async () => {
    const { signal } = new AbortController()
    const added = vi.spyOn(signal, 'addEventListener')
    const removed = vi.spyOn(signal, 'removeEventListener')
    const tools = [
      countedTool('quick'),
      countedTool('slow', never),
      countedTool('throws', () => Promise.reject(1)),
    ]
    const stages = [timeoutPolicy({ defaultMs: 50, idleMs: 20 })]
    const registry = createToolRegistry({ tools, stages })
    const calls = Array.from({ length: 99 }, (_, at) =>
      registry.execute({ callId: `${at}`, name: tools[at % 3]?.name ?? '', signal }),
    )
    await pass(1_050)
    await Promise.all(calls)
    expect(vi.getTimerCount()).toBe(0)
    expect(removed).toHaveBeenCalledTimes(added.mock.calls.length)
  })
})
