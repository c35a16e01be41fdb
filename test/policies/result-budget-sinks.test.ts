import {
  createToolRegistry,
  type ResultBudgetOptions,
  type ResultSink,
  resultBudget,
  retryPolicy,
  type Stages,
  timeoutPolicy,
  type WholeResult,
} from 'toolgate'
import { describe, expect, it, vi } from 'vitest'
import { countedTool, gate, isDeepFrozen } from '../support/tools.js'
import { readBytes, runWithin, textsOf } from './result-budget-support.js'
import { codeOf, never, pass, virtualTime, watch } from './support.js'

virtualTime()

const LONG = 'x'.repeat(50_000)
const long = (rest = {}) => countedTool('tool', () => LONG, rest)
const noteOf = (content: Parameters<typeof textsOf>[0]) => textsOf(content).at(-1)

describe('a sink', () => {
  it.each<[string, ResultSink, string]>([
    [
      'throws',
      () => {
        throw new Error('disk full')
      },
      'disk full',
    ],
    ['rejects', () => Promise.reject(new Error('disk full')), 'disk full'],
    [
      'gives no text',
      () => 7 as never,
      'The sink answered no handle: a text that is not empty, or undefined',
    ],
    ['gives too long a handle', () => 'h'.repeat(513), 'The sink answered a handle of more than 512 bytes'],
  ])('that %s is heard of, and its listener changes nothing', async (_what, sink, message) => {
    const heard: unknown[] = []
    const result = await runWithin(
      {
        maxBytes: 5_000,
        sink,
        onSinkError: (error, call) => {
          heard.push([(error as Error).message, call.name])
          throw new Error('the listener')
        },
      },
      long(),
    )
    expect(heard).toEqual([[message, 'tool']])
    expect(noteOf(result.content)).toContain('Ask for less at a time')
    const rejecting = { maxBytes: 5_000, sink, onSinkError: () => Promise.reject(new Error('late')) }
    expect(codeOf(await runWithin(rejecting, long()))).toBe('ok')
  })

  it('that is late is not waited for, and what it says then is dropped', async () => {
    const onSinkError = vi.fn()
    const late = gate<string>()
    const running = runWithin({ maxBytes: 5_000, sinkMs: 100, sink: () => late.promise, onSinkError }, long())
    const seen = watch(running)
    await pass(99)
    expect(seen.now()).toBe('pending')
    await pass(1)
    const result = await running
    expect(noteOf(result.content)).toContain('Ask for less at a time')
    expect(onSinkError.mock.calls[0]?.[0].message).toContain('had not answered after 100 ms')
    late.fail(new Error('disk full'))
    await pass(10)
    expect(onSinkError).toHaveBeenCalledTimes(1)
    expect(vi.getTimerCount()).toBe(0)
  })

  it('is waited for five seconds if nothing is said, and forever if that is said', async () => {
    const byDefault = watch(runWithin({ maxBytes: 5_000, sink: never }, long()))
    const forever = watch(
      runWithin({ maxBytes: 5_000, sink: never, sinkMs: Number.POSITIVE_INFINITY }, long()),
    )
    await pass(4_999)
    expect(byDefault.now()).toBe('pending')
    await pass(1)
    expect(byDefault.now()).not.toBe('pending')
    await pass(2 ** 30)
    expect(forever.now()).toBe('pending')
  })

  it('does not hold a call that was aborted', async () => {
    const controller = new AbortController()
    const onSinkError = vi.fn()
    const registry = createToolRegistry({
      tools: [long()],
      stages: [resultBudget({ maxBytes: 5_000, sink: never, onSinkError })],
    })
    const running = registry.execute({ callId: '1', name: 'tool', signal: controller.signal })
    await pass(10)
    controller.abort(new Error('enough'))
    expect(codeOf(await running)).toBe('ABORTED')
    expect(onSinkError.mock.calls[0]?.[0].message).toBe('enough')
    expect(vi.getTimerCount()).toBe(0)
  })

  it('gets what nobody can change, once for each call, whatever stands around and inside', async () => {
    const kept: WholeResult[] = []
    const budget = (options: Partial<ResultBudgetOptions> = {}) =>
      resultBudget({
        maxBytes: 5_000,
        sink: (_call, whole) => (kept.push(whole), `r://${kept.length}`),
        ...options,
      })
    const retry = retryPolicy({ attempts: 3, backoffMs: 1, jitter: 'none' })
    const time = timeoutPolicy({ defaultMs: 1_000 })
    for (const replaceValue of [false, true])
      for (const stages of [
        [budget({ replaceValue }), retry, time],
        [retry, budget({ replaceValue }), time],
        [time, retry, budget({ replaceValue })],
      ]) {
        kept.length = 0
        let runs = 0
        const tool = long({
          annotations: { readOnlyHint: true },
          execute: () => {
            if (++runs < 3) throw new Error('busy')
            return LONG
          },
        })
        const running = createToolRegistry({ tools: [tool], stages }).execute({ callId: '1', name: 'tool' })
        await pass(100)
        const result = await running
        expect(readBytes(result)).toBeLessThanOrEqual(5_000)
        expect(noteOf(result.content)).toContain('kept as r://1]')
        expect(result.meta).toMatchObject({ resultBudget: { handle: 'r://1' } })
        expect(kept).toEqual([{ content: [{ type: 'text', text: LONG }], value: LONG }])
        expect(isDeepFrozen(kept[0])).toBe(true)
      }
  })
})

