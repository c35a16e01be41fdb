/**
 * Guards. The lines are in docs/behaviours/registry-and-scopes.md. Decided otherwise:
 * - GRD-01 a reason is a text that is not empty.
 * - GRD-02, GRD-08 guards are asked on an `ask` too: before anybody is asked, and all of them again after a grant. On a
 *   `deny` they are not.
 * - GRD-06 a guard that throws fails the call with `STAGE_FAILED`, or with the code of a `ToolgateError` that it throws.
 * - GRD-07 any answer but a reason or `undefined` fails the call with `INVALID_DECISION`, in words of our own.
 */
import { createToolRegistry, type Stages, ToolgateError } from 'toolgate'
import { describe, expect, it } from 'vitest'
import { countedTool, gate, isDeepFrozen, settle } from '../support/tools.js'

const call = { callId: '1', name: 't', arguments: { a: [1] } }

/** A registry with one counted tool, and how often post-execute stages saw a result. */
function setup(...stages: Stages[]) {
  const tool = countedTool('t')
  let posts = 0
  const counting: Stages = { postExecute: (_call, _result, next) => (posts++, next()) }
  const registry = createToolRegistry({ tools: [tool], stages: [counting, ...stages] })
  return { registry, tool, posts: () => posts }
}

describe('a guard', () => {
  it('denies with a reason or abstains; it cannot allow (GRD-01)', async () => {
    const { registry, tool } = setup({ preExecute: () => ({ kind: 'deny', reason: 'policy says no' }) })
    registry.guard(() => undefined)
    expect(await registry.execute(call)).toMatchObject({
      error: { code: 'DENIED', message: 'policy says no' },
    })
    expect(tool.runs()).toBe(0)

    const open = setup()
    const lift = open.registry.guard(() => 'not this one')
    expect(await open.registry.execute(call)).toMatchObject({
      error: { code: 'GUARD_DENIED', message: 'not this one' },
      content: [{ type: 'text', text: 'Error: not this one' }],
    })
    expect(open.tool.runs()).toBe(0)
    lift()
    lift()
    expect(await open.registry.execute(call)).toMatchObject({ isError: false })
    expect(() => open.registry.guard('no' as never)).toThrow(
      expect.objectContaining({ code: 'INVALID_OPTIONS' }),
    )
  })

  it('has its say after policy and after the approval, and nothing before or behind undoes it (GRD-02)', async () => {
    const order: string[] = []
    const permissive: Stages = {
      preExecute: async (_call, next) => {
        await next()
        order.push('policy')
        return { kind: 'ask' }
      },
      execute: async (_call, next) => (order.push('around'), next()),
      postExecute: () => ({ kind: 'accept', content: [{ type: 'text', text: 'all is well' }] }),
    }
    const tool = countedTool('t')
    let closed = false
    const registry = createToolRegistry({
      tools: [tool],
      stages: [permissive],
      approve: () => {
        order.push('approval')
        closed = true
        return 'allowed-once'
      },
    })
    registry.guard(() => {
      order.push('guard')
      return closed ? 'closed by now' : undefined
    })
    const result = await registry.execute(call)
    expect(result).toMatchObject({ isError: true, error: { code: 'GUARD_DENIED', message: 'closed by now' } })
    expect(order).toEqual(['policy', 'guard', 'approval', 'guard'])
    expect(tool.runs()).toBe(0)
  })

  it('of the registry is asked for every call, one of a scope for those in it and under it; the first denial ends it (GRD-03)', async () => {
    const asked: string[] = []
    const tool = countedTool('t')
    const registry = createToolRegistry({
      tools: [tool],
      scopes: [{ id: 'far' }, { id: 'near', parent: 'far' }, { id: 'beside' }],
    })
    const denying = new Set<string>()
    // Added from the lowest to the registry: the order is that of the chain, not of time.
    for (const id of ['near', 'beside', 'far', 'root'])
      registry.scope(id).guard(() => {
        asked.push(id)
        return denying.has(id) ? `no, says ${id}` : undefined
      })
    const askedIn = async (scope: string) => {
      await registry.execute({ ...call, scope })
      return asked.splice(0)
    }
    expect(await askedIn('near')).toEqual(['root', 'far', 'near'])
    expect(await askedIn('far')).toEqual(['root', 'far'])
    expect(await askedIn('beside')).toEqual(['root', 'beside'])
    expect(await askedIn('root')).toEqual(['root'])
    expect(tool.runs()).toBe(4)
    denying.add('far').add('near')
    expect(await registry.execute({ ...call, scope: 'near' })).toMatchObject({
      error: { code: 'GUARD_DENIED', message: 'no, says far' },
    })
    expect(asked).toEqual(['root', 'far'])
    expect(tool.runs()).toBe(4)
  })

  it('added twice is two guards, each lifted for itself (GRD-04)', async () => {
    const { registry, tool } = setup()
    let asked = 0
    const guard = () => (asked++, undefined)
    const lifts = [registry.guard(guard), registry.guard(guard)]
    for (const left of [2, 1, 0]) {
      await registry.execute(call)
      expect(asked).toBe(left)
      asked = 0
      lifts.pop()?.()
    }
    expect(tool.runs()).toBe(3)
  })

  it('sees the frozen arguments in a record that it cannot change (GRD-05)', async () => {
    const { registry } = setup()
    let seen: unknown
    const thrown: unknown[] = []
    registry.guard(given => {
      seen = given.arguments
      for (const change of [
        () => Object.assign(given, { name: 'other' }),
        () => Object.assign(given.arguments as object, { a: 2 }),
        () => (given.arguments as { a: number[] }).a.push(2),
        () => Object.assign(given, { signal: AbortSignal.abort() }),
      ])
        try {
          change()
        } catch (error) {
          thrown.push(error)
        }
      return undefined
    })
    const given = { a: [1] }
    expect(await registry.execute({ ...call, arguments: given })).toMatchObject({ isError: false })
    expect(thrown.map(error => (error as Error).name)).toEqual(Array(4).fill('TypeError'))
    expect(isDeepFrozen(seen)).toBe(true)
    expect([seen, given]).toEqual([{ a: [1] }, { a: [1] }])
  })

  it.each([
    ['an error', new Error('secret detail'), 'STAGE_FAILED'],
    ['text', 'secret detail', 'STAGE_FAILED'],
    ['a coded error', new ToolgateError('QUOTA', 'over quota'), 'QUOTA'],
  ])('that throws %s fails the call for good (GRD-06)', async (_what, error, code) => {
    const { registry, tool, posts } = setup()
    registry.guard(() => {
      throw error
    })
    const result = await registry.execute(call)
    expect(result).toMatchObject({ isError: true, error: { code } })
    expect(JSON.stringify(result)).not.toContain('secret')
    expect([tool.runs(), posts()]).toEqual([0, 0])
  })

  it.each([null, false, true, 0, '', {}, [], new String('no'), Symbol('no'), Promise.resolve(undefined)])(
    'that answers %o fails the call, and the model reads nothing of the engine’s (GRD-07)',
    async answer => {
      const { registry, tool, posts } = setup()
      registry.guard(() => answer as never)
      const result = await registry.execute(call)
      expect(result).toMatchObject({ isError: true, error: { code: 'INVALID_DECISION' } })
      expect(JSON.stringify(result.content)).toContain('neither a reason nor undefined')
      expect([tool.runs(), posts()]).toEqual([0, 0])
    },
  )

  it('is asked if policy allows or asks, and not if it denies (GRD-08)', async () => {
    const asked: string[] = []
    const tool = countedTool('t')
    const kinds: Stages = {
      preExecute: ({ callId }) =>
        callId === 'deny' ? { kind: 'deny', reason: 'no' } : { kind: callId as 'allow' | 'ask' },
    }
    const registry = createToolRegistry({ tools: [tool], stages: [kinds], approve: () => 'rejected' })
    registry.guard(({ callId }) => {
      asked.push(callId)
      return undefined
    })
    for (const callId of ['deny', 'allow', 'ask']) await registry.execute({ ...call, callId })
    expect(asked).toEqual(['allow', 'ask'])
    expect(tool.runs()).toBe(1)
  })

  it('that denies says more than an abort that came meanwhile (GRD-09)', async () => {
    for (const [reason, code] of [
      ['closed', 'GUARD_DENIED'],
      [undefined, 'ABORTED_BEFORE_DISPATCH'],
    ] as const) {
      const thinking = gate()
      const { registry, tool } = setup({ preExecute: (_call, next) => thinking.promise.then(next) })
      registry.guard(() => reason)
      const controller = new AbortController()
      const pending = registry.execute({ ...call, signal: controller.signal })
      await settle()
      controller.abort()
      thinking.open()
      expect(await pending).toMatchObject({ isError: true, error: { code } })
      expect(tool.runs()).toBe(0)
    }
  })

  it('that is added by a guard has its say on the same call (GRD-10)', async () => {
    const { registry, tool } = setup()
    const scope = registry.createScope({ id: 'a' })
    let added = 0
    registry.guard(() => {
      if (added++ === 0) scope.guard(() => (registry.guard(() => 'from the third'), undefined))
      return undefined
    })
    expect(await scope.execute(call)).toMatchObject({
      error: { code: 'GUARD_DENIED', message: 'from the third' },
    })
    expect(added).toBe(1)
    expect(tool.runs()).toBe(0)
  })
})
