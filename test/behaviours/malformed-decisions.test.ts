/**
 * Near misses: of the right kind, and wrong in one thing.
 */
import { describe, it } from 'vitest'
import { boom, failsWith, revoked } from './malformed-support.js'

const text = [{ type: 'text', text: 'a' }]
const failure = { code: 'X', message: 'm' }
const changing = (first: unknown, then: unknown) => {
  let reads = 0
  return { enumerable: true, get: () => (reads++ === 0 ? first : then) }
}

describe('a pre-execute decision', () => {
  it.each([
    ['an unknown kind', { kind: 'maybe' }],
    ['another spelling', { kind: 'Allow' }],
    ['a blank too many', { kind: 'allow ' }],
    ['a kind that is a list', { kind: ['allow'] }],
    ['a boxed kind', { kind: new String('allow') }],
    ['a kind that is undefined', { kind: undefined }],
    ['an inherited kind', Object.create({ kind: 'allow' })],
    [
      'an own reason beside an inherited kind',
      Object.assign(Object.create({ kind: 'deny' }), { reason: 'no' }),
    ],
    ['allow with a reason', { kind: 'allow', reason: 'fine' }],
    ['allow with a reason of undefined', { kind: 'allow', reason: undefined }],
    ['allow with other arguments', { kind: 'allow', arguments: {} }],
    ['allow with a symbol', { kind: 'allow', [Symbol('x')]: 1 }],
    ['allow with a hidden field', Object.defineProperty({ kind: 'allow' }, 'x', { value: 1 })],
    ['allow with __proto__ as a field', JSON.parse('{"kind":"allow","__proto__":{}}')],
    ['deny without a reason', { kind: 'deny' }],
    ['deny with an empty reason', { kind: 'deny', reason: '' }],
    ['deny with a number', { kind: 'deny', reason: 1 }],
    ['deny with null', { kind: 'deny', reason: null }],
    ['deny with a boxed reason', { kind: 'deny', reason: new String('no') }],
    ['deny with a promise of a reason', { kind: 'deny', reason: Promise.resolve('no') }],
    ['deny with a field more', { kind: 'deny', reason: 'no', code: 'X' }],
    ['deny with an inherited reason', Object.assign(Object.create({ reason: 'no' }), { kind: 'deny' })],
    ['ask with a number', { kind: 'ask', reason: 1 }],
    ['ask with null', { kind: 'ask', reason: null }],
    ['ask with a timeout', { kind: 'ask', timeoutMs: 5 }],
    ['a kind that throws', Object.defineProperty({}, 'kind', { enumerable: true, get: boom })],
    [
      'a reason that throws',
      Object.defineProperty({ kind: 'deny' }, 'reason', { enumerable: true, get: boom }),
    ],
    ['a kind that is a revoked proxy', { kind: revoked() }],
    ['what a guard answers', 'no'],
    ['what an approver answers', 'allowed-once'],
    ['an approver’s answer', { outcome: 'allowed-once' }],
    ['a post-execute decision', { kind: 'accept' }],
    ['a result', { isError: false, value: 1, content: [] }],
  ])('of %s is none', async (_what, decision) => {
    await failsWith('preExecute', () => decision, 'INVALID_DECISION')
    await failsWith('preExecute', async () => decision, 'INVALID_DECISION')
  })

  it('that says another thing at a second reading is read once', async () => {
    const decision = () => Object.defineProperties({}, { kind: changing('maybe', 'allow') })
    await failsWith('preExecute', decision, 'INVALID_DECISION')
    const denial = () =>
      Object.defineProperties({}, { kind: changing('deny', 'allow'), reason: changing('no', 1) })
    await failsWith('preExecute', denial, 'DENIED')
  })
})

describe('a guard’s answer', () => {
  it.each([
    ['null', null],
    ['false', false],
    ['true', true],
    ['an empty text', ''],
    ['a boxed text', new String('no')],
    ['a list of texts', ['no']],
    ['a reason in an object', { reason: 'no' }],
    ['a denial', { kind: 'deny', reason: 'no' }],
    ['a permission', { kind: 'allow' }],
    ['an error', new Error('no')],
    ['a promise of undefined', Promise.resolve(undefined)],
    ['a promise of a text', Promise.resolve('no')],
  ])('of %s is none', async (_what, answer) => {
    await failsWith('guard', () => answer, 'INVALID_DECISION')
  })
})

describe('an approver’s answer', () => {
  it.each([
    ['allow', 'allow'],
    ['allowed', 'allowed'],
    ['allowed always', 'allowed-always'],
    ['allowed for the session, which only a remembering approver knows', 'allowed-for-session'],
    ['another spelling', 'Allowed-Once'],
    ['an own reason only', { reason: 'yes' }],
    ['a boxed outcome', { outcome: new String('allowed-once') }],
    ['a list of outcomes', { outcome: ['allowed-once'] }],
    ['a promise of an outcome', { outcome: Promise.resolve('allowed-once') }],
    ['a field more', { outcome: 'allowed-once', expires: 5 }],
    ['a symbol more', { outcome: 'allowed-once', [Symbol('x')]: 5 }],
    ['a hidden field more', Object.defineProperty({ outcome: 'allowed-once' }, 'x', { value: 1 })],
    ['a reason that is null', { outcome: 'allowed-once', reason: null }],
    [
      'a reason that throws',
      Object.defineProperty({ outcome: 'allowed-once' }, 'reason', { enumerable: true, get: boom }),
    ],
    ['a decision of a stage', { kind: 'allow' }],
    ['a list', [{ outcome: 'allowed-once' }]],
  ])('of %s is none', async (_what, answer) => {
    await failsWith('approve', () => answer, 'APPROVAL_UNAVAILABLE')
    await failsWith('approve', async () => answer, 'APPROVAL_UNAVAILABLE')
  })
})

