/**
 * Decided otherwise:
 * - APR-02 no scope and no caller are needed: what is asked about is always some scope's call.
 * - APR-03 the request carries the arguments, frozen, and the call's card.
 * - APR-05 an unknown outcome is APPROVAL_UNAVAILABLE.
 * - APR-06 guards are asked before the approver and once more after a grant.
 * - APR-08 the nearest scope's approver answers; who wants a chain composes functions.
 * - APR-11 there is no policy `never`: an approver that rejects is one, on a scope or for one caller.
 * - APR-12 each ask has its pair of events with an id of its own; there is no turn to be open.
 * - APR-13 an approver is an option and does not vanish; one that fails degrades to a refusal.
 */
import type { ApprovalRequest, Approver, Stages } from 'toolgate'
import { describe, expect, it } from 'vitest'
import { isDeepFrozen } from '../support/tools.js'
import { ask, setup } from './approval-support.js'

describe('an ask', () => {
  it('goes to the approver of that moment; without one it is refused, for the ask’s reason or a text (APR-01)', async () => {
    const plain = setup()
    expect(await plain.call()).toMatchObject({
      code: 'APPROVAL_UNAVAILABLE',
      message: expect.stringContaining('needs approval'),
      runs: 0,
    })
    const reasoned = setup(undefined, [ask('it writes to disk')])
    expect(await reasoned.call()).toMatchObject({
      code: 'APPROVAL_UNAVAILABLE',
      message: expect.stringContaining('it writes to disk'),
      runs: 0,
    })
    expect([...plain.events, ...reasoned.events]).toEqual([])
  })

  it('is put without a caller and in any scope (APR-02)', async () => {
    const asked: ApprovalRequest[] = []
    const { registry, call, tool } = setup(request => (asked.push(request), 'allowed-once'))
    registry.createScope({ id: 'child' })
    expect(await call()).toMatchObject({ code: 'ok' })
    expect(await call({ scope: 'child', caller: 'me' })).toMatchObject({ code: 'ok' })
    expect(asked.map(({ scope, caller }) => [scope, caller])).toEqual([
      ['root', undefined],
      ['child', 'me'],
    ])
    expect(['caller' in (asked[0] as object), tool.runs()]).toEqual([false, 2])
  })

  it('carries the frozen arguments that run, the card, the ids, the caller, the reason and a signal (APR-03)', async () => {
    const asked: ApprovalRequest[] = []
    const ran: unknown[] = []
    const { registry, call } = setup(
      request => (asked.push(request), 'allowed-once'),
      [ask('it writes'), { execute: (running, next) => (ran.push(running.arguments), next()) }],
    )
    const caller = { user: 'x' }
    await call({ caller, arguments: '{"path":"b","lines":[1]}' })
    const [request] = asked as [ApprovalRequest]
    expect(request).toEqual({
      id: expect.any(String),
      callId: '1',
      registryId: expect.any(String),
      toolName: 'write',
      arguments: { path: 'b', lines: [1] },
      reason: 'it writes',
      scope: 'root',
      caller,
      card: { card: 'diff', title: 'Write b', diffs: [] },
      signal: expect.any(AbortSignal),
    })
    expect(request.caller).toBe(caller)
    expect(request.arguments).toBe(ran[0])
    expect([Object.isFrozen(request), isDeepFrozen(request.arguments), isDeepFrozen(request.card)]).toEqual([
      true,
      true,
      true,
    ])
    expect(registry.get('write')?.presentCall?.({ path: 'b' })).toEqual(request.card)
  })
})

