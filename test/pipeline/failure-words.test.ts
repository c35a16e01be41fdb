import {
  type AdditionalContext,
  type ContentBlock,
  createToolRegistry,
  type PostToolDecision,
  type Stages,
  type ToolExecutionResult,
  ToolgateError,
} from 'toolgate'
import { describe, expect, it } from 'vitest'
import { countedTool, isDeepFrozen } from '../support/tools.js'

const text = (value: string): ContentBlock[] => [{ type: 'text', text: value }]
const context = (source: string): AdditionalContext => ({ source, content: text(source) })
const post = (decision: unknown): Stages => ({ postExecute: () => decision as PostToolDecision })
const failing = () =>
  countedTool('work', (_args, body) => {
    body.deferContext(context('body'))
    throw new ToolgateError('BUSY', 'key 123 is busy', { details: { key: '123', retryAfterMs: 5 } })
  })
const working = () =>
  countedTool('work', (_args, body) => {
    body.deferContext(context('body'))
    return { content: text('done'), meta: { rows: 3 } }
  })
const run = async (tool: ReturnType<typeof countedTool>, stages: Stages[]): Promise<ToolExecutionResult> => {
  const result = await createToolRegistry({ tools: [tool], stages }).execute({ callId: '1', name: 'work' })
  expect(isDeepFrozen(result)).toBe(true)
  return result
}

describe('other words for a failure', () => {
  it('take the place of its message and details, and code and name stay', async () => {
    const result = await run(failing(), [
      post({ kind: 'accept', error: { message: 'it is busy', details: { retryAfterMs: 5 } } }),
    ])
    expect(result).toMatchObject({
      isError: true,
      error: { code: 'BUSY', name: 'ToolgateError', message: 'it is busy', details: { retryAfterMs: 5 } },
      content: text('Error: it is busy'),
    })
    expect(JSON.stringify(result)).not.toContain('123')
  })

  it('leave what they leave out', async () => {
    const message = await run(failing(), [post({ kind: 'accept', error: { message: 'busy' } })])
    expect(message).toMatchObject({ error: { message: 'busy', details: { key: '123' } } })
    const details = await run(failing(), [post({ kind: 'accept', error: { details: {} } })])
    expect(details).toMatchObject({
      error: { message: 'key 123 is busy', details: {} },
      content: text('Error: key 123 is busy'),
    })
    const nothing = await run(failing(), [post({ kind: 'accept', error: {} })])
    expect(nothing).toMatchObject({ error: { code: 'BUSY', message: 'key 123 is busy' } })
  })

  it('go with content of their own', async () => {
    const result = await run(failing(), [
      post({ kind: 'accept', error: { message: 'busy' }, content: text('later') }),
    ])
    expect(result).toMatchObject({ error: { message: 'busy' }, content: text('later') })
  })

  it('are put on a denial too, which stays one, and its body does not run', async () => {
    const tool = working()
    const deny: Stages = { preExecute: () => ({ kind: 'deny', reason: 'key 123 may not' }) }
    const result = await run(tool, [post({ kind: 'accept', error: { message: 'not allowed' } }), deny])
    expect(result).toMatchObject({ isError: true, error: { code: 'DENIED', message: 'not allowed' } })
    expect(tool.runs()).toBe(0)
  })

  it.each([
    ['a code', { code: 'OK', message: 'm' }],
    ['a name', { name: 'Fine' }],
    ['an empty message', { message: '' }],
    ['a message that is none', { message: 5 }],
    ['details that are a list', { details: [] }],
    ['an error that is text', 'no'],
    ['lossy details', { details: { at: undefined } }],
  ])('cannot be %s', async (_what, error) => {
    const result = await run(failing(), [post({ kind: 'accept', error })])
    expect(result).toMatchObject({ isError: true, error: { code: 'INVALID_DECISION' } })
  })

  it('make no success of a failure, and no failure of a success', async () => {
    const failed = await run(failing(), [post({ kind: 'accept', value: 'fine' })])
    expect(failed).toMatchObject({ isError: true, error: { code: 'INVALID_DECISION' } })
    const tool = working()
    const succeeded = await run(tool, [post({ kind: 'accept', error: { message: 'no' } })])
    expect(succeeded).toMatchObject({ isError: true, error: { code: 'INVALID_DECISION' } })
    expect(tool.runs()).toBe(1)
  })
})

