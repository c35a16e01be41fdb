import {
  type AroundCall,
  createToolRegistry,
  type RateLimitOptions,
  rateLimit,
  type ToolExecutionResult,
} from 'toolgate'
import { describe, expect, it, vi } from 'vitest'
import { type CountedTool, countedTool, gate } from '../support/tools.js'
import { CALL, codeOf, codesOf, errorOf, never, pass, virtualTime, watch } from './support.js'

virtualTime()

const setup = (options: RateLimitOptions, tools: readonly CountedTool[] = [countedTool('work')]) => {
  const registry = createToolRegistry({ tools, stages: [rateLimit(options)] })
  let calls = 0
  const call = (name = 'work', rest: object = {}): Promise<ToolExecutionResult> =>
    registry.execute({ callId: `${++calls}`, name, ...rest })
  return { registry, call, tool: tools[0] as CountedTool }
}

describe('over the limit', () => {
  it('a call fails and says when to try again; the tool does not run', async () => {
    const { call, tool } = setup({ limit: 2, perMs: 1_000 })
    expect(codeOf(await call())).toBe('ok')
    await pass(300)
    expect(codeOf(await call())).toBe('ok')
    await pass(100)
    const message = 'Tool "work" did not run: at most 2 may start within 1000 ms. Try again in 600 ms'
    expect(await call()).toEqual({
      callId: '3',
      name: 'work',
      isError: true,
      error: {
        code: 'RATE_LIMITED',
        name: 'ToolgateError',
        message,
        details: { limit: 2, perMs: 1_000, retryAfterMs: 600 },
      },
      content: [{ type: 'text', text: `Error: ${message}` }],
    })
    expect(tool.runs()).toBe(2)
    await pass(599)
    expect(errorOf(await call())?.details).toMatchObject({ retryAfterMs: 1 })
    await pass(1)
    expect(codeOf(await call())).toBe('ok')
    expect(tool.runs()).toBe(3)
  })

  it('no call passes uncounted whose tool comes while policy is asked (PIPE-17)', async () => {
    const hold = gate()
    const late = countedTool('late')
    const registry = createToolRegistry({
      stages: [
        { name: 'wait', preExecute: () => hold.promise.then(() => ({ kind: 'allow' as const })) },
        rateLimit({ limit: 1, perMs: 1_000 }),
      ],
    })
    const calls = [1, 2, 3].map(id => registry.execute({ callId: `${id}`, name: 'late' }))
    await pass(1)
    registry.register(late)
    hold.open()
    expect(codesOf(await Promise.all(calls))).toEqual(['UNKNOWN_TOOL', 'UNKNOWN_TOOL', 'UNKNOWN_TOOL'])
    expect(errorOf((await calls[0]) as ToolExecutionResult)?.message).toMatch(/There is one now.*did not run/)
    expect(late.runs()).toBe(0)
    const next = [1, 2].map(id => registry.execute({ callId: `next ${id}`, name: 'late' }))
    expect(codesOf(await Promise.all(next))).toEqual(['ok', 'RATE_LIMITED'])
    expect(late.runs()).toBe(1)
  })

  it('a call waits for its turn, in order, and a later one does not overtake', async () => {
    const starts: string[] = []
    const began = Date.now()
    const tool = countedTool(
      'work',
      (_args, { callId }) => void starts.push(`${callId} at ${Date.now() - began}`),
    )
    const { call } = setup({ limit: 2, perMs: 1_000, wait: true }, [tool])
    const results = Promise.all([call(), call(), call(), call(), call()])
    await pass(999)
    expect(starts).toEqual(['1 at 0', '2 at 0'])
    const late = call()
    await pass(2_001)
    expect(codesOf([...(await results), await late])).toEqual(Array(6).fill('ok'))
    expect(starts).toEqual(['1 at 0', '2 at 0', '3 at 1000', '4 at 1000', '5 at 2000', '6 at 2000'])
  })

  it('only so many wait, and the next one is told when its turn would have been', async () => {
    const { call, tool } = setup({ limit: 2, perMs: 1_000, wait: { maxQueued: 3 } })
    const results = Promise.all(Array.from({ length: 5 }, () => call()))
    await pass(100)
    expect(errorOf(await call())?.details).toMatchObject({ retryAfterMs: 1_900 })
    await pass(1_900)
    expect(codesOf(await results)).toEqual(Array(5).fill('ok'))
    expect(tool.runs()).toBe(5)
  })

  it('one whose turn comes too late fails at once', async () => {
    const { call } = setup({ limit: 1, perMs: 1_000, wait: { maxMs: 2_000 } })
    const results = Promise.all([call(), call(), call()])
    expect(errorOf(await call())).toMatchObject({ code: 'RATE_LIMITED', details: { retryAfterMs: 3_000 } })
    await pass(2_000)
    expect(codesOf(await results)).toEqual(['ok', 'ok', 'ok'])
  })

  it('waiting ends with an abort; those behind move up, and no timer stays', async () => {
    const { call, tool } = setup({ limit: 1, perMs: 1_000, wait: true })
    await call()
    const controller = new AbortController()
    const removed = vi.spyOn(controller.signal, 'removeEventListener')
    const left = watch(call('work', { signal: controller.signal }))
    const behind = watch(call())
    await pass(500)
    controller.abort()
    await pass(0)
    expect(left.now()).toMatchObject({ error: { code: 'ABORTED_BEFORE_DISPATCH' } })
    expect(removed).toHaveBeenCalled()
    await pass(500)
    expect(behind.now()).toMatchObject({ isError: false })
    expect(tool.runs()).toBe(2)

    const last = new AbortController()
    const alone = call('work', { signal: last.signal })
    await pass(1)
    expect(vi.getTimerCount()).toBe(1)
    last.abort()
    expect(codeOf(await alone)).toBe('ABORTED_BEFORE_DISPATCH')
    expect(vi.getTimerCount()).toBe(0)
    await pass(999)
    expect(codeOf(await call())).toBe('ok')
  })

  it('calls that are aborted already, and names that do not exist, are not counted', async () => {
    const { call } = setup({ limit: 1, perMs: 1_000, key: () => 'all' })
    const early: AroundCall['signal'] = AbortSignal.abort()
    expect(codeOf(await call('work', { signal: early }))).toBe('ABORTED_BEFORE_DISPATCH')
    expect(codeOf(await call('missing'))).toBe('UNKNOWN_TOOL')
    expect(codeOf(await call())).toBe('ok')
    expect(codeOf(await call())).toBe('RATE_LIMITED')
  })
})