describe('an answer', () => {
  it('is one of four: one goes on, three refuse, each in words of its own (APR-04)', async () => {
    expect(await setup(() => 'allowed-once').call()).toMatchObject({ code: 'ok', runs: 1 })
    const texts = new Set<string>()
    for (const [outcome, code, words] of [
      ['rejected', 'APPROVAL_REJECTED', 'user refused'],
      ['cancelled', 'APPROVAL_CANCELLED', 'cancelled'],
      ['unavailable', 'APPROVAL_UNAVAILABLE', 'nobody could be asked'],
    ] as const) {
      const told = await setup(() => outcome).call()
      expect(told).toMatchObject({ code, runs: 0, message: expect.stringContaining(words) })
      expect(told.details).toBeUndefined()
      const reasoned = await setup(() => ({ outcome, reason: 'not on Fridays' })).call()
      expect(reasoned).toMatchObject({ code, runs: 0, details: { reason: 'not on Fridays' } })
      expect(reasoned.message).toContain('not on Fridays')
      texts.add(told.message)
    }
    expect(texts.size).toBe(3)
  })

  it.each([
    ['nothing', undefined],
    ['null', null],
    ['true', true],
    ['yes', 'yes'],
    ['another case', 'Allowed-Once'],
    ['a blank', ' allowed-once'],
    ['a boxed text', new String('allowed-once')],
    ['always', { outcome: 'allowed-always' }],
    ['a field more', { outcome: 'allowed-once', remember: true }],
    ['a symbol more', { outcome: 'allowed-once', [Symbol('x')]: 1 }],
    ['a reason that is no text', { outcome: 'allowed-once', reason: 5 }],
    ['a list', ['allowed-once']],
    ['a function', () => 'allowed-once'],
    ['a decision of a stage', { kind: 'allow' }],
    ['an inherited outcome', Object.create({ outcome: 'allowed-once' })],
    [
      'an inherited outcome beside a reason',
      Object.assign(Object.create({ outcome: 'allowed-once' }), { reason: 'x' }),
    ],
    [
      'an instance with an outcome',
      new (class {
        get outcome() {
          return 'allowed-once'
        }
      })(),
    ],
    ['a proxy that answers anything', new Proxy({}, { get: () => 'allowed-once' })],
  ])('outside them is none: %s (APR-05)', async (_what, answer) => {
    for (const approve of [() => answer, async () => answer] as Approver[]) {
      const { call, events } = setup(approve)
      expect(await call()).toMatchObject({ code: 'APPROVAL_UNAVAILABLE', runs: 0 })
      expect(events).toHaveLength(2)
    }
  })

  it('cannot undo a guard: guards are asked before it and once more after (APR-06)', async () => {
    const log: string[] = []
    let open = true
    const guard: Stages = {
      guard: () => {
        log.push('guard')
        return open ? undefined : 'closed'
      },
    }
    const approve = () => {
      log.push('approver')
      return 'allowed-once' as const
    }
    const { call } = setup(approve, [ask(), guard])
    expect(await call()).toMatchObject({ code: 'ok', runs: 1 })
    expect(log).toEqual(['guard', 'approver', 'guard'])
    open = false
    log.length = 0
    expect(await call()).toMatchObject({ code: 'GUARD_DENIED', runs: 1 })
    expect(log).toEqual(['guard'])
    const closing = setup(() => {
      open = false
      return 'allowed-once'
    }, [ask(), guard])
    open = true
    expect(await closing.call()).toMatchObject({ code: 'GUARD_DENIED', message: 'closed', runs: 0 })
  })

  it.each([
    ['cancelled', true, 'ABORTED_BEFORE_DISPATCH'],
    ['cancelled', false, 'APPROVAL_CANCELLED'],
    ['rejected', true, 'APPROVAL_REJECTED'],
    ['unavailable', true, 'APPROVAL_UNAVAILABLE'],
    ['allowed-once', true, 'ABORTED_BEFORE_DISPATCH'],
  ] as const)('of %s where the caller’s abort is %s is %s (APR-07)', async (outcome, aborts, code) => {
    const controller = new AbortController()
    let decided: string | undefined
    const { registry, call } = setup(() => outcome)
    registry.on('approval:decided', event => {
      decided = event.outcome
      if (aborts) controller.abort()
    })
    expect(await call({ signal: controller.signal })).toMatchObject({ code, runs: 0 })
    expect(decided).toBe(outcome)
  })

  it.each([
    [
      'throws',
      () => {
        throw new Error('secret')
      },
    ],
    ['rejects', () => Promise.reject(new Error('secret'))],
    [
      'throws nothing',
      () => {
        throw undefined
      },
    ],
    ['returns a promise of nonsense', async () => 'maybe'],
    [
      'returns a thenable that throws',
      () => ({
        get then() {
          throw new Error('secret')
        },
      }),
    ],
    [
      'returns what throws when read',
      () => ({
        get outcome() {
          throw new Error('secret')
        },
      }),
    ],
  ])('of an approver that %s is none, and its text is not the model’s (APR-09)', async (_what, approve) => {
    const { call, events } = setup(approve as never)
    const told = await call()
    expect(told).toMatchObject({ code: 'APPROVAL_UNAVAILABLE', runs: 0 })
    expect(JSON.stringify(told)).not.toContain('secret')
    expect(events).toHaveLength(2)
  })
})

describe('approvers', () => {
  it('are the nearest scope’s; a chain is a function that asks others in turn (APR-08)', async () => {
    const human: Approver = () => 'rejected'
    const cache = new Map([['a', 'allowed-once' as const]])
    const chain =
      (...all: ((request: ApprovalRequest) => ReturnType<Approver> | undefined)[]): Approver =>
      async request => {
        for (const answerer of all) {
          const answer = await answerer(request)
          if (answer !== undefined) return answer
        }
        return 'unavailable'
      }
    const remembered = ({ arguments: args }: ApprovalRequest) => cache.get((args as { path: string }).path)
    const { registry, call } = setup(() => 'unavailable')
    registry.createScope({ id: 'chained', approve: chain(remembered, human) })
    registry.createScope({ id: 'empty', approve: chain() })
    expect(await call({ scope: 'chained' })).toMatchObject({ code: 'ok', runs: 1 })
    expect(await call({ scope: 'chained', arguments: { path: 'b' } })).toMatchObject({
      code: 'APPROVAL_REJECTED',
    })
    expect(await call({ scope: 'empty' })).toMatchObject({ code: 'APPROVAL_UNAVAILABLE', runs: 1 })
  })

  it('that always reject are a policy `never`, which no order of registration goes around (APR-11)', async () => {
    let asked = 0
    const { registry, call } = setup(() => (asked++, 'allowed-once'))
    registry.createScope({ id: 'never', approve: () => 'rejected' }).createScope({ id: 'under' })
    registry.use({ preExecute: () => ({ kind: 'allow' }) })
    expect(await call({ scope: 'never' })).toMatchObject({ code: 'APPROVAL_REJECTED', runs: 0 })
    expect(await call({ scope: 'under' })).toMatchObject({ code: 'APPROVAL_REJECTED', runs: 0 })
    expect(asked).toBe(0)
  })

  it('that fail from one call to the next degrade to a refusal (APR-13)', async () => {
    let up = true
    const { call } = setup(() => {
      if (!up) throw new Error('channel closed')
      return 'allowed-once'
    })
    expect(await call()).toMatchObject({ code: 'ok', runs: 1 })
    up = false
    expect(await call()).toMatchObject({ code: 'APPROVAL_UNAVAILABLE', runs: 1 })
  })
})
