import { createToolRegistry, type Stages } from 'toolgate'
import { expectBatch, fakeTool, gate, recordingApprover, scriptedModel } from 'toolgate/testing'
import { describe, expect, test } from 'vitest'

const ask: Stages = { preExecute: () => ({ kind: 'ask', reason: 'it may harm' }) }

describe('fakeTool', () => {
  test('answers a value, as text or as JSON, and keeps what it was called with', async () => {
    const text = fakeTool('text', 'hello')
    const data = fakeTool('data', { rows: [1, null] })
    const registry = createToolRegistry({ tools: [text, data, fakeTool('plain')] })
    const first = await registry.execute({ callId: 'a', name: 'text', arguments: { q: 'x' } })
    const second = await registry.execute({ callId: 'b', name: 'data' })
    const third = await registry.execute({ callId: 'c', name: 'plain' })
    expect([first, second, third]).toMatchObject([
      { value: 'hello', content: [{ type: 'text', text: 'hello' }] },
      { value: { rows: [1, null] }, content: [{ type: 'text', text: '{"rows":[1,null]}' }] },
      { value: 'done' },
    ])
    expect(text.calls.map(call => [call.arguments, call.context.callId])).toEqual([[{ q: 'x' }, 'a']])
    expect([text.runs(), data.runs()]).toEqual([1, 1])
  })

  test('answers by a function of the arguments, the context and the number of the call', async () => {
    const tool = fakeTool('flaky', ({ n }: { n: number }, { name }, index) => {
      if (index === 0) throw new Error('busy')
      return [n, name, index]
    })
    const registry = createToolRegistry({ tools: [tool] })
    const run = (n: number) => registry.execute({ callId: `${n}`, name: 'flaky', arguments: { n } })
    expect(await run(1)).toMatchObject({ isError: true, error: { code: 'TOOL_FAILED' } })
    expect(await run(2)).toMatchObject({ value: [2, 'flaky', 1] })
  })

  test('does not count a call that was refused', async () => {
    const tool = fakeTool('guarded')
    const registry = createToolRegistry({ tools: [tool], stages: [{ guard: () => 'no' }] })
    expect(await registry.execute({ callId: 'a', name: 'guarded' })).toMatchObject({ isError: true })
    expect([tool.runs(), tool.calls]).toEqual([0, []])
  })

  test('takes other parts of a definition', async () => {
    const execute = () => 'never'
    const tool = fakeTool('safe', 1, { description: 'Mine.', isConcurrencySafe: () => true, execute })
    const registry = createToolRegistry({ tools: [tool] })
    expect(registry.get('safe')?.description).toBe('Mine.')
    expect(registry.executionMode({ callId: 'a', name: 'safe' })).toEqual({ kind: 'parallel' })
    // The body is the fake's own: it is what is counted.
    expect(await registry.execute({ callId: 'a', name: 'safe' })).toMatchObject({ value: 1 })
  })
})

describe('recordingApprover', () => {
  test('allows by default, and keeps what it was asked', async () => {
    const approve = recordingApprover()
    const tool = fakeTool('delete')
    const registry = createToolRegistry({ tools: [tool], stages: [ask], approve })
    await registry.execute({ callId: 'a', name: 'delete', arguments: { path: 'x' } })
    expect(approve.requests).toMatchObject([
      { toolName: 'delete', arguments: { path: 'x' }, reason: 'it may harm' },
    ])
    expect(tool.runs()).toBe(1)
  })

  test('gives the answers of a list in turn, and is unavailable after them', async () => {
    const approve = recordingApprover(['allowed-once', { outcome: 'rejected', reason: 'enough' }])
    const tool = fakeTool('delete')
    const registry = createToolRegistry({ tools: [tool], stages: [ask], approve })
    const codes: unknown[] = []
    for (const callId of ['a', 'b', 'c']) {
      const result = await registry.execute({ callId, name: 'delete' })
      codes.push(result.isError ? result.error.code : 'ran')
    }
    expect(codes).toEqual(['ran', 'APPROVAL_REJECTED', 'APPROVAL_UNAVAILABLE'])
    expect([tool.runs(), approve.requests.length]).toEqual([1, 3])
  })

  test('answers by a function', async () => {
    const approve = recordingApprover(async ({ toolName }, index) =>
      toolName === 'a' && index === 0 ? 'allowed-once' : 'cancelled',
    )
    const tools = [fakeTool('a'), fakeTool('b')]
    const registry = createToolRegistry({ tools, stages: [ask], approve })
    expect(await registry.execute({ callId: '1', name: 'a' })).toMatchObject({ isError: false })
    expect(await registry.execute({ callId: '2', name: 'b' })).toMatchObject({
      error: { code: 'APPROVAL_CANCELLED' },
    })
    expect(tools.map(tool => tool.runs())).toEqual([1, 0])
  })
})

