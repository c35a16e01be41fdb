import { type ApprovalRequest, createToolRegistry, type Stages } from 'toolgate'
import { quickJsRuntime } from 'toolgate/quickjs'
import { describe, expect, it } from 'vitest'
import { countedTool, gate, settle } from '../support/tools.js'
import { setup } from './approval-support.js'

describe('an abort', () => {
  it('before the ask asks nobody; during it cancels at once, and the late answer is dropped (APR-10)', async () => {
    const early = setup(() => 'allowed-once')
    expect(await early.call({ signal: AbortSignal.abort() })).toMatchObject({
      code: 'ABORTED_BEFORE_DISPATCH',
      runs: 0,
    })
    expect(early.events).toEqual([])
    for (const late of ['answers', 'rejects'] as const) {
      const answer = gate<'allowed-once'>()
      const signals: AbortSignal[] = []
      const { call, events } = setup(({ signal }) => (signals.push(signal), answer.promise))
      const controller = new AbortController()
      const pending = call({ signal: controller.signal })
      await settle()
      controller.abort('enough')
      expect(await pending).toMatchObject({ code: 'ABORTED_BEFORE_DISPATCH', runs: 0 })
      expect([signals[0]?.aborted, signals[0]?.reason]).toEqual([true, 'enough'])
      if (late === 'answers') answer.open('allowed-once')
      else answer.fail(new Error('too late'))
      await settle()
      expect(events.map(event => event.split(' ').at(-1))).toEqual(['1', 'cancelled'])
    }
  })

  it('or none: each ask has one pair of events, with an id of its own, and grants are for one call (APR-12)', async () => {
    const { registry, call, events } = setup(() => 'allowed-once')
    const ids = new Set<string>()
    registry.on('approval:asked', ({ id, request }) => {
      expect(request.id).toBe(id)
      ids.add(id)
    })
    await call()
    await call()
    expect(ids.size).toBe(2)
    const [first, second] = ids
    expect(events).toEqual([
      `asked ${first} 1`,
      `decided ${first} 1 allowed-once`,
      `asked ${second} 1`,
      `decided ${second} 1 allowed-once`,
    ])
  })
})