describe('a failure that a stage around the tool writes', () => {
  const write = (fields: object): Promise<ToolExecutionResult> =>
    run(working(), [{ execute: async () => ({ isError: true, ...fields }) as never }])

  it('has a code, a name, a message and details', async () => {
    const error = { code: 'BUSY', name: 'BusyError', message: 'it is busy', details: { at: 'noon' } }
    expect(await write({ error })).toMatchObject({ error, content: text('Error: it is busy') })
  })

  it('has nothing beside them, which nobody further out would look at', async () => {
    const stack = 'at token 4711'
    const result = await write({ error: { code: 'BUSY', message: 'it is busy', stack } })
    expect(result).toMatchObject({ error: { code: 'INVALID_DECISION' } })
    expect(result.isError && result.error.message).toContain(
      'unexpected field "stack"; error.details is for more',
    )
    expect(JSON.stringify(result)).not.toContain('4711')
  })

  it('is told apart by what is wrong with its meta', async () => {
    const error = { code: 'BUSY', message: 'it is busy' }
    const result = await write({ error, meta: { at: undefined } })
    expect(result.isError && result.error.message).toContain('meta.at is undefined')
    const list = await write({ error, meta: [] })
    expect(list.isError && list.error.message).toContain('meta is no JSON object')
  })

  it('is refused in a short message however long the name of its field', async () => {
    const long = 'x'.repeat(100_000)
    const beside = await write({ error: { code: 'BUSY', message: 'm', [long]: 1 } })
    const outside = await write({ error: { code: 'BUSY', message: 'm' }, [long]: 1 })
    const words = await run(failing(), [post({ kind: 'accept', error: { [long]: 1 } })])
    const contexts = await run(working(), [
      post({ kind: 'accept', additionalContexts: [{ ...context('s'), [long]: 1 }] }),
    ])
    for (const result of [beside, outside, words, contexts]) {
      expect(result).toMatchObject({ error: { code: 'INVALID_DECISION' } })
      expect(result.isError && result.error.message.length).toBeLessThan(500)
    }
  })
})

describe('a word on a result', () => {
  it('puts meta in place of the meta that it has', async () => {
    expect((await run(working(), [post({ kind: 'accept', meta: { cut: 1 } })])).meta).toEqual({ cut: 1 })
    expect((await run(failing(), [post({ kind: 'accept', meta: { cut: 1 } })])).meta).toEqual({ cut: 1 })
    const blocked = await run(working(), [post({ kind: 'block', feedback: text('no'), meta: { cut: 1 } })])
    expect(blocked).toMatchObject({ error: { code: 'BLOCKED' }, meta: { cut: 1 } })
  })

  it('puts meta over what the tool makes of a new value', async () => {
    const tool = countedTool('work', () => 'long', {
      output: {
        schema: { type: 'string' },
        render: (_args, value) => text(value),
        presentationMeta: (_args, value) => ({ chars: value.length, of: 'tool' }),
      },
    })
    const result = await run(tool, [post({ kind: 'accept', value: 'short!', meta: { of: 'stage' } })])
    expect(result).toMatchObject({ value: 'short!', meta: { chars: 6, of: 'stage' } })
  })

  it('replaces the contexts of the body, and adds to them', async () => {
    const contextsOf = async (decision: object, tool = working()) =>
      (await run(tool, [post({ kind: 'accept', ...decision })])).additionalContexts?.map(
        ({ source }) => source,
      )
    expect(await contextsOf({ additionalContexts: [context('stage')] })).toEqual(['body', 'stage'])
    expect(await contextsOf({ ownContexts: [context('clean')] })).toEqual(['clean'])
    expect(await contextsOf({ ownContexts: [] })).toBeUndefined()
    expect(
      await contextsOf(
        { ownContexts: [context('clean')], additionalContexts: [context('stage')] },
        failing(),
      ),
    ).toEqual(['clean', 'stage'])
    expect(await contextsOf({ ownContexts: [context('clean')], value: 'new' })).toEqual(['clean'])
  })
})