describe('a result that an around stage wrote', () => {
  it.each([
    ['no isError', { value: 'x', content: text }],
    ['nothing but success', { isError: false }],
    ['a success without value and content', { isError: false, callId: '1', name: 'work' }],
    ['an unexpected field', { isError: false, value: 'x', valeu: 'y' }],
    ['an inherited isError', Object.create({ isError: false, value: 'x' })],
    [
      'an instance with getters',
      new (class {
        get isError() {
          return false
        }
      })(),
    ],
    ['isError as text', { isError: 'false', value: 'x' }],
    ['isError as a number', { isError: 0, value: 'x' }],
    ['isError as null', { isError: null, value: 'x' }],
    ['a failure without error', { isError: true, content: text }],
    ['an error that is text', { isError: true, error: 'no' }],
    ['an error that is a list', { isError: true, error: [failure] }],
    ['an error that is an Error', { isError: true, error: new Error('no') }],
    ['an error without a code', { isError: true, error: { message: 'm' } }],
    ['an error without a message', { isError: true, error: { code: 'X' } }],
    ['a code that is a number', { isError: true, error: { code: 5, message: 'm' } }],
    ['a message that is an object', { isError: true, error: { code: 'X', message: {} } }],
    ['lossy details', { isError: true, error: { ...failure, details: { at: new Date(0) } } }],
    [
      'an error with a getter that throws',
      {
        isError: true,
        error: Object.defineProperty({ ...failure }, 'x', { enumerable: true, get: boom }),
      },
    ],
    ['a failure’s meta as a list', { isError: true, error: failure, meta: [] }],
    ['a failure’s lossy meta', { isError: true, error: failure, meta: { x: undefined } }],
    ['an isError that throws', Object.defineProperty({}, 'isError', { enumerable: true, get: boom })],
    ['a decision', { kind: 'accept' }],
    ['a list of results', [{ isError: false, value: 'x', content: text }]],
  ])('with %s is none', async (_what, result) => {
    await failsWith('execute', () => result, 'INVALID_DECISION')
    await failsWith('execute', async () => result, 'INVALID_DECISION')
  })

  it.each([
    ['a value that is no content tool’s', { isError: false, value: 5 }],
    ['a lossy value', { isError: false, value: { x: undefined } }],
    ['content that is text', { isError: false, content: 'text' }],
    ['content of another shape', { isError: false, value: 'x', content: [{ type: 'text' }] }],
  ])('and calls a success, with %s, is checked like the tool’s own', async (_what, result) => {
    await failsWith('execute', () => result, 'INVALID_TOOL_OUTPUT')
  })
})

describe('a post-execute decision', () => {
  it.each([
    ['no kind', { content: text }],
    ['an unknown kind', { kind: 'keep' }],
    ['a pre-execute kind', { kind: 'allow' }],
    ['an inherited kind', Object.create({ kind: 'accept' })],
    ['a field more', { kind: 'accept', isError: false }],
    ['meta that is a list', { kind: 'accept', meta: [] }],
    ['meta that is text', { kind: 'block', feedback: text, meta: 'no' }],
    ['lossy meta', { kind: 'accept', value: 'x', meta: { at: new Date(0) } }],
    ['an error of a success', { kind: 'accept', error: { message: 'no' } }],
    ['own contexts that are none', { kind: 'accept', ownContexts: {} }],
    ['own contexts without a source', { kind: 'accept', ownContexts: [{ content: text }] }],
    ['a block of own contexts', { kind: 'block', feedback: text, ownContexts: [] }],
    ['a block with an error', { kind: 'block', feedback: text, error: { message: 'no' } }],
    ['a value and an error', { kind: 'accept', value: 'x', error: { message: 'no' } }],
    ['a symbol more', { kind: 'accept', [Symbol('x')]: 1 }],
    ['feedback', { kind: 'accept', feedback: text }],
    ['content and value', { kind: 'accept', content: text, value: 1 }],
    ['a block without feedback', { kind: 'block' }],
    ['a block with an undefined feedback', { kind: 'block', feedback: undefined }],
    ['a block with a text', { kind: 'block', feedback: 'no' }],
    ['a block with a reason', { kind: 'block', reason: 'no' }],
    ['a block with content', { kind: 'block', feedback: text, content: text }],
    ['a block with a value', { kind: 'block', feedback: text, value: 1 }],
    ['contexts of null', { kind: 'accept', additionalContexts: null }],
    ['a kind that throws', Object.defineProperty({}, 'kind', { enumerable: true, get: boom })],
    [
      'content that throws',
      Object.defineProperty({ kind: 'accept' }, 'content', { enumerable: true, get: boom }),
    ],
    [
      'a value that throws',
      Object.defineProperty({ kind: 'accept' }, 'value', { enumerable: true, get: boom }),
    ],
    ['the result itself', { isError: false, value: 'x', content: text }],
  ])('of %s withholds the result', async (_what, decision) => {
    await failsWith('postExecute', () => decision, 'INVALID_DECISION')
    await failsWith('postExecute', async () => decision, 'INVALID_DECISION')
  })
})
