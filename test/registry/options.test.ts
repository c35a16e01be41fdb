import { createToolRegistry, type ToolgateError } from 'toolgate'
import { describe, expect, it } from 'vitest'
import { countedTool, settle } from '../support/tools.js'

describe('createToolRegistry', () => {
  it.each([
    ['null', null],
    ['an unknown option', { tool: [] }],
    ['tools that are no list', { tools: {} }],
    ['a stage without a hook', { stages: [{ name: 'empty' }] }],
    ['a stage whose hook is no function', { stages: [{ preExecute: true }] }],
    ['an approver that is no function', { approve: 'yes' }],
    ['an unknown mode', { mode: 'Code' }],
    ['a code mode without a runtime', { mode: 'code' }],
    ['a scope in code mode without a runtime', { scopes: [{ id: 'a', mode: 'both' }] }],
    ['a runtime that is none', { codeRuntime: {} }],
    ['a scope without an id', { scopes: [{}] }],
    ['two scopes with one id', { scopes: [{ id: 'a' }, { id: 'a' }] }],
    ['a scope called root', { scopes: [{ id: 'root' }] }],
    ['a parent that comes later', { scopes: [{ id: 'a', parent: 'b' }, { id: 'b' }] }],
    ['an unknown scope option', { scopes: [{ id: 'a', deny: ['x'] }] }],
    ['no parallel calls', { maxParallelCalls: 0 }],
    ['half a parallel call', { maxParallelCalls: 1.5 }],
    ['a negative grace', { abortGraceMs: -1 }],
    ['a grace past the timers', { abortGraceMs: 3e9 }],
    ['a limit of 0', { limits: { maxDepth: 0 } }],
    ['an unknown limit', { limits: { maxWidth: 1 } }],
    ['an unknown code mode option', { codeMode: { parallel: 1 } }],
    ['an unknown sdk detail', { codeMode: { sdk: 'all' } }],
    ['a validator that is none', { validator: {} }],
  ])('refuses %s', (_what, options) => {
    let code = 'nothing thrown'
    try {
      createToolRegistry(options as never)
    } catch (error) {
      code = (error as ToolgateError).code
    }
    expect(code).toBe('INVALID_OPTIONS')
  })

  it('says what the options are where there are none, of a batch as well', async () => {
    expect(() => createToolRegistry(null as never)).toThrow('createToolRegistry takes an object of options')
    const tool = countedTool('t')
    const registry = createToolRegistry({ tools: [tool] })
    const calls = [{ callId: '1', name: 't' }]
    const message = 'a batch takes an object of options: signal, maxParallel'
    await expect(registry.executeAll(calls, 5 as never)).rejects.toThrow(message)
    expect(() => registry.executeEach(calls, null as never)).toThrow(message)
    expect(tool.runs()).toBe(0)
  })
})

describe('scopes', () => {
  it('are found by id, and not otherwise', () => {
    const registry = createToolRegistry({ scopes: [{ id: 'a' }] })
    expect(registry.scope('root')).toBe(registry)
    expect(registry.scope('a').id).toBe('a')
    expect(() => registry.scope('b')).toThrow(expect.objectContaining({ code: 'UNKNOWN_SCOPE' }))
  })

  it('execute in themselves and below, and nowhere else', async () => {
    const registry = createToolRegistry({
      tools: [countedTool('t')],
      scopes: [{ id: 'a' }, { id: 'b', parent: 'a' }, { id: 'c' }],
    })
    const a = registry.scope('a')
    const scopeOf = async (scope?: string) =>
      (await a.execute({ callId: '1', name: 't', ...(scope && { scope }) })).isError
    expect(await scopeOf()).toBe(false)
    expect(await scopeOf('a')).toBe(false)
    expect(await scopeOf('b')).toBe(false)
    for (const outside of ['c', 'root', 'nowhere'])
      expect(await a.execute({ callId: '1', name: 't', scope: outside })).toMatchObject({
        error: { code: 'UNKNOWN_SCOPE' },
      })
  })

  it('leave nothing behind when they cannot be made', () => {
    const registry = createToolRegistry({ tools: [countedTool('t')] })
    expect(() => registry.createScope({ id: 'a', restrict: { deny: ['ghost'] } })).toThrow()
    expect(registry.createScope({ id: 'a' }).id).toBe('a')
  })
})

describe('dispose', () => {
  it('aborts and drains what runs, delivers the results, and refuses what comes after', async () => {
    const started: string[] = []
    const tool = countedTool('t', (_args, { signal, callId }) => {
      started.push(callId)
      return new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
    })
    const registry = createToolRegistry({ tools: [tool], scopes: [{ id: 'a' }, { id: 'b', parent: 'a' }] })
    const a = registry.scope('a')
    const inA = a.execute({ callId: 'a', name: 't' })
    const inB = registry.execute({ callId: 'b', name: 't', scope: 'b' })
    const rootSignal = new AbortController()
    const inRoot = registry.execute({ callId: 'r', name: 't', signal: rootSignal.signal })
    const heard: string[] = []
    registry.on('result', ({ callId }) => heard.push(callId))
    await settle()
    await Promise.all([a.dispose(), a.dispose()])
    expect(await inA).toMatchObject({ error: { code: 'ABORTED' } })
    expect(await inB).toMatchObject({ error: { code: 'ABORTED' } })
    expect(heard.sort()).toEqual(['a', 'b'])
    expect(await a.execute({ callId: '2', name: 't' })).toMatchObject({ error: { code: 'DISPOSED' } })
    expect(() => a.register(countedTool('x'))).toThrow(expect.objectContaining({ code: 'DISPOSED' }))
    expect(() => registry.scope('b')).toThrow(expect.objectContaining({ code: 'UNKNOWN_SCOPE' }))
    rootSignal.abort()
    await inRoot
    await registry.dispose()
    expect(await registry.execute({ callId: '3', name: 't' })).toMatchObject({ error: { code: 'DISPOSED' } })
    expect(started.sort()).toEqual(['a', 'b', 'r'])
  })
})