describe('a slip in an answer of recordingApprover', () => {
  test.each([
    ['allowed', '"allowed" is no outcome; there are allowed-once, rejected, cancelled, unavailable'],
    [{ outcome: 'yes' }, '"yes" is no outcome'],
    [['allowed-once', 'no'], '"no" is no outcome'],
    [true, 'a value of type boolean is no outcome'],
    [null, 'a value of type object is no outcome'],
    [{ kind: 'allow' }, 'a value of type undefined is no outcome'],
  ])('is told at once: %j', (answers, message) => {
    expect(() => recordingApprover(answers as never)).toThrow(message)
  })

  test('is the approver of a test of it, where a function makes it', async () => {
    const tool = fakeTool('delete')
    const approve = recordingApprover((() => 'allowed') as never)
    const registry = createToolRegistry({ tools: [tool], stages: [ask], approve })
    expect(await registry.execute({ callId: 'a', name: 'delete' })).toMatchObject({
      error: { code: 'APPROVAL_UNAVAILABLE' },
    })
    expect(tool.runs()).toBe(0)
  })
})

describe('a slip in a script', () => {
  test.each([
    [undefined, 'turn 1 of the script is no turn: it must be an object with calls, text or both'],
    ['hello', 'turn 1 of the script is no turn'],
    [[{ name: 'a' }], 'turn 1 of the script is no turn'],
    [{ call: [{ name: 'a' }] }, 'turn 1 of the script has "call", and a turn has calls and text'],
    [{ calls: { name: 'a' } }, 'turn 1 of the script has calls that are no list'],
    [{ text: 5 }, 'turn 1 of the script has text that is none'],
    [() => undefined, 'turn 1 of the script is no turn'],
    [async () => ({ calls: [] }), 'turn 1 of the script is a promise'],
  ])('is told when it is its turn: %j', async (turn, message) => {
    const registry = createToolRegistry({ tools: [fakeTool('a')] })
    expect(() => scriptedModel([turn as never]).next()).toThrow(message)
    await expect(scriptedModel([turn as never]).play(registry)).rejects.toThrow(message)
  })

  test('is told where there is no script', () => {
    expect(() => scriptedModel({ calls: [] } as never)).toThrow('the script must be a list of turns')
  })

  test('that has ended is told by play as by next: a test that plays nothing must not pass', async () => {
    const registry = createToolRegistry({ tools: [fakeTool('a')] })
    const model = scriptedModel([{ text: 'Done.' }])
    await model.play(registry)
    await expect(model.play(registry)).rejects.toThrow('the script has 1 turns, and they are over')
    expect(() => model.next()).toThrow('the script has 1 turns, and they are over')
  })
})

