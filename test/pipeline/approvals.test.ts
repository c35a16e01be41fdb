import { type ApprovalRequest, type Approver, createToolRegistry, type Stages } from 'toolgate'
import { describe, expect, it } from 'vitest'
import { countedTool, gate, settle } from '../support/tools.js'

const ask: Stages = { name: 'ask', preExecute: () => ({ kind: 'ask', reason: 'it writes' }) }

function setup(approve?: Approver, more: readonly Stages[] = []) {
  const tool = countedTool('write', () => 'written', {
    presentCall: ({ path }) => ({ card: 'generic', title: `Write ${path}` }),
  })
  const registry = createToolRegistry({ tools: [tool], stages: [ask, ...more], ...(approve && { approve }) })
  const pairs: string[] = []
  registry.on('approval:asked', ({ id }) => pairs.push(`asked ${id}`))
  registry.on('approval:decided', ({ id, outcome }) => pairs.push(`decided ${id} ${outcome}`))
  const call = (signal?: AbortSignal) =>
    registry.execute({
      callId: '1',
      name: 'write',
      arguments: { path: 'a' },
      caller: 'me',
      ...(signal && { signal }),
    })
  return { tool, registry, pairs, call }
}

describe('approval', () => {
  it('asks with the frozen arguments, the card, the reason and the caller, and runs once granted', async () => {
    let request: ApprovalRequest | undefined
    const { tool, call, pairs } = setup(asked => {
      request = asked
      return 'allowed-once'
    })
    expect(await call()).toMatchObject({ isError: false, value: 'written' })
    expect(tool.runs()).toBe(1)
    expect(request).toMatchObject({
      callId: '1',
      toolName: 'write',
      arguments: { path: 'a' },
      reason: 'it writes',
      scope: 'root',
      caller: 'me',
      card: { card: 'generic', title: 'Write a' },
    })
    expect(Object.isFrozen(request?.arguments)).toBe(true)
    expect(pairs).toEqual([`asked ${request?.id}`, `decided ${request?.id} allowed-once`])
  })

  it.each([
    ['rejected', 'APPROVAL_REJECTED'],
    ['cancelled', 'APPROVAL_CANCELLED'],
    ['unavailable', 'APPROVAL_UNAVAILABLE'],
  ] as const)('%s is %s, with its reason, and the body does not run', async (outcome, code) => {
    for (const answer of [outcome, { outcome, reason: 'not today' }] as const) {
      const { tool, call } = setup(() => answer)
      const result = await call()
      expect(result).toMatchObject({ isError: true, error: { code } })
      if (typeof answer === 'object' && result.isError) expect(result.error.message).toContain('not today')
      expect(tool.runs()).toBe(0)
    }
  })

  it.each([
    ['undefined', undefined],
    ['true', true],
    ['yes', 'yes'],
    ['an unknown outcome', { outcome: 'allowed-always' }],
    ['an extra field', { outcome: 'allowed-once', remember: true }],
    ['a reason that is no text', { outcome: 'allowed-once', reason: 1 }],
    ['a list', ['allowed-once']],
    [
      'an accessor that throws',
      {
        get outcome(): never {
          throw new Error('no')
        },
      },
    ],
  ])('%s as an answer is APPROVAL_UNAVAILABLE', async (_what, answer) => {
    const { tool, call, pairs } = setup(() => answer as never)
    expect(await call()).toMatchObject({ isError: true, error: { code: 'APPROVAL_UNAVAILABLE' } })
    expect([tool.runs(), pairs.length]).toEqual([0, 2])
  })

  it('counts a throw, a rejection and no approver at all as unavailable', async () => {
    const throwing = setup(() => {
      throw new Error('down')
    })
    const rejecting = setup(() => Promise.reject(new Error('down')))
    for (const { call, tool } of [throwing, rejecting, setup()]) {
      expect(await call()).toMatchObject({ isError: true, error: { code: 'APPROVAL_UNAVAILABLE' } })
      expect(tool.runs()).toBe(0)
    }
  })

  it('cancels at once when the caller aborts, and drops the late answer', async () => {
    const answer = gate<'allowed-once'>()
    const { tool, call, pairs } = setup(() => answer.promise)
    const controller = new AbortController()
    const pending = call(controller.signal)
    await settle()
    controller.abort()
    expect(await pending).toMatchObject({ isError: true, error: { code: 'ABORTED_BEFORE_DISPATCH' } })
    answer.fail(new Error('too late'))
    await settle()
    expect([tool.runs(), pairs.length]).toEqual([0, 2])
  })

  it('asks nobody about a call that a guard refuses, and asks guards again after the grant', async () => {
    let asked = 0
    let open = true
    const approver: Approver = () => {
      asked++
      open = false
      return 'allowed-once'
    }
    const guard: Stages = { name: 'door', guard: () => (open ? undefined : 'closed by now') }
    const { call, tool } = setup(approver, [guard])
    expect(await call()).toMatchObject({
      isError: true,
      error: { code: 'GUARD_DENIED', message: 'closed by now' },
    })
    expect(await call()).toMatchObject({ isError: true, error: { code: 'GUARD_DENIED' } })
    expect([asked, tool.runs()]).toEqual([1, 0])
  })

  it('uses the nearest scope’s approver', async () => {
    const tool = countedTool('write')
    const registry = createToolRegistry({
      tools: [tool],
      stages: [ask],
      approve: () => 'rejected',
      scopes: [
        { id: 'trusted', approve: () => 'allowed-once' },
        { id: 'inner', parent: 'trusted' },
        { id: 'other' },
      ],
    })
    const codes = await Promise.all(
      ['trusted', 'inner', 'other'].map(async scope => {
        const result = await registry.execute({ callId: scope, name: 'write', scope })
        return result.isError ? result.error.code : 'ok'
      }),
    )
    expect(codes).toEqual(['ok', 'ok', 'APPROVAL_REJECTED'])
  })

  it('does not ask about a tool that does not exist', async () => {
    let asked = 0
    const registry = createToolRegistry({ stages: [ask], approve: () => (asked++, 'allowed-once') })
    expect(await registry.execute({ callId: '1', name: 'ghost' })).toMatchObject({
      error: { code: 'UNKNOWN_TOOL' },
    })
    expect(asked).toBe(0)
  })
})

