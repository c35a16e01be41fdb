/**
 * Decided otherwise:
 * - DEC-03 the exact union is checked when the stage answers; anything else is INVALID_DECISION and no body runs.
 * - DEC-04 so are `undefined`, `null` and a reason that is empty or no text.
 * - DEC-05 the same for post-execute: the result is then withheld.
 * - DEC-06 `accept` with both `content` and `value` is INVALID_DECISION.
 * - DEC-08 another value for a failure is INVALID_DECISION.
 * - DEC-12 a stage that throws is STAGE_FAILED; a ToolgateError keeps its code.
 * The whole table of malformed decisions is in malformed.test.ts.
 */
import { createToolRegistry, type Stages, type ToolExecutionResult, ToolgateError } from 'toolgate'
import { quickJsRuntime } from 'toolgate/quickjs'
import { describe, expect, it } from 'vitest'
import { countedTool } from '../support/tools.js'

const text = (value: string) => [{ type: 'text', text: value }] as const
const codeOf = (result: ToolExecutionResult | undefined): string | undefined =>
  result?.isError ? result.error.code : result && 'ok'

const pre = (decision: unknown): Stages => ({ preExecute: () => decision as never })
const post = (decision: unknown): Stages => ({ postExecute: () => decision as never })

async function run(stages: readonly Stages[], tool = countedTool('work'), given?: unknown) {
  let asked = 0
  let heard = 0
  const registry = createToolRegistry({ tools: [tool], stages, approve: () => (asked++, 'allowed-once') })
  registry.on('result', () => heard++)
  const result = await registry.execute({ callId: '1', name: 'work', arguments: given })
  expect(heard).toBe(1)
  return { result, asked, runs: tool.runs() }
}

const valueTool = (output: object = {}) =>
  countedTool('work', () => 1, {
    output: {
      schema: { type: 'number' },
      render: (_args: unknown, value: unknown) => text(`n=${value}`),
      presentationMeta: (_args: unknown, value: unknown) => ({ n: value as number }),
      ...output,
    },
  })

describe('before the body', () => {
  it('a stage allows, denies with a reason or asks; arguments cannot be rewritten (DEC-01)', async () => {
    expect(await run([pre({ kind: 'allow' })])).toMatchObject({
      result: { isError: false },
      asked: 0,
      runs: 1,
    })
    expect(await run([pre({ kind: 'deny', reason: 'no' })])).toMatchObject({
      result: { error: { code: 'DENIED', message: 'no' } },
      asked: 0,
      runs: 0,
    })
    for (const ask of [{ kind: 'ask' }, { kind: 'ask', reason: 'it writes' }])
      expect(await run([pre(ask)])).toMatchObject({ result: { isError: false }, asked: 1, runs: 1 })
    expect(await run([pre({ kind: 'allow', arguments: { other: true } })])).toMatchObject({
      result: { error: { code: 'INVALID_DECISION' } },
      runs: 0,
    })
  })

  it.each([
    ['an unknown kind', { kind: 'maybe' }],
    ['a denial without a reason', { kind: 'deny' }],
    ['nothing inside', {}],
    ['a list', []],
    ['a text', 'deny'],
    ['an extra field', { kind: 'allow', remember: true }],
  ])('%s fails closed, without guards, and is told once (DEC-03)', async (_what, decision) => {
    let guards = 0
    const guard: Stages = { guard: () => void guards++ }
    expect(await run([pre(decision), guard])).toMatchObject({
      result: { error: { code: 'INVALID_DECISION' } },
      asked: 0,
      runs: 0,
    })
    expect(guards).toBe(0)
  })

  it.each([
    ['undefined', undefined],
    ['null', null],
    ['an empty reason', { kind: 'deny', reason: '' }],
    ['a number as reason', { kind: 'deny', reason: 404 }],
  ])('%s fails closed, and no engine’s text reaches the model (DEC-04)', async (_what, decision) => {
    const { result, runs } = await run([pre(decision)])
    expect([codeOf(result), runs]).toEqual(['INVALID_DECISION', 0])
    expect(JSON.stringify(result)).not.toMatch(/TypeError|Cannot read|404/)
  })
})

