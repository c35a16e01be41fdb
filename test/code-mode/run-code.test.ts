import { type CodeRuntime, createToolRegistry, defineTool, type Stages } from 'toolgate'
import { quickJsRuntime } from 'toolgate/quickjs'
import { describe, expect, it } from 'vitest'
import { countedTool, gate, settle } from '../support/tools.js'

const add = defineTool({
  name: 'add',
  description: 'Adds two numbers.',
  parameters: { a: { type: 'number', required: true }, b: { type: 'number', required: true } },
  output: { schema: { type: 'number' }, render: (_args, value) => [{ type: 'text', text: String(value) }] },
  isConcurrencySafe: () => true,
  execute: ({ a, b }) => a + b,
})
const runtime = quickJsRuntime()
const setup = (options: Parameters<typeof createToolRegistry>[0] = {}) =>
  createToolRegistry({ tools: [add], mode: 'code', codeRuntime: runtime, ...options })
const program = (code: string, callId = 'outer') => ({
  callId,
  name: 'run_code',
  arguments: { code, description: 'Try something out' },
})

describe('a program', () => {
  it('calls tools and returns what it chose', async () => {
    const registry = setup()
    const result = await registry.execute(
      program('const sum: number = await tools.add({ a: 1, b: 2 })\nconsole.log("sum", sum)\nreturn { sum }'),
    )
    expect(result).toMatchObject({ isError: false, value: { logs: ['sum 3'], result: { sum: 3 } } })
    expect(result.content).toEqual([{ type: 'text', text: 'sum 3\n{\n  "sum": 3\n}' }])
  })

  it.each([
    ['undefined', 'return undefined', { logs: [] }],
    ['null', 'return null', { logs: [], result: null }],
    ['0', 'return 0', { logs: [], result: 0 }],
    ["''", "return ''", { logs: [], result: '' }],
    [
      'a nested async function',
      'return await (async () => ({ ok: true }))()',
      { logs: [], result: { ok: true } },
    ],
  ])('that returns %s has it for its value', async (_what, code, value) => {
    const result = await setup().execute(program(code))
    expect(result.isError ? result.error : result.value).toEqual(value)
  })

  it.each([
    ["return ''", '(the program returned an empty text)'],
    ["console.log('a'); return ''", 'a\n(the program returned an empty text)'],
    ["console.log('')", '(the program printed empty lines and returned nothing)'],
    ["console.log(''); console.log('\\n')", '(the program printed empty lines and returned nothing)'],
    ["console.log(''); return 1", '1'],
    ["console.log(''); console.log('a')", '\na'],
    ['', '(the program returned nothing and printed nothing; return the value you need)'],
  ])('%j reads as %j', async (code, text) => {
    const result = await setup().execute(program(`const nothing = 0; ${code}`))
    expect(result.content).toEqual([{ type: 'text', text }])
  })

  it('reaches tools through the whole pipeline: policy, approval and events of each call', async () => {
    const asked: string[] = []
    const events: string[] = []
    const policy: Stages = {
      preExecute: ({ name }, next) => (name === 'write' ? { kind: 'ask' } : next()),
      guard: ({ name }) => (name === 'danger' ? 'never from here' : undefined),
    }
    const danger = countedTool('danger')
    const registry = setup({
      tools: [add, countedTool('write', () => 'written'), danger],
      stages: [policy],
      approve: request => {
        asked.push(`${request.callId} ${request.toolName}`)
        return 'allowed-once'
      },
    })
    registry.on('subcall:start', ({ callId, name, parentCallId, rootCallId }) =>
      events.push(`start ${callId} ${name} ${parentCallId} ${rootCallId}`),
    )
    registry.on('subcall:end', ({ callId, result }) => events.push(`end ${callId} ${result.isError}`))
    const result = await registry.execute(
      program(`
        const text = await tools.write({})
        try { await tools.danger({}) } catch (e) {
          return [text, e instanceof ToolCallError, e.name, e.toolName, e.code, e.message]
        }`),
    )
    expect(result).toMatchObject({
      isError: false,
      value: { result: ['written', true, 'ToolCallError', 'danger', 'GUARD_DENIED', 'never from here'] },
    })
    expect(danger.runs()).toBe(0)
    expect(asked).toEqual(['outer:code:1 write'])
    expect(events).toEqual([
      'start outer:code:1 write outer outer',
      'end outer:code:1 false',
      'start outer:code:2 danger outer outer',
      'end outer:code:2 true',
    ])
  })

  it('passes values, not text: a string argument stays a string', async () => {
    const seen: unknown[] = []
    const echo = countedTool('echo', args => {
      seen.push(args)
      return 'ok'
    })
    const registry = setup({ tools: [echo] })
    await registry.execute(
      program(
        `await tools.echo('{"a":1}'); await tools.echo(); await tools.echo(null); await tools.echo({ s: '\\ud800\\0' })`,
      ),
    )
    expect(seen).toEqual(['{"a":1}', {}, {}, { s: '\ud800\0' }])
  })

  it('gets a rejection for what does not exist, with the nearest name', async () => {
    const registry = setup({ tools: [countedTool('read_file')] })
    const result = await registry.execute(
      program(
        `try { await tools.readFile({}) } catch (e) { return [e.code, e.message.includes('"read_file"'), typeof tools.then] }`,
      ),
    )
    expect(result).toMatchObject({ value: { result: ['UNKNOWN_TOOL', true, 'undefined'] } })
  })

  it('cannot reach run_code, nor what its scope does not see', async () => {
    const secret = countedTool('secret')
    const registry = setup({
      tools: [add, secret],
      scopes: [{ id: 'narrow', restrict: { deny: ['secret'] } }],
    })
    const code = `const codes = []
      for (const name of ['run_code', 'secret']) try { await tools[name]({}) } catch (e) { codes.push(e.code) }
      return [codes, Object.keys(tools), await catalog.search('secret')]`
    const result = await registry.execute({ ...program(code), scope: 'narrow' })
    expect(result).toMatchObject({ value: { result: [['UNKNOWN_TOOL', 'UNKNOWN_TOOL'], ['add'], []] } })
    expect(secret.runs()).toBe(0)
  })

  it('finds and reads about tools in its catalogue', async () => {
    const registry = setup({ tools: [add, countedTool('weather_forecast')] })
    const result = await registry.execute(
      program(
        `const [hit] = await catalog.search('forecast', { limit: 1 }); return [hit.name, await catalog.describe('add')]`,
      ),
    )
    expect(result).toMatchObject({ isError: false })
    const [name, declaration] = (result as unknown as { value: { result: [string, string] } }).value.result
    expect(name).toBe('weather_forecast')
    expect(declaration).toContain('add(args')
  })

  it('overlaps safe calls and runs exclusive ones alone, in order', async () => {
    const open = [gate<void>(), gate<void>()]
    const log: string[] = []
    const slow = countedTool(
      'slow',
      async ({ n }) => {
        log.push(`start ${n}`)
        await open[n]?.promise
        log.push(`end ${n}`)
        return 'ok'
      },
      { isConcurrencySafe: () => true },
    )
    const registry = setup({ tools: [slow, countedTool('alone', () => (log.push('alone'), 'ok'))] })
    const pending = registry.execute(
      program(`await Promise.all([tools.slow({ n: 0 }), tools.slow({ n: 1 }), tools.alone({})])`),
    )
    while (log.length < 2) await settle()
    expect(log).toEqual(['start 0', 'start 1'])
    open[1]?.open()
    open[0]?.open()
    expect((await pending).isError).toBe(false)
    expect(log).toEqual(['start 0', 'start 1', 'end 1', 'end 0', 'alone'])
  })

  it('names calls it did not await', async () => {
    const result = await setup().execute(program('tools.add({ a: 1, b: 2 }); return 1'))
    expect(result).toMatchObject({ isError: false, value: { result: 1, notAwaited: ['add'] } })
    expect(JSON.stringify(result.content)).toContain('not awaited: add')
  })

  it('fails with its kind and what it printed', async () => {
    const result = await setup().execute(program('console.log("so far")\nfoo.bar'))
    expect(result).toMatchObject({
      isError: true,
      error: {
        code: 'CODE_RUN_FAILED',
        name: 'CodeRunFailedError',
        details: { kind: 'exception', logs: ['so far'] },
      },
    })
    if (!result.isError) return
    expect(result.error.message).toMatch(/^exception: ReferenceError: .*foo/)
    expect(result.error.message).toContain('2')
    expect(result.error.message).toContain('so far')
  })

  it('is aborted with its caller, and so are its calls', async () => {
    let reason: unknown
    const started = gate<void>()
    const hang = countedTool('hang', (_args, { signal }) => {
      started.open()
      return new Promise((_resolve, reject) =>
        signal.addEventListener('abort', () => {
          reason = signal.reason
          reject(signal.reason)
        }),
      )
    })
    const registry = setup({ tools: [hang] })
    const controller = new AbortController()
    const pending = registry.execute({ ...program('await tools.hang({})'), signal: controller.signal })
    await started.promise
    controller.abort('enough')
    expect(await pending).toMatchObject({ isError: true, error: { code: 'ABORTED' } })
    expect(reason).toBe('enough')
  })

  it('ferries images and contexts of its calls to the outer result', async () => {
    const image = [{ type: 'image', data: 'AA==', mimeType: 'image/png' }]
    const shot = countedTool('shot', (_args, { deferContext }) => {
      deferContext({ source: 'shot', content: [{ type: 'text', text: 'taken' }] })
      return image
    })
    const result = await setup({ tools: [shot] }).execute(program('return await tools.shot({})'))
    expect(result).toMatchObject({ isError: false, value: { result: '[image content]' } })
    expect(result.additionalContexts).toEqual([
      { source: 'shot', content: [{ type: 'text', text: 'taken' }] },
      { source: 'shot', content: image },
    ])
  })

  it('refuses a blank description', async () => {
    const result = await setup().execute({
      callId: '1',
      name: 'run_code',
      arguments: { code: 'return 1', description: ' ' },
    })
    expect(result).toMatchObject({ isError: true, error: { code: 'INVALID_ARGS' } })
  })
})

