import { createToolRegistry, type Stages, ToolgateError } from 'toolgate'
import { describe, expect, it } from 'vitest'
import { countedTool } from '../support/tools.js'

const run = async (body: () => unknown, rest = {}, stages: readonly Stages[] = []) => {
  const registry = createToolRegistry({ tools: [countedTool('work', body, rest)], stages })
  return registry.execute({ callId: '1', name: 'work' })
}

const text = (value: string) => [{ type: 'text', text: value }]
const withOutput = (
  schema: object,
  render: unknown = (_args: unknown, value: unknown) => text(JSON.stringify(value)),
) => ({
  output: { schema, render } as never,
})

describe('results of content tools', () => {
  it('take text, blocks, blocks with meta, and nothing', async () => {
    expect(await run(() => 'hello')).toMatchObject({ isError: false, value: 'hello', content: text('hello') })
    const image = { type: 'image', data: 'AA==', mimeType: 'image/png' }
    expect(await run(() => [...text('see'), image])).toMatchObject({
      value: 'see\n[image content]',
      content: [...text('see'), image],
    })
    expect(await run(() => ({ content: text('a'), meta: { ms: 3 } }))).toMatchObject({
      value: 'a',
      meta: { ms: 3 },
    })
    expect(await run(() => undefined)).toMatchObject({
      isError: false,
      value: '',
      content: text('(no output)'),
    })
  })

  it.each([
    ['a number', 5],
    ['an object', { rows: [] }],
    ['a symbol', Symbol('x')],
    ['a function', () => 1],
    ['a BigInt', 1n],
    ['blocks of another shape', [{ text: 'x' }]],
    ['content that is text', { content: 'x' }],
    ['an extra field', { content: [], value: 1 }],
    ['a lossy meta', { content: [], meta: { x: Number.NaN } }],
    ['a Map', new Map()],
  ])('refuse %s', async (_what, value) => {
    const result = await run(() => value)
    expect(result).toMatchObject({ isError: true, error: { code: 'INVALID_TOOL_OUTPUT' } })
    expect('value' in result).toBe(false)
  })
})

describe('results of value tools', () => {
  it('carry the frozen value, its rendering and its meta', async () => {
    const render = (_args: unknown, value: { n: number }) => {
      expect(Object.isFrozen(value)).toBe(true)
      return text(`n is ${value.n}`)
    }
    const output = { schema: { type: 'object' }, render, presentationMeta: () => ({ unit: 'm' }) }
    const result = await run(() => ({ n: 1 }), { output: output as never })
    expect(result).toMatchObject({
      isError: false,
      value: { n: 1 },
      content: text('n is 1'),
      meta: { unit: 'm' },
    })
  })

  it.each([
    ['a value of the wrong type', () => 'x', withOutput({ type: 'number' })],
    ['an undefined property', () => ({ a: undefined }), withOutput({ type: 'object' })],
    ['nothing at all', () => undefined, withOutput({})],
    [
      'a render that throws',
      () => 1,
      withOutput({}, () => {
        throw new Error('render')
      }),
    ],
    ['a render that returns text', () => 1, withOutput({}, () => 'text')],
    ['a render of wrong blocks', () => 1, withOutput({}, () => [{ type: 'text' }])],
  ])('refuse %s', async (_what, body, rest) => {
    const result = await run(body, rest)
    expect(result).toMatchObject({ isError: true, error: { code: 'INVALID_TOOL_OUTPUT' } })
    expect('value' in result).toBe(false)
  })

  it('let a body without a return satisfy a schema whose only value is null', async () => {
    expect(await run(() => undefined, withOutput({ type: 'null' }))).toMatchObject({
      isError: false,
      value: null,
    })
  })

  it('are refused past the result limit', async () => {
    const registry = createToolRegistry({
      tools: [countedTool('work', () => 'x'.repeat(2000))],
      limits: { maxResultBytes: 1000 },
    })
    expect(await registry.execute({ callId: '1', name: 'work' })).toMatchObject({
      error: { code: 'LIMIT_EXCEEDED' },
    })
  })
})

