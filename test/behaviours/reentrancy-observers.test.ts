/** Observers that fail, never answer, or act on what they observe. */
import { createToolRegistry } from 'toolgate'
import { describe, expect, it } from 'vitest'
import { countedTool, settle } from '../support/tools.js'

describe('an observer', () => {
  const thenThrows = {
    get then(): never {
      throw new Error('then')
    },
  }
  const FAULTS: readonly (readonly [string, () => unknown])[] = [
    [
      'throws',
      () => {
        throw new Error('thrown')
      },
    ],
    ['throws nothing worth the name', () => Promise.reject()],
    ['rejects', () => Promise.reject(new Error('rejected'))],
    ['rejects later', () => settle().then(() => Promise.reject(new Error('late')))],
    ['answers a thenable that throws when it is looked at', () => thenThrows],
    ['answers a thenable that throws when it is called', () => ({ then: () => thenThrows.then })],
    ['never answers', () => new Promise(() => {})],
  ]

  it.each(FAULTS)(
    'that %s changes nothing, holds up nothing, and keeps nobody else from hearing (PIPE-20)',
    async (what, fault) => {
      const faults: string[] = []
      const heard: string[] = []
      const registry = createToolRegistry({
        tools: [countedTool('t')],
        stages: [{ name: 'faulty', onResult: fault }, { onResult: () => heard.push('onResult') }],
      })
      registry.on('observer-error', ({ event }) => faults.push(event))
      for (const event of ['result', 'change'] as const) {
        registry.on(event, fault)
        registry.on(event, () => heard.push(event))
      }
      const registration = registry.register(countedTool('x'))
      const results = await registry.executeAll([
        { callId: '1', name: 't' },
        { callId: '2', name: 'ghost' },
      ])
      registration()
      expect(results.map(result => result.isError)).toEqual([false, true])
      expect(heard).toEqual(['change', 'onResult', 'result', 'onResult', 'result', 'change'])
      await settle()
      await settle()
      const all = ['change', 'change', 'onResult of faulty', 'onResult of faulty', 'result', 'result']
      expect(faults.toSorted()).toEqual(what === 'never answers' ? [] : all)
    },
  )

  it('of faults may be faulty itself, and calls go on', async () => {
    const registry = createToolRegistry({ tools: [countedTool('t')] })
    let told = 0
    const faulty = (): never => {
      told++
      throw new Error('again')
    }
    registry.on('observer-error', faulty)
    registry.on('observer-error', () => Promise.reject(new Error('and again')))
    registry.on('result', () => faulty())
    expect(await registry.execute({ callId: '1', name: 't' })).toMatchObject({ isError: false })
    await settle()
    expect(told).toBe(2)
  })

  it('may make calls of its own, each of which is told of once', async () => {
    const heard: string[] = []
    const tool = countedTool('t')
    const registry = createToolRegistry({ tools: [tool] })
    const follow = (by: string, callId: string): Promise<unknown> | undefined =>
      callId.length < 4 ? registry.execute({ callId: `${callId}${by}`, name: 't' }) : undefined
    registry.use({ onResult: ({ callId }) => follow('s', callId) })
    registry.on('result', ({ callId }) => {
      heard.push(callId)
      return follow('e', callId)
    })
    registry.on('change', () => registry.execute({ callId: 'c', name: 't' }))
    registry.register(countedTool('x'))
    while (heard.length < 15) await settle()
    await settle()
    // c, and under each up to three letters one by a stage and one by the event.
    expect(new Set(heard).size).toBe(15)
    expect([heard.length, tool.runs()]).toEqual([15, 15])
  })

  it('of changes may change things, of which it is told in turn', () => {
    const registry = createToolRegistry({ scopes: [{ id: 'a' }] })
    const heard: string[] = []
    registry.on('change', ({ kind, name, scope }) => {
      heard.push(`${scope} ${kind} ${name ?? ''}`.trim())
      if (kind === 'registered' && name === 't') {
        registry.scope('a').restrict({ deny: ['t'] })
        registry.register(countedTool('u'))
      }
      if (kind === 'restricted') registry.scope('a').register(countedTool('v'))
    })
    registry.register(countedTool('t'))
    expect(heard).toEqual(['root registered t', 'a restricted', 'a registered v', 'root registered u'])
    expect(
      registry
        .scope('a')
        .visible()
        .map(tool => tool.name),
    ).toEqual(['u', 'v'])
  })

  it('of changes may dispose the scope that it hears of, and what was being done to it is done', async () => {
    const registry = createToolRegistry({ tools: [countedTool('t')], scopes: [{ id: 'a' }] })
    const a = registry.scope('a')
    const heard: string[] = []
    let disposal: Promise<void> | undefined
    registry.on('change', ({ kind, scope }) => {
      heard.push(`${scope} ${kind}`)
      if (kind === 'registered') disposal = a.dispose()
      if (kind === 'created') disposal = registry.scope(scope).dispose()
    })
    const registration = a.register(countedTool('x'))
    expect(() => a.get('x')).toThrow(expect.objectContaining({ code: 'DISPOSED' }))
    await disposal
    registration()
    const stillborn = registry.createScope({ id: 'b' })
    expect(await stillborn.execute({ callId: '1', name: 't' })).toMatchObject({ error: { code: 'DISPOSED' } })
    await disposal
    expect(heard).toEqual(['a registered', 'a disposed', 'b created', 'b disposed'])
  })

  it('may take itself and others off, and put others on, while it hears', async () => {
    const registry = createToolRegistry({ tools: [countedTool('t')] })
    const heard: string[] = []
    const late = () => heard.push('late')
    const second = () => heard.push('second')
    const first = () => {
      heard.push('first')
      registry.off('result', first).off('result', second).on('result', late)
    }
    registry
      .on('result', first)
      .on('result', second)
      .once('result', () => heard.push('once'))
    await registry.execute({ callId: '1', name: 't' })
    expect(heard.splice(0)).toEqual(['first', 'second', 'once'])
    await registry.execute({ callId: '2', name: 't' })
    expect(heard).toEqual(['late'])
  })
})
