/**
 * Decided otherwise:
 * - MAT-01 the union has `callId` and `name`, and `error` is { code, name, message, details? }.
 * - MAT-04 content is checked to be blocks; anything else is INVALID_TOOL_OUTPUT or INVALID_DECISION.
 * - MAT-07 nothing is persisted at all; the value stands on the result, and a card needs only what JSON keeps of it.
 * - MAT-08 each part is checked where it arises, so that no end result can be lossy.
 */
import {
  createToolRegistry,
  type Stages,
  type ToolDefinition,
  type ToolExecutionResult,
  ToolgateError,
} from 'toolgate'
import { quickJsRuntime } from 'toolgate/quickjs'
import { describe, expect, it } from 'vitest'
import { countedTool, isDeepFrozen } from '../support/tools.js'

const text = (value: string) => [{ type: 'text', text: value }] as const
const valueTool = (output: object, body: () => unknown = () => ({ rows: [1] })): ToolDefinition =>
  countedTool('work', body, { output: { schema: {}, render: () => [], ...output } })
const run = (tool: ToolDefinition, stages: readonly Stages[] = []): Promise<ToolExecutionResult> =>
  createToolRegistry({ tools: [tool], stages }).execute({ callId: '1', name: 'work' })
const violations = (result: ToolExecutionResult): unknown =>
  result.isError && (result.error.details as { violations: unknown }).violations

describe('the shape of a result', () => {
  it('is one of two, told by isError (MAT-01)', async () => {
    const fail = () => {
      throw new Error('boom')
    }
    expect(await run(countedTool('work'))).toEqual({
      callId: '1',
      name: 'work',
      isError: false,
      value: 'done',
      content: text('done'),
    })
    expect(await run(countedTool('work', fail))).toEqual({
      callId: '1',
      name: 'work',
      isError: true,
      error: { code: 'TOOL_FAILED', name: 'ToolgateError', message: 'boom' },
      content: text('Error: boom'),
    })
  })

  it('has an error’s text with a prefix, and a block’s feedback as it is (MAT-09)', async () => {
    const deny: Stages = { preExecute: () => ({ kind: 'deny', reason: 'not today' }) }
    const block: Stages = { postExecute: () => ({ kind: 'block', feedback: text('has a key') }) }
    expect((await run(countedTool('work'), [deny])).content).toEqual(text('Error: not today'))
    expect((await run(countedTool('work'), [block])).content).toEqual(text('has a key'))
  })

  it('leaves out what it has not: no value of a failure, no undefined, no empty list (MAT-10, MAT-11)', async () => {
    const block: Stages = { postExecute: () => ({ kind: 'block', feedback: [] }) }
    const none: Stages = { postExecute: () => ({ kind: 'accept', additionalContexts: [] }) }
    const fail = () => {
      throw new Error('boom')
    }
    const noMeta = valueTool({ presentationMeta: () => undefined })
    const success = ['callId', 'content', 'isError', 'name', 'value']
    const failure = ['callId', 'content', 'error', 'isError', 'name']
    for (const [tool, stages, keys] of [
      [countedTool('work'), [none], success],
      [noMeta, [none], success],
      [countedTool('work', fail), [none], failure],
      [countedTool('work'), [block], failure],
    ] as const)
      expect(Object.keys(await run(tool, stages)).sort()).toEqual(keys)
  })
})

describe('a body’s value', () => {
  it('is checked as JSON, by the schema, and as rendered; paths begin with value (MAT-02)', async () => {
    const schema = {
      type: 'object',
      properties: { rows: { type: 'array', items: { type: 'number' } } },
      required: ['rows'],
    }
    let rendered = 0
    const render = () => (rendered++, [])
    expect(
      violations(await run(valueTool({ schema, render }, () => ({ rows: [1, undefined] })))),
    ).toMatchObject([{ path: 'value.rows[1]' }])
    expect(violations(await run(valueTool({ schema, render }, () => ({ rows: [1, 'x'] }))))).toMatchObject([
      { path: 'value.rows[1]' },
    ])
    expect(rendered).toBe(0)
    expect(await run(valueTool({ schema, render: () => 'text' }))).toMatchObject({
      error: { code: 'INVALID_TOOL_OUTPUT' },
    })
    expect(await run(valueTool({ schema, render }))).toMatchObject({ isError: false, value: { rows: [1] } })
    expect(rendered).toBe(1)
  })

  it('is frozen before render and presentationMeta see it (MAT-03)', async () => {
    const seen: boolean[] = []
    const see = (_args: unknown, value: unknown) => void seen.push(isDeepFrozen(value))
    const given = { rows: [[1]] }
    const output = {
      render: (args: unknown, value: unknown) => (see(args, value), []),
      presentationMeta: (args: unknown, value: unknown) => see(args, value),
    }
    expect(await run(valueTool(output, () => given))).toMatchObject({ isError: false })
    expect(seen).toEqual([true, true])
    expect(Object.isFrozen(given)).toBe(false)
  })

  it.each([
    ['a text', 'text'],
    ['nothing', undefined],
    ['one block', text('a')[0]],
    ['a list of texts', ['a']],
    ['a block without text', [{ type: 'text' }]],
    ['a block of an unknown type', [{ type: 'video', data: '' }]],
    ['a lossy block', [{ type: 'text', text: 'a', x: undefined }]],
    ['a promise', Promise.resolve([])],
  ])('that render shows as %s is refused (MAT-04)', async (_what, rendered) => {
    const result = await run(valueTool({ render: () => rendered }))
    expect(result).toMatchObject({ error: { code: 'INVALID_TOOL_OUTPUT' } })
    expect('value' in result).toBe(false)
  })

  const throws = (): never => {
    throw new Error('by projector')
  }
  const unreadable = {
    type: 'text',
    get text() {
      return throws()
    },
  }
  it.each([
    ['render', { render: throws }, 'render threw: by projector'],
    ['render', { render: () => [unreadable] }, 'by projector'],
    ['presentationMeta', { presentationMeta: throws }, 'presentationMeta threw: by projector'],
    [
      'presentationMeta',
      {
        presentationMeta: () => ({
          get a() {
            return throws()
          },
        }),
      },
      'by projector',
    ],
    ['presentationMeta', { presentationMeta: () => [] }, 'meta must be an object'],
  ])(
    'whose %s breaks is no value: INVALID_TOOL_OUTPUT says what broke (MAT-05)',
    async (_what, output, message) => {
      const result = await run(valueTool(output))
      expect(result).toMatchObject({
        error: { code: 'INVALID_TOOL_OUTPUT', message: expect.stringContaining(message) },
      })
      expect('value' in result || 'meta' in result).toBe(false)
    },
  )
})

