/**
 * Arguments of tools in the schema language. The lines are in docs/behaviours/schemas.md. Decided otherwise:
 * - DSL-17 the body does not throw `ToolArgsError` at anyone: the call ends in a result with its code and violations.
 */
import {
  createToolRegistry,
  defineTool,
  type SchemaSpec,
  ToolArgsError,
  type ToolCall,
  validateArgs,
} from 'toolgate'
import { describe, expect, expectTypeOf, it } from 'vitest'
import { hostileValues } from '../schema/hostile-values.js'

const messages = (spec: SchemaSpec, args: unknown): string[] =>
  validateArgs(spec, args).map(({ message }) => message)

const server = {
  type: 'object',
  additionalProperties: false,
  properties: { host: { type: 'string', required: true }, port: { type: 'integer' } },
} as const

const spec = {
  text: { type: 'string', required: true },
  config: server,
  servers: { type: 'array', items: server },
} satisfies SchemaSpec

describe('validateArgs', () => {
  it('lists nothing for what matches, throws for a wrong spec, and for nothing else (DSL-12)', () => {
    expect(validateArgs(spec, { text: 'a', config: { host: 'h' }, servers: [], more: 1 })).toEqual([])
    expect(() => validateArgs({ x: { type: 'strin' } } as never, {})).toThrow(
      expect.objectContaining({ code: 'UNSUPPORTED_SCHEMA' }),
    )
  })

  it.each(hostileValues())('is total: %s is a violation (DSL-12)', (_, args) => {
    expect(validateArgs(spec, args).length).toBeGreaterThan(0)
    expect(validateArgs(spec, { text: 'a', config: args }).length).toBeGreaterThan(0)
  })

  it('calls the root arguments and what is in it by its bare path (DSL-13)', () => {
    expect(validateArgs(spec, 5)).toEqual([
      { path: 'arguments', message: 'arguments must be an object, got 5' },
    ])
    expect(validateArgs(spec, { text: 'a', config: { host: 1 }, servers: [{ host: 'a' }, {}] })).toEqual([
      { path: 'config.host', message: 'config.host must be a string, got 1' },
      { path: 'servers[1].host', message: 'missing required property servers[1].host' },
    ])
  })

  it('lets undeclared properties into what is open, and nothing into what is closed and empty (DSL-16)', () => {
    const objects = {
      open: { type: 'object', additionalProperties: true, properties: { a: { type: 'null' } } },
      empty: { type: 'object', additionalProperties: false },
    } satisfies SchemaSpec
    expect(messages(objects, { open: { a: null, b: 1 }, empty: {}, more: 1 })).toEqual([])
    expect(messages(objects, { open: { a: 1 }, empty: { b: 1 } })).toEqual([
      'open.a must be null, got 1',
      'empty.b is not a declared property: the object must be empty',
    ])
  })
})

describe('defineTool', () => {
  it('validates first: the body gets what matches, frozen and typed, and is not run for the rest (DSL-17)', async () => {
    const registry = createToolRegistry()
    const seen: unknown[] = []
    const tool = defineTool({
      name: 'tool',
      description: 'A tool.',
      parameters: spec,
      execute: args => {
        expectTypeOf(args.text).toEqualTypeOf<string>()
        expectTypeOf(args.servers?.[0]?.port).toEqualTypeOf<number | undefined>()
        seen.push(args)
        return 'done'
      },
    })
    registry.register(tool)
    const call = (args: unknown) => registry.execute({ callId: '1', name: 'tool', arguments: args })
    expect(await call({ text: 'a', servers: [{ host: 'h', port: 1 }] })).toMatchObject({ value: 'done' })
    expect(await call({ text: 1 })).toMatchObject({
      error: {
        code: 'INVALID_ARGS',
        name: 'ToolArgsError',
        message: 'Invalid arguments for tool "tool": text must be a string, got 1',
        details: { violations: [{ path: 'text', message: 'text must be a string, got 1' }] },
      },
    })
    expect(seen).toEqual([{ text: 'a', servers: [{ host: 'h', port: 1 }] }])
    // Called by itself, outside a registry, the definition throws.
    expect(() => tool.execute({}, {} as never)).toThrow(ToolArgsError)
  })

  it('asks no classifier about invalid arguments: the call runs alone (DSL-18)', () => {
    const registry = createToolRegistry()
    const asked: unknown[] = []
    registry.register(
      defineTool({
        name: 'tool',
        description: 'A tool.',
        parameters: spec,
        isConcurrencySafe: args => {
          asked.push(args.text)
          return true
        },
        execute: () => '',
      }),
    )
    const mode = (args: unknown) => registry.executionMode({ callId: '1', name: 'tool', arguments: args })
    expect(mode({ text: 'a' })).toEqual({ kind: 'parallel' })
    expect(mode({ text: 1 })).toEqual({ kind: 'exclusive' })
    expect(asked).toEqual(['a'])
  })

  it('gives finalizeContent the call, whose arguments may be invalid and are not typed (DSL-19)', async () => {
    const registry = createToolRegistry()
    const seen: unknown[] = []
    registry.register(
      defineTool({
        name: 'tool',
        description: 'A tool.',
        parameters: spec,
        finalizeContent: (call, result) => {
          expectTypeOf(call).toEqualTypeOf<ToolCall>()
          seen.push([call.arguments, result.isError])
          return undefined
        },
        execute: () => 'done',
      }),
    )
    await registry.execute({ callId: '1', name: 'tool', arguments: { text: 1 } })
    await registry.execute({ callId: '2', name: 'tool', arguments: { text: 'a' } })
    expect(seen).toEqual([
      [{ text: 1 }, true],
      [{ text: 'a' }, false],
    ])
  })

  it('reads what it is given once: functions are detached, later changes have no effect (DSL-23)', async () => {
    const registry = createToolRegistry()
    const owners: unknown[] = []
    const options = {
      name: 'tool',
      description: 'A tool.',
      parameters: {},
      execute(this: unknown): string {
        owners.push(this)
        return 'as it was'
      },
    }
    registry.register(defineTool(options))
    options.execute = () => 'changed'
    expect(await registry.execute({ callId: '1', name: 'tool' })).toMatchObject({ value: 'as it was' })
    expect(owners).toHaveLength(1)
    expect(owners[0]).not.toBe(options)
  })
})