describe('failures of bodies', () => {
  const unprintable = {
    get message(): never {
      throw new Error('again')
    },
    toString() {
      throw new Error('and again')
    },
  }
  it.each([
    ['an error', new Error('boom'), 'boom'],
    ['null', null, 'null'],
    ['undefined', undefined, 'undefined'],
    ['a string', 'plain', 'plain'],
    ['a frozen object', Object.freeze({ message: 'cold' }), 'cold'],
    ['an error with a throwing message', unprintable, 'an error that cannot be shown as text'],
  ])('%s becomes a result', async (_what, thrown, message) => {
    for (const body of [
      () => {
        throw thrown
      },
      () => Promise.reject(thrown),
    ])
      expect(await run(body)).toMatchObject({
        isError: true,
        error: { code: 'TOOL_FAILED', message },
        content: text(`Error: ${message}`),
      })
  })

  it('keep the code, message and details of a ToolgateError', async () => {
    const body = () => {
      throw new ToolgateError('RATE_LIMITED', 'try later', {
        details: { afterMs: 5 },
        cause: new Error('secret'),
      })
    }
    const result = await run(body)
    expect(result).toMatchObject({
      error: { code: 'RATE_LIMITED', message: 'try later', details: { afterMs: 5 } },
    })
    expect(JSON.stringify(result)).not.toContain('secret')
  })

  it('are worded by describeError, which cannot break them', async () => {
    for (const describeError of [
      () => 'worded',
      () => {
        throw new Error('no')
      },
      () => 5 as never,
    ]) {
      const registry = createToolRegistry({
        tools: [
          countedTool('work', () => {
            throw new Error('secret')
          }),
        ],
        describeError,
      })
      const result = await registry.execute({ callId: '1', name: 'work' })
      expect(result).toMatchObject({ isError: true, error: { code: 'TOOL_FAILED' } })
      expect(JSON.stringify(result)).not.toContain('secret')
    }
  })
})

describe('post-execute', () => {
  const post = (decision: unknown): Stages => ({ postExecute: () => decision as never })

  it('replaces content and keeps the value', async () => {
    const result = await run(() => 'secret', {}, [post({ kind: 'accept', content: text('***') })])
    expect(result).toMatchObject({ isError: false, value: 'secret', content: text('***') })
  })

  it('replaces the value, checked and rendered anew', async () => {
    const output = withOutput({ type: 'number' })
    expect(await run(() => 1, output, [post({ kind: 'accept', value: 2 })])).toMatchObject({
      value: 2,
      content: text('2'),
    })
    expect(await run(() => 1, output, [post({ kind: 'accept', value: 'two' })])).toMatchObject({
      error: { code: 'INVALID_TOOL_OUTPUT' },
    })
    expect(await run(() => 1, output, [post({ kind: 'accept', value: undefined })])).toMatchObject({
      error: { code: 'INVALID_TOOL_OUTPUT' },
    })
  })

  it('cannot replace a value by nothing, whatever the tool', async () => {
    const result = await run(() => 'text', {}, [post({ kind: 'accept', value: undefined })])
    expect(result).toMatchObject({ isError: true, error: { code: 'INVALID_TOOL_OUTPUT' } })
  })

  it('cannot turn a failure into a success', async () => {
    const fail = () => {
      throw new Error('boom')
    }
    expect(await run(fail, {}, [post({ kind: 'accept', value: 'fine' })])).toMatchObject({
      error: { code: 'INVALID_DECISION' },
    })
    expect(await run(fail, {}, [post({ kind: 'accept', content: text('fine') })])).toMatchObject({
      isError: true,
      content: text('fine'),
    })
  })

  it('blocks with feedback, dropping value, meta and earlier contexts', async () => {
    const block = post({
      kind: 'block',
      feedback: text('contains a key'),
      additionalContexts: [{ source: 'p', content: text('c') }],
    })
    const body = (_args: unknown, context?: { deferContext(c: unknown): void }) => {
      context?.deferContext({ source: 'b', content: text('deferred') })
      return { content: text('key=1'), meta: { m: 1 } }
    }
    const result = await run(body as () => unknown, {}, [block])
    expect(result).toMatchObject({
      isError: true,
      error: { code: 'BLOCKED', message: 'contains a key' },
      content: text('contains a key'),
      additionalContexts: [{ source: 'p', content: text('c') }],
    })
    expect('meta' in result || 'value' in result).toBe(false)
  })

  it('runs for denials, unknown tools and body failures, and not for unusable calls', async () => {
    const seen: string[] = []
    const watch: Stages = {
      postExecute: (_call, result, next) => (seen.push(result.isError ? result.error.code : 'ok'), next()),
    }
    const deny: Stages = {
      preExecute: (call, next) => (call.name === 'denied' ? { kind: 'deny', reason: 'no' } : next()),
    }
    const fail = countedTool('fails', () => {
      throw new Error('x')
    })
    const registry = createToolRegistry({
      tools: [countedTool('work'), countedTool('denied'), fail],
      stages: [watch, deny],
    })
    for (const name of ['work', 'denied', 'fails', 'ghost']) await registry.execute({ callId: name, name })
    await registry.execute({ callId: '5', name: 'work', arguments: '{' })
    await registry.execute({ callId: '6', name: 'work', signal: AbortSignal.abort() })
    expect(seen).toEqual(['ok', 'DENIED', 'TOOL_FAILED', 'UNKNOWN_TOOL'])
  })

  it('orders contexts: the body’s, the around stage’s, the decision’s', async () => {
    const context = (source: string) => ({ source, content: text(source) })
    const around: Stages = {
      execute: async (_call, next) =>
        ({ ...(await next()), additionalContexts: [context('around')] }) as never,
    }
    const body = (_args: unknown, ctx?: { deferContext(c: unknown): void }) => (
      ctx?.deferContext(context('body')), 'ok'
    )
    const result = await run(body as () => unknown, {}, [
      around,
      post({ kind: 'accept', additionalContexts: [context('post')] }),
    ])
    expect(result.additionalContexts?.map(c => c.source)).toEqual(['body', 'around', 'post'])
  })
})

