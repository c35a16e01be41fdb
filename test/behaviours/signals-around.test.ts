import { createToolRegistry, type Stages, type ToolContext, type ToolExecutionResult } from 'toolgate'
import { describe, expect, it, vi } from 'vitest'
import { countedTool, gate, settle } from '../support/tools.js'

const codeOf = (result: ToolExecutionResult): string => (result.isError ? result.error.code : 'ok')
const text = (value: string) => [{ type: 'text', text: value }] as const
const context = (source: string) => ({ source, content: text(source) })
const sources = (result: ToolExecutionResult) => result.additionalContexts?.map(added => added.source)

describe('an abort around the body', () => {
  it('while a stage waits before next(): no body (SIG-09)', async () => {
    const waiting = gate()
    const tool = countedTool('work')
    const registry = createToolRegistry({
      tools: [tool],
      stages: [
        {
          execute: async (_call, next) => {
            await waiting.promise
            return next()
          },
        },
      ],
    })
    const controller = new AbortController()
    const pending = registry.execute({ callId: '1', name: 'work', signal: controller.signal })
    await settle()
    controller.abort()
    waiting.open()
    expect(codeOf(await pending)).toBe('ABORTED_BEFORE_DISPATCH')
    expect(tool.runs()).toBe(0)
  })

  it('that a stage brings with it: no body (SIG-10)', async () => {
    const tool = countedTool('work')
    const registry = createToolRegistry({
      tools: [tool],
      stages: [
        {
          execute: (call, next) => {
            call.signal = AbortSignal.abort('spent')
            return next()
          },
        },
      ],
    })
    expect(codeOf(await registry.execute({ callId: '1', name: 'work' }))).toBe('ABORTED_BEFORE_DISPATCH')
    expect(tool.runs()).toBe(0)
  })

  it('makes nothing of a success that a stage wrote instead, and keeps its contexts (SIG-11)', async () => {
    const controller = new AbortController()
    const tool = countedTool('work')
    const cached: Stages = {
      execute: async () => {
        controller.abort()
        return {
          isError: false,
          value: 'cached',
          content: [],
          additionalContexts: [context('cache')],
        } as never
      },
    }
    const registry = createToolRegistry({ tools: [tool], stages: [cached] })
    const result = await registry.execute({ callId: '1', name: 'work', signal: controller.signal })
    expect([codeOf(result), sources(result)]).toEqual(['ABORTED_BEFORE_DISPATCH', ['cache']])
    expect(tool.runs()).toBe(0)
  })

  it('during the body waits for its end, however long, where the grace is Infinity (SIG-12)', async () => {
    vi.useFakeTimers()
    try {
      const body = gate<string>()
      const registry = createToolRegistry({
        tools: [countedTool('work', () => body.promise)],
        abortGraceMs: Number.POSITIVE_INFINITY,
      })
      const controller = new AbortController()
      let ended = false
      const pending = registry.execute({ callId: '1', name: 'work', signal: controller.signal })
      void pending.then(() => {
        ended = true
      })
      await vi.advanceTimersByTimeAsync(10)
      controller.abort()
      await vi.advanceTimersByTimeAsync(24 * 60 * 60 * 1000)
      expect([ended, vi.getTimerCount()]).toEqual([false, 0])
      body.open('at last')
      expect(codeOf(await pending)).toBe('ABORTED')
    } finally {
      vi.useRealTimers()
    }
  })

  it('during the body waits 5 s for its end where nothing else is said, and then says so (SIG-12)', async () => {
    vi.useFakeTimers()
    try {
      const registry = createToolRegistry({ tools: [countedTool('work', () => new Promise(() => {}))] })
      const controller = new AbortController()
      let ended: ToolExecutionResult | undefined
      void registry.execute({ callId: '1', name: 'work', signal: controller.signal }).then(result => {
        ended = result
      })
      await vi.advanceTimersByTimeAsync(60_000)
      controller.abort()
      await vi.advanceTimersByTimeAsync(4_999)
      expect(ended).toBeUndefined()
      await vi.advanceTimersByTimeAsync(1)
      expect(ended).toMatchObject({ error: { code: 'ABORTED', details: { bodyStopped: false } } })
    } finally {
      vi.useRealTimers()
    }
  })

  it.each([
    ['caller', 'returns', 'ABORTED'],
    ['stage', 'returns', 'ABORTED'],
    ['caller', 'throws', 'TOOL_FAILED'],
    ['stage', 'throws', 'TOOL_FAILED'],
  ] as const)('the %s’s, and the body %s: %s (SIG-13)', async (whose, end, code) => {
    const controllers = { caller: new AbortController(), stage: new AbortController() }
    const registry = createToolRegistry({
      tools: [
        countedTool('work', async () => {
          controllers[whose].abort()
          await settle()
          if (end === 'throws') throw new Error('disk full')
          return 'ok'
        }),
      ],
      stages: [
        {
          execute: (call, next) => {
            call.signal = controllers.stage.signal
            return next()
          },
        },
      ],
    })
    const { signal } = controllers.caller
    const result = await registry.execute({ callId: '1', name: 'work', signal })
    expect(codeOf(result)).toBe(code)
    if (end === 'throws') expect(result).toMatchObject({ error: { message: 'disk full' } })
    expect('value' in result).toBe(false)
  })

  const after: readonly (readonly ['execute' | 'postExecute', (abort: () => void) => Stages])[] = [
    [
      'execute',
      abort => ({
        execute: async (_call, next) => {
          const result = await next()
          abort()
          return {
            ...result,
            additionalContexts: [...(result.additionalContexts ?? []), context('stage')],
          } as never
        },
      }),
    ],
    [
      'postExecute',
      abort => ({
        postExecute: () => {
          abort()
          return { kind: 'accept', additionalContexts: [context('stage')] }
        },
      }),
    ],
  ]
  it.each(after)(
    'in %s after the body: a success is ABORTED and keeps contexts, a failure stands (SIG-14)',
    async (_hook, stage) => {
      const body = (_args: unknown, call: ToolContext, fail: boolean) => {
        call.deferContext(context('body'))
        if (fail) throw new Error('disk full')
        return 'ok'
      }
      for (const [fail, code] of [
        [false, 'ABORTED'],
        [true, 'TOOL_FAILED'],
      ] as const) {
        const controller = new AbortController()
        const registry = createToolRegistry({
          tools: [countedTool('work', (args, call) => body(args, call, fail))],
          stages: [stage(() => controller.abort())],
        })
        const result = await registry.execute({ callId: '1', name: 'work', signal: controller.signal })
        expect(codeOf(result)).toBe(code)
        expect(sources(result)).toContain('body')
        expect(sources(result)?.at(-1)).toBe('stage')
      }
    },
  )

  it.each([
    ['a stage that throws around the body', { execute: abortAnd(() => fail()) }, 'STAGE_FAILED'],
    ['a stage that throws after it', { postExecute: abortAnd(() => fail()) }, 'STAGE_FAILED'],
    ['a block', { postExecute: abortAnd(() => ({ kind: 'block', feedback: text('no') })) }, 'BLOCKED'],
    ['a denial', { preExecute: abortAnd(() => ({ kind: 'deny', reason: 'no' })) }, 'DENIED'],
    ['a guard', { guard: abortAnd(() => 'no') }, 'GUARD_DENIED'],
  ] as const)('%s says more than the abort (SIG-15)', async (_what, stage, code) => {
    const controller = new AbortController()
    abort = () => controller.abort()
    const registry = createToolRegistry({ tools: [countedTool('work')], stages: [stage as Stages] })
    const result = await registry.execute({ callId: '1', name: 'work', signal: controller.signal })
    expect([codeOf(result), controller.signal.aborted]).toEqual([code, true])
  })

  it('after the result changes nothing (SIG-16)', async () => {
    const controller = new AbortController()
    const registry = createToolRegistry({
      tools: [countedTool('work')],
      stages: [{ onResult: () => controller.abort() }],
    })
    const result = await registry.execute({ callId: '1', name: 'work', signal: controller.signal })
    expect([codeOf(result), controller.signal.aborted]).toEqual(['ok', true])
    expect(Object.isFrozen(result)).toBe(true)
  })

  it('or no abort: what a body says after its call has ended throws, and is not lost silently (SIG-17)', async () => {
    let kept: ToolContext | undefined
    const registry = createToolRegistry({
      tools: [
        countedTool('work', (_args, call) => {
          kept = call
          return 'ok'
        }),
      ],
    })
    const result = await registry.execute({ callId: '1', name: 'work' })
    const late = expect.objectContaining({ code: 'INVALID_CALL' })
    expect(() => kept?.deferContext(context('late'))).toThrow(late)
    expect(() => kept?.concludeTurn()).toThrow(late)
    expect(['additionalContexts', 'concludesTurn'].filter(key => key in result)).toEqual([])
  })
})

let abort = (): void => {}

function abortAnd<T>(answer: () => T): () => T {
  return () => {
    abort()
    return answer()
  }
}

function fail(): never {
  throw new Error('broken')
}
