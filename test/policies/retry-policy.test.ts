import {
  createToolRegistry,
  type RetryNotice,
  type RetryPolicyOptions,
  rateLimit,
  retryPolicy,
  type Stages,
  type ToolDefinition,
  ToolgateError,
  timeoutPolicy,
} from 'toolgate'
import { describe, expect, it, vi } from 'vitest'
import { countedTool } from '../support/tools.js'
import { CALL, codeOf, errorOf, never, pass, sleep, virtualTime, watch } from './support.js'

virtualTime()

const HARMLESS = { annotations: { idempotentHint: true } }
const fails =
  (code = 'TOOL_FAILED', details?: unknown) =>
  () => {
    throw new ToolgateError(code, 'not now', { details })
  }
const setup = (
  body: () => unknown,
  options: Partial<RetryPolicyOptions> = {},
  rest: Partial<ToolDefinition> = HARMLESS,
  inside: readonly Stages[] = [],
) => {
  const tool = countedTool('work', body, rest)
  const notices: RetryNotice[] = []
  const onRetry = (_call: unknown, notice: RetryNotice) => notices.push(notice)
  const retry = retryPolicy({ attempts: 3, jitter: 'none', onRetry, ...options })
  const registry = createToolRegistry({ tools: [tool], stages: [retry, ...inside] })
  return { tool, registry, notices, delays: () => notices.map(({ delayMs }) => delayMs) }
}

