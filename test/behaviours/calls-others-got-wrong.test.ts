/**
 * Group E of the calls on which other libraries failed: results and errors. Groups A, G and P are in the files beside, and E10
 * is in test/policies/result-budget.test.ts. With later work come: of E4 tools that somebody else runs.
 */
import { createToolRegistry, defineTool, type ToolExecutionResult } from 'toolgate'
import { describe, expect, it } from 'vitest'
import { countedTool, gate, isDeepFrozen, settle } from '../support/tools.js'

const codeOf = (result: ToolExecutionResult | undefined): string =>
  result === undefined ? 'none' : result.isError ? result.error.code : 'ok'
const messageOf = (result: ToolExecutionResult): string => (result.isError ? result.error.message : '')
const text = (value: string) => [{ type: 'text', text: value }]

describe('results and errors', () => {
  const unreadable = Object.defineProperty(new Error(), 'message', {
    get() {
      throw new Error('again')
    },
  })
  const revoked = Proxy.revocable({}, {})
  revoked.revoke()
  it.each([
    ['an error', new Error('boom'), 'boom'],
    ['null', null, 'null'],
    ['undefined', undefined, 'undefined'],
    ['a text', 'plain', 'plain'],
    ['a number', 42, '42'],
    ['a frozen object', Object.freeze({ message: 'cold' }), 'cold'],
    ['an object without prototype', Object.create(null), 'an error that cannot be shown as text'],
    ['an error whose message throws', unreadable, 'an error that cannot be shown as text'],
    ['a revoked proxy', revoked.proxy, 'an error that cannot be shown as text'],
    ['a promise', Promise.resolve(1), '[object Promise]'],
  ])('a body that throws %s is a result, and the loop goes on (E1)', async (_what, thrown, message) => {
    const bodies = [
      () => {
        throw thrown
      },
      () => Promise.reject(thrown),
      async () => {
        await settle()
        throw thrown
      },
    ]
    for (const body of bodies) {
      const registry = createToolRegistry({ tools: [countedTool('fails', body), countedTool('works')] })
      const results = await registry.executeAll(['fails', 'works'].map(name => ({ callId: name, name })))
      expect(results).toMatchObject([
        { isError: true, error: { code: 'TOOL_FAILED', message }, content: text(`Error: ${message}`) },
        { isError: false, value: 'done' },
      ])
      expect(isDeepFrozen(results)).toBe(false)
      expect(results.every(isDeepFrozen)).toBe(true)
    }
  })

  it.each([
    [
      'throws',
      () => {
        throw new Error('observer')
      },
    ],
    ['rejects', () => Promise.reject(new Error('observer'))],
    ['rejects with nothing', () => Promise.reject()],
    [
      'returns a thenable that throws',
      () => ({
        then() {
          throw new Error('observer')
        },
      }),
    ],
    ['never answers', () => new Promise(() => {})],
    [
      'changes the result',
      (_call: unknown, result: { content: unknown }) => {
        result.content = []
      },
    ],
  ])('an observer that %s changes no result (E2)', async (_what, observe) => {
    const heard: string[] = []
    const registry = createToolRegistry({
      tools: [countedTool('work')],
      stages: [
        { onResult: observe as never },
        { onResult: (_call, result) => heard.push(`stage ${codeOf(result)}`) },
      ],
    })
    registry.on('result', (({ call, result }: { call: unknown; result: never }) =>
      observe(call, result)) as never)
    registry.on('result', ({ result }) => heard.push(`event ${codeOf(result)}`))
    const result = await registry.execute({ callId: '1', name: 'work' })
    expect(result).toEqual({
      callId: '1',
      name: 'work',
      isError: false,
      value: 'done',
      content: text('done'),
    })
    expect(heard).toEqual(['stage ok', 'event ok'])
    await settle()
  })

  it('a tool without a body cannot be registered, and a call to one that is elsewhere has its result (E4)', async () => {
    const { execute: _, ...bodyless } = countedTool('manual')
    const registry = createToolRegistry({ tools: [countedTool('work')] })
    expect(() => registry.register(bodyless as never)).toThrow(
      expect.objectContaining({ code: 'INVALID_TOOL' }),
    )
    const results = await registry.executeAll(
      ['work', 'manual', 'work'].map((name, i) => ({ callId: `${i}`, name })),
    )
    expect(results.map(result => [result.callId, codeOf(result)])).toEqual([
      ['0', 'ok'],
      ['1', 'UNKNOWN_TOOL'],
      ['2', 'ok'],
    ])
  })

  it.each([
    ['one after the other', {}],
    ['at the same time', { isConcurrencySafe: () => true }],
  ])(
    'a batch of calls %s that is aborted in its middle has all its results in order (E5)',
    async (_how, more) => {
      const controller = new AbortController()
      const held = gate()
      const hold = async (_args: unknown, { signal }: { signal: AbortSignal }) => {
        signal.addEventListener('abort', () => held.open())
        await held.promise
        return 'ok'
      }
      const slow = countedTool('slow', hold, more)
      const registry = createToolRegistry({
        tools: [countedTool('fast', () => 'ok', more), slow],
        maxParallelCalls: 2,
      })
      const names = ['fast', 'slow', 'slow', 'fast', 'slow', 'fast']
      const pending = registry.executeAll(
        names.map((name, i) => ({ callId: `${i}`, name })),
        { signal: controller.signal },
      )
      await settle()
      controller.abort()
      const results = await pending
      expect(results.map(result => result.callId)).toEqual(['0', '1', '2', '3', '4', '5'])
      expect(codeOf(results[0])).toBe('ok')
      expect(codeOf(results[1])).toBe('ABORTED')
      expect(results.slice(3).map(codeOf)).toEqual(Array(3).fill('ABORTED_BEFORE_DISPATCH'))
      expect(slow.runs()).toBeLessThanOrEqual(2)
    },
  )

  it.each([
    ['undefined', undefined, 'ok', 'INVALID_TOOL_OUTPUT', 'ok'],
    ['null', null, 'ok', 'INVALID_TOOL_OUTPUT', 'ok'],
    ['a symbol', Symbol('x'), 'INVALID_TOOL_OUTPUT', 'INVALID_TOOL_OUTPUT', 'INVALID_TOOL_OUTPUT'],
    ['a function', () => 1, 'INVALID_TOOL_OUTPUT', 'INVALID_TOOL_OUTPUT', 'INVALID_TOOL_OUTPUT'],
    ['a BigInt', 1n, 'INVALID_TOOL_OUTPUT', 'INVALID_TOOL_OUTPUT', 'INVALID_TOOL_OUTPUT'],
    ['NaN', Number.NaN, 'INVALID_TOOL_OUTPUT', 'INVALID_TOOL_OUTPUT', 'INVALID_TOOL_OUTPUT'],
    [
      'an object of undefined',
      { a: undefined },
      'INVALID_TOOL_OUTPUT',
      'INVALID_TOOL_OUTPUT',
      'INVALID_TOOL_OUTPUT',
    ],
  ])(
    'a body that returns %s breaks no serialisation (E6)',
    async (_what, returned, content, object, nothing) => {
      const render = () => []
      const make = (name: string, schema?: object) =>
        countedTool(name, () => returned, schema ? { output: { schema, render } } : {})
      const registry = createToolRegistry({
        tools: [make('content'), make('object', { type: 'object' }), make('null', { type: 'null' })],
      })
      const results = await registry.executeAll(
        ['content', 'object', 'null'].map(name => ({ callId: name, name })),
      )
      expect(results.map(codeOf)).toEqual([content, object, nothing])
      expect(JSON.parse(JSON.stringify(results))).toEqual(results)
      if (content === 'ok') expect(results[0]).toMatchObject({ value: '', content: text('(no output)') })
      if (nothing === 'ok') expect(results[2]).toMatchObject({ value: null })
    },
  )

  it('every wrong field is told, with its path and what was expected and received (E8)', async () => {
    let runs = 0
    const parameters = {
      path: { type: 'string', required: true },
      limit: { type: 'integer', required: true },
      mode: { type: 'string', enum: ['read', 'write'], required: true },
      auth: { type: 'string', required: true },
    } as const
    const raw = {
      type: 'object',
      properties: {
        path: { type: 'string' },
        limit: { type: 'integer' },
        mode: { enum: ['read', 'write'] },
        auth: { type: 'string' },
      },
      required: ['path', 'limit', 'mode', 'auth'],
    }
    const typed = defineTool({ name: 'typed', description: '', parameters, execute: () => String(++runs) })
    const plain = countedTool('plain', () => String(++runs), { parameters: raw, validateArguments: true })
    const registry = createToolRegistry({ tools: [typed, plain] })
    for (const name of ['typed', 'plain']) {
      const given = { path: 5, limit: 'many', mode: 'append', auth: { token: 'hunter2' } }
      const result = await registry.execute({ callId: '1', name, arguments: given })
      expect(codeOf(result)).toBe('INVALID_ARGS')
      const { violations } = (result.isError && result.error.details) as {
        violations: { path: string; message: string }[]
      }
      expect(violations.map(({ path }) => path).toSorted()).toEqual(['auth', 'limit', 'mode', 'path'])
      for (const [words, path] of [
        [['string', '5'], 'path'],
        [['integer', 'many'], 'limit'],
        [['read', 'write', 'append'], 'mode'],
        [['string', 'object'], 'auth'],
      ] as const) {
        const { message } = violations.find(violation => violation.path === path) as { message: string }
        for (const word of [path, ...words]) expect(message).toContain(word)
        expect(messageOf(result)).toContain(message)
      }
      expect(JSON.stringify(result)).not.toContain('hunter2')
    }
    expect(runs).toBe(0)
  })

  const FIVE_MB = 'x'.repeat(5 * 1024 * 1024)
  it.each([
    ['a text of 5 MB', FIVE_MB, {}],
    ['a text of 5 MB deep inside', { a: [{ b: FIVE_MB }] }, { output: { schema: {}, render: () => [] } }],
    [
      'a list of a million',
      Array.from({ length: 1_000_000 }, () => 1),
      { output: { schema: {}, render: () => [] } },
    ],
    ['a short value that is shown at length', 1, { output: { schema: {}, render: () => text(FIVE_MB) } }],
    [
      'meta of 5 MB',
      1,
      { output: { schema: {}, render: () => [], presentationMeta: () => ({ all: FIVE_MB }) } },
    ],
    ['content of 5 MB', { content: text(FIVE_MB) }, {}],
  ])('%s is refused past the cap, in a short text, and whole below it (E10)', async (_what, value, more) => {
    const tool = countedTool('work', () => value, more as never)
    const capped = createToolRegistry({ tools: [tool], limits: { maxResultBytes: 1024 * 1024 } })
    const refused = await capped.execute({ callId: '1', name: 'work' })
    expect(codeOf(refused)).toBe('LIMIT_EXCEEDED')
    expect(JSON.stringify(refused).length).toBeLessThan(1_000)
    const whole = await createToolRegistry({ tools: [tool] }).execute({ callId: '1', name: 'work' })
    expect(codeOf(whole)).toBe('ok')
    expect(JSON.stringify(whole).length).toBeGreaterThan(1024 * 1024)
  })
})
