import type { AdditionalContext, Stages } from 'toolgate'
import { createToolRegistry } from 'toolgate'
import { describe, expect, it } from 'vitest'
import { countedTool, isDeepFrozen } from '../support/tools.js'
import { boom, failsWith, type Hook, revoked } from './malformed-support.js'

const cyclic: { type: string; text: string; self?: unknown } = { type: 'text', text: 'a' }
cyclic.self = cyclic

const CONTENTS: readonly (readonly [string, unknown])[] = [
  ['a text', 'text'],
  ['one block', { type: 'text', text: 'a' }],
  ['an object like a list', { 0: { type: 'text', text: 'a' }, length: 1 }],
  ['a list of texts', ['a']],
  ['a list of lists', [[{ type: 'text', text: 'a' }]]],
  ['a list of null', [null]],
  ['a list with a hole', [{ type: 'text', text: 'a' }, , { type: 'text', text: 'b' }]],
  ['a list with a property', Object.assign([{ type: 'text', text: 'a' }], { x: 1 })],
  ['an iterator', [{ type: 'text', text: 'a' }].values()],
  ['a block without a type', [{ text: 'a' }]],
  ['an unknown type', [{ type: 'video', data: 'AA==' }]],
  ['an inherited property as type', [{ type: 'constructor' }]],
  ['a type that is a list', [{ type: ['text'], text: 'a' }]],
  ['text without text', [{ type: 'text' }]],
  ['text that is a number', [{ type: 'text', text: 5 }]],
  ['text that is null', [{ type: 'text', text: null }]],
  ['an image without data', [{ type: 'image', mimeType: 'image/png' }]],
  ['an image without a type of its own', [{ type: 'image', data: 'AA==' }]],
  ['an image of bytes', [{ type: 'image', data: new Uint8Array(2), mimeType: 'image/png' }]],
  ['audio without data', [{ type: 'audio', mimeType: 'audio/wav' }]],
  ['a link without a name', [{ type: 'resource_link', uri: 'file:///a' }]],
  ['a link whose uri is a URL', [{ type: 'resource_link', uri: new URL('file:///a'), name: 'a' }]],
  ['a resource without one', [{ type: 'resource' }]],
  ['a resource that is a text', [{ type: 'resource', resource: 'file:///a' }]],
  ['a resource without contents', [{ type: 'resource', resource: { uri: 'file:///a' } }]],
  ['a block with undefined inside', [{ type: 'text', text: 'a', annotations: undefined }]],
  ['a block with a function inside', [{ type: 'text', text: 'a', toJSON: () => 'b' }]],
  [
    'an instance of a class',
    [
      new (class {
        type = 'text'
        text = 'a'
      })(),
    ],
  ],
  ['a cycle', [cyclic]],
  [
    'a getter that throws',
    [Object.defineProperty({ type: 'text' }, 'text', { enumerable: true, get: boom })],
  ],
  ['a revoked proxy inside', [revoked()]],
  ['a promise of a block', [Promise.resolve({ type: 'text', text: 'a' })]],
]

const PLACES: readonly (readonly [
  place: string,
  hook: Hook,
  wrap: (content: unknown) => unknown,
  code: string,
])[] = [
  ['accepting', 'postExecute', content => ({ kind: 'accept', content }), 'INVALID_DECISION'],
  ['feedback', 'postExecute', feedback => ({ kind: 'block', feedback }), 'INVALID_DECISION'],
  ['a finaliser’s', 'finalizeContent', content => content, 'INVALID_TOOL_OUTPUT'],
  ['a body’s with meta', 'body', content => ({ content, meta: {} }), 'INVALID_TOOL_OUTPUT'],
  ['render’s', 'render', content => content, 'INVALID_TOOL_OUTPUT'],
  [
    'a success’s of a stage',
    'execute',
    content => ({ isError: false, value: 'x', content }),
    'INVALID_TOOL_OUTPUT',
  ],
  [
    'a failure’s of a stage',
    'execute',
    content => ({ isError: true, error: { code: 'X', message: 'm' }, content }),
    'INVALID_DECISION',
  ],
]

