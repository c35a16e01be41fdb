/**
 * Decided otherwise:
 * - SCH-02 beside `isConcurrencySafe` a tool may name the resources that a call touches (resource-keys.test.ts).
 * - SCH-03 classifiers get the frozen arguments that will run, and those of `defineTool` only valid ones.
 * - SCH-12 text that is no JSON is ARGUMENTS_NOT_JSON; nobody is handed it in place of arguments.
 */
import { createToolRegistry, defineTool, type ToolDefinition } from 'toolgate'
import { quickJsRuntime } from 'toolgate/quickjs'
import { describe, expect, it } from 'vitest'
import { countedTool, isDeepFrozen, settle } from '../support/tools.js'
import { call, codeOf, gated, SAFE, setup } from './support.js'

describe('the mode of a call', () => {
  it('takes a call for safe only on an exact true about arguments of its own (SCH-02)', async () => {
    const answers: [string, ToolDefinition['isConcurrencySafe'] | undefined][] = [
      ['absent', undefined],
      ['false', () => false],
      ['one', () => 1 as never],
      ['text', () => 'true' as never],
      ['a true object', () => new Boolean(true) as never],
      ['a promise', () => Promise.resolve(true) as never],
      ['a rejection', () => Promise.reject(new Error('no')) as never],
      [
        'a throw',
        () => {
          throw new Error('no')
        },
      ],
    ]
    const registry = createToolRegistry({
      tools: answers.map(([name, isConcurrencySafe]) =>
        countedTool(name, undefined, isConcurrencySafe && { isConcurrencySafe }),
      ),
    })
    for (const [name] of answers)
      expect([name, registry.executionMode(call('1', name))]).toEqual([name, { kind: 'exclusive' }])
  })

  it('takes unknown, masked, collapsed, malformed and invalid calls for exclusive (SCH-02)', async () => {
    const typed = defineTool({
      name: 'typed',
      description: 'Typed.',
      parameters: { n: { type: 'number', required: true } },
      isConcurrencySafe: ({ n }) => n.toFixed(1) === '1.0',
      execute: () => 'ok',
    })
    const registry = createToolRegistry({
      tools: [countedTool('read', undefined, SAFE), typed],
      scopes: [
        { id: 'masked', restrict: { deny: ['read'] } },
        { id: 'code', mode: 'code' },
      ],
      codeRuntime: quickJsRuntime(),
    })
    const exclusive = { kind: 'exclusive' }
    const mode = (input: unknown) => registry.executionMode(input as never)
    expect(mode(call('1', 'read'))).toEqual({ kind: 'parallel' })
    expect(mode(call('1', 'typed', { n: 1 }))).toEqual({ kind: 'parallel' })
    expect(mode(call('1', 'typed', { n: 2 }))).toEqual(exclusive)
    expect(mode(call('1', 'typed', { n: 'one' }))).toEqual(exclusive)
    expect(mode(call('1', 'typed'))).toEqual(exclusive)
    expect(mode(call('1', 'read', '{"cut": '))).toEqual(exclusive)
    expect(mode(call('1', 'read', { lossy: undefined }))).toEqual(exclusive)
    expect(mode(call('1', 'ghost'))).toEqual(exclusive)
    expect(mode({ ...call('1', 'read'), scope: 'masked' })).toEqual(exclusive)
    expect(mode({ ...call('1', 'read'), scope: 'code' })).toEqual(exclusive)
    expect(mode({ ...call('1', 'read'), scope: 'nowhere' })).toEqual(exclusive)
    expect(mode({ ...call('1', 'read'), signal: 'none' })).toEqual(exclusive)
    expect(mode(null)).toEqual(exclusive)
    // What is asked from inside a program is not collapsed for it; the parent is judged when the call is made.
    expect(mode({ ...call('1', 'read'), scope: 'code', parent: {} })).toEqual({ kind: 'parallel' })
    await registry.dispose()
  })

  it('tells the mode of a call by its frozen arguments, without a call (SCH-03)', () => {
    const seen: unknown[] = []
    const tool = countedTool('read', undefined, {
      isConcurrencySafe: args => {
        seen.push(args)
        return isDeepFrozen(args)
      },
    })
    const registry = createToolRegistry({ tools: [tool] })
    const args = { deep: { list: [1] } }
    expect(registry.executionMode(call('1', 'read', args))).toEqual({ kind: 'parallel' })
    expect(registry.executionMode(call('1', 'read', '{"deep":{"list":[1]}}'))).toEqual({ kind: 'parallel' })
    expect(seen).toEqual([args, args])
    expect(seen[0]).not.toBe(args)
    expect(tool.runs()).toBe(0)
  })

  it('classifies a call when it could start: what an earlier body or observer registered counts (SCH-08)', async () => {
    const { registry, running, open } = setup({
      tools: [
        countedTool('install', () => {
          registry.register(bodies.tool('late', SAFE))
        }),
      ],
    })
    const bodies = gated()
    registry.once('result', () => registry.register(bodies.tool('heard', SAFE)))
    const pending = registry.executeAll([
      call('1', 'install'),
      call('2', 'late'),
      call('3', 'heard'),
      call('4', 'read'),
    ])
    await settle()
    expect([bodies.running(), running()]).toEqual([['2', '3'], ['4']])
    await open('4')
    await bodies.open('2', '3')
    expect((await pending).map(codeOf)).toEqual(['ok', 'ok', 'ok', 'ok'])
  })

  it('lets a call that turned exclusive wait until the pool is empty (SCH-08)', async () => {
    let safe = true
    const bodies = gated()
    const registry = createToolRegistry({
      tools: [bodies.tool('fickle', { isConcurrencySafe: () => safe })],
      maxParallelCalls: 2,
    })
    const pending = registry.executeAll(['1', '2', '3', '4'].map(id => call(id, 'fickle')))
    await settle()
    expect(bodies.running()).toEqual(['1', '2'])
    safe = false
    await bodies.open('1')
    expect(bodies.running()).toEqual(['2'])
    await bodies.open('2')
    expect(bodies.running()).toEqual(['3'])
    safe = true
    await bodies.open('3')
    expect(bodies.running()).toEqual(['4'])
    await bodies.open('4')
    await pending
  })

  it('runs empty arguments as none and nothing that is no JSON (SCH-12)', async () => {
    const seen: unknown[] = []
    const echo = countedTool('echo', args => void seen.push(args), SAFE)
    const registry = createToolRegistry({ tools: [echo] })
    const texts = ['', '  ', '{}', '{"a":1}', '{"a":', 'a']
    const results = await registry.executeAll(texts.map((text, i) => call(`${i}`, 'echo', text)))
    expect(results.map(codeOf)).toEqual(['ok', 'ok', 'ok', 'ok', 'ARGUMENTS_NOT_JSON', 'ARGUMENTS_NOT_JSON'])
    expect(seen).toEqual([{}, {}, {}, { a: 1 }])
  })
})
