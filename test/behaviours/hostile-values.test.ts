/**
 * Names that every object has already, wherever a name may stand.
 */
import { createToolRegistry, defineTool, type Stages, type ToolDefinition } from 'toolgate'
import { quickJsRuntime } from 'toolgate/quickjs'
import { describe, expect, it } from 'vitest'
import { countedTool } from '../support/tools.js'

const NAMES = [
  '__proto__',
  'constructor',
  'toString',
  'then',
  'hasOwnProperty',
  'valueOf',
  'toJSON',
  'prototype',
  '__defineGetter__',
  'isPrototypeOf',
  'length',
  'name',
  'arguments',
  'caller',
  'undefined',
  'null',
] as const

const withOwn = (key: string, value: unknown): object =>
  JSON.parse(`{${JSON.stringify(key)}:${JSON.stringify(value)}}`)
const clean = (): void => {
  expect(Object.keys(Object.prototype)).toEqual([])
  expect(({} as { polluted?: unknown }).polluted).toBeUndefined()
}

describe.each(NAMES)('the name %s', name => {
  it('is a tool’s like any other: registered, seen, explained, presented, executed and taken out', async () => {
    const registry = createToolRegistry({ tools: [countedTool('other')] })
    expect([registry.get(name), registry.visible().length]).toEqual([undefined, 1])
    expect(registry.explain(name)).toMatchObject({ name, status: 'unknown' })
    expect(await registry.execute({ callId: '1', name })).toMatchObject({ error: { code: 'UNKNOWN_TOOL' } })
    const tool = countedTool(name)
    const remove = registry.register(tool)
    expect(() => registry.register(tool)).toThrow(expect.objectContaining({ code: 'DUPLICATE_TOOL' }))
    expect(registry.get(name)?.name).toBe(name)
    expect(registry.explain(name)).toMatchObject({ name, status: 'callable', scope: 'root' })
    expect(registry.knownNames()).toEqual(['other', name])
    expect(registry.schemas().map(schema => schema.name)).toEqual(['other', name])
    expect(registry.present().tools.map(schema => schema.name)).toEqual(['other', name])
    expect(await registry.execute({ callId: '1', name })).toMatchObject({
      isError: false,
      name,
      value: 'done',
    })
    expect(registry.executionMode({ callId: '1', name })).toEqual({ kind: 'exclusive' })
    remove()
    expect(await registry.execute({ callId: '1', name })).toMatchObject({ error: { code: 'UNKNOWN_TOOL' } })
    expect(tool.runs()).toBe(1)
    clean()
  })

  it('is restricted, granted and shadowed like any other', async () => {
    const tool = countedTool(name)
    const registry = createToolRegistry({
      tools: [tool, countedTool('other')],
      scopes: [
        { id: 'denied', restrict: { deny: [name] } },
        { id: 'allowed', restrict: { allow: [name] } },
        { id: 'granted', parent: 'denied', grants: [name] },
        { id: 'shadowing', tools: [countedTool(name, () => 'shadow')] },
      ],
    })
    const value = async (scope: string, called: string = name) => {
      const result = await registry.execute({ callId: '1', name: called, scope })
      return result.isError ? result.error.code : result.value
    }
    expect(await value('denied')).toBe('UNKNOWN_TOOL')
    expect(registry.scope('denied').explain(name)).toMatchObject({ status: 'masked', by: 'deny' })
    expect(await value('denied', 'other')).toBe('done')
    expect([await value('allowed'), await value('allowed', 'other')]).toEqual(['done', 'UNKNOWN_TOOL'])
    expect(await value('granted')).toBe('done')
    expect(await value('shadowing')).toBe('shadow')
    expect(tool.runs()).toBe(2)
    expect(() => registry.createScope({ id: 'x', restrict: { deny: [`${name}!`] } })).toThrow(
      expect.objectContaining({ code: 'UNKNOWN_TOOL_NAME' }),
    )
    clean()
  })

  it('is a scope’s, a stage’s and a call’s id like any other', async () => {
    const guard: Stages = { name, guard: call => (call.callId === name ? 'no' : undefined) }
    const registry = createToolRegistry({ tools: [countedTool('work')], stages: [guard] })
    expect(() => registry.scope(name)).toThrow(expect.objectContaining({ code: 'UNKNOWN_SCOPE' }))
    expect(await registry.execute({ callId: '1', name: 'work', scope: name })).toMatchObject({
      error: { code: 'UNKNOWN_SCOPE' },
    })
    const scope = registry.createScope({ id: name })
    expect([scope.id, registry.scope(name).id]).toEqual([name, name])
    expect(await registry.execute({ callId: '1', name: 'work', scope: name })).toMatchObject({
      isError: false,
    })
    expect(await registry.execute({ callId: name, name: 'work' })).toMatchObject({
      callId: name,
      error: { code: 'GUARD_DENIED', details: { guard: name } },
    })
    const twice = await registry.executeAll([
      { callId: '1', name: 'work', rootCallId: name },
      { callId: '1', name: 'work' },
    ])
    expect(twice.map(result => result.isError && result.error.code)).toEqual([false, 'DUPLICATE_CALL_ID'])
    await scope.dispose()
    expect(() => registry.scope(name)).toThrow(expect.objectContaining({ code: 'UNKNOWN_SCOPE' }))
    clean()
  })

  it('is an argument’s like any other, and is missing where only inheritance has it', async () => {
    const seen: unknown[] = []
    const make = (title: string, more: Partial<ToolDefinition> & { parameters: object }) =>
      countedTool(title, args => (seen.push(args), 'ok'), more)
    const dsl = defineTool({
      name: 'dsl',
      description: 'Works.',
      parameters: withOwn(name, { type: 'string', required: true }) as never,
      execute: args => (seen.push(args), 'ok'),
    })
    const raw = {
      type: 'object',
      properties: withOwn(name, { type: 'string' }),
      required: [name],
      additionalProperties: false,
    }
    const registry = createToolRegistry({
      tools: [
        dsl,
        make('raw', { parameters: raw, validateArguments: true }),
        make('free', { parameters: {} }),
      ],
    })
    const given = withOwn(name, 'x')
    for (const tool of ['dsl', 'raw', 'free']) {
      for (const args of [given, JSON.stringify(given)])
        expect(await registry.execute({ callId: '1', name: tool, arguments: args })).toMatchObject({
          isError: false,
        })
      if (tool === 'free') continue
      for (const args of [{}, withOwn(name, 5)])
        expect(await registry.execute({ callId: '1', name: tool, arguments: args })).toMatchObject({
          error: { code: 'INVALID_ARGS' },
        })
    }
    expect(seen.map(args => JSON.stringify(args))).toEqual(Array(6).fill(JSON.stringify(given)))
    for (const args of seen) expect(Object.getPrototypeOf(args)).toBe(Object.prototype)
    clean()
  })

  it('is a value’s, a meta’s and a detail’s like any other', async () => {
    const text = `{${JSON.stringify(name)}:{"polluted":1}}`
    const value = () => JSON.parse(text) as never
    const registry = createToolRegistry({
      tools: [
        countedTool('work', value, {
          output: {
            schema: { type: 'object', required: [name] },
            render: (_args, given) => [{ type: 'text', text: JSON.stringify(given) }],
            presentationMeta: value,
          },
        }),
        countedTool('lacks', () => ({}), { output: { schema: { required: [name] }, render: () => [] } }),
      ],
    })
    const result = await registry.execute({ callId: '1', name: 'work' })
    expect(result).toMatchObject({ isError: false, content: [{ type: 'text', text }] })
    if (!result.isError)
      expect([JSON.stringify(result.value), JSON.stringify(result.meta)]).toEqual([text, text])
    expect(await registry.execute({ callId: '1', name: 'lacks' })).toMatchObject({
      error: { code: 'INVALID_TOOL_OUTPUT' },
    })
    clean()
  })
})

