/**
 * Stages around the body. The lines are in docs/behaviours/registry-and-scopes.md. Decided otherwise:
 * - PIPE-08 a content tool has no `render`: the content that a wrapper wrote is what the value is made of.
 * - PIPE-09 a failure without `error.code` and `error.message` is `INVALID_DECISION`.
 * - PIPE-12 a wrapper without a result is `INVALID_DECISION`, in words of our own.
 * - PIPE-24 every result is frozen before anybody sees it, failures too.
 */
import { createToolRegistry, type Stages, type ToolDefinition, type ToolExecutionResult } from 'toolgate'
import { describe, expect, it } from 'vitest'
import { countedTool, isDeepFrozen } from '../support/tools.js'

const text = (value: string) => [{ type: 'text' as const, text: value }]
const number: Partial<ToolDefinition> = {
  output: { schema: { type: 'number' }, render: (_args, value) => text(`number ${value}`) },
}
const around = (execute: NonNullable<Stages['execute']>): Stages => ({ name: 'wrapper', execute })
const call = { callId: '1', name: 't' }
const revoked = (): object => {
  const { proxy, revoke } = Proxy.revocable({}, {})
  revoke()
  return proxy
}
const run = async (tool: ToolDefinition, ...stages: Stages[]) =>
  createToolRegistry({ tools: [tool], stages }).execute(call)