describe('presentation', () => {
  it('is by the mode: schemas, run_code alone, or both; text by the tools alone', () => {
    const registry = setup({
      mode: 'native',
      scopes: [
        { id: 'code', mode: 'code' },
        { id: 'both', mode: 'both' },
      ],
    })
    const shape = (scope: string) => {
      const { tools, sections } = registry.scope(scope).present()
      return [tools.map(t => t.name), sections.map(s => [s.id, s.order])]
    }
    expect(shape('root')).toEqual([['add'], []])
    expect(shape('code')).toEqual([
      ['run_code'],
      [
        ['tools:code-only', 99],
        ['tools:sdk', 150],
      ],
    ])
    expect(shape('both')).toEqual([['add', 'run_code'], [['tools:sdk', 150]]])
    expect(registry.scope('code').present()).toEqual(registry.scope('code').present())
  })

  it('collapses direct calls in mode code, before any policy', async () => {
    let policy = 0
    const registry = setup({ stages: [{ preExecute: (_call, next) => (policy++, next()) }] })
    const result = await registry.execute({ callId: '1', name: 'add', arguments: { a: 1, b: 2 } })
    expect(result).toMatchObject({ isError: true, error: { code: 'UNKNOWN_TOOL' } })
    if (result.isError) expect(result.error.message).toContain('run_code')
    expect(policy).toBe(0)
    expect(registry.explain('add')).toMatchObject({ status: 'collapsed', by: 'mode' })
  })

  it('may be overridden once at a time, and back', () => {
    const registry = setup({ mode: 'native', scopes: [{ id: 'a' }] })
    const a = registry.scope('a')
    const restore = a.presentAs('code')
    expect(() => a.presentAs('both')).toThrow(expect.objectContaining({ code: 'INVALID_OPTIONS' }))
    expect(a.present().tools.map(t => t.name)).toEqual(['run_code'])
    restore()
    expect(a.present().tools.map(t => t.name)).toEqual(['add'])
  })

  it('lists names only past the budget', () => {
    const tools = Array.from({ length: 400 }, (_, i) => countedTool(`tool_${i}`))
    const text = setup({ tools }).present().sections[1]?.text ?? ''
    expect(text).toContain('catalog.search')
    expect(text).toContain('- tool_399: The tool tool_399.')
    expect(text).not.toContain('tool_399(args')
  })
})