describe('a program', () => {
  it('calls tools of such names, and finds them and no others', async () => {
    const runs: string[] = []
    const registry = createToolRegistry({
      tools: NAMES.filter(name => name !== 'then').map(name =>
        countedTool(name, () => (runs.push(name), name)),
      ),
      mode: 'code',
      codeRuntime: quickJsRuntime(),
    })
    const code = `
      const names = ${JSON.stringify(NAMES)}
      const results = []
      for (const name of names) {
        if (name === 'then') continue
        results.push(await tools[name]({}))
        if (!(await catalog.describe(name)).includes(JSON.stringify(name).slice(1, -1))) results.push('undescribed ' + name)
      }
      return [results, typeof tools.then, Object.keys(tools).sort()]`
    const program = { code, description: 'Call them all' }
    const result = await registry.execute({ callId: '1', name: 'run_code', arguments: program })
    const names = NAMES.filter(name => name !== 'then')
    expect(result).toMatchObject({
      isError: false,
      value: { result: [names, 'undefined', names.toSorted()] },
    })
    expect(runs).toEqual(names)
    clean()
  })

  it('has nothing by such names where no tool has them: what the language looks up is undefined, others reject', async () => {
    const other = countedTool('other')
    const registry = createToolRegistry({ tools: [other], mode: 'code', codeRuntime: quickJsRuntime() })
    const code = `
      const answers = {}
      for (const name of ${JSON.stringify(NAMES)}) {
        try { await tools[name]({}); answers[name + ' '] = 'ran' }
        catch (e) { answers[name + ' '] = e.code ?? typeof tools[name] }
      }
      return answers`
    const program = { code, description: 'Call them all' }
    const result = await registry.execute({ callId: '1', name: 'run_code', arguments: program })
    const isLookedUp = (name: string) => name in Object.prototype || name === 'then' || name === 'toJSON'
    const wanted = NAMES.map(name => [`${name} `, isLookedUp(name) ? 'undefined' : 'UNKNOWN_TOOL'])
    expect(result.isError ? result.error : result.value).toMatchObject({ result: Object.fromEntries(wanted) })
    expect(other.runs()).toBe(0)
  })
})
