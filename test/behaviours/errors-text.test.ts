import {
  createToolRegistry,
  type Stages,
  ToolArgsError,
  type ToolExecutionResult,
  ToolOutputError,
} from 'toolgate'
import { describe, expect, it } from 'vitest'
import { countedTool } from '../support/tools.js'

const failWith = async (thrown: unknown): Promise<ToolExecutionResult> => {
  const tool = countedTool('work', () => {
    throw thrown
  })
  return createToolRegistry({ tools: [tool] }).execute({ callId: '1', name: 'work' })
}

describe('the text of what was thrown', () => {
  it.each([
    ['an error', new RangeError('boom'), 'boom'],
    ['an object with a message', { message: 'duck' }, 'duck'],
    ['an object whose message is no text', { message: 5, toString: () => 'shown' }, 'shown'],
    ['a symbol', Symbol('s'), 'Symbol(s)'],
    ['a BigInt', 1n, '1'],
    ['a function', Object.assign(() => 1, { toString: () => 'f' }), 'f'],
    ['an object without prototype', Object.create(null), 'an error that cannot be shown as text'],
    ['a revoked proxy', revoked(), 'an error that cannot be shown as text'],
    ['an error without a text', new TypeError(), 'a TypeError without a text'],
    ['an empty string', '', 'an error without a text'],
    [
      'an error without a text whose name is none',
      Object.assign(new Error(), { name: 5 }),
      'an error without a text',
    ],
  ])('%s is told, whatever it is (ERR-11)', async (_what, thrown, message) => {
    expect(await failWith(thrown)).toMatchObject({
      error: { code: 'TOOL_FAILED', message },
      content: [{ type: 'text', text: `Error: ${message}` }],
    })
  })

  it('is cut past 64 Ki characters, and says how long it was (ERR-11)', async () => {
    const told = async (length: number): Promise<string> => {
      const result = await failWith(new Error('x'.repeat(length)))
      return result.isError ? result.error.message.replace('x'.repeat(65_536), '64Ki') : 'ok'
    }
    expect([await told(65_536), await told(5_000_000)]).toEqual(['64Ki', '64Ki… (cut: 5000000 characters)'])
  })

  it('does not repeat a long or unreadable name whole', () => {
    const told = (name: string): string =>
      new ToolArgsError(name, [{ path: 'a', message: 'a is wrong' }]).message
    expect(told('work')).toBe('Invalid arguments for tool "work": a is wrong')
    expect(told('x'.repeat(80))).toContain(`"${'x'.repeat(80)}":`)
    expect(told('x'.repeat(5_000))).toBe(
      `Invalid arguments for tool "${'x'.repeat(80)}…" (5000 characters): a is wrong`,
    )
    expect(told(`${'x'.repeat(79)}😀😀`)).toContain(`"${'x'.repeat(79)}…" (83 characters)`)
    expect(told('a"b\n\u0000\u001b[31m\u007f\u0085\u202e\u2028\ud800')).toContain(
      String.raw`"a\"b\n\u0000\u001b[31m\u007f\u0085\u202e\u2028\ud800"`,
    )
    expect(told('работа.файл/読む 👩‍💻')).toContain('"работа.файл/読む 👩‍💻"')
    expect(new ToolOutputError('a\nb', []).message).toContain(String.raw`"a\nb"`)
  })
})

describe('the text of a refusal', () => {
  const ask: Stages = { preExecute: () => ({ kind: 'ask' }) }
  const broken: Stages = { preExecute: () => undefined as never }
  const fails: Stages = { guard: () => JSON.parse('{') }
  it.each([
    ['UNKNOWN_TOOL', {}, {}],
    ['UNKNOWN_SCOPE', {}, { scope: 'gone' }],
    ['ARGUMENTS_NOT_JSON', {}, { arguments: '{' }],
    ['INVALID_PARENT', {}, { parent: {} }],
    ['ABORTED_BEFORE_DISPATCH', {}, { signal: AbortSignal.abort() }],
    ['APPROVAL_UNAVAILABLE', { stages: [ask] }, {}],
    ['INVALID_DECISION', { stages: [broken] }, {}],
    ['STAGE_FAILED', { stages: [fails] }, {}],
  ])('%s quotes the names in it: cut, and with what cannot be seen escaped', async (code, options, input) => {
    for (const [odd, shown] of [
      ['x'.repeat(5_000), 'characters)'],
      ['a\nb\u0000\u202ec', String.raw`a\nb\u0000\u202ec`],
    ] as const) {
      const tool = countedTool(code === 'UNKNOWN_TOOL' ? 'other' : odd)
      const registry = createToolRegistry({ tools: [tool], ...options })
      const result = await registry.execute({ callId: '1', name: odd, ...(input as object) })
      expect(result).toMatchObject({ isError: true, error: { code } })
      const { message } = (result as { error: { message: string } }).error
      expect(message).toContain(shown)
      expect(message).not.toContain(odd)
      expect(message).not.toMatch(/[\u0000-\u001f\u202e]/)
      expect(tool.runs()).toBe(0)
    }
  })
})

function revoked(): object {
  const { proxy, revoke } = Proxy.revocable({}, {})
  revoke()
  return proxy
}
