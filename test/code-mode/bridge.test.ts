import { createToolRegistry, defineTool, type ToolExecutionResult } from 'toolgate'
import { quickJsRuntime } from 'toolgate/quickjs'
import { describe, expect, it } from 'vitest'
import { type CountedTool, countedTool, gate, isDeepFrozen, settle } from '../support/tools.js'

const runtime = quickJsRuntime({ limits: { cpuMs: 20_000 } })
type Options = Parameters<typeof createToolRegistry>[0]
const setup = (tools: readonly CountedTool[], options: Options = {}) =>
  createToolRegistry({ tools, mode: 'code', codeRuntime: runtime, ...options })
const program = (code: string) => ({
  callId: 'outer',
  name: 'run_code',
  arguments: { code, description: 'Try something out' },
})
const safe = { isConcurrencySafe: () => true }
const resultOf = (result: ToolExecutionResult): unknown =>
  result.isError ? result.error : (result.value as { result?: unknown }).result
const until = async (holds: () => boolean): Promise<void> => {
  while (!holds()) await settle()
}

describe('calls of a program', () => {
  it('are numbered in the order of submission, whatever order they end in; unusable arguments take no number', async () => {
    const hold = gate()
    const slow = countedTool('slow', () => hold.promise.then(() => 'slow'), safe)
    const quick = countedTool('quick', () => 'quick', safe)
    const registry = setup([slow, quick])
    const events: string[] = []
    registry.on('subcall:start', e =>
      events.push(`start ${e.callId} ${e.name} < ${e.parentCallId} < ${e.rootCallId}`),
    )
    registry.on('subcall:end', e => events.push(`end ${e.callId} ${e.name} ${e.result.isError}`))
    const running = registry.execute(
      program(`const a = tools.slow({ n: 1 })
await tools.quick({ n: NaN }).catch(() => {})
const b = tools.quick({})
return await Promise.all([a, b])`),
    )
    await until(() => quick.runs() === 1)
    hold.open()
    expect(resultOf(await running)).toEqual(['slow', 'quick'])
    expect(events).toEqual([
      'start outer:code:1 slow < outer < outer',
      'start outer:code:2 quick < outer < outer',
      'end outer:code:1 slow false',
      'end outer:code:2 quick false',
    ])
  })

  it('are told with the arguments that policy sees and the tool gets, which no listener can change for the next', async () => {
    const list = countedTool('list', args => JSON.stringify(args), {
      parameters: {
        type: 'object',
        properties: { ids: { type: 'array', items: { type: 'number' } }, limit: { type: 'number' } },
      },
    })
    const registry = setup([list], { coerceArguments: true, limits: { maxDepth: 8 } })
    const logged: string[] = []
    registry.on('subcall:start', ({ arguments: args }) => {
      logged.push(JSON.stringify(args))
      expect(isDeepFrozen(args)).toBe(true)
      if (args !== null) expect(() => Object.assign(args, { ids: 'changed' })).toThrow(TypeError)
    })
    registry.on('subcall:start', ({ arguments: args }) => logged.push(JSON.stringify(args)))
    const code = `await tools.list({ a: [[[[[[[[[1]]]]]]]]] }).catch(() => {})
return [await tools.list({ ids: "[1,2]", limit: null }), await tools.list(null)]`
    const result = await registry.execute(program(code))
    expect(resultOf(result)).toEqual(['{"ids":[1,2]}', '{}'])
    expect(logged).toEqual(['null', 'null', '{"ids":[1,2]}', '{"ids":[1,2]}', '{}', '{}'])
    expect(list.runs()).toBe(2)
  })

  it('queue beyond maxParallelSubCalls: four hundred at once, eight at a time, in order', async () => {
    let now = 0
    let most = 0
    const started: number[] = []
    const tick = countedTool(
      'tick',
      async ({ i }) => {
        started.push(i)
        most = Math.max(most, ++now)
        await settle()
        now--
        return String(i)
      },
      safe,
    )
    const registry = setup([tick], { codeMode: { maxParallelSubCalls: 8 } })
    const result = await registry.execute(
      program(
        'const all = await Promise.all(Array.from({ length: 400 }, (_, i) => tools.tick({ i }))); return [all.length, all[399]]',
      ),
    )
    expect(resultOf(result)).toEqual([400, '399'])
    expect([tick.runs(), most]).toEqual([400, 8])
    expect(started).toEqual(Array.from({ length: 400 }, (_, i) => i))
  })

  it('are told of an abort midway; those that had not started never run, one that does not listen is named', async () => {
    const controller = new AbortController()
    const deaf = gate()
    const ignores = countedTool('ignores', () => deaf.promise, safe)
    const never = countedTool('never', () => 'ran')
    const registry = setup([ignores, never], {
      codeRuntime: quickJsRuntime({ limits: { drainMs: 20 } }),
      abortGraceMs: 5,
    })
    const late: string[] = []
    const settled: string[] = []
    registry.on('late-settlement', e => late.push(e.name))
    registry.on('subcall:end', e => settled.push(e.name))
    const running = registry.execute({
      ...program('await Promise.all([tools.ignores({}), tools.never({}), tools.never({})])'),
      signal: controller.signal,
    })
    await until(() => ignores.runs() === 1)
    controller.abort('enough')
    const result = await running
    expect(result).toMatchObject({ isError: true, error: { code: 'ABORTED' } })
    expect(never.runs()).toBe(0)
    await until(() => settled.includes('ignores'))
    deaf.open()
    await until(() => late.includes('ignores'))
  })

  it('that a program leaves behind hear that it has ended, and are waited for', async () => {
    const heard: unknown[] = []
    const ended: string[] = []
    const left = countedTool('left', (_args, { signal }) => {
      return new Promise(resolve => {
        signal.addEventListener('abort', () => {
          heard.push(signal.aborted)
          setTimeout(() => {
            ended.push('left')
            resolve('late')
          }, 10)
        })
      })
    })
    const registry = setup([left])
    const ends: boolean[] = []
    registry.on('subcall:end', e => ends.push(e.result.isError))
    const result = await registry.execute(
      program('tools.left({}); await new Promise(done => setTimeout(done, 5)); return 1'),
    )
    expect(result).toMatchObject({ value: { result: 1, notAwaited: ['left'] } })
    // It settles as aborted, not as a success, and before the program's own result.
    expect([heard, ended, ends]).toEqual([[true], ['left'], [true]])
  })

  it('that were never awaited are named when the program fails, too', async () => {
    const result = await setup([countedTool('send')]).execute(program('tools.send({}); null.x'))
    expect(result).toMatchObject({
      isError: true,
      error: { details: { kind: 'exception', notAwaited: ['send'] } },
    })
    if (result.isError)
      expect(result.error.message).toMatch(/Note: not awaited: send\. .*put await before each call/)
  })

  it('whose await was forgotten in what is returned, printed or passed on are named where they stand', async () => {
    const registry = setup([countedTool('list-rows', () => 'rows', safe)])
    const returned = await registry.execute(program('return { rows: [tools["list-rows"]({})] }'))
    expect(returned).toMatchObject({ isError: true, error: { details: { kind: 'invalid-output' } } })
    if (returned.isError)
      expect(returned.error.message).toContain(
        'value.rows[0] is the Promise that tools["list-rows"] returned; await the call',
      )
    const others = await registry.execute(
      program(`console.log({ rows: tools['list-rows']({}) })
try { await tools['list-rows']({ of: tools['list-rows']({}) }) } catch (e) { return [e.code, e.message] }`),
    )
    expect(others).toMatchObject({
      value: {
        logs: ['{"rows":[Promise of tools["list-rows"]: not awaited]}'],
        result: [
          'INVALID_ARGS',
          'tools["list-rows"]: arguments.of is the Promise that tools["list-rows"] returned; await the call',
        ],
      },
    })
  })

  it('fail with the tool’s own message, name and code, and can be caught', async () => {
    const bad = countedTool('bad', () => {
      throw Object.assign(new Error('the disk is full'), { code: 'ENOSPC' })
    })
    const result = await setup([bad]).execute(
      program(
        'try { await tools.bad({}) } catch (e) { return [e.name, e.toolName, e.code, e.message, e instanceof ToolCallError] }',
      ),
    )
    expect(resultOf(result)).toEqual(['ToolCallError', 'bad', 'TOOL_FAILED', 'the disk is full', true])
  })

  it('by every odd name are the exact tool’s', async () => {
    const names = [
      'list-rows',
      'list_rows',
      '200',
      'class',
      '__proto__',
      'then',
      'toJSON',
      'constructor',
      'a b',
      'hasOwnProperty',
    ]
    const tools = names.map(name => countedTool(name, () => name, safe))
    const result = await setup(tools).execute(
      program(`const names = ${JSON.stringify(names)}
JSON.stringify(tools); String(tools); console.log(typeof (await tools)); await (async () => tools)()
return [await Promise.all(names.map(n => tools[n]({}))), Object.keys(tools).length]`),
    )
    expect(resultOf(result)).toEqual([names, names.length])
    expect(tools.map(tool => tool.runs())).toEqual(names.map(() => 1))
  })

  it('with arguments over the registry’s limit never reach it, and those at the limit do', async () => {
    const size = countedTool('size', ({ text }) => String(text.length))
    const registry = setup([size], { limits: { maxArgumentBytes: 50_000 } })
    const result = await registry.execute(
      program(`const got = []
for (const n of [49_000, 51_000, 5e6]) try { got.push(await tools.size({ text: 'x'.repeat(n) })) } catch (e) { got.push(e.code) }
return got`),
    )
    expect(resultOf(result)).toEqual(['49000', 'LIMIT_EXCEEDED', 'LIMIT_EXCEEDED'])
    expect(size.runs()).toBe(1)
  })

  it('may need approval one by one, while the wall clock stands still, and so may the program', async () => {
    const asked: string[] = []
    const held = gate<void>()
    const pay = countedTool('pay', () => 'paid')
    const registry = setup([pay], {
      codeRuntime: quickJsRuntime({ limits: { wallMs: 300 } }),
      stages: [{ preExecute: () => ({ kind: 'ask' }) }],
      approve: async ({ toolName, arguments: given }) => {
        asked.push(`${toolName} ${Object.keys(given as object).join()}`)
        if (asked.length === 3) await held.promise
        return asked.length === 4 ? { outcome: 'rejected' as const, reason: 'not that one' } : 'allowed-once'
      },
    })
    const running = registry.execute(
      program(`const a = await tools.pay({ n: 1 }), b = await tools.pay({ n: 2 })
try { await tools.pay({ n: 3 }) } catch (e) { return [a, b, e.code] }`),
    )
    await until(() => asked.length === 3)
    // Longer than the program may take.
    await new Promise(done => setTimeout(done, 600))
    held.open()
    expect(resultOf(await running)).toEqual(['paid', 'paid', 'APPROVAL_REJECTED'])
    expect(asked).toEqual(['run_code code,description', 'pay n', 'pay n', 'pay n'])
    expect(pay.runs()).toBe(2)
  })
})

