import {
  concurrencyLimit,
  createToolRegistry,
  defineTool,
  type Stages,
  type ToolDefinition,
  type ToolExecutionResult,
} from 'toolgate'
import { quickJsRuntime } from 'toolgate/quickjs'
import { quickJsWorkerRuntime } from 'toolgate/quickjs-worker'
import { afterAll, describe, expect, test } from 'vitest'
import { countedTool, gate } from '../support/tools.js'

const limits = { cpuMs: 20_000, drainMs: 20_000 }
const hosts = [
  ['on the host', quickJsRuntime({ limits })],
  ['in a worker', quickJsWorkerRuntime({ limits })],
] as const
afterAll(() => hosts[1][1].dispose?.())

const textOf = (result: ToolExecutionResult): string =>
  result.content.map(block => (block.type === 'text' ? block.text : '')).join('')

describe.each(hosts)('%s, what a program leaves of its calls is named', (where, codeRuntime) => {
  const isWorker = where === 'in a worker'
  const run = (code: string, options: Parameters<typeof createToolRegistry>[0]) =>
    createToolRegistry({ mode: 'code', codeRuntime, ...options }).execute({
      callId: 'p',
      name: 'run_code',
      arguments: { code, description: 'Leaves calls behind' },
    })

  const forgetful: readonly (readonly [string, string])[] = [
    ['forEach with an async function', `['a', 'b', 'c'].forEach(async id => { await tools.remove({ id }) })`],
    ['then', `for (const id of ['a', 'b', 'c']) tools.remove({ id }).then(() => console.log(id))`],
    ['catch', `for (const id of ['a', 'b', 'c']) tools.remove({ id }).catch(() => {})`],
    ['Promise.all that nobody waits for', `Promise.all(['a', 'b', 'c'].map(id => tools.remove({ id })))`],
    [
      'an async function that nobody waits for',
      `;(async () => { for (const id of ['a', 'b', 'c']) await tools.remove({ id }) })()`,
    ],
  ]
  test.each(forgetful)('with %s', async (what, code) => {
    const remove = countedTool('remove', async (_args, { signal }) => {
      await new Promise(done => signal.addEventListener('abort', done))
      throw signal.reason
    })
    const result = await run(`${code}; return 'all removed'`, { tools: [remove] })
    const { notRun = [], cutOff = [] } = (result as { value: { notRun?: string[]; cutOff?: string[] } }).value
    // A loop that waits has made its first call only.
    const made = what.startsWith('an async function') ? 1 : 3
    expect([...cutOff, ...notRun]).toEqual(Array(made).fill('remove'))
    // One that waits for its turn is under way too, and does not run.
    expect(cutOff.length).toBeGreaterThanOrEqual(remove.runs())
    expect(textOf(result)).toMatch(/^all removed\nNote: (?:did not run|cut off): remove/)
  })

  const ways: readonly (readonly [string, (signal: AbortSignal) => Promise<unknown>])[] = [
    [
      'its own error',
      signal =>
        new Promise((_, fail) => signal.addEventListener('abort', () => fail(new Error('my own stop')))),
    ],
    ['a value', signal => new Promise(done => signal.addEventListener('abort', () => done('half')))],
  ]
  test.each(ways)('when a body that is told to stop ends with %s', async (_what, untilStopped) => {
    const fetch = countedTool('fetch', (_args, { signal }) => untilStopped(signal))
    const result = await run('tools.fetch({}); await new Promise(done => setTimeout(done, 30)); return 1', {
      tools: [fetch],
    })
    expect(fetch.runs()).toBe(1)
    expect(result).toMatchObject({ value: { result: 1, cutOff: ['fetch'] } })
  })

  test('each by what its own body did, though one before it does not stop', async () => {
    const safe = { isConcurrencySafe: () => true }
    const hold = gate()
    const deaf = countedTool('deaf', () => hold.promise, safe)
    const pay = countedTool('pay', async () => 'paid', safe)
    const stops = (_args: unknown, { signal }: { signal: AbortSignal }): Promise<unknown> =>
      new Promise((_, fail) => signal.addEventListener('abort', () => fail(signal.reason)))
    const obeys = countedTool('obeys', stops, safe)
    const queued = countedTool('queued', stops, safe)
    const registry = createToolRegistry({
      mode: 'code',
      codeRuntime: isWorker
        ? quickJsWorkerRuntime({ limits: { drainMs: 50 } })
        : quickJsRuntime({ limits: { drainMs: 50 } }),
      tools: [deaf, pay, obeys, queued],
      stages: [concurrencyLimit({ limit: 1, key: ({ name }) => (name === 'queued' ? name : undefined) })],
    })
    const code = `const calls = [tools.deaf({}), tools.pay({}), tools.obeys({}), tools.queued({}), tools.queued({})]
await Promise.race([...calls, new Promise(done => setTimeout(done, 60))])
return 1`
    const result = await registry.execute({
      callId: 'p',
      name: 'run_code',
      arguments: { code, description: 'Leaves calls behind' },
    })
    hold.open()
    expect([deaf.runs(), pay.runs(), obeys.runs(), queued.runs()]).toEqual([1, 1, 1, 1])
    expect(result).toMatchObject({
      value: { cutOff: ['pay', 'obeys', 'queued'], notRun: ['queued'], stillRunning: ['deaf'] },
    })
    await registry.dispose()
  })

  test('when one has ended while the program computed, and its answer was never taken', async () => {
    const computing = gate<string>()
    const pay = countedTool('pay', () => computing.promise)
    const limited = { limits: { cpuMs: 300, drainMs: 20_000 } }
    const registry = createToolRegistry({
      mode: 'code',
      codeRuntime: isWorker ? quickJsWorkerRuntime(limited) : quickJsRuntime(limited),
      tools: [pay],
    })
    registry.on('log', () => computing.open('paid'))
    const code =
      'tools.pay({}).then(console.log); await new Promise(done => setTimeout(done, 2)); console.log("computing"); for (;;) {}'
    const result = await registry.execute({
      callId: 'p',
      name: 'run_code',
      arguments: { code, description: 'Leaves calls behind' },
    })
    expect(pay.runs()).toBe(1)
    expect(result).toMatchObject({ error: { details: { kind: 'timeout-cpu', cutOff: ['pay'] } } })
    expect(textOf(result)).toContain('Note: cut off: pay. The program ended before it had their answers')
    await registry.dispose()
  })

  test.each([1, 150_000])(
    'when an abort comes as soon as an answer of %d texts has been read',
    async rows => {
      const texts = Array.from({ length: rows }, (_, i) => `row ${i}`)
      const output = { schema: { type: 'array' }, render: () => [{ type: 'text' as const, text: 'rows' }] }
      const pay = countedTool('pay', async () => texts, { output })
      const registry = createToolRegistry({ mode: 'code', codeRuntime, tools: [pay] })
      const controller = new AbortController()
      registry.on('subcall:end', () => setImmediate(() => controller.abort(new Error('enough'))))
      const code =
        'await tools.pay({}); console.log("got"); await new Promise(done => setTimeout(done, 20_000))'
      const result = await registry.execute({
        callId: 'p',
        name: 'run_code',
        arguments: { code, description: 'Takes an answer' },
        signal: controller.signal,
      })
      expect(pay.runs()).toBe(1)
      const told: { logs?: string[]; cutOff?: string[] } | undefined = result.isError
        ? result.error.details
        : {}
      expect([...(told?.logs ?? []), ...(told?.cutOff ?? [])]).toHaveLength(1)
    },
  )

  const x = { x: { type: 'number', required: true } } as const
  const refusing: readonly (readonly [string, (body: () => string) => ToolDefinition])[] = [
    [
      'a map of properties',
      execute => defineTool({ name: 'pick', description: 'Picks.', parameters: x, execute }),
    ],
    [
      'a JSON Schema',
      execute => ({
        name: 'pick',
        description: 'Picks.',
        parameters: { type: 'object', properties: { x: { type: 'number' } }, required: ['x'] },
        validateArguments: true,
        execute,
      }),
    ],
  ]
  test.each(refusing)('as not run, where %s refuses its arguments', async (_what, make) => {
    let ran = 0
    const pick = make(() => {
      ran += 1
      return 'picked'
    })
    const ok = countedTool('ok', () => 'ok')
    const result = await run('await Promise.race([tools.ok({}), tools.pick({})]); return 1', {
      tools: [ok, pick],
    })
    expect(ran).toBe(0)
    expect(result).toMatchObject({ value: { result: 1, notRun: ['pick'] } })
    expect((result as { value: object }).value).not.toHaveProperty('cutOff')
  })

  test('as cut off, where a body hands on the refusal of another that it calls', async () => {
    const inner = defineTool({ name: 'inner', description: 'Picks.', parameters: x, execute: () => 'picked' })
    const outer = countedTool('outer', (args, context) => inner.execute({ ...args }, context))
    const ok = countedTool('ok', () => 'ok')
    const result = await run('await Promise.race([tools.ok({}), tools.outer({})]); return 1', {
      tools: [ok, outer],
    })
    expect(outer.runs()).toBe(1)
    expect(result).toMatchObject({ value: { result: 1, cutOff: ['outer'] } })
  })

  test.each([
    ['caught', 'try { await tools.deaf({}) } catch {} return 1'],
    [
      'not waited for',
      'await Promise.race([tools.deaf({}), new Promise(done => setTimeout(done, 60))]); return 1',
    ],
  ])('as still running, where a stage has left its body and the failure is %s', async (_what, code) => {
    const hold = gate()
    const deaf = countedTool('deaf', () => hold.promise)
    const stage: Stages = {
      name: 'own',
      execute: (call, next) => {
        if (call.name !== 'deaf') return next()
        return Promise.race([
          next(),
          new Promise<never>((_, fail) => setTimeout(fail, 10, new Error('slow'))),
        ])
      },
    }
    const result = await run(code, { tools: [deaf], stages: [stage], abortGraceMs: 200 })
    expect(deaf.runs()).toBe(1)
    expect(result).toMatchObject({ value: { result: 1, stillRunning: ['deaf'] } })
    expect((result as { value: object }).value).not.toHaveProperty('cutOff')
    hold.open()
  })

  test.each([2, 3, 5, 9])('of %d that end at once, all but the one that was waited for', async count => {
    const hold = gate()
    const work = countedTool('work', () => hold.promise, { isConcurrencySafe: () => true })
    const registry = createToolRegistry({ mode: 'code', codeRuntime, tools: [work] })
    const running = registry.execute({
      callId: 'p',
      name: 'run_code',
      arguments: {
        code: `await Promise.race(Array.from({ length: ${count} }, () => tools.work({}))); return 1`,
        description: 'Waits for the first',
      },
    })
    await expect.poll(() => work.runs()).toBe(count)
    hold.open()
    const { cutOff } = ((await running) as { value: { cutOff?: string[] } }).value
    expect(cutOff).toEqual(Array(count - 1).fill('work'))
  })

  test('where the run is aborted by whoever hears of its end', async () => {
    const work = countedTool('work')
    const controller = new AbortController()
    const registry = createToolRegistry({ mode: 'code', codeRuntime, tools: [work] })
    registry.on('subcall:end', () => controller.abort(new Error('enough')))
    const result = await registry.execute({
      callId: 'p',
      name: 'run_code',
      arguments: { code: 'await tools.work({}); return 1', description: 'Works' },
      signal: controller.signal,
    })
    expect(result).toMatchObject({ error: { code: 'ABORTED', details: { cutOff: ['work'] } } })
  })

  test('once, after an abort', async () => {
    const controller = new AbortController()
    const pay = countedTool('pay', (_args, { signal }) => {
      setTimeout(() => controller.abort(new Error('stop')), 30)
      return new Promise((_, fail) => signal.addEventListener('abort', () => fail(signal.reason)))
    })
    const registry = createToolRegistry({ mode: 'code', codeRuntime, tools: [pay] })
    const result = await registry.execute({
      callId: 'p',
      name: 'run_code',
      arguments: {
        code: 'await Promise.all([tools.pay({}), tools.pay({}), tools.pay({})])',
        description: 'Pays',
      },
      signal: controller.signal,
    })
    expect(pay.runs()).toBe(1)
    const { cutOff, notRun } = (result as { error: { details: { cutOff?: string[]; notRun?: string[] } } })
      .error.details
    expect([cutOff, notRun]).toEqual([['pay'], ['pay', 'pay']])
  })

  test('as not run, where they were refused', async () => {
    const ok = countedTool('ok', () => new Promise(done => setTimeout(done, 20)), {
      isConcurrencySafe: () => true,
    })
    const refused = countedTool('refused', () => 1, { isConcurrencySafe: () => true })
    const registry = createToolRegistry({
      mode: 'code',
      codeRuntime,
      tools: [ok, refused],
      stages: [
        {
          name: 'deny',
          preExecute: ({ name }) => (name === 'refused' ? { kind: 'deny', reason: 'no' } : { kind: 'allow' }),
        },
      ],
    })
    const result = await registry.execute({
      callId: 'p',
      name: 'run_code',
      arguments: {
        code: 'await Promise.race([tools.ok({}), tools.refused({}), tools.nosuch({})]).catch(() => {}); return 1',
        description: 'Waits for the first',
      },
    })
    const { cutOff = [], notRun = [] } = (result as { value: { cutOff?: string[]; notRun?: string[] } }).value
    expect([cutOff, [...notRun].sort()]).toEqual([[], ['nosuch', 'refused']])
    expect(refused.runs()).toBe(0)
  })

  test('as not run, where they were too many', async () => {
    const limited = { limits: { maxCalls: 100 } }
    const ok = countedTool('ok')
    const registry = createToolRegistry({
      mode: 'code',
      codeRuntime: isWorker ? quickJsWorkerRuntime(limited) : quickJsRuntime(limited),
      tools: [ok],
    })
    const result = await registry.execute({
      callId: 'p',
      name: 'run_code',
      arguments: {
        code: 'Array.from({ length: 150 }).forEach(async () => { await tools.ok({}) }); return 1',
        description: 'Calls too often',
      },
    })
    const { notRun = [] } = (result as { value: { notRun?: string[] } }).value
    expect([notRun.length, notRun[50], ok.runs()]).toEqual([51, '… and 100 more', 0])
    await registry.dispose()
  })

  test('when an approval is what it waits for, and nothing has run', async () => {
    const pay = countedTool('pay')
    const result = await run('tools.pay({}); await new Promise(done => setTimeout(done, 30)); return 1', {
      tools: [pay],
      stages: [{ name: 'ask', preExecute: ({ name }) => ({ kind: name === 'pay' ? 'ask' : 'allow' }) }],
      approve: () => new Promise(() => {}),
    })
    expect(pay.runs()).toBe(0)
    expect(result).toMatchObject({ value: { result: 1, notRun: ['pay'] } })
  })

  test.each([
    ['none begun', '', 200],
    ['some begun', 'await new Promise(done => setTimeout(done, 1)); ', 190],
  ])('with how many there are, %s', async (_what, wait, least) => {
    const never = countedTool('never', () => new Promise(() => {}))
    const result = await createToolRegistry({
      mode: 'code',
      codeRuntime,
      tools: [never],
      abortGraceMs: 1,
    }).execute({
      callId: 'p',
      name: 'run_code',
      arguments: {
        code: `for (let i = 0; i < 200; i++) tools.never({}); ${wait}return 1`,
        description: 'Leaves calls behind',
      },
    })
    const { notRun = [], notAwaited = [] } = (
      result as { value: { notRun?: string[]; notAwaited?: string[] } }
    ).value
    const count = (listed: readonly string[]): number =>
      listed.length <= 50 ? listed.length : 50 + Number(/^… and (\d+) more$/.exec(listed[50] ?? '')?.[1])
    expect([count(notAwaited), notAwaited.length]).toEqual([200, 51])
    expect([notRun.length, count(notRun) >= least, count(notRun) + never.runs()]).toEqual([51, true, 200])
    const text = textOf(result)
    expect(text).toMatch(/not awaited: (?:never, ){19}never and 180 more/)
    expect(text).toContain(`never and ${count(notRun) - 20} more. The program ended first`)
  })

  test('when the program fails', async () => {
    const add = countedTool('add')
    const result = await run(`tools.add({}).catch(() => {}); throw new Error('no')`, { tools: [add] })
    expect(add.runs()).toBe(0)
    expect(result).toMatchObject({
      isError: true,
      error: { details: { kind: 'exception', notRun: ['add'] } },
    })
    expect(textOf(result)).toContain('Note: did not run: add.')
  })
})
