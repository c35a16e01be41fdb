import fc from 'fast-check'
import { createToolRegistry, type Stages } from 'toolgate'
import { describe, expect, it } from 'vitest'
import { countedTool } from '../support/tools.js'

const KINDS = [
  'read',
  'write',
  'keyed',
  'throw',
  'reject',
  'abortable',
  'ghost',
  'denied',
  'guarded',
  'invalid',
  'churn',
] as const

const call = fc.record({
  kind: fc.constantFrom(...KINDS),
  id: fc.nat(30),
  ticks: fc.nat(4),
  key: fc.constantFrom('x', 'y'),
})

const after = async (ticks: number): Promise<void> => {
  for (let i = 0; i < ticks; i++) await undefined
}

function world() {
  const policy: Stages = {
    preExecute: async ({ name }, next) => (name === 'denied' ? { kind: 'deny', reason: 'no' } : next()),
    guard: ({ name }) => (name === 'guarded' ? 'no' : undefined),
    onResult: ({ name }) => {
      if (name === 'read') throw new Error('observer')
    },
  }
  const body = async ({ ticks }: { ticks: number }) => {
    await after(ticks)
    return 'ok'
  }
  const registry = createToolRegistry({
    stages: [policy],
    abortGraceMs: 5,
    tools: [
      countedTool('read', body, { isConcurrencySafe: () => true }),
      countedTool('write', body),
      countedTool('keyed', body, { resourceKeys: ({ key }) => [key] }),
      countedTool('throw', () => {
        throw new Error('boom')
      }),
      countedTool('reject', () => Promise.reject(new Error('boom')), { isConcurrencySafe: () => true }),
      countedTool(
        'abortable',
        (_args, { signal }) =>
          new Promise((resolve, reject) => {
            void after(8).then(() => resolve('ok'))
            signal.addEventListener('abort', () => reject(signal.reason))
          }),
        { isConcurrencySafe: () => true },
      ),
      countedTool('denied'),
      countedTool('guarded'),
      countedTool('invalid', () => Symbol('no')),
      countedTool('churn', () => {
        const registration = registry.register(countedTool('ghost', body))
        registration()
        return 'ok'
      }),
    ],
  })
  return registry
}

describe('a storm of calls', () => {
  it('N calls in, N results out, in order, each exactly once', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(call, { maxLength: 25 }),
        fc.integer({ min: 1, max: 5 }),
        fc.option(fc.nat(30), { nil: undefined }),
        async (calls, maxParallel, abortAfter) => {
          const registry = world()
          const heard: string[] = []
          registry.on('result', ({ result }) => heard.push(result.callId))
          const controller = new AbortController()
          const inputs = calls.map(({ kind, id, ticks, key }) => ({
            callId: `c${id}`,
            name: kind,
            arguments: { ticks, key },
          }))
          const pending = registry.executeAll(inputs, { maxParallel, signal: controller.signal })
          if (abortAfter !== undefined) void after(abortAfter).then(() => controller.abort())
          const results = await pending
          expect(results.map(result => result.callId)).toEqual(inputs.map(input => input.callId))
          expect(results.map(result => result.name)).toEqual(inputs.map(input => input.name))
          expect(heard).toEqual(inputs.map(input => input.callId))
          const duplicates = results.filter(
            result => result.isError && result.error.code === 'DUPLICATE_CALL_ID',
          )
          expect(duplicates.length).toBe(inputs.length - new Set(inputs.map(input => input.callId)).size)
        },
      ),
      { numRuns: 1_000 },
    )
  })
})
