/**
 * Decided otherwise:
 * - ERR-02 `error` of a result is flat, { code, name, message, details? }, and every failure has a code. An error of another
 *   copy of the package counts, by a registered symbol; what only looks like one gives its message.
 * - ERR-06 the class is OutputSchemaError.
 * - ERR-10 denials, blocks, unusable arguments and rogue decisions have codes of their own.
 * - ERR-11 a text past 64 Ki characters is cut and says so; an error without a text says that.
 * - ERR-13 ToolCallError has a `code` beside `toolName` and `message`.
 */
import {
  type ApprovalOutcome,
  CodeRunFailedError,
  createToolRegistry,
  defineTool,
  OutputSchemaError,
  type Stages,
  ToolArgsError,
  type ToolExecutionResult,
  ToolgateError,
  ToolNotFoundError,
  ToolOutputError,
  ToolTimeoutError,
} from 'toolgate'
import { quickJsRuntime } from 'toolgate/quickjs'
import { describe, expect, it } from 'vitest'
import { countedTool } from '../support/tools.js'

const codeOf = (result: ToolExecutionResult): string => (result.isError ? result.error.code : 'ok')

const failWith = async (thrown: unknown): Promise<ToolExecutionResult> => {
  const tool = countedTool('work', () => {
    throw thrown
  })
  return createToolRegistry({ tools: [tool] }).execute({ callId: '1', name: 'work' })
}

describe('ToolgateError', () => {
  it('has a stable code, the name of its class and a cause that never leaves the process (ERR-01)', () => {
    class RateLimitError extends ToolgateError {}
    const cause = new Error('secret')
    const error = new RateLimitError('RATE_LIMITED', 'later', { cause, details: { afterMs: 5 } })
    expect(error).toMatchObject({ code: 'RATE_LIMITED', name: 'RateLimitError', message: 'later', cause })
    expect(error).toBeInstanceOf(Error)
    expect(JSON.parse(JSON.stringify(error))).toEqual({
      name: 'RateLimitError',
      code: 'RATE_LIMITED',
      message: 'later',
      details: { afterMs: 5 },
    })
  })

  it.each([
    ['an empty code', ''],
    ['no code', undefined],
    ['a number', 5],
    ['an object', { code: 'X' }],
  ])('with %s has the code TOOL_FAILED, so that no failure is without one', async (_what, code) => {
    const error = new ToolgateError(code as never, '')
    expect(error.toJSON()).toEqual({
      name: 'ToolgateError',
      code: 'TOOL_FAILED',
      message: 'It failed with TOOL_FAILED',
    })
    expect(await failWith(error)).toMatchObject({
      error: { code: 'TOOL_FAILED', message: 'It failed with TOOL_FAILED' },
    })
  })

  it('of an anonymous class is called ToolgateError', () => {
    expect(new (class extends ToolgateError {})('X', 'm').name).toBe('ToolgateError')
  })

  it('of another copy of the package keeps its code; what only looks like one does not (ERR-02)', async () => {
    const twin = Object.assign(new Error('twin'), { code: 'FROM_TWIN', [Symbol.for('toolgate.error')]: true })
    expect(ToolgateError.isInstance(twin)).toBe(true)
    expect(await failWith(twin)).toMatchObject({ error: { code: 'FROM_TWIN', message: 'twin' } })
    const lookAlike = Object.assign(new Error('duck'), { code: 'DUCK', name: 'ToolgateError' })
    expect(ToolgateError.isInstance(lookAlike)).toBe(false)
    expect(await failWith(lookAlike)).toMatchObject({ error: { code: 'TOOL_FAILED', message: 'duck' } })
  })

  const brand = Symbol.for('toolgate.error')
  const broken = (fields: object): object => Object.defineProperties(new Error('m'), fields as never)
  it.each([
    ['without a code', { [brand]: true, message: 'm' }],
    ['with an empty code', { [brand]: true, code: '', message: 'm' }],
    ['with a code that is no text', { [brand]: true, code: 5, message: 'm' }],
    ['without a message', { [brand]: true, code: 'X' }],
    ['whose code throws', broken({ [brand]: { value: true }, code: { get: () => JSON.parse('{') } })],
    [
      'whose message throws',
      broken({ [brand]: { value: true }, code: { value: 'X' }, message: { get: () => JSON.parse('{') } }),
    ],
  ])('is not what has its mark but is broken: %s', async (_what, thrown) => {
    expect(ToolgateError.isInstance(thrown)).toBe(false)
    expect(codeOf(await failWith(thrown))).toBe('TOOL_FAILED')
    for (const [hook, code] of [
      ['preExecute', 'STAGE_FAILED'],
      ['guard', 'STAGE_FAILED'],
      ['execute', 'STAGE_FAILED'],
      ['postExecute', 'STAGE_FAILED'],
    ] as const) {
      const stage: Stages = {
        [hook]: () => {
          throw thrown
        },
      }
      const registry = createToolRegistry({ tools: [countedTool('work')], stages: [stage] })
      expect([hook, codeOf(await registry.execute({ callId: '1', name: 'work' }))]).toEqual([hook, code])
    }
  })
})