describe('the end result', () => {
  const lossy = { x: undefined }
  it.each([
    ['content', { content: [{ type: 'text', text: 'a', ...lossy }] }, 'INVALID_DECISION', 'postExecute'],
    [
      'contexts',
      { additionalContexts: [{ source: 's', content: [], meta: lossy }] },
      'INVALID_DECISION',
      'postExecute',
    ],
    [
      'a failure’s error',
      { isError: true, error: { code: 'X', message: 'm', details: lossy } },
      'INVALID_DECISION',
      'execute',
    ],
    [
      'a failure’s meta',
      { isError: true, error: { code: 'X', message: 'm' }, meta: lossy },
      'INVALID_DECISION',
      'execute',
    ],
  ] as const)(
    'is never lossy: %s that is ends the call, which its finaliser still sees (MAT-08)',
    async (_what, fields, code, hook) => {
      const seen: string[] = []
      const tool = countedTool('work', () => 'ok', {
        finalizeContent: (_call, result) => {
          seen.push(result.isError ? result.error.code : 'ok')
          return text('final')
        },
      })
      const stage = { [hook]: () => (hook === 'execute' ? fields : { kind: 'accept', ...fields }) } as Stages
      const result = await run(tool, [stage])
      expect(result).toMatchObject({ isError: true, error: { code }, content: text('final') })
      expect(seen).toEqual([code])
      expect(isDeepFrozen(result)).toBe(true)
    },
  )

  it('is never lossy: a body’s meta is refused, and details of an error are left out (MAT-08)', async () => {
    const code = 'INVALID_TOOL_OUTPUT'
    expect(await run(countedTool('work', () => ({ content: [], meta: lossy })))).toMatchObject({
      error: { code },
    })
    expect(await run(valueTool({ presentationMeta: () => lossy }))).toMatchObject({ error: { code } })
    const details = await run(
      countedTool('work', () => {
        throw new ToolgateError('QUOTA', 'none left', { details: lossy })
      }),
    )
    expect(details).toMatchObject({ error: { code: 'QUOTA' } })
    expect('details' in (details as { error: object }).error).toBe(false)
  })

  it('concludes the turn only as a success; a nested one’s wish is the composite’s to pass on (MAT-12)', async () => {
    const wish = (name: string, fail = false) =>
      countedTool(name, (_args, context) => {
        context.concludeTurn()
        if (fail) throw new Error('boom')
        return 'ok'
      })
    const composite = countedTool('composite', async ({ pass }, context) => {
      const nested = await registry.execute({ callId: '2', name: 'wish', parent: context.token })
      if (pass && !nested.isError && nested.concludesTurn) context.concludeTurn()
      return 'ok'
    })
    const block: Stages = {
      postExecute: ({ caller }, _result, next) =>
        caller === 'blocked' ? { kind: 'block', feedback: text('no') } : next(),
    }
    const registry = createToolRegistry({
      tools: [wish('wish'), wish('fails', true), composite],
      stages: [block],
      mode: 'both',
      codeRuntime: quickJsRuntime(),
    })
    const concludes = async (name: string, args = {}, caller?: string) => {
      const result = await registry.execute({ callId: '1', name, arguments: args, caller })
      return 'concludesTurn' in result ? result.concludesTurn : undefined
    }
    expect(await concludes('wish')).toBe(true)
    expect(await concludes('fails')).toBeUndefined()
    expect(await concludes('wish', {}, 'blocked')).toBeUndefined()
    expect(await concludes('composite')).toBeUndefined()
    expect(await concludes('composite', { pass: true })).toBe(true)
    const program = (code: string) => ({ code, description: 'Call it' })
    expect(await concludes('run_code', program('await tools.wish({})'))).toBe(true)
    expect(await concludes('run_code', program('try { await tools.fails({}) } catch {}'))).toBeUndefined()
  })
})
