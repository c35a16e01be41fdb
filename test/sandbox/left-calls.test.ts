import { quickJsRuntime } from 'toolgate/quickjs'
import { quickJsWorkerRuntime } from 'toolgate/quickjs-worker'
import { describe, expect, test } from 'vitest'
import { run, toolsOf } from './support/run-code.js'

describe('calls that had not begun when the program had ended', () => {
  const begun: unknown[] = []
  const del = ({ args }: { readonly args: readonly unknown[] }): number => begun.push(args[0])
  test.each([
    [
      'in a loop of async functions',
      "['e', 'f'].forEach(async id => { await tools.del({ id }) })",
      ['del', 'del'],
    ],
    ['with a catch', "tools.del({ id: 'a' }).catch(() => {})", ['del']],
    ['in Promise.all', "Promise.all([tools.del({ id: 'b' })]).catch(() => {})", ['del']],
    ['in a function that nobody awaits', "(async () => { await tools.del({ id: 'd' }) })()", ['del']],
    [
      'beside one that nobody asked for',
      'tools.del({ id: 1 }); tools.del({ id: 2 }).catch(() => {})',
      ['del', 'del'],
    ],
  ])('are named: %s', async (_what, calls, names) => {
    const { value, notRun } = await run(`${calls}; return 'done'`, { del })
    expect([value, notRun, begun]).toEqual(['done', names, []])
  })

  test('are named past the number that begins in one turn', async () => {
    const gone: unknown[] = []
    const program = `for (let i = 0; i < 40; i++) tools.take(i).catch(() => {})
await tools.end(); return 'done'`
    const functions = {
      take: ({ args }: { readonly args: readonly unknown[] }) => gone.push(args[0]),
      end: () => 1,
    }
    const { value, notRun } = await run(program, functions)
    expect([value, notRun, gone.length]).toEqual(['done', undefined, 40])
    const stopped = await run(
      'for (let i = 0; i < 40; i++) tools.take(i).catch(() => {}); throw 1',
      functions,
    )
    expect(stopped.notRun).toEqual(Array(40).fill('take'))
  })
})

describe('calls that were never awaited', () => {
  const make = 'tools.a(); await tools.b(); '
  test.each([
    ['that waits for nothing', 'deadlock', `${make}await new Promise(() => {})`],
    ['that waits for too long', 'timeout-wall', `${make}await tools.hang()`],
    ['that is aborted', 'abort', `${make}await tools.stop()`],
  ])('are named at the end of a program %s', async (_what, kind, program) => {
    const controller = new AbortController()
    const functions = {
      a: () => 1,
      b: () => 2,
      hang: () => new Promise(() => {}),
      stop: () => {
        controller.abort()
        return new Promise(() => {})
      },
    }
    const runtime = quickJsRuntime({
      limits: { cpuMs: 20_000, wallMs: kind === 'timeout-wall' ? 50 : 20_000 },
    })
    const { signal } = controller
    const { error, notAwaited } = await run(program, functions, { signal }, runtime)
    expect([error?.kind, notAwaited]).toEqual([kind, ['a']])
  })

  test('a wait for nothing after the memory has ended once is told as both', async () => {
    const program =
      'try { const all = []; for (;;) all.push(new Uint8Array(1e6)) } catch {} await new Promise(() => {})'
    const { error } = await run(program, {}, {}, quickJsRuntime({ limits: { cpuMs: 20_000 } }))
    expect(error?.kind).toBe('memory')
    expect(error?.message).toMatch(/more than 64 MiB of memory.*waits for a promise that nothing can settle/s)
  })
})

describe('the names of calls left behind', () => {
  const open = (limits: object) => ({
    runtime: quickJsRuntime({ limits: { cpuMs: 20_000, ...limits } }),
    namespaces: [toolsOf({}, { functions: [], open: true })],
  })

  test('are fifty at the most, and the rest a number', async () => {
    const { runtime, namespaces } = open({})
    const program = "for (let i = 0; i < 500; i++) tools['n' + i](); return 1"
    const { notAwaited } = await run(program, {}, { namespaces }, runtime)
    expect(notAwaited?.slice(48)).toEqual(['n48', 'n49', '… and 450 more'])
  })

  test('are those of calls, not of what was one too many', async () => {
    const { runtime, namespaces } = open({ outputBytes: 1000, maxCalls: 10 })
    const program = `const n = 'é'.repeat(190)
for (let i = 0; i < 3000; i++) tools[n + i]()
await new Promise(done => setTimeout(done, 5)); return 1`
    const { value, notAwaited } = await run(program, {}, { namespaces }, runtime)
    expect([value, notAwaited?.length]).toEqual([1, 10])
  })

  test('are never cut through a pair', async () => {
    const { runtime, namespaces } = open({})
    const program = "tools['n'.repeat(199) + '😀😀'](); return 1"
    const { notAwaited } = await run(program, {}, { namespaces }, runtime)
    expect(notAwaited).toEqual([`${'n'.repeat(199)}…`])
  })
})

describe('calls that were refused before they began, and that nothing waited for', () => {
  const long = 'n'.repeat(300)
  test.each([
    ['for their size', 'tools.b({ x: "y".repeat(20000) })', 'b'],
    ['for the size of a text beside them', 'tools.b("y".repeat(200000))', 'b'],
    [
      'for their size, with a name of escapes',
      `tools['"\\\\\\u0001é']({ x: 'y'.repeat(20000) })`,
      '"\\\u0001é',
    ],
    [
      'for their size, with a long name',
      `tools[${JSON.stringify(long)}](Array(9000).fill(1))`,
      `${long.slice(0, 200)}…`,
    ],
    [
      'for their size, with a name past what is looked at',
      "tools['\\u0001'.repeat(9000)](1)",
      `${'\u0001'.repeat(200)}…`,
    ],
    ['for NaN', 'tools.b({ x: NaN })', 'b'],
    ['for NaN, with a long name', `tools[${JSON.stringify(long)}](NaN)`, `${long.slice(0, 200)}…`],
    ['for a getter that throws', 'tools.b({ get x() { throw new Error("no") } })', 'b'],
    ['for a value beside a large text', 'tools.b({ t: "y".repeat(50000), x: NaN })', 'b'],
  ])('are named: %s', async (_what, call, name) => {
    let runs = 0
    const namespace = { ...toolsOf({ b: () => ++runs }), open: true, maxCallBytes: 10_000 }
    for (const runtime of [quickJsRuntime(), quickJsWorkerRuntime()]) {
      const program = `[1, 2].forEach(async () => { await ${call} }); return 'done'`
      const { value, notRun } = await run(program, {}, { namespaces: [namespace] }, runtime)
      expect([value, notRun, runs]).toEqual(['done', [name, name], 0])
      await runtime.dispose?.()
    }
  })

  test('are not named where the program has heard of it', async () => {
    const namespace = { ...toolsOf({ b: () => 1 }), maxCallBytes: 10_000 }
    const program = `const told = []
for (const x of ['y'.repeat(20000), NaN]) await tools.b({ x }).catch(e => told.push(e.code))
return told`
    const { value, notRun } = await run(program, {}, { namespaces: [namespace] })
    expect([value, notRun]).toEqual([['LIMIT_EXCEEDED', 'INVALID_ARGS'], undefined])
  })
})
