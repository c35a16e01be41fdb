import fc from 'fast-check'
import { createToolRegistry, rateLimit } from 'toolgate'
import { describe, expect, it, vi } from 'vitest'
import { countedTool } from '../support/tools.js'
import { errorOf, pass } from './support.js'

// All times are even but those of aborts, so that no abort falls on a turn.
const arrival = fc.record({
  afterMs: fc.integer({ min: 0, max: 30 }).map(ms => ms * 2),
  abortAfterMs: fc.option(
    fc.integer({ min: 0, max: 60 }).map(ms => ms * 2 + 1),
    { nil: undefined, freq: 3 },
  ),
})
const rate = fc.record({
  limit: fc.integer({ min: 1, max: 4 }),
  perMs: fc.integer({ min: 1, max: 30 }).map(ms => ms * 2),
})

describe('a rate', () => {
  it('is kept in every window of time, in order, and nobody waits longer than that takes', async () => {
    await fc.assert(
      fc.asyncProperty(rate, fc.array(arrival, { maxLength: 25 }), async ({ limit, perMs }, arrivals) => {
        vi.useFakeTimers({ now: 0 })
        const started = new Map<string, number>()
        const tool = countedTool('work', (_args, { callId }) => void started.set(callId, Date.now()))
        const registry = createToolRegistry({
          tools: [tool],
          stages: [rateLimit({ limit, perMs, wait: { maxQueued: 1_000 } })],
        })
        const came = new Map<string, number>()
        const calls = arrivals.map(async ({ abortAfterMs }, at) => {
          const callId = `${at}`
          const before = arrivals.slice(0, at + 1).reduce((sum, { afterMs: ms }) => sum + ms, 0)
          came.set(callId, before)
          await new Promise(resolve => setTimeout(resolve, before))
          const controller = new AbortController()
          const timer = abortAfterMs !== undefined && setTimeout(() => controller.abort(), abortAfterMs)
          const result = await registry.execute({ callId, name: 'work', signal: controller.signal })
          if (timer !== false) clearTimeout(timer)
          return errorOf(result)?.code ?? 'ok'
        })
        await pass(60 * 25 + 60 * 25)
        const codes = await Promise.all(calls)
        expect(vi.getTimerCount()).toBe(0)
        vi.useRealTimers()

        const ran = [...codes.keys()].filter(at => codes[at] === 'ok').map(String)
        expect([...started.keys()]).toEqual(ran)
        // Each start is the earliest that order and rate allow.
        const times: number[] = []
        for (const callId of ran) {
          const earliest = Math.max(
            came.get(callId) ?? 0,
            times.at(-1) ?? 0,
            (times.at(-limit) ?? -perMs) + perMs,
          )
          expect(started.get(callId)).toBe(earliest)
          times.push(earliest)
        }
        expect(codes.every(code => code === 'ok' || code === 'ABORTED_BEFORE_DISPATCH')).toBe(true)
      }),
      { numRuns: 200 },
    )
  })
})