describe('a wrapper', () => {
  it('sees failures as results, never as throws (PIPE-05)', async () => {
    const seen: string[] = []
    const watch = around(async (_call, next) => {
      const result = await next()
      seen.push(result.isError ? result.error.code : 'ok')
      return result
    })
    const thrower = countedTool('t', () => {
      throw new Error('boom')
    })
    const registry = createToolRegistry({ tools: [thrower, countedTool('fine')], stages: [watch] })
    for (const name of ['t', 'ghost', 'fine']) await registry.execute({ ...call, name })
    expect(seen).toEqual(['TOOL_FAILED', 'UNKNOWN_TOOL', 'ok'])
  })

  it('may answer for the body, which then does not run (PIPE-06)', async () => {
    const tool = countedTool('t', () => 1, number)
    const cached = around(
      async ({ callId, name }) => ({ callId, name, isError: false, value: 7, content: [] }) as never,
    )
    expect(await run(tool, cached)).toMatchObject({ isError: false, value: 7, content: text('number 7') })
    expect(tool.runs()).toBe(0)
  })

  it('may say more of a result in its meta; value and content that it took over are not made again (PIPE-08)', async () => {
    let made = 0
    const output: ToolDefinition['output'] = {
      schema: { type: 'object' },
      render: () => text(`made ${++made}`),
      presentationMeta: () => ({ rows: 2 }),
    }
    const tool = countedTool('t', () => ({ a: 1 }), { output })
    const noting = (note: object) =>
      around(async (_call, next) => {
        const result = await next()
        return { ...result, meta: { ...result.meta, ...note } } as ToolExecutionResult
      })
    const result = await run(tool, noting({ outer: true }), noting({ inner: true }))
    expect(result).toMatchObject({ value: { a: 1 }, content: text('made 1'), isError: false })
    expect([result.meta, isDeepFrozen(result)]).toEqual([{ rows: 2, inner: true, outer: true }, true])
    const failed = await run(countedTool('other'), noting({ outer: true }))
    expect(failed).toMatchObject({ error: { code: 'UNKNOWN_TOOL' }, meta: { outer: true } })
  })

  it('keeps what it says in meta beside what the tool says of a new value (PIPE-08)', async () => {
    const output: ToolDefinition['output'] = {
      schema: { type: 'number' },
      render: (_args, value) => text(`number ${value}`),
      presentationMeta: (_args, value) => ({ twice: Number(value) * 2 }),
    }
    const other = around(async (_call, next) => {
      const result = await next()
      return { ...result, value: 5, meta: { ...result.meta, cached: true } } as ToolExecutionResult
    })
    expect(
      await run(
        countedTool('t', () => 1, { output }),
        other,
      ),
    ).toMatchObject({
      value: 5,
      content: text('number 5'),
      meta: { twice: 10, cached: true },
    })
  })

  it.each([
    ['no object', () => 7],
    ['not JSON', () => ({ at: new Date(0) })],
    ['what cannot be read', revoked],
  ])('whose meta is %s gives no usable answer (PIPE-12)', async (_what, metaOf) => {
    const result = await run(
      countedTool('t'),
      around(async (_call, next) => ({ ...(await next()), meta: metaOf() }) as never),
    )
    expect(result).toMatchObject({ error: { code: 'INVALID_DECISION' } })
  })

  it.each(['token', 'callId', 'rootCallId', 'name', 'arguments', 'scope', 'caller', 'parent'])(
    'cannot change %s of its call (PIPE-07)',
    async field => {
      const tool = countedTool('t')
      const result = await run(
        tool,
        around((given, next) => {
          Object.assign(given, { [field]: 'other' })
          return next()
        }),
      )
      expect(result).toMatchObject({ callId: '1', name: 't', error: { code: 'STAGE_FAILED' } })
      expect(tool.runs()).toBe(0)
    },
  )

  it('may change the signal of its call, for what it wraps (PIPE-07)', async () => {
    const controller = new AbortController()
    const replace = around((given, next) => {
      given.signal = controller.signal
      return next()
    })
    const seen: AbortSignal[] = []
    const tool = countedTool('t', (_args, { signal }) => {
      controller.abort('by the wrapper')
      seen.push(signal)
      return 'late'
    })
    const watch = around(async (given, next) => {
      const result = await next()
      seen.push(given.signal)
      return result
    })
    expect(await run(tool, watch, replace)).toMatchObject({ error: { code: 'ABORTED' } })
    expect(seen.map(signal => signal.aborted)).toEqual([true, false])
    expect(seen[0]?.reason).toBe('by the wrapper')
  })

  it('that writes a success has it made anew: checked, and shown as the tool shows it (PIPE-08)', async () => {
    const author = (value: unknown) =>
      around(async () => ({ isError: false, value, content: text('a lie'), meta: { cached: true } }) as never)
    const tool = countedTool('t', () => 1, number)
    const made = await run(tool, author(9))
    expect(made).toMatchObject({ value: 9, content: text('number 9') })
    expect(made.meta).toEqual({ cached: true })
    expect(await run(tool, author('nine'))).toMatchObject({ error: { code: 'INVALID_TOOL_OUTPUT' } })
    expect(await run(tool, author(Number.NaN))).toMatchObject({ error: { code: 'INVALID_TOOL_OUTPUT' } })
    expect(tool.runs()).toBe(0)
    const contentTool = countedTool('t')
    expect(await run(contentTool, author('value'))).toMatchObject({ value: 'a lie', content: text('a lie') })
    expect(contentTool.runs()).toBe(0)
  })

  it('that writes a failure keeps what it says of it, and must say what it is (PIPE-09)', async () => {
    const contexts = [{ source: 'breaker', content: text('try later') }]
    const error = { code: 'CIRCUIT_OPEN', name: 'CircuitError', message: 'open', details: { afterMs: 5 } }
    const failure = {
      isError: true,
      error,
      content: text('busy'),
      meta: { open: true },
      additionalContexts: contexts,
    }
    const tool = countedTool('t')
    expect(
      await run(
        tool,
        around(async () => failure as never),
      ),
    ).toEqual({ callId: '1', name: 't', ...failure })
    for (const bad of [undefined, {}, { code: 'X' }, { message: 'no code' }, { code: '', message: 'm' }])
      expect(
        await run(
          tool,
          around(async () => ({ ...failure, error: bad }) as never),
        ),
      ).toMatchObject({
        error: { code: 'INVALID_DECISION' },
      })
    expect(tool.runs()).toBe(0)
  })

  it('that passes on another call’s result has it checked like its own (PIPE-10)', async () => {
    const results: ToolExecutionResult[] = []
    const replay = around(async ({ name }, next) => {
      if (name === 'source') {
        const result = await next()
        results.push(result)
        return result
      }
      return results[0] as ToolExecutionResult
    })
    const registry = createToolRegistry({
      tools: [
        countedTool('source', () => 5, number),
        countedTool('same', () => 1, {
          output: { schema: { type: 'number' }, render: (_args, value) => text(`as same: ${value}`) },
        }),
        countedTool('different', () => 'x', { output: { schema: { type: 'string' }, render: () => [] } }),
      ],
      stages: [replay],
    })
    await registry.execute({ ...call, name: 'source' })
    expect(await registry.execute({ callId: '2', name: 'same' })).toMatchObject({
      callId: '2',
      name: 'same',
      value: 5,
      content: text('as same: 5'),
    })
    expect(await registry.execute({ callId: '3', name: 'different' })).toMatchObject({
      error: { code: 'INVALID_TOOL_OUTPUT' },
    })
  })

  it('may go on again: the body runs again, and what it deferred adds up (PIPE-11)', async () => {
    const tool = countedTool('t', (_args, context) => {
      context.deferContext({ source: `attempt ${tool.runs()}`, content: [] })
      if (tool.runs() < 3) throw new Error('flaky')
      return 'third'
    })
    const retry = around(async (_call, next) => {
      let result = await next()
      while (result.isError) result = await next()
      return result
    })
    const result = await run(tool, retry)
    expect(result).toMatchObject({ isError: false, value: 'third' })
    expect(result.additionalContexts?.map(context => context.source)).toEqual([
      'attempt 1',
      'attempt 2',
      'attempt 3',
    ])
    expect(tool.runs()).toBe(3)
  })

  it.each([undefined, null, 'done', 5, [], {}, { isError: 'no' }])(
    'that answers %j has no result to give, and the model reads nothing of the engine’s (PIPE-12)',
    async answer => {
      const tool = countedTool('t')
      const result = await run(
        tool,
        around(async () => answer as never),
      )
      expect(result).toMatchObject({ isError: true, error: { code: 'INVALID_DECISION' } })
      expect(JSON.stringify(result.content)).toMatch(/wrapper/)
      expect(JSON.stringify(result)).not.toMatch(/TypeError|Cannot|undefined \(/)
      expect(tool.runs()).toBe(0)
    },
  )

  it('gets nothing that it could change: successes, failures and denials are frozen (PIPE-24)', async () => {
    const frozen: boolean[] = []
    const see = (result: ToolExecutionResult): void => {
      frozen.push(isDeepFrozen(result))
    }
    const watch: Stages = {
      execute: async (_call, next) => {
        const result = await next()
        see(result)
        return result
      },
      postExecute: (_call, result, next) => (see(result), next()),
    }
    const fail = countedTool('fails', () => {
      throw new Error('boom')
    })
    const registry = createToolRegistry({
      tools: [
        countedTool('t', () => ({ content: text('x'), meta: { a: [1] } })),
        fail,
        countedTool('denied'),
      ],
      stages: [watch, { guard: ({ name }) => (name === 'denied' ? 'no' : undefined) }],
    })
    for (const name of ['t', 'fails', 'ghost', 'denied']) await registry.execute({ ...call, name })
    expect(frozen).toEqual(Array(7).fill(true))
  })
})
