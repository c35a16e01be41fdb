/**
 * Decided otherwise:
 * - SIG-01 `signal` is optional; a record has one always, which only an around stage may replace, for what it wraps.
 * - SIG-02 the body's signal aborts with the caller's, the scope's and an around stage's; its identity is not promised.
 * - SIG-04 a stage has nothing to restore: what it sets holds for what it wraps, and no one else sees it.
 * - SIG-05 the codes tell; the error's name is not AbortError.
 * - SIG-12 a started body is waited for `abortGraceMs` after an abort, with Infinity for ever.
 * - SIG-17 what a body says after its call has ended throws.
 */
import { createToolRegistry, type Stages, type ToolExecutionResult, ToolgateError } from 'toolgate'
import { describe, expect, it, vi } from 'vitest'
import { countedTool, gate, isDeepFrozen, settle } from '../support/tools.js'

const codeOf = (result: ToolExecutionResult): string => (result.isError ? result.error.code : 'ok')
const replaceBy = (signal: AbortSignal): Stages => ({
  execute: (call, next) => {
    call.signal = signal
    return next()
  },
})

describe('the signal of a call', () => {
  it('need not be given, is always there, and only an around stage may set it (SIG-01)', async () => {
    const signals: unknown[] = []
    const faults: unknown[] = []
    const trySet = (call: { signal: AbortSignal }): void => {
      signals.push(call.signal)
      try {
        call.signal = AbortSignal.abort()
      } catch (error) {
        faults.push((error as Error).name)
      }
    }
    const registry = createToolRegistry({
      tools: [countedTool('work', (_args, context) => (trySet(context), 'ok'))],
      stages: [
        {
          preExecute: (call, next) => (trySet(call), next()),
          guard: call => (trySet(call), undefined),
          postExecute: (call, _result, next) => (trySet(call), next()),
          onResult: trySet,
        },
      ],
    })
    expect(codeOf(await registry.execute({ callId: '1', name: 'work' }))).toBe('ok')
    expect(signals.every(signal => signal instanceof AbortSignal)).toBe(true)
    expect([signals.length, faults]).toEqual([5, Array(5).fill('TypeError')])
  })

  it.each([
    ['undefined', undefined],
    ['null', null],
    ['a controller', new AbortController()],
    ['an object that only looks like one', { aborted: true }],
  ])('cannot be taken away, nor replaced by %s (SIG-01)', async (_what, signal) => {
    const tool = countedTool('work')
    const registry = createToolRegistry({ tools: [tool], stages: [replaceBy(signal as never)] })
    const result = await registry.execute({ callId: '1', name: 'work' })
    expect(['INVALID_DECISION', 'STAGE_FAILED']).toContain(codeOf(result))
    expect(tool.runs()).toBe(0)
  })

  it('aborts in the body with the caller’s, for the caller’s reason (SIG-02)', async () => {
    const controller = new AbortController()
    const reason = { why: 'enough' }
    let seen: unknown
    const tool = countedTool('work', async (_args, { signal }) => {
      const aborted = new Promise(resolve => signal.addEventListener('abort', resolve))
      controller.abort(reason)
      await aborted
      seen = signal.reason
      return 'ok'
    })
    const registry = createToolRegistry({ tools: [tool] })
    const result = await registry.execute({ callId: '1', name: 'work', signal: controller.signal })
    expect([codeOf(result), seen]).toEqual(['ABORTED', reason])
  })

  it.each([
    ['the caller’s', 'caller'],
    ['the stage’s', 'stage'],
  ] as const)('that a stage replaced aborts with %s, carrying its reason (SIG-03)', async (_what, which) => {
    const caller = new AbortController()
    const stage = new AbortController()
    const own = [vi.spyOn(stage.signal, 'addEventListener'), vi.spyOn(stage.signal, 'removeEventListener')]
    let seen: unknown
    const tool = countedTool('work', (_args, { signal }) => {
      expect([signal === caller.signal, signal === stage.signal]).toEqual([false, false])
      signal.addEventListener('abort', () => {})
      const controllers = { caller, stage }
      controllers[which].abort(which)
      seen = signal.reason
      return 'ok'
    })
    const registry = createToolRegistry({ tools: [tool], stages: [replaceBy(stage.signal)] })
    const result = await registry.execute({ callId: '1', name: 'work', signal: caller.signal })
    expect([codeOf(result), seen]).toEqual(['ABORTED', which])
    // The abort of one is not the abort of the other.
    expect([caller.signal.aborted, stage.signal.aborted]).toEqual([which === 'caller', which === 'stage'])
    expect(own[0]?.mock.calls.length).toBe(own[1]?.mock.calls.length)
  })

  it('carries the reason of the abort that came first (SIG-03)', async () => {
    for (const order of [
      ['caller', 'stage'],
      ['stage', 'caller'],
    ] as const) {
      const controllers = { caller: new AbortController(), stage: new AbortController() }
      let seen: unknown
      const tool = countedTool('work', (_args, { signal }) => {
        signal.addEventListener('abort', () => {
          seen = signal.reason
        })
        for (const which of order) controllers[which].abort(which)
        return 'ok'
      })
      const registry = createToolRegistry({ tools: [tool], stages: [replaceBy(controllers.stage.signal)] })
      await registry.execute({ callId: '1', name: 'work', signal: controllers.caller.signal })
      expect(seen).toBe(order[0])
    }
  })

  it('is the call’s own again outside the stage that replaced it (SIG-04)', async () => {
    const stage = new AbortController()
    const seen: Record<string, boolean> = {}
    const look = (where: string): Stages => ({
      execute: async (call, next) => {
        const result = await next()
        seen[where] = call.signal.aborted
        return result
      },
      postExecute: (call, _result, next) => {
        seen[`${where} post`] = call.signal.aborted
        return next()
      },
    })
    const registry = createToolRegistry({
      tools: [countedTool('work', () => (stage.abort(), 'ok'))],
      stages: [look('outer'), replaceBy(stage.signal), look('inner')],
    })
    expect(codeOf(await registry.execute({ callId: '1', name: 'work' }))).toBe('ABORTED')
    expect(seen).toEqual({ inner: true, outer: false, 'outer post': false, 'inner post': false })
  })
})

