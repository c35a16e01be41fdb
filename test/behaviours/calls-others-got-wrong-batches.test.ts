/**
 * Group A of the calls on which other libraries failed, as far as it is about batches. What A1 has to say of resuming in
 * another process comes with later work.
 */
import { type Approver, createToolRegistry, type Stages, type ToolExecutionResult } from 'toolgate'
import { describe, expect, it } from 'vitest'
import { countedTool } from '../support/tools.js'

const codeOf = (result: ToolExecutionResult | undefined): string =>
  result === undefined ? 'none' : result.isError ? result.error.code : 'ok'
const askAbout = (...names: string[]): Stages => ({
  preExecute: (call, next) => (names.includes(call.name) ? { kind: 'ask' } : next()),
})

function setup(approve: Approver, stages: readonly Stages[] = [askAbout('gated')]) {
  const gated = countedTool('gated')
  const free = countedTool('free')
  return { registry: createToolRegistry({ tools: [gated, free], stages, approve }), gated, free }
}

describe('a batch of gated and free calls', () => {
  it.each([
    ['allowed-once', 'ok', 1],
    ['rejected', 'APPROVAL_REJECTED', 0],
    ['cancelled', 'APPROVAL_CANCELLED', 0],
    ['unavailable', 'APPROVAL_UNAVAILABLE', 0],
  ] as const)(
    'has one result for each id, and runs free calls once, when the answer is %s (A1)',
    async (answer, code, runs) => {
      for (const order of [
        ['gated', 'free'],
        ['free', 'gated'],
        ['free', 'gated', 'free'],
      ]) {
        const { registry, gated, free } = setup(async () => answer)
        const inputs = order.map((name, i) => ({ callId: `${i}`, name }))
        const results = await registry.executeAll(inputs)
        expect(results.map(result => [result.callId, codeOf(result)])).toEqual(
          order.map((name, i) => [`${i}`, name === 'gated' ? code : 'ok']),
        )
        expect([gated.runs(), free.runs()]).toEqual([runs, order.filter(name => name === 'free').length])
      }
    },
  )

  it('has a result for the denied call too, so that the next request is complete (A21)', async () => {
    const deny: Stages = {
      preExecute: (call, next) => (call.name === 'gated' ? { kind: 'deny', reason: 'no' } : next()),
    }
    const guard: Stages = { guard: call => (call.name === 'gated' ? 'no' : undefined) }
    for (const stage of [deny, guard]) {
      const { registry, gated } = setup(() => 'allowed-once', [stage])
      const results = await registry.executeAll(
        ['free', 'gated', 'free'].map((name, i) => ({ callId: `${i}`, name })),
      )
      expect(results.map(result => result.callId)).toEqual(['0', '1', '2'])
      for (const { content } of results) expect(content.length).toBeGreaterThan(0)
      expect([codeOf(results[1]) === 'ok', gated.runs()]).toEqual([false, 0])
    }
  })
})
