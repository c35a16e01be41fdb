import {
  type ConcurrencyLimitOptions,
  concurrencyLimit,
  createToolRegistry,
  type Stages,
  type ToolExecutionResult,
  timeoutPolicy,
} from 'toolgate'
import { describe, expect, it, vi } from 'vitest'
import { type CountedTool, countedTool, type Gate, gate } from '../support/tools.js'
import { codeOf, codesOf, errorOf, never, pass, sleep, virtualTime, watch } from './support.js'

virtualTime()

/** A tool whose bodies wait, each for its own gate; counts how many run. */
function gated(name = 'work') {
  const gates: Gate[] = []
  const load = { now: 0, most: 0 }
  const order: string[] = []
  const tool = countedTool(name, async (_args, { callId, signal }) => {
    const own = gate()
    gates.push(own)
    order.push(callId)
    load.most = Math.max(load.most, ++load.now)
    const aborted = new Promise<void>(resolve => signal.addEventListener('abort', () => resolve()))
    await Promise.race([own.promise, aborted])
    load.now--
  })
  return { tool, gates, load, order }
}

const setup = (
  options: ConcurrencyLimitOptions,
  tools: readonly CountedTool[],
  inside: readonly Stages[] = [],
) => {
  const registry = createToolRegistry({ tools, stages: [concurrencyLimit(options), ...inside] })
  let calls = 0
  const call = (name = 'work', rest: object = {}): Promise<ToolExecutionResult> =>
    registry.execute({ callId: `${++calls}`, name, ...rest })
  return { registry, call }
}

describe('at the limit', () => {
  it('calls wait and start in order as places become free', async () => {
    const { tool, gates, load, order } = gated()
    const { call } = setup({ limit: 2 }, [tool])
    const results = Promise.all([call(), call(), call(), call()])
    await pass(0)
    expect(order).toEqual(['1', '2'])
    gates[1]?.open()
    const late = call()
    await pass(0)
    expect(order).toEqual(['1', '2', '3'])
    gates[0]?.open()
    gates[2]?.open()
    await pass(0)
    expect(order).toEqual(['1', '2', '3', '4', '5'])
    gates[3]?.open()
    gates[4]?.open()
    expect(codesOf([...(await results), await late])).toEqual(Array(5).fill('ok'))
    expect(load.most).toBe(2)
  })

  it('and with as many waiting as may, a call fails; the tool does not run', async () => {
    const { tool, gates } = gated()
    const { call } = setup({ limit: 1, queue: 1 }, [tool])
    const [first, second] = [call(), call()]
    await pass(0)
    const message =
      'Tool "work" did not run: at most 1 may run at a time and 1 wait, and all places are taken. Try again when a call has ended'
    expect(await call()).toEqual({
      callId: '3',
      name: 'work',
      isError: true,
      error: {
        code: 'CONCURRENCY_LIMITED',
        name: 'ToolgateError',
        message,
        details: { limit: 1, queue: 1 },
      },
      content: [{ type: 'text', text: `Error: ${message}` }],
    })
    expect(tool.runs()).toBe(1)
    gates[0]?.open()
    await pass(0)
    gates[1]?.open()
    expect(codesOf(await Promise.all([first, second]))).toEqual(['ok', 'ok'])
  })

  it('and with no queue, a call fails at once', async () => {
    const { tool, gates } = gated()
    const { call } = setup({ limit: 1, queue: 0 }, [tool])
    const first = call()
    await pass(0)
    expect(errorOf(await call())).toMatchObject({
      message:
        'Tool "work" did not run: at most 1 may run at a time, and all places are taken. Try again when a call has ended',
    })
    gates[0]?.open()
    expect(codeOf(await first)).toBe('ok')
    const next = call()
    await pass(0)
    gates[1]?.open()
    expect(codeOf(await next)).toBe('ok')
  })

  it('an abort ends the waiting, and leaves the place to those behind', async () => {
    const { tool, gates, order } = gated()
    const { call } = setup({ limit: 1 }, [tool])
    const controller = new AbortController()
    const first = call()
    const left = call('work', { signal: controller.signal })
    const behind = call()
    await pass(0)
    const removed = vi.spyOn(controller.signal, 'removeEventListener')
    controller.abort()
    expect(codeOf(await left)).toBe('ABORTED_BEFORE_DISPATCH')
    expect(removed).toHaveBeenCalled()
    gates[0]?.open()
    await pass(0)
    gates[1]?.open()
    expect(codesOf([await first, await behind])).toEqual(['ok', 'ok'])
    expect(order).toEqual(['1', '3'])
  })

  it('a call that was aborted before it came does not wait', async () => {
    const { tool, gates } = gated()
    const patient: Stages = { execute: async (_call, next) => (await sleep(10), next()) }
    const registry = createToolRegistry({ tools: [tool], stages: [patient, concurrencyLimit({ limit: 1 })] })
    const first = registry.execute({ callId: '1', name: 'work' })
    await pass(10)
    const controller = new AbortController()
    const aborted = watch(registry.execute({ callId: '2', name: 'work', signal: controller.signal }))
    await pass(5)
    controller.abort()
    await pass(5)
    expect(aborted.now()).toMatchObject({ error: { code: 'ABORTED_BEFORE_DISPATCH' } })
    gates[0]?.open()
    expect(codeOf(await first)).toBe('ok')
    expect(tool.runs()).toBe(1)
  })

  it.each<[string, Stages | undefined, () => unknown]>([
    ['the tool fails', undefined, () => Promise.reject(new Error('no'))],
    ['a stage inside breaks', { execute: () => Promise.reject(new Error('oh')) }, () => 'done'],
    ['the result is no result', { execute: () => 'what' as never }, () => 'done'],
  ])('a place becomes free when %s', async (_what, inside, body) => {
    const { call } = setup({ limit: 1, queue: 0 }, [countedTool('work', body)], inside ? [inside] : [])
    const first = codeOf(await call())
    expect(first).not.toBe('ok')
    expect(codeOf(await call())).toBe(first)
  })

  it('a body that does not stop holds its place until its call ends, on either side of a deadline', async () => {
    const limit = concurrencyLimit({ limit: 1, queue: 0 })
    const deadline = timeoutPolicy({ defaultMs: 50, graceMs: 100 })
    for (const stages of [
      [limit, deadline],
      [deadline, limit],
    ]) {
      const registry = createToolRegistry({ tools: [countedTool('work', never)], stages })
      const first = registry.execute({ callId: '1', name: 'work' })
      await pass(149)
      expect(codeOf(await registry.execute({ callId: '2', name: 'work' }))).toBe('CONCURRENCY_LIMITED')
      await pass(1)
      expect(codeOf(await first)).toBe('TOOL_TIMEOUT')
      const next = registry.execute({ callId: '3', name: 'work' })
      await pass(10_000)
      expect(codeOf(await next)).toBe('TOOL_TIMEOUT')
    }
  })
})