describe('around stages', () => {
  it('may run the body again, and not at all', async () => {
    let runs = 0
    const flaky = () => {
      if (++runs < 3) throw new Error('flaky')
      return 'third'
    }
    const retry: Stages = {
      execute: async (_call, next) => {
        let result = await next()
        for (let i = 0; i < 5 && result.isError; i++) result = await next()
        return result
      },
    }
    expect(await run(flaky, {}, [retry])).toMatchObject({ isError: false, value: 'third' })
    const tool = countedTool('work', () => 1, withOutput({ type: 'number' }))
    const cached: Stages = {
      execute: async call => ({ callId: call.callId, name: 'x', isError: false, value: 7, content: [] }),
    }
    const registry = createToolRegistry({ tools: [tool], stages: [cached] })
    expect(await registry.execute({ callId: '1', name: 'work' })).toMatchObject({
      callId: '1',
      name: 'work',
      value: 7,
      content: text('7'),
    })
    expect(tool.runs()).toBe(0)
  })

  it('have what they write checked like a tool’s result', async () => {
    const authored = (value: unknown): Stages => ({
      execute: async () => ({ isError: false, value, content: text('lie') }) as never,
    })
    const output = withOutput({ type: 'number' })
    expect(await run(() => 1, output, [authored('nine')])).toMatchObject({
      error: { code: 'INVALID_TOOL_OUTPUT' },
    })
    const failure: Stages = {
      execute: async () =>
        ({
          isError: true,
          error: { code: 'CIRCUIT_OPEN', message: 'later' },
          content: text('later'),
        }) as never,
    }
    expect(await run(() => 1, output, [failure])).toMatchObject({
      isError: true,
      error: { code: 'CIRCUIT_OPEN' },
      content: text('later'),
    })
  })
})

describe('finalizeContent', () => {
  it('has the last word on content, for every outcome, once', async () => {
    let runs = 0
    const finalizeContent = () => (runs++, text('final'))
    expect(await run(() => 'x', { finalizeContent })).toMatchObject({
      isError: false,
      value: 'x',
      content: text('final'),
    })
    expect(
      await run(
        () => {
          throw new Error('x')
        },
        { finalizeContent },
      ),
    ).toMatchObject({ isError: true, content: text('final') })
    expect(runs).toBe(2)
  })

  it('that fails makes a failure of a success, and leaves a failure as it was', async () => {
    const finalizeContent = () => {
      throw new Error('broken')
    }
    expect(await run(() => 'x', { finalizeContent })).toMatchObject({
      isError: true,
      error: { code: 'TOOL_FAILED' },
    })
    const deny: Stages = { preExecute: () => ({ kind: 'deny', reason: 'no' }) }
    expect(await run(() => 'x', { finalizeContent }, [deny])).toMatchObject({
      isError: true,
      error: { code: 'DENIED', message: 'no' },
    })
    expect(await run(() => 'x', { finalizeContent: () => 'text' as never })).toMatchObject({
      error: { code: 'INVALID_TOOL_OUTPUT' },
    })
  })
})
