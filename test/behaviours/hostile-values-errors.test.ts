import { createToolRegistry, type Stages, type ToolDefinition } from 'toolgate'
import { describe, expect, it } from 'vitest'
import { countedTool, isDeepFrozen } from '../support/tools.js'

const BRAND = Symbol.for('toolgate.error')

const boom = (): never => {
  throw new Error('boom')
}

/** An error of the package's kind that is spoilt in one place. */
const coded = (spoilt: PropertyDescriptorMap): Error =>
  Object.defineProperties(new Error('m'), { [BRAND]: { value: true }, code: { value: 'X' }, ...spoilt })

const throwingFrom = (reading: number, value: unknown): PropertyDescriptor => {
  let readings = 0
  return { get: () => (++readings >= reading ? boom() : value) }
}

const changing = (): PropertyDescriptor => {
  let readings = 0
  return { get: () => (readings++ === 0 ? 'X' : { toString: boom }) }
}

const ERRORS: readonly (readonly [string, () => unknown])[] = [
  ['whose code throws at the second reading', () => coded({ code: throwingFrom(2, 'X') })],
  ['whose code changes', () => coded({ code: changing() })],
  ['whose message throws at the second reading', () => coded({ message: throwingFrom(2, 'm') })],
  ['whose name throws', () => coded({ name: throwingFrom(1, 'n') })],
  ['whose name cannot be text', () => coded({ name: { value: Object.create(null) } })],
  ['whose details throw', () => coded({ details: throwingFrom(1, {}) })],
  ['whose details throw at the second reading', () => coded({ details: throwingFrom(2, {}) })],
  ['of no kind whose name throws', () => Object.defineProperty({}, 'name', { get: boom })],
]

const ask: Stages = { preExecute: () => ({ kind: 'ask' }) }

interface Place {
  readonly stages?: (fail: () => never) => readonly unknown[]
  readonly tool?: (fail: () => never) => Partial<ToolDefinition>
  readonly registry?: (fail: () => never) => object
  readonly body?: 'throws' | 'throws once aborted'
}

const PLACES: Readonly<Record<string, Place>> = {
  preExecute: { stages: fail => [{ preExecute: fail }] },
  guard: { stages: fail => [{ guard: fail }] },
  execute: { stages: fail => [{ execute: fail }] },
  postExecute: { stages: fail => [{ postExecute: fail }] },
  approve: { stages: () => [ask], registry: fail => ({ approve: fail }) },
  body: { body: 'throws' },
  'an aborted body': { body: 'throws once aborted' },
  describeError: { body: 'throws', registry: fail => ({ describeError: fail }) },
  finalizeContent: { tool: fail => ({ finalizeContent: fail }) },
  render: { tool: fail => ({ output: { schema: {}, render: fail } }) },
  'output.parse': { tool: fail => ({ output: { schema: {}, render: () => [], parse: fail } }) as never },
}

describe.each(ERRORS)('an error %s', (_what, make) => {
  it.each(Object.entries(PLACES))('thrown by %s is one frozen failure', async (_place, place) => {
    const fail = (): never => {
      throw make()
    }
    for (const way of ['alone', 'in a batch']) {
      const caller = new AbortController()
      const body = (): string => {
        if (place.body === 'throws once aborted') caller.abort()
        return place.body === undefined ? 'ok' : fail()
      }
      const registry = createToolRegistry({
        tools: [countedTool('work', body, place.tool?.(fail))],
        stages: (place.stages?.(fail) ?? []) as readonly Stages[],
        approve: () => 'allowed-once',
        ...place.registry?.(fail),
      })
      const input = { callId: '1', name: 'work', signal: caller.signal }
      const results = way === 'alone' ? [await registry.execute(input)] : await registry.executeAll([input])
      expect(results).toHaveLength(1)
      expect(results[0]?.isError && results[0].error.code).toEqual(expect.any(String))
      expect(isDeepFrozen(results[0])).toBe(true)
      await registry.dispose()
    }
  })
})