describe('what is counted together', () => {
  it('is each tool by default', async () => {
    const { call } = setup({ limit: 1, perMs: 1_000 }, [countedTool('work'), countedTool('other')])
    const names = ['work', 'other', 'work', 'other']
    expect(codesOf(await Promise.all(names.map(name => call(name))))).toEqual([
      'ok',
      'ok',
      'RATE_LIMITED',
      'RATE_LIMITED',
    ])
  })

  it('is what the key says: a text, an object by its identity, or nothing', async () => {
    const [ada, bob] = [{ user: 1 }, { user: 1 }]
    const { call } = setup({ limit: 1, perMs: 1_000, key: ({ caller }) => caller as object | undefined })
    const callers = [ada, bob, undefined, 'eve', ada, bob, undefined, 'eve']
    const results = await Promise.all(callers.map(caller => call('work', { caller })))
    expect(codesOf(results)).toEqual([
      ...['ok', 'ok', 'ok', 'ok'],
      ...['RATE_LIMITED', 'RATE_LIMITED', 'ok', 'RATE_LIMITED'],
    ])
  })

  it.each<[string, () => unknown, string]>([
    ['a promise', async () => 'all', 'INVALID_DECISION'],
    ['a promise that rejects', () => Promise.reject(new Error('late')), 'INVALID_DECISION'],
    ['a number', () => 1, 'INVALID_DECISION'],
    ['null', () => null, 'INVALID_DECISION'],
    [
      'nothing, as it throws',
      () => {
        throw new Error('oh')
      },
      'STAGE_FAILED',
    ],
  ])('cannot be %s: the tool does not run', async (_what, key, code) => {
    const { call, tool } = setup({ limit: 1, perMs: 1_000, key: key as never })
    expect(codeOf(await call())).toBe(code)
    expect(tool.runs()).toBe(0)
  })

  it('holds for every registry that has the same stage', async () => {
    const stage = rateLimit({ limit: 1, perMs: 1_000 })
    const registries = [1, 2].map(() => createToolRegistry({ tools: [countedTool('work')], stages: [stage] }))
    const results = await Promise.all(registries.map(registry => registry.execute(CALL)))
    expect(codesOf(results)).toEqual(['ok', 'RATE_LIMITED'])
  })
})

describe('a batch', () => {
  it('ends though calls wait inside it, and its results keep their order', async () => {
    const body = gate()
    const safe = { isConcurrencySafe: () => true }
    const tools = [countedTool('work', () => body.promise, safe), countedTool('alone')]
    const { registry } = setup({ limit: 1, perMs: 1_000, wait: true }, tools)
    const names = ['work', 'work', 'work', 'alone', 'work']
    const batch = watch(registry.executeAll(names.map((name, at) => ({ callId: `${at}`, name }))))
    await pass(5_000)
    expect(batch.now()).toBe('pending')
    body.open()
    await pass(5_000)
    expect(batch.now()).toMatchObject(names.map((name, at) => ({ callId: `${at}`, name, isError: false })))
  })

  it('that is aborted ends at once', async () => {
    const { registry } = setup({ limit: 1, perMs: 1_000, wait: true }, [
      countedTool('work', never, { isConcurrencySafe: () => true }),
    ])
    const controller = new AbortController()
    const calls = [1, 2, 3].map(at => ({ callId: `${at}`, name: 'work' }))
    const batch = registry.executeAll(calls, { signal: controller.signal })
    await pass(10)
    controller.abort()
    await pass(5_000)
    expect(codesOf(await batch)).toEqual(['ABORTED', 'ABORTED_BEFORE_DISPATCH', 'ABORTED_BEFORE_DISPATCH'])
  })
})
