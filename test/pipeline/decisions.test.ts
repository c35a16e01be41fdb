import { createToolRegistry, type Stages } from 'toolgate'
import { describe, expect, it } from 'vitest'
import { countedTool, isDeepFrozen } from '../support/tools.js'

const throwing = {
  get kind(): never {
    throw new Error('accessor')
  },
}
const revoked = (): object => {
  const { proxy, revoke } = Proxy.revocable({}, {})
  revoke()
  return proxy
}

const MALFORMED_PRE: readonly (readonly [string, unknown])[] = [
  ['undefined', undefined],
  ['null', null],
  ['true', true],
  ['a number', 1],
  ['the string allow', 'allow'],
  ['the string deny', 'deny'],
  ['a symbol', Symbol('allow')],
  ['a function', () => ({ kind: 'allow' })],
  ['an empty object', {}],
  ['an empty array', []],
  ['an array with a decision', [{ kind: 'allow' }]],
  ['an unknown kind', { kind: 'maybe' }],
  ['a kind in capitals', { kind: 'ALLOW' }],
  ['a boxed kind', { kind: new String('allow') }],
  ['allow with an extra field', { kind: 'allow', arguments: {} }],
  ['allow with a reason', { kind: 'allow', reason: 'fine' }],
  ['allow with a symbol field', { kind: 'allow', [Symbol('x')]: 1 }],
  ['an inherited kind', Object.create({ kind: 'allow' })],
  ['deny without a reason', { kind: 'deny' }],
  ['deny with an empty reason', { kind: 'deny', reason: '' }],
  ['deny with a number as reason', { kind: 'deny', reason: 5 }],
  ['deny with a list of reasons', { kind: 'deny', reason: ['no'] }],
  ['ask with a number as reason', { kind: 'ask', reason: 1 }],
  ['ask with an extra field', { kind: 'ask', reason: 'x', timeoutMs: 1 }],
  ['an accessor that throws', throwing],
  ['a post decision', { kind: 'accept' }],
]

const MALFORMED_GUARD: readonly (readonly [string, unknown])[] = [
  ['null', null],
  ['false', false],
  ['true', true],
  ['zero', 0],
  ['an empty string', ''],
  ['an object', { reason: 'no' }],
  ['an array', ['no']],
  ['a promise', Promise.resolve('no')],
  ['a symbol', Symbol('no')],
  ['a boxed string', new String('no')],
  ['a decision', { kind: 'allow' }],
]

const MALFORMED_POST: readonly (readonly [string, unknown])[] = [
  ['undefined', undefined],
  ['null', null],
  ['a string', 'accept'],
  ['an empty object', {}],
  ['an unknown kind', { kind: 'ok' }],
  ['a pre decision', { kind: 'allow' }],
  ['content and value at once', { kind: 'accept', content: [], value: 1 }],
  ['content and value, one undefined', { kind: 'accept', content: undefined, value: 'x' }],
  ['content that is a string', { kind: 'accept', content: 'text' }],
  ['content of strings', { kind: 'accept', content: ['text'] }],
  ['content of an unknown type', { kind: 'accept', content: [{ type: 'video', data: '' }] }],
  ['text content without text', { kind: 'accept', content: [{ type: 'text' }] }],
  ['an image without data', { kind: 'accept', content: [{ type: 'image', mimeType: 'image/png' }] }],
  ['content with undefined inside', { kind: 'accept', content: [{ type: 'text', text: 'a', x: undefined }] }],
  ['block without feedback', { kind: 'block' }],
  ['block with text feedback', { kind: 'block', feedback: 'no' }],
  ['block with content', { kind: 'block', feedback: [], content: [] }],
  ['accept with feedback', { kind: 'accept', feedback: [] }],
  ['accept with an extra field', { kind: 'accept', isError: false }],
  ['contexts that are no list', { kind: 'accept', additionalContexts: 'x' }],
  ['a context without source', { kind: 'accept', additionalContexts: [{ content: [] }] }],
  ['a context with bad content', { kind: 'accept', additionalContexts: [{ source: 's', content: ['x'] }] }],
  ['an accessor that throws', throwing],
]

