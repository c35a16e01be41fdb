/**
 * Decided otherwise:
 * - CTX-01 plural everywhere; a context is { source, content, meta? } and no message of any provider.
 * - CTX-05 a result carries its contexts; the caller places them, and a batch hands results in the order of its calls.
 * - CTX-06 contexts of a program's calls travel on the result of run_code, in the order of the calls.
 */
import {
  type AdditionalContext,
  createToolRegistry,
  type Stages,
  type ToolContext,
  type ToolExecutionResult,
} from 'toolgate'
import { quickJsRuntime } from 'toolgate/quickjs'
import { describe, expect, it } from 'vitest'
import { countedTool, gate, isDeepFrozen, settle } from '../support/tools.js'

const text = (value: string) => [{ type: 'text', text: value }] as const
const context = (source: string): AdditionalContext => ({ source, content: text(source) })
const sources = (result: ToolExecutionResult | undefined) => result?.additionalContexts?.map(c => c.source)
const defers = (name: string, more: (args: any, context: ToolContext) => unknown = () => 'ok') =>
  countedTool(name, (args, call) => {
    call.deferContext(context(name))
    return more(args, call)
  })
const adds = (source: string): Stages => ({
  execute: async (_call, next) => {
    const result = await next()
    return { ...result, additionalContexts: [...(result.additionalContexts ?? []), context(source)] } as never
  },
})
const accepts = (source: string): Stages => ({
  postExecute: () => ({ kind: 'accept', additionalContexts: [context(source)] }),
})