describe('a code runtime', () => {
  it('is not touched by native calls, is made once, and again after it failed', async () => {
    let made = 0
    const registry = createToolRegistry({
      tools: [add],
      mode: 'both',
      codeRuntime: async () => {
        if (++made === 1) throw new Error('chunk did not load')
        return runtime
      },
    })
    await registry.execute({ callId: '1', name: 'add', arguments: { a: 1, b: 1 } })
    expect(made).toBe(0)
    expect(await registry.execute(program('return 1', '2'))).toMatchObject({
      isError: true,
      error: { code: 'TOOL_FAILED' },
    })
    expect(await registry.execute(program('return 1', '3'))).toMatchObject({ isError: false })
    expect(await registry.execute(program('return 1', '4'))).toMatchObject({ isError: false })
    expect(made).toBe(2)
  })

  it('that rejects fails the call after its calls have drained', async () => {
    const broken: CodeRuntime = {
      run: async ({ namespaces }) => {
        void namespaces[0]?.call({
          name: 'add',
          args: [{ a: 1, b: 2 }],
          signal: new AbortController().signal,
          pauseWallClock: () => () => {},
        })
        throw new Error('misused')
      },
    }
    const registry = createToolRegistry({ tools: [add], mode: 'code', codeRuntime: broken })
    expect(await registry.execute(program('x'))).toMatchObject({
      isError: true,
      error: { code: 'TOOL_FAILED', message: 'misused' },
    })
  })
})
