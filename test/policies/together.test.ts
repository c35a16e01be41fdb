import {
  circuitBreaker,
  concurrencyLimit,
  createToolRegistry,
  rateLimit,
  retryPolicy,
  type Stages,
  timeoutPolicy,
} from 'toolgate'
import { describe, expect, it, vi } from 'vitest'
import { countedTool, gate } from '../support/tools.js'
import { codeOf, codesOf, errorOf, obedient, pass, sleep, virtualTime, watch } from './support.js'

virtualTime()

const READS = { annotations: { readOnlyHint: true }, isConcurrencySafe: () => true }

describe('all policies together', () => {
  it('let calls wait, run, time out and be tried again, and spare a tool that stays broken', async () => {
    let broken = true
    const tool = countedTool('work', (args, context) => (broken ? obedient(args, context) : 'done'), READS)
    const registry = createToolRegistry({
      tools: [tool],
      stages: [
        concurrencyLimit({ limit: 2 }),
        retryPolicy({ attempts: 2, jitter: 'none', backoffMs: 100 }),
        circuitBreaker({ failures: 3, resetAfterMs: 1_000 }),
        timeoutPolicy({ defaultMs: 50 }),
      ],
    })
    const calls = [1, 2, 3, 4].map(at => ({ callId: `${at}`, name: 'work' }))
    const batch = registry.executeAll(calls)
    await pass(200)
    const results = await batch
    expect(codesOf(results)).toEqual(['TOOL_TIMEOUT', 'TOOL_TIMEOUT', 'CIRCUIT_OPEN', 'CIRCUIT_OPEN'])
    expect(results.map(({ meta }) => meta)).toEqual([{ attempts: 2 }, { attempts: 2 }, undefined, undefined])
    expect(errorOf(results[2] as never)?.details).toEqual({ retryAfterMs: 1_000 })
    expect(tool.runs()).toBe(4)
    broken = false
    await pass(1_000)
    expect(codeOf(await registry.execute({ callId: 'trial', name: 'work' }))).toBe('ok')
    expect(codesOf(await registry.executeAll(calls))).toEqual(['ok', 'ok', 'ok', 'ok'])
  })

  it.each([
    ['rateLimit', rateLimit({ limit: 1, perMs: 60_000, wait: true })],
    ['concurrencyLimit', concurrencyLimit({ limit: 1 })],
    ['circuitBreaker', circuitBreaker({ failures: 1, resetAfterMs: 1 })],
  ])(
    'let a call pass that was aborted before it came to them, and do not count it: %s',
    async (_name, stage) => {
      const tool = countedTool('work')
      const patient: Stages = { execute: async (_call, next) => (await sleep(10), next()) }
      const registry = createToolRegistry({ tools: [tool], stages: [patient, stage] })
      const controller = new AbortController()
      const call = (signal?: AbortSignal) => registry.execute({ callId: '1', name: 'work', signal })
      const aborted = call(controller.signal)
      await pass(5)
      controller.abort()
      await pass(5)
      expect(codeOf(await aborted)).toBe('ABORTED_BEFORE_DISPATCH')
      const next = call()
      await pass(10)
      expect(codeOf(await next)).toBe('ok')
      const late = new AbortController()
      const waiting = call(late.signal)
      await pass(5)
      late.abort()
      await pass(5)
      expect(codeOf(await waiting)).toBe('ABORTED_BEFORE_DISPATCH')
      expect(tool.runs()).toBe(1)
    },
  )

  it('in a scope add to those of the registry, and bind that scope only', async () => {
    const tool = countedTool('work', () => 'done', READS)
    const registry = createToolRegistry({
      tools: [tool],
      stages: [rateLimit({ limit: 3, perMs: 1_000 })],
      scopes: [{ id: 'guest', stages: [rateLimit({ limit: 1, perMs: 1_000 })] }],
    })
    const guest = registry.scope('guest')
    const results = []
    for (const scope of [guest, guest, registry, registry])
      results.push(await scope.execute({ callId: `${results.length}`, name: 'work' }))
    // The guest's second call had passed the registry's limit, and counts there.
    expect(codesOf(results)).toEqual(['ok', 'RATE_LIMITED', 'ok', 'RATE_LIMITED'])
  })

  it.each([
    ['rateLimit', rateLimit({ limit: 1, perMs: 60_000, wait: true, key: () => 'all' })],
    ['concurrencyLimit', concurrencyLimit({ limit: 1, key: () => 'all' })],
  ])('that wait inside a deadline are bound by it: %s, and the tool does not run', async (_name, waiting) => {
    const holding = gate()
    const holder = countedTool('holder', () => holding.promise)
    const tool = countedTool('work', () => 'done', { timeoutMs: 50 })
    const registry = createToolRegistry({ tools: [holder, tool], stages: [timeoutPolicy(), waiting] })
    const held = registry.execute({ callId: '1', name: 'holder' })
    await pass(10)
    const bound = watch(registry.execute({ callId: '2', name: 'work' }))
    await pass(49)
    expect(bound.now()).toBe('pending')
    await pass(1)
    expect(bound.now()).toMatchObject({
      error: {
        code: 'TOOL_TIMEOUT',
        message: 'Tool "work" did not end within 50 ms: it did not run at all. Try again later',
      },
    })
    expect(vi.getTimerCount()).toBe(0)
    holding.open()
    expect(codeOf(await held)).toBe('ok')
    expect(tool.runs()).toBe(0)
  })
})
