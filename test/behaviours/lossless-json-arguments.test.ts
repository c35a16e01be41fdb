import { createToolRegistry, defineTool } from 'toolgate'
import { describe, expect, it } from 'vitest'
import { countedTool, isDeepFrozen } from '../support/tools.js'

describe('arguments', () => {
  it('are detached from what the caller handed in, and frozen to the last (JSON-17)', async () => {
    const seen: unknown[] = []
    const registry = createToolRegistry({
      tools: [countedTool('work', args => (seen.push(args), 'ok'))],
      stages: [{ preExecute: (call, next) => (seen.push(call.arguments), next()) }],
    })
    const given = { nested: { list: [{ a: 1 }] } }
    const pending = registry.execute({ callId: '1', name: 'work', arguments: given })
    given.nested.list.push({ a: 2 })
    await pending
    expect(seen).toEqual([{ nested: { list: [{ a: 1 }] } }, { nested: { list: [{ a: 1 }] } }])
    expect(seen[0]).toBe(seen[1])
    expect(isDeepFrozen(seen[0])).toBe(true)
    expect(Object.isFrozen(given) || Object.isFrozen(given.nested.list)).toBe(false)
  })

  it('that are unusable end the call before policy, with a code; observers see none (JSON-18)', async () => {
    const seen: unknown[] = []
    const tool = countedTool('work')
    const registry = createToolRegistry({
      tools: [tool],
      stages: [
        {
          preExecute: (_call, next) => (seen.push('policy'), next()),
          guard: () => (seen.push('guard'), undefined),
          onResult: call => seen.push(['arguments' in call, call.arguments]),
        },
      ],
    })
    const result = await registry.execute({ callId: '1', name: 'work', arguments: { a: () => 1 } })
    expect(result).toMatchObject({ error: { code: 'ARGUMENTS_NOT_JSON', details: { path: 'arguments.a' } } })
    expect(seen).toEqual([[true, undefined]])
    expect(tool.runs()).toBe(0)
  })

  it('are taken in one pass: what structured clone would take is refused, what it refuses is read (JSON-19)', async () => {
    const tool = countedTool('work', args => JSON.stringify(args))
    const registry = createToolRegistry({ tools: [tool] })
    const call = (given: unknown) => registry.execute({ callId: '1', name: 'work', arguments: given })
    expect(await call({ at: new Date(0) })).toMatchObject({ error: { code: 'ARGUMENTS_NOT_JSON' } })
    expect(tool.runs()).toBe(0)
    expect(await call(new Proxy({ a: 1 }, {}))).toMatchObject({ value: '{"a":1}' })
  })

  it('may be any JSON; a tool that wants an object refuses the rest as INVALID_ARGS (JSON-20)', async () => {
    const raw = countedTool('raw', args => JSON.stringify(args))
    let runs = 0
    const typed = defineTool({
      name: 'typed',
      description: 'Works.',
      parameters: {},
      execute: () => String(++runs),
    })
    const registry = createToolRegistry({ tools: [raw, typed] })
    for (const [given, text] of [
      [[1, 2], '[1,2]'],
      [5, '5'],
      [false, 'false'],
      ['"text"', '"text"'],
      ['[1]', '[1]'],
      [null, '{}'],
    ] as const) {
      expect(await registry.execute({ callId: '1', name: 'raw', arguments: given })).toMatchObject({
        value: text,
      })
      const refused = await registry.execute({ callId: '2', name: 'typed', arguments: given })
      expect(refused.isError && refused.error.code).toBe(given !== null && 'INVALID_ARGS')
    }
    expect(runs).toBe(1)
  })

  it('are all that is frozen: signals and callers are not (JSON-21)', async () => {
    const caller = { user: { name: 'x' } }
    const { signal } = new AbortController()
    const seen: unknown[] = []
    const registry = createToolRegistry({
      tools: [countedTool('work', (_args, call) => (seen.push(call.signal, call.caller), 'ok'))],
    })
    await registry.execute({ callId: '1', name: 'work', caller, signal })
    expect(seen[1]).toBe(caller)
    expect([seen[0], signal, caller, caller.user].map(Object.isFrozen)).toEqual([false, false, false, false])
  })
})
