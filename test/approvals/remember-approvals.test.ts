import type { SessionAnswer } from 'toolgate'
import { describe, expect, it } from 'vitest'
import { asking, codeOf, scripted } from './support.js'

/** Arguments of so many levels around a leaf. */
function nested(levels: number, leaf: unknown): unknown {
  let value = leaf
  for (let i = 0; i < levels; i++) value = { a: value }
  return value
}

describe('a remembered approval', () => {
  it('for the session serves later calls with equal arguments, and says so', async () => {
    const { approver, asked } = scripted([{ outcome: 'allowed-for-session', reason: 'trusted' }])
    const { call, write, reasons, approve } = asking(approver)
    expect(codeOf(await call({ arguments: { path: 'a', deep: { x: 1, y: [1, 2] } } }))).toBe('ok')
    expect(codeOf(await call({ arguments: '{"deep":{"y":[1,2],"x":1.0},"path":"a"}' }))).toBe('ok')
    expect([write.runs(), asked(), approve.size]).toEqual([2, 1, 1])
    expect(reasons).toEqual(['trusted', 'remembered for this session: trusted'])
  })

  it('for the session refuses later calls just as well, and their bodies do not run', async () => {
    const { approver, asked } = scripted(['rejected-for-session'])
    const { call, write, reasons } = asking(approver)
    const first = await call()
    const second = await call()
    expect([first, second].map(codeOf)).toEqual(['APPROVAL_REJECTED', 'APPROVAL_REJECTED'])
    expect([write.runs(), asked()]).toEqual([0, 1])
    expect(reasons).toEqual([undefined, 'remembered for this session'])
    expect(second).toMatchObject({
      error: { message: expect.stringContaining('remembered for this session') },
    })
  })

  it.each([
    ['once', ['allowed-once', 'rejected'], ['ok', 'APPROVAL_REJECTED'], 1],
    ['of a rejection', ['rejected', 'allowed-once'], ['APPROVAL_REJECTED', 'ok'], 1],
    ['of a cancellation', ['cancelled', 'allowed-once'], ['APPROVAL_CANCELLED', 'ok'], 1],
    ['of absence', ['unavailable', 'allowed-once'], ['APPROVAL_UNAVAILABLE', 'ok'], 1],
    ['of a throw', [new Error('down'), 'allowed-once'], ['APPROVAL_UNAVAILABLE', 'ok'], 1],
  ] as const)('does not come %s', async (_what, answers, codes, runs) => {
    const { approver, asked } = scripted(answers)
    const { call, write, approve } = asking(approver)
    expect([codeOf(await call()), codeOf(await call())]).toEqual(codes)
    expect([write.runs(), asked(), approve.size]).toEqual([runs, 2, 0])
  })

  it.each([
    ['undefined', undefined],
    ['an unknown outcome', 'allowed-forever'],
    ['an extra field', { outcome: 'allowed-for-session', until: 'tomorrow' }],
    ['a reason that is no text', { outcome: 'allowed-for-session', reason: 1 }],
    ['a list', ['allowed-for-session']],
    ['an inherited name', 'toString'],
  ])('does not come of %s, which is no answer', async (_what, answer) => {
    const { approver } = scripted([answer, answer])
    const { call, write, approve } = asking(approver)
    for (const result of [await call(), await call()]) expect(codeOf(result)).toBe('APPROVAL_UNAVAILABLE')
    expect([write.runs(), approve.size]).toEqual([0, 0])
  })

  it('leaves the pipeline the words of an approver that throws', async () => {
    const { call, registry, write } = asking(() => Promise.reject(new Error('the dialog broke')))
    const logs: string[] = []
    registry.on('log', ({ text }) => logs.push(text))
    expect(codeOf(await call())).toBe('APPROVAL_UNAVAILABLE')
    expect(logs).toEqual(['The approver threw: the dialog broke'])
    expect(write.runs()).toBe(0)
  })

  it('reads an answer once', async () => {
    const outcomes = ['rejected-for-session', 'allowed-once']
    const answer = {
      get outcome() {
        return outcomes.shift()
      },
    }
    const { call, write } = asking(() => answer as SessionAnswer)
    expect(codeOf(await call())).toBe('APPROVAL_REJECTED')
    expect(write.runs()).toBe(0)
  })

  it.each([
    ['another tool', { name: 'send' }],
    ['another scope', { scope: 'b' }],
    ['other arguments', { arguments: { n: 2 } }],
    ['arguments of another type', { arguments: { n: '1' } }],
    ['an argument of another name', { arguments: { m: 1 } }],
    ['one argument more', { arguments: { n: 1, m: undefined, extra: null } }],
    ['the same values in another order', { arguments: { n: 1, list: [2, 1] } }],
    ['another caller', { caller: { name: 'ada' } }],
    ['no caller', { caller: undefined }],
    ['a caller of the same text', { caller: '[object Object]' }],
  ])('does not serve %s', async (_what, other) => {
    const granted = { scope: 'a', arguments: { n: 1 }, caller: { name: 'ada' } }
    const { approver, asked } = scripted(['allowed-for-session', 'rejected', 'unavailable'])
    const { call, write, send } = asking(approver)
    expect(codeOf(await call(granted))).toBe('ok')
    const arguments_ = { ...granted, ...other }.arguments
    const lossless = JSON.parse(JSON.stringify(arguments_)) as unknown
    expect(codeOf(await call({ ...granted, ...other, arguments: lossless }))).toBe('APPROVAL_REJECTED')
    expect([write.runs(), send.runs(), asked()]).toEqual([1, 0, 2])
    expect(codeOf(await call(granted))).toBe('ok')
    expect(asked()).toBe(2)
  })

  it('tells callers apart by identity, whatever they are', async () => {
    const callers: unknown[] = [
      undefined,
      null,
      'null',
      1,
      '1',
      1n,
      true,
      'true',
      {},
      {},
      () => 1,
      () => 1,
      Symbol('s'),
      Symbol('s'),
      Symbol.for('s'),
      'registered symbol s',
      '#1',
    ]
    const { approver, asked } = scripted(callers.map(() => 'allowed-for-session'))
    const { call, approve } = asking(approver)
    for (const caller of callers) await call({ caller })
    // A missing caller and `undefined` are one.
    await call()
    expect([asked(), approve.size]).toEqual([callers.length, callers.length])
    for (const caller of callers) expect(codeOf(await call({ caller }))).toBe('ok')
    expect(asked()).toBe(callers.length)
  })

  it('compares arguments of ten thousand levels to the last', async () => {
    const { approver, asked } = scripted(['allowed-for-session', 'rejected'])
    const { call, write } = asking(approver)
    expect(codeOf(await call({ arguments: nested(10_000, 1) }))).toBe('ok')
    expect(codeOf(await call({ arguments: nested(10_000, 1) }))).toBe('ok')
    expect(codeOf(await call({ arguments: nested(10_000, 2) }))).toBe('APPROVAL_REJECTED')
    expect([write.runs(), asked()]).toEqual([2, 2])
  })

  it('does not outrank a guard', async () => {
    const { approver } = scripted(['allowed-for-session'])
    const { call, write, registry } = asking(approver)
    expect(codeOf(await call())).toBe('ok')
    registry.guard(() => 'closed')
    expect(codeOf(await call())).toBe('GUARD_DENIED')
    expect(write.runs()).toBe(1)
  })
})
