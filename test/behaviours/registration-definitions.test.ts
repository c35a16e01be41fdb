/**
 * What a tool may be. The lines are in docs/behaviours/registry-and-scopes.md. Decided otherwise:
 * - REG-06 `output` is optional; a declared one is checked at registration, and the refusal is `INVALID_TOOL`.
 * - REG-07 with `output` the body returns the canonical value only; without it text, blocks or blocks with meta.
 * - REG-08 the strict subset is for the schema language; a raw schema may be any JSON Schema, but must resolve.
 * - REG-09 the refusal is `INVALID_TOOL` in both places.
 * - REG-10 a timeout past the timers is refused when the tool is defined or registered.
 * - REG-11 `run_code` is reserved in every mode.
 * - REG-13 what JSON cannot carry is refused at registration, so that no tool can spoil the listing of the others.
 * - REG-14 every field is checked at registration; a misspelt one is refused.
 */
import { createToolRegistry, defineTool, type ToolDefinition, type ToolScope } from 'toolgate'
import { describe, expect, it } from 'vitest'
import { countedTool } from '../support/tools.js'

const names = (scope: Pick<ToolScope, 'visible'>): string[] => scope.visible().map(tool => tool.name)
const coded = (code: string, message?: RegExp): unknown =>
  expect.objectContaining({ code, ...(message && { message: expect.stringMatching(message) }) })

const runCode = { run: async () => ({ logs: [] }) }