describe('a tool that fails', () => {
  it('runs again after waits that grow, until it works', async () => {
    let attempt = 0
    const starts: number[] = []
    const { registry, notices } = setup(
      () => {
        starts.push(Date.now())
        if (++attempt < 4) throw new Error(`attempt ${attempt}`)
        return 'at last'
      },
      { attempts: 5, backoffMs: 100, backoffFactor: 3 },
    )
    const began = Date.now()
    const result = registry.execute(CALL)
    await pass(1_300)
    expect(await result).toEqual({
      callId: '1',
      name: 'work',
      isError: false,
      value: 'at last',
      content: [{ type: 'text', text: 'at last' }],
      meta: { attempts: 4 },
    })
    expect(starts.map(at => at - began)).toEqual([0, 100, 400, 1_300])
    expect(notices).toMatchObject([
      { attempt: 1, delayMs: 100, result: { error: { message: 'attempt 1' } } },
      { attempt: 2, delayMs: 300, result: { error: { message: 'attempt 2' } } },
      { attempt: 3, delayMs: 900, result: { error: { message: 'attempt 3' } } },
    ])
  })

  it('ends with its own last failure when all attempts are spent; meta says how many they were', async () => {
    let attempt = 0
    const { registry, tool } = setup(() => Promise.reject(new Error(`attempt ${++attempt}`)))
    const result = registry.execute(CALL)
    await pass(600)
    expect(await result).toEqual({
      callId: '1',
      name: 'work',
      isError: true,
      error: { code: 'TOOL_FAILED', name: 'ToolgateError', message: 'attempt 3' },
      content: [{ type: 'text', text: 'Error: attempt 3' }],
      meta: { attempts: 3 },
    })
    expect(tool.runs()).toBe(3)
  })

  it('says nothing of attempts after a single one, and keeps the meta of its failure after several', async () => {
    const failing: Stages = {
      execute: async (_call, next) => ({ ...(await next()), meta: { trace: 'abc' } }),
    }
    const metaOf = async (attempts: number) => {
      const { registry } = setup(fails(), { attempts }, HARMLESS, [failing])
      const result = registry.execute(CALL)
      await pass(200)
      return (await result).meta
    }
    expect(await metaOf(1)).toEqual({ trace: 'abc' })
    expect(await metaOf(2)).toEqual({ trace: 'abc', attempts: 2 })
  })

  it('keeps what it deferred, told its observers and was asked about once', async () => {
    const seen: string[] = []
    const note = { source: 'work', content: [{ type: 'text', text: 'tried' }] } as const
    const tool = countedTool(
      'work',
      (_args, { deferContext }) => {
        deferContext(note)
        throw new Error('no')
      },
      HARMLESS,
    )
    const watching: Stages = {
      preExecute: () => (seen.push('asked'), { kind: 'ask' }),
      onResult: () => void seen.push('told'),
    }
    const stages = [retryPolicy({ attempts: 2, jitter: 'none' }), watching]
    const registry = createToolRegistry({ tools: [tool], stages, approve: () => 'allowed-once' })
    const result = registry.execute(CALL)
    await pass(200)
    expect((await result).additionalContexts).toEqual([note, note])
    expect(seen).toEqual(['asked', 'told'])
  })

  it.each<[string, RetryPolicyOptions['codes'], string, number]>([
    ['TOOL_FAILED is tried again', undefined, 'TOOL_FAILED', 3],
    ['TOOL_TIMEOUT is tried again', undefined, 'TOOL_TIMEOUT', 3],
    ['a code of its own is not', undefined, 'QUOTA', 1],
    ['a code that is listed is, and those by default stay', ['QUOTA'], 'QUOTA', 3],
    ['TOOL_FAILED is too', ['QUOTA'], 'TOOL_FAILED', 3],
    ...['INVALID_ARGS', 'DENIED', 'ABORTED', 'INVALID_TOOL_OUTPUT', 'BLOCKED'].map(
      (code): [string, undefined, string, number] => [`${code} is not`, undefined, code, 1],
    ),
  ])('%s', async (_what, codes, code, runs) => {
    const { registry, tool } = setup(fails(code), codes && { codes })
    const result = registry.execute(CALL)
    await pass(600)
    expect(codeOf(await result)).toBe(code)
    expect(tool.runs()).toBe(runs)
  })

  it('is not run again where policy refused it, and an unknown name is not looked for twice', async () => {
    const tool = countedTool('work', () => 'done', HARMLESS)
    const attempts: string[] = []
    const counting: Stages = { execute: (call, next) => (attempts.push(call.name), next()) }
    const stages = [retryPolicy({ attempts: 3 }), counting, { guard: () => 'never' }]
    const denied = await createToolRegistry({ tools: [tool], stages }).execute(CALL)
    expect(codeOf(denied)).toBe('GUARD_DENIED')
    expect(tool.runs()).toBe(0)
    const unknown = createToolRegistry({ stages: stages.slice(0, 2) }).execute(CALL)
    expect(codeOf(await unknown)).toBe('UNKNOWN_TOOL')
    expect(attempts).toEqual(['work'])
  })
})