describe('additional contexts', () => {
  it('are a list of what somebody adds: source, content and meta, copied and frozen (CTX-01)', async () => {
    const given = { source: 'lint', content: [{ type: 'text', text: 'a' }], meta: { line: 3 } }
    const registry = createToolRegistry({
      tools: [
        countedTool('work', (_args, call) => {
          call.deferContext(given as AdditionalContext)
          given.source = 'changed'
          call.deferContext(given as AdditionalContext)
          return 'ok'
        }),
      ],
    })
    const { additionalContexts } = await registry.execute({ callId: '1', name: 'work' })
    expect(additionalContexts).toEqual([
      { source: 'lint', content: text('a'), meta: { line: 3 } },
      { source: 'changed', content: text('a'), meta: { line: 3 } },
    ])
    expect([isDeepFrozen(additionalContexts), Object.isFrozen(given)]).toEqual([true, false])
  })

  it.each([
    ['nothing', undefined],
    ['a text', 'note'],
    ['no source', { content: [] }],
    ['an empty source', { source: '', content: [] }],
    ['no content', { source: 's' }],
    ['content that is a text', { source: 's', content: 'text' }],
    ['a field more', { source: 's', content: [], role: 'user' }],
    ['meta that is a list', { source: 's', content: [], meta: [] }],
    ['a lossy meta', { source: 's', content: [], meta: { x: undefined } }],
    [
      'a getter that throws',
      {
        source: 's',
        get content() {
          throw new Error('no')
        },
      },
    ],
  ])(
    'that a body defers must be contexts: %s throws there, and the body may go on (CTX-01)',
    async (_what, given) => {
      let code: unknown
      const registry = createToolRegistry({
        tools: [
          countedTool('work', (_args, call) => {
            try {
              call.deferContext(given as never)
            } catch (error) {
              code = (error as { code: unknown }).code
            }
            return 'ok'
          }),
        ],
      })
      const result = await registry.execute({ callId: '1', name: 'work' })
      expect([result.isError, code, 'additionalContexts' in result]).toEqual([
        false,
        'INVALID_TOOL_OUTPUT',
        false,
      ])
    },
  )

  it('of a body are kept when it throws, when its output is refused and when it is aborted (CTX-02)', async () => {
    const controller = new AbortController()
    const registry = createToolRegistry({
      tools: [
        defers('throws', () => {
          throw new Error('boom')
        }),
        defers('lossy', () => ({ a: 1n })),
        defers('aborted', () => (controller.abort(), 'ok')),
      ],
    })
    for (const [name, code] of [
      ['throws', 'TOOL_FAILED'],
      ['lossy', 'INVALID_TOOL_OUTPUT'],
      ['aborted', 'ABORTED'],
    ] as const) {
      const result = await registry.execute({ callId: '1', name, signal: controller.signal })
      expect(result).toMatchObject({ error: { code }, additionalContexts: [context(name)] })
    }
  })

  it('stand in order: the body’s, those of stages around it, those of the decision on it (CTX-03)', async () => {
    const registry = createToolRegistry({
      tools: [
        countedTool('work', (_args, call) => {
          call.deferContext(context('first'))
          call.deferContext(context('second'))
          return 'ok'
        }),
      ],
      stages: [accepts('post'), adds('outer'), adds('inner')],
    })
    const result = await registry.execute({ callId: '1', name: 'work' })
    expect(sources(result)).toEqual(['first', 'second', 'inner', 'outer', 'post'])
  })

  it('of the body and of stages around it are dropped by a block; the decision’s own stay (CTX-04)', async () => {
    const block: Stages = {
      postExecute: () => ({ kind: 'block', feedback: text('no'), additionalContexts: [context('block')] }),
    }
    const silent: Stages = { postExecute: () => ({ kind: 'block', feedback: text('no') }) }
    for (const [stage, expected] of [
      [block, ['block']],
      [silent, undefined],
    ] as const) {
      const registry = createToolRegistry({ tools: [defers('work')], stages: [stage, adds('around')] })
      const result = await registry.execute({ callId: '1', name: 'work' })
      expect(result).toMatchObject({ error: { code: 'BLOCKED' } })
      expect(sources(result)).toEqual(expected)
    }
  })

  it('of a batch come with the results, in the order of the calls and not of their ends (CTX-05)', async () => {
    const slow = gate()
    const order: string[] = []
    const safe = (tool: ReturnType<typeof defers>) => ({ ...tool, isConcurrencySafe: () => true })
    const registry = createToolRegistry({
      tools: [
        safe(defers('slow', async () => (await slow.promise, order.push('slow'), 'ok'))),
        safe(defers('fast', () => (order.push('fast'), 'ok'))),
      ],
    })
    const pending = registry.executeAll([
      { callId: '1', name: 'slow' },
      { callId: '2', name: 'fast' },
    ])
    await settle()
    slow.open()
    const results = await pending
    expect(order).toEqual(['fast', 'slow'])
    expect(results.flatMap(result => [result.callId, sources(result)])).toEqual([
      '1',
      ['slow'],
      '2',
      ['fast'],
    ])
  })

  describe('of a program’s calls', () => {
    const run = (code: string, stages: readonly Stages[] = []) =>
      createToolRegistry({
        tools: ['a', 'b', 'c'].map(name => ({ ...defers(name), isConcurrencySafe: () => true })),
        stages,
        mode: 'code',
        codeRuntime: quickJsRuntime(),
      }).execute({ callId: '1', name: 'run_code', arguments: { code, description: 'Call them' } })

    it('travel on the outer result in the order of the calls (CTX-06)', async () => {
      const result = await run('await Promise.all([tools.c({}), tools.a({}), tools.b({})])')
      expect([result.isError, sources(result)]).toEqual([false, ['c', 'a', 'b']])
    })

    it('stay when the program fails after them (CTX-06)', async () => {
      const result = await run('await tools.a({}); await tools.b({}); throw new Error("no")')
      expect(result).toMatchObject({ error: { code: 'CODE_RUN_FAILED' } })
      expect(sources(result)).toEqual(['a', 'b'])
    })

    it('are dropped with the outer result’s own when that is blocked, or theirs when they are (CTX-06)', async () => {
      const block = (blocked: string): Stages => ({
        postExecute: ({ name }, _result, next) =>
          name === blocked ? { kind: 'block', feedback: text('no') } : next(),
      })
      const code = 'await tools.a({}); try { await tools.b({}) } catch {}'
      expect(sources(await run(code, [block('run_code')]))).toBeUndefined()
      expect(sources(await run(code, [block('b')]))).toEqual(['a'])
    })
  })
})