describe('what a tool may be', () => {
  const schema = { type: 'number' }
  const render = () => []

  it('needs no output; a declared one must be whole (REG-06)', async () => {
    const registry = createToolRegistry({ tools: [countedTool('without')] })
    expect(await registry.execute({ callId: '1', name: 'without' })).toMatchObject({ value: 'done' })
    for (const output of [
      'text',
      {},
      { schema },
      { render },
      { schema, render: 'text' },
      { schema, render, presentationMeta: {} },
      { schema: 'number', render },
    ])
      expect(() => registry.register(countedTool('t', undefined, { output: output as never }))).toThrow(
        coded('INVALID_TOOL', /output/),
      )
    expect(names(registry)).toEqual(['without'])
  })

  it('returns its canonical value with output, and text or blocks without (REG-07)', async () => {
    const text = [{ type: 'text' as const, text: 'five' }]
    const output = { schema, render: () => text, presentationMeta: () => ({ unit: 'm' }) }
    const bodies: ToolDefinition[] = [
      countedTool('value', () => 5, { output }),
      countedTool('blocks_for_a_value', () => ({ content: text }), { output }),
      countedTool('text', () => 'five'),
      countedTool('blocks', () => text),
      countedTool('blocks_with_meta', () => ({ content: text, meta: { unit: 'm' } })),
      countedTool('value_without_output', () => 5),
    ]
    const registry = createToolRegistry({ tools: bodies })
    const run = (name: string) => registry.execute({ callId: name, name })
    expect(await run('value')).toMatchObject({ value: 5, content: text, meta: { unit: 'm' } })
    expect(await run('text')).toMatchObject({ value: 'five', content: text })
    expect(await run('blocks')).toMatchObject({ value: 'five', content: text })
    expect(await run('blocks_with_meta')).toMatchObject({ value: 'five', content: text, meta: { unit: 'm' } })
    for (const wrong of ['blocks_for_a_value', 'value_without_output'])
      expect(await run(wrong)).toMatchObject({ error: { code: 'INVALID_TOOL_OUTPUT' } })
  })

  it('has an output schema that can be used, or is refused with all that is wrong with it (REG-08)', () => {
    const define = (given: unknown) =>
      defineTool({
        name: 't',
        description: 'T.',
        parameters: {},
        output: { schema: given as never, render: () => [] },
        execute: () => ({}) as never,
      })
    const bad = {
      type: 'object',
      additionalProperties: true,
      properties: { a: { anyOf: [] }, b: { type: 'int' } },
    }
    const unsupported = { code: 'UNSUPPORTED_SCHEMA', name: 'OutputSchemaError' }
    let thrown: unknown
    try {
      define(bad)
    } catch (error) {
      thrown = error
    }
    expect(thrown).toMatchObject(unsupported)
    expect(String(thrown)).toContain('properties.a')
    expect(String(thrown)).toContain('properties.b')

    const registry = createToolRegistry()
    const raw = (name: string, given: object) =>
      registry.register(countedTool(name, () => 'ab', { output: { schema: given, render } }))
    raw('any_json_schema', { anyOf: [{ type: 'string', pattern: '^a' }, { minimum: 3 }] })
    expect(() =>
      raw('unresolvable', { properties: { a: { $ref: '#/$defs/ghost' }, b: { type: 7 } } }),
    ).toThrow(expect.objectContaining(unsupported))
    expect(names(registry)).toEqual(['any_json_schema'])
  })

  it.each([0, -1, Number.NaN, Number.POSITIVE_INFINITY, '5', 2 ** 31])(
    'has no timeout of %s, by defineTool or by register (REG-09, REG-10)',
    timeoutMs => {
      const tool = {
        name: 't',
        description: '',
        parameters: {},
        timeoutMs: timeoutMs as number,
        execute: () => '',
      }
      expect(() => defineTool(tool)).toThrow(coded('INVALID_TOOL', /timeoutMs/))
      expect(() => createToolRegistry().register(tool)).toThrow(coded('INVALID_TOOL', /timeoutMs/))
    },
  )

  it('may have the longest timeout that timers can keep (REG-10)', () => {
    const timeoutMs = 2 ** 31 - 1
    const tool = defineTool({ name: 't', description: '', parameters: {}, timeoutMs, execute: () => '' })
    const registry = createToolRegistry({ tools: [tool, countedTool('raw', undefined, { timeoutMs })] })
    expect(registry.visible().map(tool => tool.timeoutMs)).toEqual([timeoutMs, timeoutMs])
  })

  it.each(['native', 'code', 'both'] as const)('is never called run_code, in mode %s (REG-11)', mode => {
    const registry = createToolRegistry({ mode, codeRuntime: runCode, scopes: [{ id: 'a' }] })
    for (const scope of [registry, registry.scope('a')])
      expect(() => scope.register(countedTool('run_code'))).toThrow(coded('RESERVED_NAME'))
    expect(() => createToolRegistry({ tools: [countedTool('run_code')] })).toThrow(coded('RESERVED_NAME'))
    expect(names(registry)).toEqual([])
  })

  it('is written in JSON: what it cannot carry is refused at once, and alone (REG-13)', () => {
    const registry = createToolRegistry({ tools: [countedTool('good')] })
    const cyclic: { properties: object } = { properties: {} }
    cyclic.properties = { self: cyclic }
    for (const parameters of [
      { type: 'object', default: undefined },
      { type: 'object', default: Number.NaN },
      { type: 'object', default: () => 1 },
      { type: 'object', examples: [1n] },
      { type: 'object', default: new Date(0) },
      cyclic,
    ])
      expect(() => registry.register(countedTool('bad', undefined, { parameters }))).toThrow(
        coded('INVALID_TOOL', /"bad".*parameters/),
      )
    expect(registry.schemas().map(schema => schema.name)).toEqual(['good'])
  })

  const without = (key: string) => ({ ...countedTool('t'), [key]: undefined })
  it.each([
    ['null', null],
    ['text', 'tool'],
    ['no name', without('name')],
    ['an empty name', { ...countedTool('t'), name: '' }],
    ['a number as name', { ...countedTool('t'), name: 7 }],
    ['a title that is no text', { ...countedTool('t'), title: 7 }],
    ['no description', without('description')],
    ['annotations that are no object', { ...countedTool('t'), annotations: 'safe' }],
    ['no parameters', without('parameters')],
    ['parameters that are no object', { ...countedTool('t'), parameters: 'object' }],
    ['a list as parameters', { ...countedTool('t'), parameters: [] }],
    ['validateArguments that is no boolean', { ...countedTool('t'), validateArguments: 'yes' }],
    ['no body', without('execute')],
    ['a body that is no function', { ...countedTool('t'), execute: 'run' }],
    ['a finaliser that is no function', { ...countedTool('t'), finalizeContent: {} }],
    ['a classifier that is no function', { ...countedTool('t'), isConcurrencySafe: true }],
    ['resource keys that are no function', { ...countedTool('t'), resourceKeys: ['a'] }],
    ['a presenter that is no function', { ...countedTool('t'), presentCall: 'card' }],
    [
      'an accessor that throws',
      Object.defineProperty(countedTool('t'), 'title', { get: () => JSON.parse('{') }),
    ],
    ['a proxy that cannot be listed', new Proxy(countedTool('t'), { ownKeys: () => JSON.parse('{') })],
  ])('is refused as a whole with %s, by register and by defineTool (REG-14)', (_what, tool) => {
    const registry = createToolRegistry({ tools: [countedTool('good')] })
    expect(() => registry.register(tool as never)).toThrow(coded('INVALID_TOOL'))
    expect(names(registry)).toEqual(['good'])
    const codes = expect.stringMatching(/^(INVALID_TOOL|UNSUPPORTED_SCHEMA)$/)
    expect(() => {
      // What defineTool lets pass, because it is about another field of its own, register refuses.
      registry.register(defineTool(tool as never))
    }).toThrow(expect.objectContaining({ code: codes }))
  })

  it('says where a map of properties belongs that is given as raw parameters (REG-14)', () => {
    const parameters = { path: { type: 'string', required: true } }
    const raw = countedTool('t', undefined, { parameters })
    expect(() => createToolRegistry().register(raw)).toThrow(coded('INVALID_TOOL', /defineTool/))
    const { name, description, execute } = raw
    const defined = defineTool({ name, description, execute: execute as () => string, parameters } as never)
    expect(createToolRegistry({ tools: [defined] }).get('t')?.parameters).toMatchObject({
      required: ['path'],
    })
  })

  it.each([
    [{ type: { type: 'string', required: true } }],
    [{ type: { type: 'string' }, items: { type: 'array', items: { type: 'string' } } }],
    [{ title: { type: 'string', required: true }, description: { type: 'string' } }],
  ])('sees that %j is a map of properties, whose names happen to be keywords (REG-14)', parameters => {
    const raw = countedTool('t', undefined, { parameters })
    expect(() => createToolRegistry().register(raw)).toThrow(coded('INVALID_TOOL', /defineTool/))
    expect(raw.runs()).toBe(0)
  })

  it.each([
    [{ type: 'object', properties: { type: { type: 'string' } } }],
    [{ type: ['object', 'null'], title: 'A', description: 'B' }],
    [{ properties: { type: { type: 'string' } }, required: ['type'] }],
    [{}],
  ])('takes %j for the JSON Schema that it is (REG-14)', parameters => {
    const registry = createToolRegistry({ tools: [countedTool('t', undefined, { parameters })] })
    expect(registry.get('t')?.parameters).toEqual(parameters)
  })

  it.each([
    ['isConcurencySafe', 'isConcurrencySafe'],
    ['is_concurrency_safe', 'isConcurrencySafe'],
    ['resourceKey', 'resourceKeys'],
    ['timeout', 'timeoutMs'],
    ['TimeoutMS', 'timeoutMs'],
    ['validateArgument', 'validateArguments'],
    ['finaliseContent', 'finalizeContent'],
    ['outputs', 'output'],
    ['ouptut', 'output'],
    ['titel', 'title'],
    ['presentResults', 'presentResult'],
  ])('is refused with %s, which can only mean %s (REG-14)', (slip, meant) => {
    const registry = createToolRegistry()
    const tool = { ...countedTool('t'), [slip]: () => true }
    const refusal = coded('INVALID_TOOL', new RegExp(`"t".*"${slip}".*"${meant}"`))
    expect(() => registry.register(tool)).toThrow(refusal)
    expect(() => defineTool({ ...tool, parameters: {} } as never)).toThrow(refusal)
    expect(names(registry)).toEqual([])
  })

  it('is refused with a slip in a required field by the name of the slip (REG-14)', () => {
    const { description, ...rest } = countedTool('t')
    expect(() => createToolRegistry().register({ ...rest, descripton: description } as never)).toThrow(
      coded('INVALID_TOOL', /"descripton"; did you mean "description"/),
    )
    const output = { schema: {}, render: () => [], presentationMetta: () => ({}) }
    expect(() => createToolRegistry().register(countedTool('t', undefined, { output }))).toThrow(
      coded('INVALID_TOOL', /output.*"presentationMetta"; did you mean "presentationMeta"/),
    )
  })

  it('may have any other fields, and be an instance of a class (REG-14)', async () => {
    class Greeter {
      readonly name = 'greet'
      readonly description = 'Greets.'
      readonly parameters = { type: 'object' }
      readonly greeting = 'hello'
      readonly tags = ['a']
      readonly time = 5
      readonly inputs = 1
      readonly note = 'near to name, which is there'
      execute(): string {
        return this.greeting
      }
      helper(): void {}
    }
    const registry = createToolRegistry({ tools: [new Greeter(), countedTool('counted')] })
    expect(await registry.execute({ callId: '1', name: 'greet' })).toMatchObject({ value: 'hello' })
    class Slip extends Greeter {
      isConcurencySafe(): boolean {
        return true
      }
    }
    expect(() => createToolRegistry({ tools: [new Slip()] })).toThrow(
      coded('INVALID_TOOL', /isConcurencySafe/),
    )
  })

  it('may be a plain object with raw JSON Schema: its output is checked, its arguments are not (REG-15)', async () => {
    const seen: unknown[] = []
    const body = (args: unknown) => (seen.push(args), args)
    const parameters = { type: 'object', properties: { n: { type: 'number' } }, required: ['n'] }
    const output = { schema: { required: ['n'] }, render: () => [] }
    const checked = countedTool('checked', body, { parameters, validateArguments: true })
    const registry = createToolRegistry({
      tools: [countedTool('raw', body, { parameters, output }), checked],
    })
    const run = (name: string, args: object) => registry.execute({ callId: '1', name, arguments: args })
    expect(await run('raw', { n: 'text' })).toMatchObject({ value: { n: 'text' } })
    expect(await run('raw', { other: 1 })).toMatchObject({ error: { code: 'INVALID_TOOL_OUTPUT' } })
    expect(seen).toEqual([{ n: 'text' }, { other: 1 }])
    expect(await run('checked', { n: 'text' })).toMatchObject({ error: { code: 'INVALID_ARGS' } })
    expect(checked.runs()).toBe(0)
  })
})
