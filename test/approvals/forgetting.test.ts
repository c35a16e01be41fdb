import { describe, expect, it } from 'vitest'
import { countedTool } from '../support/tools.js'
import { asking, codeOf, human, scripted } from './support.js'

describe('forgetting', () => {
  const inputs = [
    { name: 'write', scope: 'a', caller: 'ada' },
    { name: 'write', scope: 'b', caller: 'ada' },
    { name: 'send', scope: 'a', caller: 'ada' },
    { name: 'send', scope: 'a', caller: 'bob' },
    { name: 'send', scope: 'a' },
  ]

  it.each([
    ['a tool', { toolName: 'write' }, 2],
    ['a scope', { scope: 'a' }, 4],
    ['a caller', { caller: 'ada' }, 3],
    ['a tool in a scope', { toolName: 'write', scope: 'a' }, 1],
    ['nobody known', { caller: 'eve' }, 0],
    ['everything, by no field', {}, 5],
    ['everything, by fields without a value', { toolName: undefined, caller: undefined }, 5],
  ])('of %s takes exactly what matches', async (_what, filter, count) => {
    let asked = 0
    const { call, approve } = asking(() => (asked++, 'allowed-for-session'))
    for (const input of inputs) await call(input)
    expect([asked, approve.size]).toEqual([5, 5])
    expect(approve.forget(filter)).toBe(count)
    expect(approve.size).toBe(5 - count)
    for (const input of inputs) await call(input)
    expect(asked).toBe(5 + count)
  })

  it('of everything is clear()', async () => {
    const { approver, asked } = scripted(['allowed-for-session', 'rejected'])
    const { call, approve, write } = asking(approver)
    await call()
    approve.clear()
    expect(approve.size).toBe(0)
    expect(codeOf(await call())).toBe('APPROVAL_REJECTED')
    expect([asked(), write.runs()]).toEqual([2, 1])
  })

  it('while a question is open keeps its answer from being remembered; it still serves its own call', async () => {
    const { approver, next } = human()
    const { call, approve, write } = asking(approver)
    const forgotten = call()
    const kept = call({ name: 'send' })
    const questions = [await next(), await next()]
    expect(approve.forget({ toolName: 'write' })).toBe(0)
    for (const question of questions) question.open('allowed-for-session')
    expect([codeOf(await forgotten), codeOf(await kept)]).toEqual(['ok', 'ok'])
    expect(approve.size).toBe(1)
    const again = call()
    ;(await next()).open('rejected')
    expect(codeOf(await again)).toBe('APPROVAL_REJECTED')
    expect(write.runs()).toBe(1)
  })

  it('while an equal ask waits its turn does not keep the later answer from being remembered', async () => {
    const { approver, next, asked } = human()
    const { call, approve } = asking(approver)
    const calls = [call(), call()]
    const first = await next()
    approve.clear()
    first.open('allowed-once')
    ;(await next()).open('allowed-for-session')
    await Promise.all(calls)
    expect(approve.size).toBe(1)
    expect(codeOf(await call())).toBe('ok')
    expect(asked.length).toBe(2)
  })

  it('on change events keeps a grant from the next tool of the name', async () => {
    const { approver, asked } = scripted(['allowed-for-session', 'rejected'])
    const { approve, registry, call } = asking(approver)
    registry.on('change', ({ kind, name, scope }) => {
      if (name !== undefined) approve.forget({ toolName: name })
      if (kind === 'created') approve.forget({ scope })
    })
    const before = countedTool('deploy')
    const after = countedTool('deploy')
    const remove = registry.register(before)
    expect(codeOf(await call({ name: 'deploy' }))).toBe('ok')
    expect(codeOf(await call({ name: 'deploy' }))).toBe('ok')
    remove()
    registry.register(after)
    expect(codeOf(await call({ name: 'deploy' }))).toBe('APPROVAL_REJECTED')
    expect([before.runs(), after.runs(), asked()]).toEqual([2, 0, 2])
  })

  it('on change events keeps a grant from the next scope of the id', async () => {
    const { approver, asked } = scripted(['allowed-for-session', 'rejected'])
    const { approve, registry, call, write } = asking(approver)
    registry.on('change', ({ kind, scope }) => {
      if (kind === 'created') approve.forget({ scope })
    })
    const session = registry.createScope({ id: 'session' })
    expect(codeOf(await call({ scope: 'session' }))).toBe('ok')
    await session.dispose()
    registry.createScope({ id: 'session' })
    expect(codeOf(await call({ scope: 'session' }))).toBe('APPROVAL_REJECTED')
    expect([write.runs(), asked()]).toEqual([1, 2])
  })

  it('past maxEntries starts with what was not used for longest', async () => {
    let asked = 0
    const { call, approve } = asking(() => (asked++, 'allowed-for-session'), { maxEntries: 2 })
    const ask = (n: number) => call({ arguments: { n } })
    await ask(1)
    await ask(2)
    await ask(1)
    expect(asked).toBe(2)
    await ask(3)
    expect([asked, approve.size]).toEqual([3, 2])
    await ask(1)
    await ask(3)
    expect(asked).toBe(3)
    await ask(2)
    expect([asked, approve.size]).toEqual([4, 2])
  })

  it('begins by itself at a thousand entries', async () => {
    const { call, approve } = asking(() => 'allowed-for-session')
    for (let n = 0; n < 1_001; n++) await call({ arguments: { n } })
    expect(approve.size).toBe(1_000)
  })

  it('refuses a field that it does not have', () => {
    const { approve } = asking(() => 'rejected')
    expect(() => approve.forget({ tool: 'write' } as never)).toThrow(
      expect.objectContaining({ code: 'INVALID_OPTIONS' }),
    )
  })
})
