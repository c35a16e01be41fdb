import { createToolRegistry, type ToolgateError } from 'toolgate'
import { describe, expect, it } from 'vitest'
import { countedTool } from '../support/tools.js'

const codeOf = (run: () => unknown): string => {
  try {
    run()
  } catch (error) {
    return (error as ToolgateError).code
  }
  return 'nothing thrown'
}

describe('registration', () => {
  it('works with using', () => {
    const registry = createToolRegistry()
    {
      using _registration = registry.register(countedTool('t'))
      expect(registry.get('t')).toBeDefined()
    }
    expect(registry.get('t')).toBeUndefined()
  })

  it('takes any text as a name, __proto__ and constructor too', async () => {
    const odd = ['__proto__', 'constructor', 'toString', 'then', 'a b', '200', 'Ω', '🙂']
    const registry = createToolRegistry({ tools: odd.map(name => countedTool(name, () => name)) })
    for (const name of odd)
      expect(await registry.execute({ callId: name, name })).toMatchObject({ value: name })
    expect(await registry.execute({ callId: '1', name: 'hasOwnProperty' })).toMatchObject({
      error: { code: 'UNKNOWN_TOOL' },
    })
  })
})

describe('authority', () => {
  it('does not come back below a mask without a grant', () => {
    const registry = createToolRegistry({
      tools: [countedTool('read'), countedTool('bash')],
      scopes: [
        { id: 'a', restrict: { deny: ['bash'] } },
        { id: 'b', parent: 'a' },
      ],
    })
    expect(codeOf(() => registry.scope('b').register(countedTool('bash')))).toBe('NOT_GRANTED')
    expect(codeOf(() => registry.scope('b').register(countedTool('new')))).toBe('nothing thrown')
    const granted = registry.scope('a').createScope({ id: 'g', grants: ['bash'] })
    expect(granted.get('bash')).toBe(registry.get('bash'))
    granted.register(countedTool('bash'))
    expect(granted.get('bash')).not.toBe(registry.get('bash'))
    expect(granted.explain('bash')).toMatchObject({ status: 'callable', scope: 'g' })
  })

  it('hides what was registered before the mask came', () => {
    const registry = createToolRegistry({
      tools: [countedTool('bash')],
      scopes: [{ id: 'a' }, { id: 'b', parent: 'a', tools: [countedTool('bash')] }],
    })
    registry.scope('a').restrict({ deny: ['bash'] })
    expect(registry.scope('b').get('bash')).toBeUndefined()
    expect(registry.scope('b').explain('bash')).toMatchObject({
      status: 'not-granted',
      scope: 'a',
      by: 'deny',
    })
  })
})