it.each([
  ['registered anew', 'asked'],
  ['registered anew', 'around'],
  ['replaced', 'asked'],
  ['replaced', 'around'],
] as const)(
  'a tool that takes the name of an approved one does not run in its place: %s when %s',
  async (how, replaceWhen) => {
    const asked = gate()
    const answer = gate<'allowed-once'>()
    const first = countedTool('deploy', undefined, { presentCall: () => ({ card: 'generic', title: 'one' }) })
    const second = countedTool('deploy')
    const replace = (): void => {
      if (how === 'replaced') registration.replace(second)
      else {
        registration()
        registry.register(second)
      }
    }
    const registry = createToolRegistry({
      stages: [
        { preExecute: () => ({ kind: 'ask' }) },
        {
          execute: (_call, next) => {
            if (replaceWhen === 'around') replace()
            return next()
          },
        },
      ],
      approve: () => {
        asked.open()
        return answer.promise
      },
    })
    const registration = registry.register(first)
    const pending = registry.execute({ callId: '1', name: 'deploy' })
    await asked.promise
    if (replaceWhen === 'asked') replace()
    answer.open('allowed-once')
    expect(await pending).toMatchObject({ isError: true, error: { code: 'APPROVAL_CANCELLED' } })
    expect([first.runs(), second.runs()]).toEqual([0, 0])
  },
)

it.each([
  ['an unknown card', { card: 5 }],
  ['a card without a title', { card: 'diff', diffs: [] }],
  ['a title that is no text', { card: 'generic', title: {} }],
])('%s is replaced by a generic one', async (_what, card) => {
  const cards: unknown[] = []
  const registry = createToolRegistry({
    tools: [countedTool('deploy', undefined, { presentCall: () => card as never })],
    stages: [{ preExecute: () => ({ kind: 'ask' }) }],
    approve: request => {
      cards.push(request.card)
      return 'rejected'
    },
  })
  await registry.execute({ callId: '1', name: 'deploy' })
  expect(cards).toEqual([{ card: 'generic', title: 'deploy', rawInput: {} }])
})
