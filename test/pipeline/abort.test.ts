import { createToolRegistry, defineTool, type ToolContext } from 'toolgate'
import { describe, expect, it, vi } from 'vitest'
import { countedTool, type Gate, gate, settle } from '../support/tools.js'

describe('abort', () => {
  it('before the call runs nothing, but ends it properly', async () => {
    let finalized = 0
    const tool = countedTool('work', () => 'ok', { finalizeContent: () => (finalized++, undefined) })
    let policy = 0
    const registry = createToolRegistry({
      tools: [tool],
      stages: [{ preExecute: (_c, next) => (policy++, next()) }],
    })
    let heard = 0
    registry.on('result', () => heard++)
    const result = await registry.execute({ callId: '1', name: 'work', signal: AbortSignal.abort() })
    expect(result).toMatchObject({ isError: true, error: { code: 'ABORTED_BEFORE_DISPATCH' } })
    expect([tool.runs(), policy, finalized, heard]).toEqual([0, 0, 1, 1])
  })

  it('while policy thinks waits for it; allow then is aborted, deny stays deny', async () => {
    for (const [decision, code] of [
      [{ kind: 'allow' }, 'ABORTED_BEFORE_DISPATCH'],
      [{ kind: 'deny', reason: 'no' }, 'DENIED'],
    ] as const) {
      const thinking = gate()
      const tool = countedTool('work')
      const registry = createToolRegistry({
        tools: [tool],
        stages: [{ preExecute: () => thinking.promise.then(() => decision) }],
      })
      const controller = new AbortController()
      const pending = registry.execute({ callId: '1', name: 'work', signal: controller.signal })
      await settle()
      controller.abort()
      thinking.open()
      expect(await pending).toMatchObject({ isError: true, error: { code } })
      expect(tool.runs()).toBe(0)
    }
  })

  it('during the body turns success into ABORTED, and leaves the body’s own error alone', async () => {
    for (const [end, code] of [
      [(body: Gate) => body.open(), 'ABORTED'],
      [(body: Gate) => body.fail(new Error('disk full')), 'TOOL_FAILED'],
    ] as const) {
      const body = gate<void>()
      const contexts = [{ source: 'work', content: [{ type: 'text', text: 'half done' }] }] as const
      const tool = countedTool('work', async (_args, context) => {
        context.deferContext(contexts[0])
        await body.promise
        return 'ok'
      })
      const registry = createToolRegistry({ tools: [tool] })
      const controller = new AbortController()
      const pending = registry.execute({ callId: '1', name: 'work', signal: controller.signal })
      await settle()
      controller.abort()
      end(body)
      expect(await pending).toMatchObject({ isError: true, error: { code }, additionalContexts: contexts })
    }
  })

  it('reaches the body by its signal, with the caller’s reason, and leaves no listener behind', async () => {
    const controller = new AbortController()
    const added = vi.spyOn(controller.signal, 'addEventListener')
    const removed = vi.spyOn(controller.signal, 'removeEventListener')
    let seen: unknown
    const tool = countedTool('work', (_args, { signal }) => {
      return new Promise((_resolve, reject) => {
        signal.addEventListener('abort', () => {
          seen = signal.reason
          reject(signal.reason)
        })
      })
    })
    const registry = createToolRegistry({ tools: [tool] })
    const pending = registry.execute({ callId: '1', name: 'work', signal: controller.signal })
    await settle()
    controller.abort('stop')
    expect(await pending).toMatchObject({ isError: true, error: { code: 'ABORTED' } })
    expect(seen).toBe('stop')
    expect(removed.mock.calls.length).toBe(added.mock.calls.length)
  })

  it('waits for a body that ignores it only as long as the grace, and tells its end', async () => {
    vi.useFakeTimers()
    try {
      const body = gate<string>()
      const registry = createToolRegistry({
        tools: [countedTool('work', () => body.promise)],
        abortGraceMs: 300,
      })
      const late: unknown[] = []
      registry.on('late-settlement', event => late.push(event))
      const controller = new AbortController()
      const pending = registry.execute({ callId: '1', name: 'work', signal: controller.signal })
      await vi.advanceTimersByTimeAsync(1000)
      controller.abort()
      await vi.advanceTimersByTimeAsync(301)
      expect(await pending).toMatchObject({
        isError: true,
        error: { code: 'ABORTED', details: { bodyStopped: false } },
      })
      expect(late).toEqual([])
      body.open('at last')
      await vi.advanceTimersByTimeAsync(0)
      expect(late).toMatchObject([{ callId: '1', name: 'work', scope: 'root', outcome: 'returned' }])
      expect(vi.getTimerCount()).toBe(0)
    } finally {
      vi.useRealTimers()
    }
  })

  it('that a body itself causes by an around stage’s signal starts the grace as well', async () => {
    const own = new AbortController()
    const tool = countedTool('work', () => {
      own.abort()
      return new Promise(() => {})
    })
    const registry = createToolRegistry({
      tools: [tool],
      abortGraceMs: 1,
      stages: [
        {
          execute: (call, next) => {
            call.signal = own.signal
            return next()
          },
        },
      ],
    })
    const result = await registry.execute({ callId: '1', name: 'work' })
    expect(result).toMatchObject({ error: { code: 'ABORTED', details: { bodyStopped: false } } })
  })

  it('refuses what a body says after its call has ended', async () => {
    let kept: ToolContext | undefined
    const registry = createToolRegistry({
      tools: [
        countedTool('work', (_args, context) => {
          kept = context
          return 'ok'
        }),
      ],
    })
    await registry.execute({ callId: '1', name: 'work' })
    expect(() => kept?.deferContext({ source: 's', content: [] })).toThrow(/has ended/)
    expect(() => kept?.concludeTurn()).toThrow(/has ended/)
    expect(() => kept?.progress({ completed: 1 })).not.toThrow()
  })

  it('by an around stage’s signal reaches the body and no one else', async () => {
    const own = new AbortController()
    const tool = countedTool('work', async (_args, { signal }) => {
      own.abort('deadline')
      return signal.aborted ? `saw ${signal.reason}` : 'saw nothing'
    })
    const outer: boolean[] = []
    const registry = createToolRegistry({
      tools: [tool],
      stages: [
        {
          execute: async (call, next) => {
            const result = await next()
            outer.push(call.signal.aborted)
            return result
          },
        },
        {
          execute: (call, next) => {
            call.signal = own.signal
            return next()
          },
        },
      ],
    })
    const result = await registry.execute({ callId: '1', name: 'work', signal: new AbortController().signal })
    expect(result).toMatchObject({ isError: true, error: { code: 'ABORTED' } })
    expect(outer).toEqual([false])
  })

  it('puts one listener on a signal, however many calls run on it', async () => {
    const controller = new AbortController()
    const added = vi.spyOn(controller.signal, 'addEventListener')
    const hang = (_args: unknown, { signal }: ToolContext) =>
      new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
    const registry = createToolRegistry({ tools: [countedTool('work', hang)] })
    const calls = Array.from({ length: 100 }, (_, i) =>
      registry.execute({ callId: String(i), name: 'work', signal: controller.signal }),
    )
    await settle()
    expect(added.mock.calls.length).toBe(1)
    controller.abort()
    for (const result of await Promise.all(calls))
      expect(result).toMatchObject({ error: { code: 'ABORTED' } })
  })

  it('while a schema validates asynchronously keeps the body from starting', async () => {
    const validating = gate()
    const schema = {
      '~standard': {
        version: 1 as const,
        vendor: 'test',
        validate: async (value: unknown) => {
          await validating.promise
          return { value }
        },
      },
    }
    let ran = 0
    const tool = defineTool({
      name: 'work',
      description: 'Works.',
      parameters: { schema, jsonSchema: { type: 'object' } },
      execute: () => `ran ${++ran}`,
    })
    const controller = new AbortController()
    const registry = createToolRegistry({ tools: [tool] })
    const pending = registry.execute({ callId: '1', name: 'work', signal: controller.signal })
    await settle()
    controller.abort()
    validating.open()
    expect(await pending).toMatchObject({ isError: true, error: { code: 'ABORTED_BEFORE_DISPATCH' } })
    expect(ran).toBe(0)
  })

  it('cannot change anything of the call but its signal', async () => {
    const tool = countedTool('work')
    const registry = createToolRegistry({
      tools: [tool],
      stages: [
        {
          execute: (call, next) => {
            ;(call as { arguments: unknown }).arguments = { other: true }
            return next()
          },
        },
      ],
    })
    const result = await registry.execute({ callId: '1', name: 'work' })
    expect(result).toMatchObject({ isError: true, error: { code: 'STAGE_FAILED' } })
    expect(tool.runs()).toBe(0)
  })

  it('leaves nothing on a signal that outlives ten thousand calls', async () => {
    const controller = new AbortController()
    let listeners = 0
    const { signal } = controller
    const add = signal.addEventListener.bind(signal)
    const remove = signal.removeEventListener.bind(signal)
    signal.addEventListener = ((...args: Parameters<typeof add>) => (listeners++, add(...args))) as typeof add
    signal.removeEventListener = ((...args: Parameters<typeof remove>) => (
      listeners--, remove(...args)
    )) as typeof remove
    const registry = createToolRegistry({
      tools: [countedTool('work', async (_args, context) => (context.signal.aborted ? 'late' : 'ok'))],
      stages: [{ execute: (_call, next) => next() }],
    })
    for (let i = 0; i < 10_000; i++) await registry.execute({ callId: String(i), name: 'work', signal })
    expect(listeners).toBe(0)
  })
})