describe('what is counted together', () => {
  it('is each tool by default, and else what the key says', async () => {
    const [one, two] = [gated('one'), gated('two')]
    const each = setup({ limit: 1, queue: 0 }, [one.tool, two.tool])
    const first = ['one', 'two', 'one', 'two'].map(name => each.call(name))
    await pass(0)
    const all = setup({ limit: 1, queue: 0, key: ({ scope }) => scope }, [one.tool, two.tool])
    const second = ['one', 'two', 'missing'].map(name => all.call(name))
    await pass(0)
    for (const { gates } of [one, two]) for (const own of gates) own.open()
    expect(codesOf(await Promise.all(first))).toEqual([
      'ok',
      'ok',
      'CONCURRENCY_LIMITED',
      'CONCURRENCY_LIMITED',
    ])
    expect(codesOf(await Promise.all(second))).toEqual(['ok', 'CONCURRENCY_LIMITED', 'UNKNOWN_TOOL'])
  })

  it('leaves out calls whose key is undefined', async () => {
    const { tool, gates } = gated()
    const { call } = setup({ limit: 1, queue: 0, key: () => undefined }, [tool])
    const results = [call(), call(), call()]
    await pass(0)
    for (const own of gates) own.open()
    expect(codesOf(await Promise.all(results))).toEqual(['ok', 'ok', 'ok'])
  })
})

describe('a batch', () => {
  it('ends though its calls wait for each other’s places', async () => {
    const { tool, gates, load } = gated()
    const tools = [{ ...tool, isConcurrencySafe: () => true }, countedTool('alone')]
    const { registry } = setup({ limit: 2 }, tools)
    const names = [...Array<string>(5).fill('work'), 'alone', 'work']
    const calls = names.map((name, at) => ({ callId: `${at}`, name }))
    const batches = [registry.executeAll(calls, { maxParallel: 3 }), registry.executeAll(calls)]
    for (let opened = 0; opened < 12; opened++) {
      await pass(0)
      gates[opened]?.open()
    }
    const done = await Promise.all(batches)
    expect(done.map(codesOf)).toEqual([Array(7).fill('ok'), Array(7).fill('ok')])
    expect(load.most).toBe(2)
  })

  it('that is aborted ends at once, also what waits', async () => {
    const { tool } = gated()
    const { registry } = setup({ limit: 1 }, [{ ...tool, isConcurrencySafe: () => true }])
    const controller = new AbortController()
    const calls = [1, 2, 3].map(at => ({ callId: `${at}`, name: 'work' }))
    const batch = watch(registry.executeAll(calls, { signal: controller.signal }))
    await pass(0)
    controller.abort()
    await pass(0)
    expect(batch.now()).toMatchObject([
      { error: { code: 'ABORTED' } },
      { error: { code: 'ABORTED_BEFORE_DISPATCH' } },
      { error: { code: 'ABORTED_BEFORE_DISPATCH' } },
    ])
    expect(tool.runs()).toBe(1)
  })
})