describe('the classes of errors', () => {
  it.each([
    [new ToolNotFoundError('m'), 'UNKNOWN_TOOL', 'ToolNotFoundError'],
    [new ToolTimeoutError('m'), 'TOOL_TIMEOUT', 'ToolTimeoutError'],
    [new CodeRunFailedError('m'), 'CODE_RUN_FAILED', 'CodeRunFailedError'],
    [new ToolArgsError('t', []), 'INVALID_ARGS', 'ToolArgsError'],
    [new ToolOutputError('t', []), 'INVALID_TOOL_OUTPUT', 'ToolOutputError'],
    [new OutputSchemaError('m', []), 'UNSUPPORTED_SCHEMA', 'OutputSchemaError'],
  ])('%s keeps its code and name when a tool throws it (ERR-09)', async (error, code, name) => {
    expect(ToolgateError.isInstance(error)).toBe(true)
    expect(await failWith(error)).toMatchObject({ error: { code, name, message: error.message } })
  })

  it('UNKNOWN_TOOL is what is not registered, masked, out of scope, gone or behind run_code (ERR-03)', async () => {
    const work = countedTool('work')
    const gone = countedTool('gone')
    const own = countedTool('own')
    let leave = (): void => {}
    const registry = createToolRegistry({
      tools: [work],
      codeRuntime: quickJsRuntime(),
      stages: [{ preExecute: ({ name }, next) => (name === 'gone' && leave(), next()) }],
      scopes: [
        { id: 'masked', restrict: { deny: ['work'] } },
        { id: 'other', tools: [own] },
        { id: 'code', mode: 'code' },
      ],
    })
    leave = registry.register(gone)
    const call = (name: string, scope = 'root') => registry.execute({ callId: name, name, scope })
    const results = await Promise.all([
      call('ghost'),
      call('work', 'masked'),
      call('own', 'masked'),
      call('gone'),
      call('work', 'code'),
    ])
    expect(results.map(codeOf)).toEqual(Array(5).fill('UNKNOWN_TOOL'))
    expect(results.at(-1)?.content).toEqual([
      { type: 'text', text: expect.stringContaining('Call "run_code" with a program') },
    ])
    expect([work.runs(), gone.runs(), own.runs()]).toEqual([0, 0, 0])
  })

  it('INVALID_ARGS lists every violation, joined by "; " in the message (ERR-04)', async () => {
    let runs = 0
    const tool = defineTool({
      name: 'work',
      description: 'Works.',
      parameters: { a: { type: 'string', required: true }, b: { type: 'number', required: true } },
      execute: () => String(++runs),
    })
    const result = await createToolRegistry({ tools: [tool] }).execute({
      callId: '1',
      name: 'work',
      arguments: { a: 1, b: 'x' },
    })
    if (!result.isError) throw new Error('it ran')
    const { violations } = result.error.details as { violations: { path: string; message: string }[] }
    expect(result.error).toMatchObject({ code: 'INVALID_ARGS', name: 'ToolArgsError' })
    expect(violations.map(v => v.path)).toEqual(['a', 'b'])
    expect(result.error.message).toContain(violations.map(v => v.message).join('; '))
    expect(runs).toBe(0)
  })

  it('INVALID_TOOL_OUTPUT is what a body, render or presentationMeta may not return (ERR-05)', async () => {
    const output = { schema: { type: 'number' }, render: () => [] }
    for (const [body, more] of [
      [() => 'x', output],
      [() => 1, { ...output, render: () => 'text' }],
      [() => 1, { ...output, presentationMeta: () => 'meta' }],
    ] as const) {
      const registry = createToolRegistry({ tools: [countedTool('work', body, { output: more as never })] })
      const result = await registry.execute({ callId: '1', name: 'work' })
      expect(result).toMatchObject({ error: { code: 'INVALID_TOOL_OUTPUT', name: 'ToolOutputError' } })
    }
  })

  it('UNSUPPORTED_SCHEMA is thrown where a schema is declared, as OutputSchemaError (ERR-06)', () => {
    const output = { schema: { $ref: '#/nowhere' }, render: () => [] }
    const register = () => createToolRegistry({ tools: [countedTool('work', () => 1, { output })] })
    expect(register).toThrow(OutputSchemaError)
    expect(register).toThrow(expect.objectContaining({ code: 'UNSUPPORTED_SCHEMA' }))
  })

  it('CODE_RUN_FAILED is a program that failed (ERR-07)', async () => {
    const registry = createToolRegistry({ mode: 'code', codeRuntime: quickJsRuntime() })
    const args = { code: 'throw new Error("no")', description: 'Fail' }
    expect(await registry.execute({ callId: '1', name: 'run_code', arguments: args })).toMatchObject({
      error: { code: 'CODE_RUN_FAILED', name: 'CodeRunFailedError', details: { kind: 'exception' } },
    })
  })

  it('ABORTED_BEFORE_DISPATCH tells a body that never started from one that had, ABORTED (ERR-08)', async () => {
    const tool = countedTool('work', (_args, { signal }) => {
      controller.abort()
      return signal.aborted ? 'late' : 'ok'
    })
    const registry = createToolRegistry({ tools: [tool] })
    const controller = new AbortController()
    const { signal } = controller
    expect(codeOf(await registry.execute({ callId: '1', name: 'work', signal }))).toBe('ABORTED')
    expect(tool.runs()).toBe(1)
    expect(codeOf(await registry.execute({ callId: '2', name: 'work', signal }))).toBe(
      'ABORTED_BEFORE_DISPATCH',
    )
    expect(tool.runs()).toBe(1)
  })
})

