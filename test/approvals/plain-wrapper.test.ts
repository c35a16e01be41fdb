import { isDeepStrictEqual } from 'node:util'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import fc from 'fast-check'
import { rememberApprovals } from 'toolgate'
import { describe, expect, it } from 'vitest'
import { settle } from '../support/tools.js'
import { scripted } from './support.js'

describe('the wrapper by itself', () => {
  const request = (signal: AbortSignal) =>
    ({ id: '1', callId: '1', toolName: 'write', arguments: {}, scope: 'root', signal }) as never

  it('answers cancelled to an aborted request and asks nobody', async () => {
    const { approver, asked } = scripted(['allowed-once'])
    expect(await rememberApprovals(approver)(request(AbortSignal.abort()))).toBe('cancelled')
    expect(asked()).toBe(0)
  })

  it('keeps no caller alive', async () => {
    const approve = rememberApprovals(() => 'allowed-for-session')
    const askOnce = async (): Promise<WeakRef<object>> => {
      const caller = { name: 'ada' }
      const asked = request(new AbortController().signal) as object
      expect(await approve({ ...asked, caller } as never)).toBe('allowed-once')
      return new WeakRef(caller)
    }
    const caller = await askOnce()
    expect(approve.size).toBe(1)
    setFlagsFromString('--expose-gc')
    const collect = runInNewContext('gc') as () => void
    for (let i = 0; i < 20 && caller.deref() !== undefined; i++) {
      await settle()
      collect()
    }
    expect(caller.deref()).toBeUndefined()
  })

  it('takes arguments for equal exactly if they are, whatever the order of keys', async () => {
    const json = fc.jsonValue().map(value => JSON.parse(JSON.stringify(value)) as unknown)
    const reversed = (value: unknown): unknown => {
      if (typeof value !== 'object' || value === null) return value
      if (Array.isArray(value)) return value.map(reversed)
      return Object.fromEntries(
        Object.entries(value)
          .reverse()
          .map(([key, child]) => [key, reversed(child)]),
      )
    }
    let askedTwice = 0
    const property = fc.asyncProperty(json, json, async (first, second) => {
      let asked = 0
      const approve = rememberApprovals(() => (asked++, 'allowed-for-session'))
      const { signal } = new AbortController()
      const ask = (args: unknown) => approve({ ...(request(signal) as object), arguments: args } as never)
      await ask(first)
      await ask(reversed(first))
      expect(asked).toBe(1)
      await ask(second)
      expect(asked).toBe(isDeepStrictEqual(first, second) ? 1 : 2)
      askedTwice += asked - 1
    })
    await fc.assert(property, { numRuns: 300 })
    expect(askedTwice).toBeGreaterThan(100)
  })

  it('leaves no listener on a signal', async () => {
    const { signal } = new AbortController()
    let listeners = 0
    const { addEventListener, removeEventListener } = signal
    signal.addEventListener = (...args: Parameters<typeof addEventListener>) => {
      listeners++
      addEventListener.apply(signal, args)
    }
    signal.removeEventListener = (...args: Parameters<typeof removeEventListener>) => {
      listeners--
      removeEventListener.apply(signal, args)
    }
    const approve = rememberApprovals(() => 'allowed-for-session')
    await Promise.all([approve(request(signal)), approve(request(signal))])
    await approve(request(signal))
    expect(listeners).toBe(0)
  })

  it('hands on the very request, and only plain outcomes', async () => {
    const given = request(new AbortController().signal)
    const seen: unknown[] = []
    const approve = rememberApprovals(asked => {
      seen.push(asked)
      return { outcome: 'allowed-for-session', reason: 'fine' }
    })
    expect(await approve(given)).toEqual({ outcome: 'allowed-once', reason: 'fine' })
    expect(seen[0]).toBe(given)
  })

  it.each([
    ['no approver', undefined, {}],
    ['no entries', () => 'rejected' as const, { maxEntries: 0 }],
    ['a fraction', () => 'rejected' as const, { maxEntries: 1.5 }],
    ['an unknown option', () => 'rejected' as const, { maxAge: 1 }],
  ])('refuses %s', (_what, approver, options) => {
    expect(() => rememberApprovals(approver as never, options as never)).toThrow(
      expect.objectContaining({ code: 'INVALID_OPTIONS' }),
    )
  })
})