describe.each(PLACES)('%s content', (_place, hook, wrap, code) => {
  it.each(CONTENTS)('of %s is none', async (what, content) => {
    // What a stage's own value throws is the stage's fault, not the tool's.
    const stageFault = hook === 'execute' && ['a getter that throws', 'a revoked proxy inside'].includes(what)
    await failsWith(hook, () => wrap(content), stageFault ? 'INVALID_DECISION' : code)
  })
})

const CONTEXTS: readonly (readonly [string, unknown])[] = [
  ['a text', 'note'],
  ['one context', { source: 's', content: [] }],
  ['null', null],
  ['a number', 5],
  ['a list of texts', ['note']],
  ['a list of null', [null]],
  ['a list with a hole', [, { source: 's', content: [] }]],
  ['no source', [{ content: [] }]],
  ['an empty source', [{ source: '', content: [] }]],
  ['a source that is no text', [{ source: 5, content: [] }]],
  ['an inherited source', [Object.assign(Object.create({ source: 's' }), { content: [] })]],
  ['no content', [{ source: 's' }]],
  ['content that is a text', [{ source: 's', content: 'a' }]],
  ['content of another shape', [{ source: 's', content: [{ type: 'text' }] }]],
  ['a field more', [{ source: 's', content: [], role: 'user' }]],
  ['a meta that is a text', [{ source: 's', content: [], meta: 'm' }]],
  ['a meta that is a list', [{ source: 's', content: [], meta: [] }]],
  ['a lossy meta', [{ source: 's', content: [], meta: { x: Number.NaN } }]],
  ['a good one and a bad one', [{ source: 's', content: [] }, { source: 's' }]],
  [
    'a getter that throws',
    [Object.defineProperty({ content: [] }, 'source', { enumerable: true, get: boom })],
  ],
  ['a revoked proxy', [revoked()]],
  ['a promise', Promise.resolve([])],
  [
    'an instance of a class',
    [
      new (class {
        source = 's'
        content = []
      })(),
    ],
  ],
]

describe('additional contexts', () => {
  it.each(CONTEXTS)(
    'of %s are none, of decisions and of results that a stage wrote',
    async (_what, additionalContexts) => {
      const failure = { isError: true, error: { code: 'X', message: 'm' }, additionalContexts }
      const success = { isError: false, value: 'x', content: [], additionalContexts }
      await failsWith('postExecute', () => ({ kind: 'accept', additionalContexts }), 'INVALID_DECISION')
      await failsWith(
        'postExecute',
        () => ({ kind: 'block', feedback: [], additionalContexts }),
        'INVALID_DECISION',
      )
      await failsWith('execute', () => failure, 'INVALID_DECISION')
      await failsWith('execute', () => success, 'INVALID_DECISION')
    },
  )

  it.each(CONTEXTS)('of %s cannot be deferred: the body that does not mind fails', async (_what, given) => {
    const list = (Array.isArray(given) ? given : [given]) as AdditionalContext[]
    const tool = countedTool('work', (_args, call) => {
      for (let i = 0; i < list.length; i++) call.deferContext(list[i] as AdditionalContext)
      return 'ok'
    })
    const heard: unknown[] = []
    const observe: Stages = { onResult: (_call, seen) => heard.push(seen) }
    const registry = createToolRegistry({ tools: [tool], stages: [observe] })
    registry.on('result', event => heard.push(event.result))
    const result = await registry.execute({ callId: '1', name: 'work' })
    if (given !== CONTEXTS[1]?.[1]) expect(result).toMatchObject({ error: { code: 'INVALID_TOOL_OUTPUT' } })
    else expect(result).toMatchObject({ isError: false })
    expect(isDeepFrozen(result)).toBe(true)
    expect(heard).toEqual([result, result])
    expect(tool.runs()).toBe(1)
  })
})