describe('values of tools', () => {
  it('arrive as they are, not as text, images beside them', async () => {
    const image = { type: 'image' as const, data: 'AA==', mimeType: 'image/png' }
    const chart = defineTool({
      name: 'chart',
      description: 'Draws a chart.',
      parameters: {},
      output: {
        schema: {
          type: 'object',
          additionalProperties: false,
          properties: { points: { type: 'number', required: true } },
        },
        render: () => [{ type: 'text', text: 'a chart' }, image],
      },
      execute: () => ({ points: 3 }),
    })
    const registry = createToolRegistry({ tools: [chart], mode: 'code', codeRuntime: runtime })
    const result = await registry.execute(program('const c = await tools.chart({}); return c.points + 1'))
    expect(resultOf(result)).toBe(4)
    expect(result.additionalContexts).toEqual([
      { source: 'chart', content: [{ type: 'text', text: 'a chart' }, image] },
    ])
  })

  it('that are large integers are refused with what to write, and printed as they are', async () => {
    const echo = countedTool('echo', args => args)
    const registry = setup([echo])
    const returned = await registry.execute(program('console.log(12n); return { n: 12n }'))
    expect(returned).toMatchObject({
      isError: true,
      error: { details: { kind: 'invalid-output', logs: ['12n'] } },
    })
    if (returned.isError)
      expect(returned.error.message).toContain('value.n is a BigInt; use Number(n) or String(n)')
    const passed = await registry.execute(
      program('try { await tools.echo({ n: 12n }) } catch (e) { return e.code }'),
    )
    expect([resultOf(passed), echo.runs()]).toEqual(['INVALID_ARGS', 0])
  })

  it('and results one byte over the limit say so', async () => {
    const registry = setup([], { codeRuntime: quickJsRuntime({ limits: { outputBytes: 14 } }) })
    expect(resultOf(await registry.execute(program('return "0123456789"')))).toBe('0123456789')
    const over = await registry.execute(program('return "0123456789a"'))
    expect(over).toMatchObject({ isError: true, error: { details: { kind: 'output-limit' } } })
    if (over.isError) expect(over.error.message).toContain('15 bytes, 1 more than the 14 that fit')
  })
})