describe('scriptedModel', () => {
  test('plays its turns as batches, parallel calls at once, and makes calls of results', async () => {
    const both = gate()
    let open = 0
    const search = fakeTool(
      'search',
      async ({ q }: { q: string }) => {
        open += 1
        if (open === 2) both.open()
        await both.opened
        return `found ${q}`
      },
      { isConcurrencySafe: () => true },
    )
    const read = fakeTool('read', ({ what }: { what: string }) => what.toUpperCase())
    const registry = createToolRegistry({ tools: [search, read] })
    const model = scriptedModel([
      {
        text: 'Let me look.',
        calls: [
          { name: 'search', arguments: { q: 'a' } },
          { name: 'search', arguments: '{"q":"b"}' },
        ],
      },
      results => ({
        calls: results.map(result => ({
          name: 'read',
          arguments: { what: result.isError ? '' : result.value },
        })),
      }),
      { text: 'Done.' },
    ])
    const turns = await model.play(registry)
    expect(turns.map(turn => turn.calls.map(call => call.callId))).toEqual([
      ['call_1_1', 'call_1_2'],
      ['call_2_1', 'call_2_2'],
      [],
    ])
    expect(turns.map(turn => turn.results.map(result => !result.isError && result.value))).toEqual([
      ['found a', 'found b'],
      ['FOUND A', 'FOUND B'],
      [],
    ])
    expect(turns.map(turn => turn.text)).toEqual(['Let me look.', '', 'Done.'])
    expect(turns[0]?.presented).toEqual(['search', 'read'])
    expect(model.left).toBe(0)
  })

  test('stops where a result concludes the turn, and goes on when it is played again', async () => {
    const finish = fakeTool('finish', (_args, context) => {
      context.concludeTurn()
      return 'bye'
    })
    const registry = createToolRegistry({ tools: [finish] })
    const model = scriptedModel([{ calls: [{ name: 'finish' }] }, { text: 'Later.' }])
    expect((await model.play(registry)).length).toBe(1)
    expect(model.left).toBe(1)
    expect((await model.play(registry)).map(turn => turn.text)).toEqual(['Later.'])
  })

  test('drives a loop of your own, and says when the script is over', () => {
    const model = scriptedModel([{ calls: [{ name: 'a', callId: 'mine' }] }])
    expect(model.next()).toEqual({ text: '', calls: [{ name: 'a', callId: 'mine' }] })
    expect(() => model.next()).toThrow('the script has 1 turns, and they are over')
  })

  test('does not take a surface that loses a result', async () => {
    const surface = { present: () => ({ tools: [] }), executeAll: async () => [] }
    await expect(scriptedModel([{ calls: [{ name: 'a' }] }]).play(surface)).rejects.toThrow(
      'number of results: expected 1, got 0',
    )
  })

  test('works in a scope and in Code Mode', async () => {
    const { quickJsRuntime } = await import('toolgate/quickjs')
    const add = fakeTool('add', ({ a, b }: { a: number; b: number }) => a + b)
    const registry = createToolRegistry({ tools: [add], mode: 'code', codeRuntime: quickJsRuntime() })
    const code = 'return await tools.add({ a: 1, b: 2 })'
    const model = scriptedModel([
      { calls: [{ name: 'run_code', arguments: { code, description: 'Add two numbers' } }] },
    ])
    const [turn] = await model.play(registry.createScope({ id: 'child' }))
    expect(turn).toMatchObject({ presented: ['run_code'], results: [{ value: { logs: [], result: 3 } }] })
    expect(add.runs()).toBe(1)
    await registry.dispose()
  })
})

describe('expectBatch', () => {
  const ok = (callId: string, name = 'a') => ({ callId, name, isError: false })
  const inputs = [
    { callId: '1', name: 'a' },
    { callId: '2', name: 'a' },
  ] as Parameters<typeof expectBatch>[0]

  test('takes one result for each call, in order', () => {
    expect(() => expectBatch(inputs, [ok('1'), ok('2')])).not.toThrow()
  })

  test.each([
    ['one too few', [ok('1')], /number of results/],
    ['one too many', [ok('1'), ok('2'), ok('2')], /number of results/],
    ['another order', [ok('2'), ok('1')], /id of result 0/],
    ['one of them twice', [ok('1'), ok('1')], /id of result 1/],
    ['another name', [ok('1'), ok('2', 'b')], /name of result 1/],
    ['a hole', [ok('1'), undefined as never], /result 1/],
  ])('refuses %s', (_what, results, message) => {
    expect(() => expectBatch(inputs, results)).toThrow(message)
  })

  test('refuses what is no list', () => {
    expect(() => expectBatch(inputs, undefined as never)).toThrow('the results must be a list')
  })

  test('shows two long values where they begin to differ', async () => {
    const ids = (last: string) => [...Array.from({ length: 200 }, (_, i) => `call-${i}`), last]
    const same = (callIds: readonly string[]) =>
      callIds.map(callId => ({ callId, name: 'a' })) as typeof inputs
    expect(() =>
      expectBatch(
        same(ids('x')),
        same(ids('x')).map(({ callId }) => ok(callId)),
      ),
    ).not.toThrow()
    const long = (end: string) =>
      [{ callId: `${'x'.repeat(1000)}${end}`, name: 'a' }] as unknown as typeof inputs
    const results = long('b').map(({ callId }) => ok(callId))
    expect(() => expectBatch(long('a'), results)).toThrow(/expected …x+a".* got …x+b"/)
  })

  test('refuses an id that was made twice', () => {
    const nameless = [{ name: 'a' }, { name: 'a' }] as unknown as typeof inputs
    expect(() => expectBatch(nameless, [ok('x'), ok('y')])).not.toThrow()
    expect(() => expectBatch(nameless, [ok('x'), ok('x')])).toThrow('result 1 has the id of another')
  })
})