describe('budgets of tools', () => {
  const tools: ResultBudgetOptions['tools'] = {
    'fs_*': 3_000,
    fs_read: 20_000,
    'fs_r*': 4_000,
    raw: Number.POSITIVE_INFINITY,
  }

  it.each([
    ['other', 2_000],
    ['fs_list', 3_000],
    ['fs_rename', 3_000],
    ['fs_read', 20_000],
    ['raw', 50_000],
  ])('go by name, then by the first pattern, then by the one for all: %s', async (name, bytes) => {
    const registry = createToolRegistry({
      tools: [countedTool(name, () => LONG)],
      stages: [resultBudget({ maxBytes: 2_000, tools })],
    })
    const shown = readBytes(await registry.execute({ callId: '1', name }))
    expect(shown).toBeLessThanOrEqual(bytes)
    expect(shown).toBeGreaterThan(bytes * 0.8)
  })

  it('leave all others alone where the one for all is endless', async () => {
    const registry = createToolRegistry({
      tools: [countedTool('a', () => LONG), countedTool('b', () => LONG)],
      stages: [resultBudget({ maxBytes: Number.POSITIVE_INFINITY, tools: { b: 2_000 } })],
    })
    const results = await registry.executeAll(['a', 'b'].map(name => ({ callId: name, name })))
    expect(results.map(result => readBytes(result) > 2_000)).toEqual([true, false])
  })
})

describe('a result that was cut', () => {
  it('says so in its meta, beside what was there', async () => {
    const tool = countedTool('tool', () => ({ content: [{ type: 'text', text: LONG }], meta: { rows: 3 } }))
    const { meta } = await runWithin({ maxBytes: 2_000 }, tool)
    expect(meta).toEqual({ rows: 3, resultBudget: { wholeBytes: 50_000, shownBytes: expect.any(Number) } })
    const inner: Stages = { postExecute: () => ({ kind: 'accept', meta: { by: 'inner' } }) }
    expect((await runWithin({ maxBytes: 2_000 }, tool, [inner])).meta).toEqual({
      by: 'inner',
      resultBudget: expect.any(Object),
    })
  })

  it('keeps the other words that a stage has for a failure', async () => {
    const tool = countedTool('tool', () => {
      throw new Error('secret')
    })
    const words: Stages = { postExecute: () => ({ kind: 'accept', error: { message: LONG } }) }
    const result = await runWithin({ maxBytes: 2_000 }, tool, [words])
    expect(result).toMatchObject({ isError: true, error: { code: 'TOOL_FAILED', message: LONG } })
    expect(textsOf(result.content)[0]).toMatch(/^Error: x+/)
    expect(readBytes(result)).toBeLessThanOrEqual(2_000)
  })

  it('is cut for a sub-agent too, whose calls have a parent and whose model reads them', async () => {
    let inner: unknown
    const outer = countedTool('outer', async (_args, { token }) => {
      inner = await registry.execute({ callId: 'in', name: 'tool', parent: token })
      return 'done'
    })
    const registry = createToolRegistry({
      tools: [outer, long()],
      stages: [resultBudget({ maxBytes: 2_000 })],
    })
    await registry.execute({ callId: 'out', name: 'outer' })
    expect(readBytes(inner as never)).toBeLessThanOrEqual(2_000)
  })
})