describe('a run that is aborted while it waits for what its program left', () => {
  it.each([
    ['shorter', 200, 2000],
    ['longer', 10_000, 400],
  ])(
    'tells what still runs and what was printed, with a drain %s than the grace',
    async (_which, drainMs, abortGraceMs) => {
      const registry = setup([countedTool('pay', () => new Promise(() => {}))], {
        codeRuntime: quickJsRuntime({ limits: { drainMs } }),
        abortGraceMs,
      })
      const controller = new AbortController()
      const code =
        "console.log('line'); tools.pay({}); await new Promise(done => setTimeout(done, 20)); return 1"
      const running = registry.execute({ ...program(code), signal: controller.signal })
      registry.on('subcall:start', () => setTimeout(() => controller.abort(new Error('stop')), 60))
      expect(await running).toMatchObject({
        isError: true,
        error: {
          code: 'ABORTED',
          message: expect.stringContaining('stop'),
          details: { kind: 'abort', logs: ['line'], stillRunning: ['pay'], bodyStopped: false },
        },
      })
    },
  )
})

it.each(['return 1', 'throw new Error("x")'])(
  'a run of `%s` that is aborted while it waits for what its program left is aborted',
  async end => {
    const controller = new AbortController()
    const registry = setup(
      [
        countedTool('pay', (_args, { signal }) => {
          signal.addEventListener('abort', () => controller.abort(new Error('stop')))
          return new Promise(() => {})
        }),
      ],
      { abortGraceMs: 40 },
    )
    const code = `console.log('line'); tools.pay({}); await new Promise(done => setTimeout(done, 20)); ${end}`
    const result = await registry.execute({ ...program(code), signal: controller.signal })
    expect(result).toMatchObject({
      isError: true,
      error: { code: 'ABORTED', details: { kind: 'abort', logs: ['line'], stillRunning: ['pay'] } },
    })
    if (result.isError)
      expect(result.error.message.includes('failed before: exception: Error: x')).toBe(end !== 'return 1')
  },
)