describe('a tool that may have acted', () => {
  const cases: readonly (readonly [string, ToolDefinition['annotations'], boolean])[] = [
    ['says nothing of itself', undefined, false],
    ['is idempotent', { idempotentHint: true }, true],
    ['only reads', { readOnlyHint: true }, true],
    ['says that it is neither', { readOnlyHint: false, idempotentHint: false }, false],
    ['is only not destructive', { destructiveHint: false }, false],
    ['has a hint that is not true', { idempotentHint: 'yes' as never }, false],
  ]
  it.each(cases)('and %s: is it run again? annotations %o, %s', async (_what, annotations, again) => {
    const { registry, tool } = setup(fails(), {}, annotations === undefined ? {} : { annotations })
    const result = registry.execute(CALL)
    await pass(600)
    expect(codeOf(await result)).toBe('TOOL_FAILED')
    expect(tool.runs()).toBe(again ? 3 : 1)
  })

  it.each([
    ['true: again, whatever the tool says', true, {}, 3],
    ['false: not, whatever the tool says', false, HARMLESS, 1],
    ['undefined: as the tool says', undefined, HARMLESS, 3],
    ['undefined: as the tool does not say', undefined, {}, 1],
  ])('retryable answers %s', async (_what, answer, rest, runs) => {
    const retryable = vi.fn(() => answer)
    const { registry, tool } = setup(fails('TOOL_FAILED', { status: 503 }), { retryable }, rest)
    const result = registry.execute(CALL)
    await pass(600)
    await result
    expect(tool.runs()).toBe(runs)
    expect(retryable.mock.calls[0]).toMatchObject([
      { callId: '1', name: 'work' },
      { isError: true, error: { code: 'TOOL_FAILED', details: { status: 503 } } },
    ])
  })

  it('is not run again by an answer that is none: a promise, or a throw', async () => {
    for (const [retryable, code] of [
      [async () => true, 'INVALID_DECISION'],
      [() => 1, 'INVALID_DECISION'],
      [() => Promise.reject(new Error('late')), 'INVALID_DECISION'],
      [fails('QUOTA'), 'QUOTA'],
    ] as const) {
      const { registry, tool } = setup(fails(), { retryable: retryable as never })
      expect(codeOf(await registry.execute(CALL))).toBe(code)
      expect(tool.runs()).toBe(1)
    }
  })

  it('and still runs is joined by another only where it just reads', async () => {
    for (const [annotations, runs] of [
      [{ idempotentHint: true }, 1],
      [{ readOnlyHint: true }, 3],
    ] as const) {
      const deadline = timeoutPolicy({ defaultMs: 10, graceMs: 10 })
      const { registry, tool } = setup(never, {}, { annotations }, [deadline])
      const result = registry.execute(CALL)
      await pass(6_000)
      expect(errorOf(await result)).toMatchObject({ code: 'TOOL_TIMEOUT', details: { bodyStopped: false } })
      expect(tool.runs()).toBe(runs)
    }
  })

  it('did not, where a limit inside kept it from running: that needs no hint', async () => {
    const limit = rateLimit({ limit: 1, perMs: 500 })
    const { registry, tool, delays } = setup(() => 'done', { codes: ['RATE_LIMITED'] }, {}, [limit])
    await registry.execute(CALL)
    const result = watch(registry.execute(CALL))
    await pass(499)
    expect(result.now()).toBe('pending')
    await pass(1)
    expect(result.now()).toMatchObject({ isError: false })
    expect(delays()).toEqual([500])
    expect(tool.runs()).toBe(2)
  })
})

describe('an abort', () => {
  it('between attempts ends it at once, with the last failure', async () => {
    const { registry, tool } = setup(fails(), { backoffMs: 10_000 })
    const controller = new AbortController()
    const removed = vi.spyOn(controller.signal, 'removeEventListener')
    const result = watch(registry.execute({ ...CALL, signal: controller.signal }))
    await pass(5_000)
    expect(result.now()).toBe('pending')
    controller.abort()
    await pass(0)
    expect(result.now()).toMatchObject({ isError: true, error: { code: 'TOOL_FAILED' } })
    expect(tool.runs()).toBe(1)
    expect(vi.getTimerCount()).toBe(0)
    expect(removed).toHaveBeenCalled()
  })

  it('of the scope ends it too', async () => {
    const { registry, tool } = setup(fails(), { backoffMs: 10_000 })
    const result = registry.execute(CALL)
    await pass(1)
    await registry.dispose()
    expect(codeOf(await result)).toBe('TOOL_FAILED')
    expect(tool.runs()).toBe(1)
  })

  it('during an attempt is the end, even if the tool then fails by itself', async () => {
    const { registry, tool, notices } = setup(async () => (await sleep(50), fails()()))
    const controller = new AbortController()
    const result = registry.execute({ ...CALL, signal: controller.signal })
    await pass(10)
    controller.abort()
    await pass(40)
    expect(codeOf(await result)).toBe('TOOL_FAILED')
    expect(tool.runs()).toBe(1)
    expect(notices).toEqual([])
  })
})