describe('asking', () => {
  const asking: Stages = { preExecute: ({ name }, next) => (name === 'write' ? { kind: 'ask' } : next()) }

  it('the nearest approver wins, at any depth; one above is asked where none is nearer', async () => {
    const { registry, call } = setup(({ scope }) => ({ outcome: 'rejected', reason: `root for ${scope}` }))
    const answers = (who: string) => ({
      approve: ({ scope }: ApprovalRequest) => ({
        outcome: 'rejected' as const,
        reason: `${who} for ${scope}`,
      }),
    })
    const planner = registry.createScope({ id: 'planner', ...answers('planner') })
    planner.createScope({ id: 'searcher' }).createScope({ id: 'reader', ...answers('reader') })
    registry.createScope({ id: 'other' })
    const who: unknown[] = []
    for (const scope of ['root', 'other', 'planner', 'searcher', 'reader'])
      who.push((await call({ scope })).details)
    expect(who).toEqual(
      [
        'root for root',
        'root for other',
        'planner for planner',
        'planner for searcher',
        'reader for reader',
      ].map(reason => ({ reason })),
    )
  })

  it('an approver that never answers holds the call no longer than its caller does', async () => {
    const { call, events, registry } = setup(() => new Promise(() => {}))
    const controller = new AbortController()
    const pending = call({ signal: controller.signal })
    await settle()
    expect(events).toHaveLength(1)
    controller.abort()
    expect(await pending).toMatchObject({ code: 'ABORTED_BEFORE_DISPATCH', runs: 0 })
    const left = call()
    await settle()
    await registry.dispose()
    expect(await left).toMatchObject({ code: 'ABORTED_BEFORE_DISPATCH', runs: 0 })
    expect(events.map(event => event.split(' ')[0])).toEqual(['asked', 'decided', 'asked', 'decided'])
  })

  it('two at once are two questions, and each call gets its own answer in any order', async () => {
    const answers = new Map<string, ReturnType<typeof gate<'allowed-once' | 'rejected'>>>()
    const { call, events } = setup(({ callId }) => {
      const answer = gate<'allowed-once' | 'rejected'>()
      answers.set(callId, answer)
      return answer.promise
    })
    const first = call({ callId: 'first' })
    const second = call({ callId: 'second' })
    await settle()
    expect([...answers.keys()]).toEqual(['first', 'second'])
    answers.get('second')?.open('allowed-once')
    expect(await second).toMatchObject({ code: 'ok' })
    answers.get('first')?.open('rejected')
    expect(await first).toMatchObject({ code: 'APPROVAL_REJECTED', runs: 1 })
    const [askedFirst, askedSecond, ...decided] = events.map(event => event.split(' '))
    expect(askedFirst?.[1]).not.toBe(askedSecond?.[1])
    expect(decided).toEqual([
      ['decided', askedSecond?.[1], 'second', 'allowed-once'],
      ['decided', askedFirst?.[1], 'first', 'rejected'],
    ])
  })

  it('a body that calls a gated tool in a child scope is asked about there, and goes on with the answer', async () => {
    const asked: ApprovalRequest[] = []
    const write = countedTool('write')
    const plan = countedTool('plan', async ({ grant }, { token: parent }) => {
      const nested = {
        callId: `inner ${grant}`,
        name: 'write',
        arguments: { grant },
        parent,
        scope: 'worker',
      }
      const result = await registry.execute(nested)
      return result.isError ? result.error.code : 'written'
    })
    const registry = createToolRegistry({
      tools: [plan],
      approve: () => 'unavailable',
      scopes: [
        {
          id: 'worker',
          tools: [write],
          stages: [asking],
          approve: request => {
            asked.push(request)
            return (request.arguments as { grant: boolean }).grant ? 'allowed-once' : 'rejected'
          },
        },
      ],
    })
    const roots: string[] = []
    registry.on('approval:asked', ({ rootCallId }) => roots.push(rootCallId))
    const call = (grant: boolean) => registry.execute({ callId: 'outer', name: 'plan', arguments: { grant } })
    expect(await call(true)).toMatchObject({ value: 'written' })
    expect(await call(false)).toMatchObject({ value: 'APPROVAL_REJECTED' })
    expect(asked.map(({ callId, scope, toolName }) => [callId, scope, toolName])).toEqual([
      ['inner true', 'worker', 'write'],
      ['inner false', 'worker', 'write'],
    ])
    expect(roots).toEqual(['outer', 'outer'])
    expect([write.runs(), plan.runs()]).toEqual([1, 2])
  })

  it('inside a program is about that very call, with its own arguments', async () => {
    const asked: unknown[] = []
    const write = countedTool('write', () => 'written')
    const registry = createToolRegistry({
      tools: [write],
      stages: [asking],
      approve: ({ callId, toolName, arguments: args }) => {
        asked.push([callId, toolName, args])
        return (args as { path: string }).path === 'a'
          ? 'allowed-once'
          : { outcome: 'rejected', reason: 'not b' }
      },
      mode: 'code',
      codeRuntime: quickJsRuntime(),
    })
    const code = `const first = await tools.write({ path: 'a' })
      try { await tools.write({ path: 'b' }) } catch (e) { return [first, e.code, e.message] }`
    const program = { code, description: 'Write twice' }
    const result = await registry.execute({ callId: 'outer', name: 'run_code', arguments: program })
    expect(result).toMatchObject({
      value: { result: ['written', 'APPROVAL_REJECTED', expect.stringContaining('not b')] },
    })
    expect(asked).toEqual([
      ['outer:code:1', 'write', { path: 'a' }],
      ['outer:code:2', 'write', { path: 'b' }],
    ])
    expect(write.runs()).toBe(1)
  })

  it('a listener of the question that throws changes no answer', async () => {
    const { registry, call } = setup(() => 'allowed-once')
    const faults: string[] = []
    registry.on('observer-error', ({ event }) => faults.push(event))
    for (const event of ['approval:asked', 'approval:decided'] as const)
      registry.on(event, () => {
        throw new Error('listener')
      })
    expect(await call()).toMatchObject({ code: 'ok', runs: 1 })
    expect(faults).toEqual(['approval:asked', 'approval:decided'])
  })

  it('shows a generic card where a tool has none of its own, or a broken one', async () => {
    const cards: unknown[] = []
    for (const presentCall of [
      undefined,
      () => undefined,
      () => JSON.parse('{'),
      () => ({ title: 'no card' }),
    ]) {
      const tool = countedTool('write', () => 'ok', { title: 'Write', ...(presentCall && { presentCall }) })
      const registry = createToolRegistry({
        tools: [tool],
        stages: [asking],
        approve: ({ card }) => (cards.push(card), 'allowed-once'),
      })
      await registry.execute({ callId: '1', name: 'write', arguments: { path: 'a' } })
      expect(tool.runs()).toBe(1)
    }
    expect(cards).toEqual(Array(4).fill({ card: 'generic', title: 'Write', rawInput: { path: 'a' } }))
  })
})