describe('calls made at once that take the host long', () => {
  it('let it go on between them', async () => {
    let inThisTurn = 0
    let most = 0
    const busy = countedTool('busy', () => {
      if (inThisTurn === 0)
        setTimeout(() => {
          inThisTurn = 0
        }, 0)
      inThisTurn += 1
      most = Math.max(most, inThisTurn)
      const until = performance.now() + 15
      while (performance.now() < until);
      return 'ok'
    })
    const registry = setup([busy])
    const result = await registry.execute(
      program('return (await Promise.all(Array.from({ length: 20 }, () => tools.busy({})))).length'),
    )
    expect(resultOf(result)).toBe(20)
    expect(most).toBeLessThanOrEqual(4)
  })

  it('are heard where they end while the next ones are held back', async () => {
    const busy = countedTool(
      'busy',
      () => {
        const until = performance.now() + 30
        while (performance.now() < until);
        return new Promise(resolve => setTimeout(resolve, 0, 'ok'))
      },
      safe,
    )
    const alone = countedTool('alone')
    const registry = setup([busy, alone])
    const result = await registry.execute(
      program('return await Promise.all([tools.busy({}), tools.alone({}), tools.busy({}), tools.alone({})])'),
    )
    expect(resultOf(result)).toEqual(['ok', 'done', 'ok', 'done'])
  })
})

describe('a program that is out of time', () => {
  it('in the middle of a chain of calls ends cleanly, its call told', async () => {
    const signals: AbortSignal[] = []
    const nap = countedTool('nap', (_args, { signal }) => {
      signals.push(signal)
      return new Promise(resolve => {
        const timer = setTimeout(() => resolve('ok'), 80)
        signal.addEventListener('abort', () => {
          clearTimeout(timer)
          resolve('aborted')
        })
      })
    })
    const registry = setup([nap], { codeRuntime: quickJsRuntime({ limits: { wallMs: 100 } }) })
    const result = await registry.execute(
      program('for (let i = 0; i < 4; i++) await tools.nap({}); return "done"'),
    )
    expect(result).toMatchObject({ isError: true, error: { details: { kind: 'timeout-wall' } } })
    expect(signals.at(-1)?.aborted).toBe(true)
    expect(nap.runs()).toBeLessThan(4)
  })

  it('while another one makes ten calls leaves that one alone', async () => {
    const hang = countedTool('hang', () => new Promise(() => {}), safe)
    const one = countedTool('one', () => '1', safe)
    const registry = setup([hang, one], {
      codeRuntime: quickJsRuntime({ limits: { wallMs: 500, drainMs: 5 } }),
      abortGraceMs: 5,
    })
    const hanging = registry.execute(program('await tools.hang({})'))
    await until(() => hang.runs() === 1)
    const result = await registry.execute({
      ...program('let n = 0; for (let i = 0; i < 10; i++) n += Number(await tools.one({})); return n'),
      callId: 'other',
    })
    expect(resultOf(result)).toBe(10)
    expect(await hanging).toMatchObject({
      error: { details: { kind: 'timeout-wall', stillRunning: ['hang'] } },
    })
  })
})