describe('after the body', () => {
  it('a stage accepts, with content or a value of its own, or blocks with feedback; with contexts (DEC-02)', async () => {
    const additionalContexts = [{ source: 'policy', content: text('note') }]
    const decided = async (decision: object) =>
      (await run([post({ ...decision, additionalContexts })], valueTool())).result
    expect(await decided({ kind: 'accept' })).toMatchObject({
      value: 1,
      content: text('n=1'),
      additionalContexts,
    })
    expect(await decided({ kind: 'accept', content: text('x') })).toMatchObject({
      value: 1,
      content: text('x'),
      additionalContexts,
    })
    expect(await decided({ kind: 'accept', value: 2 })).toMatchObject({
      value: 2,
      content: text('n=2'),
      additionalContexts,
    })
    expect(await decided({ kind: 'block', feedback: text('no') })).toMatchObject({
      error: { code: 'BLOCKED', message: 'no' },
      content: text('no'),
      additionalContexts,
    })
  })

  it.each([
    ['an unknown kind', { kind: 'ok' }],
    ['undefined', undefined],
    ['null', null],
    ['a block without feedback', { kind: 'block' }],
    ['content that is no list', { kind: 'accept', content: 'text' }],
  ])('%s withholds the result (DEC-05)', async (_what, decision) => {
    const { result } = await run(
      [post(decision)],
      countedTool('work', () => 'secret'),
    )
    expect(codeOf(result)).toBe('INVALID_DECISION')
    expect(JSON.stringify(result)).not.toMatch(/secret|TypeError/)
  })

  it.each([
    ['both', { content: text('x'), value: 2 }, 'INVALID_DECISION'],
    ['both, content undefined', { content: undefined, value: 2 }, 'INVALID_DECISION'],
    ['both, value undefined', { content: text('x'), value: undefined }, 'INVALID_DECISION'],
    ['a value of undefined', { value: undefined }, 'INVALID_TOOL_OUTPUT'],
    ['content of undefined', { content: undefined }, 'ok'],
  ])('accept with %s: %s (DEC-06)', async (_what, fields, code) => {
    const { result } = await run([post({ kind: 'accept', ...fields })], valueTool())
    expect(codeOf(result)).toBe(code)
  })

  it('other content leaves value and meta; another value is checked and shown like the tool’s own (DEC-07)', async () => {
    const shown = await run([post({ kind: 'accept', content: text('***') })], valueTool())
    expect(shown.result).toMatchObject({ value: 1, meta: { n: 1 }, content: text('***') })
    const replaced = await run([post({ kind: 'accept', value: 7 })], valueTool())
    expect(replaced.result).toMatchObject({ value: 7, meta: { n: 7 }, content: text('n=7') })
    for (const [value, output] of [
      ['seven', {}],
      [Number.NaN, {}],
      [7, { render: () => 'text' }],
      [7, { presentationMeta: () => 'meta' }],
    ] as const) {
      const { result } = await run([post({ kind: 'accept', value })], valueTool(stageOnly(output)))
      expect(codeOf(result)).toBe('INVALID_TOOL_OUTPUT')
      expect('value' in result || 'meta' in result).toBe(false)
    }
  })

  it('a failure has no value to replace, may read otherwise, and stays one (DEC-08)', async () => {
    const fail = () => {
      throw new Error('boom')
    }
    const valued = await run([post({ kind: 'accept', value: 1 })], countedTool('work', fail))
    expect(codeOf(valued.result)).toBe('INVALID_DECISION')
    const read = await run([post({ kind: 'accept', content: text('sorry') })], countedTool('work', fail))
    expect(read.result).toMatchObject({
      error: { code: 'TOOL_FAILED', message: 'boom' },
      content: text('sorry'),
    })
  })

  it('another value for a tool that is gone is UNKNOWN_TOOL (DEC-09)', async () => {
    const registry = createToolRegistry({
      stages: [{ postExecute: () => (leave(), { kind: 'accept', value: 'x' }) }],
    })
    const tool = countedTool('work')
    const leave = registry.register(tool)
    expect(codeOf(await registry.execute({ callId: '1', name: 'work' }))).toBe('UNKNOWN_TOOL')
    expect(tool.runs()).toBe(1)
  })

  it('a block’s message is its text; blocks that are no text are named, and none has a text of its own (DEC-10)', async () => {
    const image = { type: 'image', data: 'AA==', mimeType: 'image/png' }
    const link = { type: 'resource_link', uri: 'file:///a', name: 'a' }
    const told = async (feedback: readonly object[]) => {
      const { result } = await run([post({ kind: 'block', feedback })], valueTool())
      expect('value' in result || 'meta' in result).toBe(false)
      return result.isError && result.error.message
    }
    expect(await told([...text('a'), image, ...text('b'), link])).toBe(
      'a\n[image content]\nb\n[resource_link content]',
    )
    expect(await told([])).toMatch(/\w+/)
  })

  it('other content hides nothing from a program; a block or another value does (DEC-11)', async () => {
    const seen = async (decision: unknown) => {
      const registry = createToolRegistry({
        tools: [countedTool('work', () => 'secret')],
        stages: [{ postExecute: ({ name }, _r, next) => (name === 'work' ? (decision as never) : next()) }],
        mode: 'code',
        codeRuntime: quickJsRuntime(),
      })
      const code = 'try { return await tools.work({}) } catch (e) { return e.code }'
      const result = await registry.execute({
        callId: '1',
        name: 'run_code',
        arguments: { code, description: 'Look at it' },
      })
      return result.isError ? result.error : (result.value as { result: unknown }).result
    }
    expect(await seen({ kind: 'accept', content: text('***') })).toBe('secret')
    expect(await seen({ kind: 'accept', value: '***' })).toBe('***')
    expect(await seen({ kind: 'block', feedback: text('no') })).toBe('BLOCKED')
  })
})

describe('a stage that throws', () => {
  it.each(['preExecute', 'guard', 'execute', 'postExecute'] as const)(
    'in %s fails the call; a coded error keeps code, name, message and details (DEC-12)',
    async hook => {
      class QuotaError extends ToolgateError {}
      const throwing = (error: unknown): Stages => ({
        [hook]: () => {
          throw error
        },
      })
      const expected = hook === 'postExecute' ? 1 : 0
      const plain = await run([throwing(new Error('backend down'))])
      expect([codeOf(plain.result), plain.runs]).toEqual(['STAGE_FAILED', expected])
      expect(JSON.stringify(plain.result)).not.toContain('backend down')
      const coded = await run([throwing(new QuotaError('QUOTA', 'none left', { details: { left: 0 } }))])
      expect(coded).toMatchObject({
        result: { error: { code: 'QUOTA', name: 'QuotaError', message: 'none left', details: { left: 0 } } },
        runs: expected,
      })
    },
  )
})

/** A projector that works for the body's own value and breaks for the stage's. */
function stageOnly(output: object): object {
  return Object.fromEntries(
    Object.entries(output).map(([key, broken]) => [
      key,
      (_args: unknown, value: unknown) =>
        value === 7 ? (broken as () => unknown)() : key === 'render' ? [] : undefined,
    ]),
  )
}
