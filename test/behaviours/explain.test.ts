/** What `explain` answers: the layer, mask, grant, mode or guard responsible, as data and in its sentence. */
import { createToolRegistry } from 'toolgate'
import { describe, expect, it } from 'vitest'
import { countedTool, settle } from '../support/tools.js'
import { EXPLAIN_CASES } from './explain-cases.js'

const tools = (...names: string[]) => names.map(name => countedTool(name))

describe('explain', () => {
  it.each(EXPLAIN_CASES.map(one => [one.what, one] as const))('tells of a tool that is %s', (_what, one) => {
    const { options, scope, name, explained, text } = one
    const given = createToolRegistry(options).scope(scope).explain(name)
    expect(given).toEqual({ name, suggestions: [], ...explained, text })
    for (const [key, value] of Object.entries(given)) expect(value, key).toBeDefined()
  })

  it('tells of a tool that a mask came above of that it is not granted', () => {
    const registry = createToolRegistry({
      tools: tools('bash'),
      scopes: [{ id: 'a' }, { id: 'b', parent: 'a' }, { id: 'c', parent: 'b', tools: tools('bash') }],
    })
    registry.scope('a').restrict({ deny: ['bash'] })
    expect(registry.scope('c').explain('bash')).toMatchObject({
      status: 'not-granted',
      scope: 'a',
      by: 'deny',
      layer: 'c',
      text: '"bash" of scope "c" is not granted: above it scope "a" denies "bash", and no scope below that declares grants: ["bash"]',
    })
  })

  it('tells of a tool in whose place a farther one is called', () => {
    const registry = createToolRegistry({
      tools: tools('bash'),
      scopes: [
        { id: 'a', tools: tools('bash') },
        { id: 'b', parent: 'a', tools: tools('bash') },
      ],
    })
    registry.scope('a').restrict({ deny: ['bash'] })
    expect(registry.scope('b').get('bash')).toBe(registry.scope('a').get('bash'))
    expect(registry.scope('b').explain('bash')).toMatchObject({
      status: 'callable',
      scope: 'a',
      text: '"bash" is callable: registered in scope "a"; that of "b" is not granted',
    })
  })

  it('tells of a denied name without a tool that none can come there', () => {
    const registry = createToolRegistry({ scopes: [{ id: 'a' }] })
    const bash = registry.register(countedTool('bash'))
    registry.scope('a').restrict({ deny: ['bash'] })
    bash()
    const b = registry.scope('a').createScope({ id: 'b' })
    expect(b.explain('bash').text).toBe(
      'Scope "b" knows no tool "bash"; scope "a" denies "bash", so that none can be registered here',
    )
    expect(() => b.register(countedTool('bash'))).toThrow(expect.objectContaining({ code: 'NOT_GRANTED' }))
  })

  it('asks guards without a trace: their rejections stay with it, and no event tells of it', async () => {
    const registry = createToolRegistry({
      tools: tools('bash'),
      stages: [{ name: 'late', guard: () => Promise.reject(new Error('asynchronous')) as never }],
    })
    let events = 0
    for (const event of ['result', 'observer-error', 'log'] as const) registry.on(event, () => events++)
    expect(registry.explain('bash')).toMatchObject({ status: 'guarded', by: 'late' })
    await settle()
    expect(events).toBe(0)
  })

  it('takes a name', () => {
    const registry = createToolRegistry()
    for (const name of [undefined, 5, null])
      expect(() => registry.explain(name as never)).toThrow(
        expect.objectContaining({ code: 'INVALID_OPTIONS' }),
      )
  })
})