describe('codes of refusals', () => {
  const answer = (outcome: ApprovalOutcome) => () => outcome
  const deny: Stages = { preExecute: () => ({ kind: 'deny', reason: 'no' }) }
  const guard: Stages = { guard: () => 'no' }
  const ask: Stages = { preExecute: () => ({ kind: 'ask' }) }
  const block: Stages = { postExecute: () => ({ kind: 'block', feedback: [] }) }
  const rogue: Stages = { preExecute: () => ({ kind: 'maybe' }) as never }
  it.each([
    ['a denial', 'DENIED', { stages: [deny] }, {}, 0],
    ['a guard', 'GUARD_DENIED', { stages: [guard] }, {}, 0],
    ['a rejected approval', 'APPROVAL_REJECTED', { stages: [ask], approve: answer('rejected') }, {}, 0],
    ['a cancelled approval', 'APPROVAL_CANCELLED', { stages: [ask], approve: answer('cancelled') }, {}, 0],
    ['an approval nobody gives', 'APPROVAL_UNAVAILABLE', { stages: [ask] }, {}, 0],
    ['a rogue decision', 'INVALID_DECISION', { stages: [rogue] }, {}, 0],
    ['unusable arguments', 'ARGUMENTS_NOT_JSON', {}, { arguments: '{' }, 0],
    ['a block', 'BLOCKED', { stages: [block] }, {}, 1],
  ] as const)('%s is %s (ERR-10)', async (_what, code, options, input, runs) => {
    const tool = countedTool('work')
    const registry = createToolRegistry({ tools: [tool], ...options })
    expect(codeOf(await registry.execute({ callId: '1', name: 'work', ...input }))).toBe(code)
    expect(tool.runs()).toBe(runs)
  })
})

describe('who sees a failure', () => {
  it('post-execute stages see a tool that threw as a failed result (ERR-12)', async () => {
    const seen: ToolExecutionResult[] = []
    const registry = createToolRegistry({
      tools: [
        countedTool('work', () => {
          throw new Error('boom')
        }),
      ],
      stages: [{ postExecute: (_call, result, next) => (seen.push(result), next()) }],
    })
    const result = await registry.execute({ callId: '1', name: 'work' })
    expect(seen).toMatchObject([{ isError: true, error: { code: 'TOOL_FAILED', message: 'boom' } }])
    expect(result).toBe(seen[0])
  })

  it('a program sees ToolCallError with toolName, code and message, and nothing else (ERR-13)', async () => {
    const tool = countedTool('work', () => {
      throw new ToolgateError('RATE_LIMITED', 'later', { details: { secret: 1 }, cause: new Error('secret') })
    })
    const registry = createToolRegistry({ tools: [tool], mode: 'code', codeRuntime: quickJsRuntime() })
    const code = `try { await tools.work({}) } catch (e) {
      return [e instanceof ToolCallError, e.name, e.toolName, e.code, e.message, 'details' in e, 'content' in e, 'cause' in e]
    }`
    const result = await registry.execute({
      callId: '1',
      name: 'run_code',
      arguments: { code, description: 'Look at the error' },
    })
    expect(result).toMatchObject({
      value: { result: [true, 'ToolCallError', 'work', 'RATE_LIMITED', 'later', false, false, false] },
    })
  })
})
