import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import {
  circuitBreaker,
  concurrencyLimit,
  createToolRegistry,
  type PolicyKeyOf,
  rateLimit,
  type Stages,
} from 'toolgate'
import { describe, expect, it, vi } from 'vitest'
import { countedTool } from '../support/tools.js'
import { codeOf, virtualTime } from './support.js'

virtualTime()

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void

const policies: readonly (readonly [string, (key: PolicyKeyOf) => Stages])[] = [
  ['rateLimit', key => rateLimit({ limit: 3, perMs: 10, key, wait: true })],
  ['concurrencyLimit', key => concurrencyLimit({ limit: 3, key })],
  ['circuitBreaker', key => circuitBreaker({ failures: 2, resetAfterMs: 10, key })],
]

describe.each(policies)('%s', (_name, policy) => {
  it('keeps no object alive that was a key', async () => {
    const refs: WeakRef<object>[] = []
    const makeKey = (): object => {
      const key = { session: refs.length }
      refs.push(new WeakRef(key))
      return key
    }
    const tool = countedTool('work', () => Promise.reject(new Error('no')))
    const registry = createToolRegistry({ tools: [tool], stages: [policy(makeKey)] })
    for (let at = 0; at < 100; at++) await registry.execute({ callId: `${at}`, name: 'work' })
    vi.useRealTimers()
    await new Promise(resolve => setTimeout(resolve, 0))
    collectGarbage()
    vi.useFakeTimers()
    expect(refs.length).toBe(100)
    expect(refs.filter(ref => ref.deref() !== undefined).length).toBeLessThan(5)
  })

  it('does not grow with the texts that were keys', async () => {
    const tool = countedTool('work')
    const key: PolicyKeyOf = ({ callId }) => 'x'.repeat(10_000) + callId
    const registry = createToolRegistry({ tools: [tool], stages: [policy(key)] })
    const heapAfter = async (calls: number): Promise<number> => {
      for (let at = 0; at < calls; at++) {
        expect(codeOf(await registry.execute({ callId: `${at}`, name: 'work' }))).toBe('ok')
        vi.advanceTimersByTime(11)
      }
      collectGarbage()
      return process.memoryUsage().heapUsed
    }
    const before = await heapAfter(10)
    expect((await heapAfter(3_000)) - before).toBeLessThan(10_000_000)
  })
})
