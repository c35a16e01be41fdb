import { createToolRegistry } from 'toolgate'
import { describe, expect, it } from 'vitest'
import { countedTool } from '../support/tools.js'

const revoked = (target: object = {}): never => {
  const { proxy, revoke } = Proxy.revocable(target, {})
  revoke()
  return proxy as never
}

const unreadable = (key: string): never =>
  Object.defineProperty({}, key, {
    enumerable: true,
    get: () => {
      throw new Error('boom')
    },
  }) as never

const coded = expect.objectContaining({ code: expect.stringMatching(/^(INVALID_OPTIONS|UNKNOWN_SCOPE)$/) })

describe('what a host hands in and cannot be read is a coded error at once', () => {
  it.each<[string, () => unknown]>([
    ['the options', () => createToolRegistry(revoked())],
    ['an option', () => createToolRegistry(unreadable('mode'))],
    ['the tools', () => createToolRegistry({ tools: revoked([]) })],
    ['the stages', () => createToolRegistry({ stages: revoked([]) })],
    ['the scopes', () => createToolRegistry({ scopes: revoked([]) })],
    ['a scope', () => createToolRegistry({ scopes: [revoked()] })],
    ['codeMode', () => createToolRegistry({ codeMode: revoked() })],
    ['limits', () => createToolRegistry({ limits: unreadable('maxDepth') })],
    ['use', () => createToolRegistry().use(revoked())],
    ['a list for use', () => createToolRegistry().use(revoked([]))],
    ['guard', () => createToolRegistry().guard(revoked(() => undefined))],
    ['createScope', () => createToolRegistry().createScope(revoked())],
    ['restrict', () => createToolRegistry().createScope({ id: 'a' }).restrict(revoked())],
    ['scope', () => createToolRegistry().scope(revoked())],
    ['the name of an event', () => createToolRegistry().on(revoked(), () => {})],
    ['executeEach', () => createToolRegistry().executeEach(revoked([]))],
    ['the options of a stream', () => createToolRegistry().executeEach([], revoked())],
  ])('%s', (_what, act) => {
    expect(act).toThrow(coded)
  })

  it('a batch is read whole before any call of it starts', async () => {
    const tool = countedTool('work')
    const registry = createToolRegistry({ tools: [tool] })
    const inputs = [{ callId: '1', name: 'work' }]
    Object.defineProperty(inputs, 1, {
      enumerable: true,
      get: () => {
        throw new Error('boom')
      },
    })
    await expect(registry.executeAll(inputs)).rejects.toEqual(coded)
    expect(tool.runs()).toBe(0)
  })
})