describe('codes of an abort', () => {
  it('tell whether the body had started (SIG-05)', async () => {
    const controller = new AbortController()
    const { signal } = controller
    const tool = countedTool('work', () => (controller.abort(), 'ok'))
    const registry = createToolRegistry({ tools: [tool] })
    const first = await registry.execute({ callId: '1', name: 'work', signal })
    const second = await registry.execute({ callId: '2', name: 'work', signal })
    expect([first, second].map(codeOf)).toEqual(['ABORTED', 'ABORTED_BEFORE_DISPATCH'])
    expect(first).toMatchObject({ error: { name: 'ToolgateError', details: { bodyStopped: true } } })
    expect(tool.runs()).toBe(1)
  })

  it('before the call: arguments are frozen, nothing runs, the finaliser and one notification do (SIG-06)', async () => {
    const log: unknown[] = []
    const tool = countedTool('work', () => 'ok', {
      finalizeContent: call => {
        log.push(['finalize', call.arguments, isDeepFrozen(call.arguments)])
        return [{ type: 'text', text: 'final' }]
      },
    })
    const see = (what: string) => (log.push(what), undefined)
    const registry = createToolRegistry({
      tools: [tool],
      stages: [
        {
          preExecute: (_call, next) => (see('pre'), next()),
          guard: () => see('guard'),
          execute: (_call, next) => (see('around'), next()),
          postExecute: (_call, _result, next) => (see('post'), next()),
          onResult: () => see('result'),
        },
      ],
    })
    const result = await registry.execute({
      callId: '1',
      name: 'work',
      arguments: '{"a":[1]}',
      signal: AbortSignal.abort(),
    })
    expect(result).toMatchObject({
      error: { code: 'ABORTED_BEFORE_DISPATCH' },
      content: [{ type: 'text', text: 'final' }],
    })
    expect(log).toEqual([['finalize', { a: [1] }, true], 'result'])
    expect(tool.runs()).toBe(0)
  })

  it('unusable arguments are worse than an abort (SIG-07)', async () => {
    const tool = countedTool('work')
    const registry = createToolRegistry({ tools: [tool] })
    const signal = AbortSignal.abort()
    for (const [given, code] of [
      ['{', 'ARGUMENTS_NOT_JSON'],
      [{ a: 1n }, 'ARGUMENTS_NOT_JSON'],
      ['x'.repeat(17 * 1024 * 1024), 'LIMIT_EXCEEDED'],
    ] as const)
      expect(codeOf(await registry.execute({ callId: '1', name: 'work', arguments: given, signal }))).toBe(
        code,
      )
    expect(tool.runs()).toBe(0)
  })

  it.each([
    ['allows', { kind: 'allow' }, 'ABORTED_BEFORE_DISPATCH'],
    ['denies', { kind: 'deny', reason: 'no' }, 'DENIED'],
    ['asks', { kind: 'ask' }, 'ABORTED_BEFORE_DISPATCH'],
    ['throws', new Error('broken'), 'STAGE_FAILED'],
    ['throws a coded error', new ToolgateError('QUOTA', 'none left'), 'QUOTA'],
    ['answers nonsense', { kind: 'maybe' }, 'INVALID_DECISION'],
  ] as const)('while a stage thinks that then %s: it is waited for (SIG-08)', async (_what, answer, code) => {
    const thinking = gate()
    const tool = countedTool('work')
    const post: string[] = []
    let asked = 0
    const registry = createToolRegistry({
      tools: [tool],
      approve: () => (asked++, 'allowed-once'),
      stages: [
        { postExecute: (_call, result, next) => (post.push(codeOf(result)), next()) },
        {
          preExecute: async () => {
            await thinking.promise
            if (answer instanceof Error) throw answer
            return answer as never
          },
        },
      ],
    })
    const controller = new AbortController()
    let ended = false
    const pending = registry.execute({ callId: '1', name: 'work', signal: controller.signal })
    void pending.then(() => {
      ended = true
    })
    await settle()
    controller.abort()
    await settle()
    expect(ended).toBe(false)
    thinking.open()
    expect(codeOf(await pending)).toBe(code)
    expect([tool.runs(), asked]).toEqual([0, 0])
    // What policy answered, or the abort, is put before post-execute stages; what broke is not.
    expect(post).toEqual(['DENIED', 'ABORTED_BEFORE_DISPATCH'].includes(code) ? [code] : [])
  })
})