const MALFORMED_RESULT: readonly (readonly [string, unknown])[] = [
  ['undefined', undefined],
  ['null', null],
  ['a string', 'done'],
  ['an empty object', {}],
  ['an array', []],
  ['isError as a string', { isError: 'false', value: 'x' }],
  ['a failure without error', { isError: true, content: [] }],
  ['a failure with a text error', { isError: true, error: 'no' }],
  ['a failure without code', { isError: true, error: { message: 'no' } }],
  ['a failure with bad content', { isError: true, error: { code: 'X', message: 'm' }, content: 'no' }],
  ['a success with bad contexts', { isError: false, value: 'x', additionalContexts: 5 }],
  [
    'an accessor that throws',
    {
      get isError(): never {
        throw new Error('accessor')
      },
    },
  ],
]

async function callWith(
  stage: Stages,
  expectedRuns: number,
): Promise<{ code: string | undefined; text: string }> {
  const tool = countedTool('work', () => 'secret')
  const registry = createToolRegistry({ tools: [tool], stages: [stage], approve: () => 'allowed-once' })
  let heard = 0
  registry.on('result', () => heard++)
  const result = await registry.execute({ callId: '1', name: 'work' })
  expect(tool.runs()).toBe(expectedRuns)
  expect(heard).toBe(1)
  expect(isDeepFrozen(result)).toBe(true)
  return { code: result.isError ? result.error.code : undefined, text: JSON.stringify(result) }
}

describe('decisions fail closed', () => {
  it.each(MALFORMED_PRE)('pre-execute: %s never runs the body', async (_what, decision) => {
    expect(await callWith({ preExecute: () => decision as never }, 0)).toMatchObject({
      code: 'INVALID_DECISION',
    })
    expect(await callWith({ preExecute: async () => decision as never }, 0)).toMatchObject({
      code: 'INVALID_DECISION',
    })
  })

  it.each(MALFORMED_PRE)(
    'pre-execute: %s from an inner stage stands whatever the outer one answers',
    async (_what, decision) => {
      const tool = countedTool('work')
      const outer: Stages = {
        preExecute: async (_call, next) => {
          await next().catch(() => {})
          return { kind: 'allow' }
        },
      }
      const registry = createToolRegistry({
        tools: [tool],
        stages: [outer, { preExecute: () => decision as never }],
      })
      const result = await registry.execute({ callId: '1', name: 'work' })
      expect(result).toMatchObject({ isError: true, error: { code: 'INVALID_DECISION' } })
      expect(tool.runs()).toBe(0)
    },
  )

  it.each(MALFORMED_GUARD)('guard: %s never runs the body', async (_what, answer) => {
    expect(await callWith({ guard: () => answer as never }, 0)).toMatchObject({ code: 'INVALID_DECISION' })
  })

  it('guard: a rejected promise never runs the body, nor brings the process down', async () => {
    const guard = () => Promise.reject(new Error('no')) as never
    expect(await callWith({ guard }, 0)).toMatchObject({ code: 'INVALID_DECISION' })
  })

  it.each(MALFORMED_POST)('post-execute: %s withholds the result', async (_what, decision) => {
    const { code, text } = await callWith({ postExecute: () => decision as never }, 1)
    expect(code).toBe('INVALID_DECISION')
    expect(text).not.toContain('secret')
  })

  it.each(MALFORMED_RESULT)('around: %s is no result', async (_what, answer) => {
    const { code, text } = await callWith({ execute: async () => answer as never }, 0)
    expect(code).toBe('INVALID_DECISION')
    expect(text).not.toContain('accessor')
  })

  it.each([
    ['preExecute', 0],
    ['guard', 0],
    ['execute', 0],
    ['postExecute', 1],
  ] as const)('%s: a revoked proxy, which cannot even be awaited, fails closed', async (hook, runs) => {
    const { code, text } = await callWith({ [hook]: () => revoked() } as Stages, runs)
    expect(['STAGE_FAILED', 'INVALID_DECISION']).toContain(code)
    expect(text).not.toContain('secret')
  })

  it.each(['preExecute', 'guard', 'execute', 'postExecute'] as const)(
    'a throw in %s is STAGE_FAILED, without the engine’s text',
    async hook => {
      const stage = { name: 'broken', [hook]: () => (undefined as never as { x: { y: 1 } }).x.y } as Stages
      const { code, text } = await callWith(stage, hook === 'postExecute' ? 1 : 0)
      expect(code).toBe('STAGE_FAILED')
      expect(text).not.toContain('Cannot read')
      expect(text).toContain('broken')
    },
  )
})
