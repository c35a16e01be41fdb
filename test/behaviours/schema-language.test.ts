/**
 * The schema language. The lines are in docs/behaviours/schemas.md. Decided otherwise:
 * - DSL-01 of the two versions that are known the larger is the language.
 */
import {
  createToolRegistry,
  defineTool,
  type JsonObject,
  OutputSchemaError,
  type SchemaSpec,
  schemaSpecToJsonSchema,
  validateArgs,
} from 'toolgate'
import { describe, expect, it } from 'vitest'
import { isDeepFrozen } from '../support/tools.js'

function faults(spec: unknown): string[] {
  try {
    defineTool({ name: 'tool', description: 'A tool.', parameters: spec as SchemaSpec, execute: () => '' })
  } catch (error) {
    if (error instanceof OutputSchemaError && error.code === 'UNSUPPORTED_SCHEMA')
      return error.violations.map(({ message }) => message)
    throw error
  }
  return []
}

const wrong = (node: unknown, value: unknown): string[] =>
  validateArgs({ x: node } as SchemaSpec, { x: value }).map(({ message }) => message)

const printed = (node: unknown): unknown =>
  (schemaSpecToJsonSchema({ x: node } as SchemaSpec).properties as JsonObject).x

describe('nodes', () => {
  it.each([
    [{ type: 'string' }, ['', 'a'], [1, null]],
    [{ type: 'number' }, [0, -1.5], ['1', null]],
    [{ type: 'integer' }, [0, 1.0, -3], [1.5, '1']],
    [{ type: 'boolean' }, [true, false], [0, 'true']],
    [{ type: 'null' }, [null], [0, '', false]],
    [{ type: 'object', additionalProperties: true }, [{}, { a: 1 }], [[], null, 'a']],
    [{ type: 'array' }, [[], [1, 'a']], [{}, 'a']],
    [{ type: 'array', items: { type: 'null' } }, [[], [null]], [[null, 1]]],
    [{ type: 'json' }, ['a', 1, null, [{ a: [] }]], [Number.NaN, new Date(0)]],
    [{ oneOf: [{ type: 'string' }, { type: 'null' }] }, ['a', null], [1]],
    [{ type: 'string', enum: ['a', 'b'] }, ['a', 'b'], ['c', 1]],
    [{ type: 'integer', enum: [1, 2] }, [1], [3, '1']],
    [{ type: 'boolean', const: true }, [true], [false, 1]],
    [{ type: 'null', const: null }, [null], [0]],
  ] as const)('%j take what they say (DSL-01)', (node, good, bad) => {
    expect(faults({ x: node })).toEqual([])
    for (const value of good) expect(wrong(node, value)).toEqual([])
    for (const value of bad) expect(wrong(node, value)).toHaveLength(1)
  })

  it('are required where they say so, and nothing else may be said about that (DSL-02)', () => {
    const spec = { a: { type: 'string', required: true }, b: { type: 'string' } } satisfies SchemaSpec
    expect(validateArgs(spec, { a: 'x', more: [1] })).toEqual([])
    expect(validateArgs(spec, { b: 'x' })).toEqual([{ path: 'a', message: 'missing required property a' }])
    // @ts-expect-error: required is true or left out
    const refused: SchemaSpec = { a: { type: 'string', required: false } }
    expect(faults(refused)).toEqual(['parameters.a.required must be true or left out'])
  })

  it('that are objects say whether they are open, wherever they stand (DSL-03)', () => {
    // @ts-expect-error: it does not say
    const silent: SchemaSpec = { a: { type: 'object' } }
    // @ts-expect-error: nor does it here
    const within: SchemaSpec = { a: { type: 'array', items: { type: 'object', properties: {} } } }
    const must = 'must say additionalProperties: true or additionalProperties: false'
    expect(faults(silent)).toEqual([`parameters.a ${must}`])
    expect(faults(within)).toEqual([`parameters.a.items ${must}`])
    expect(faults({ a: { type: 'object', additionalProperties: {} } })).toEqual([
      'parameters.a.additionalProperties must be true or false, got an object',
    ])
  })

  it('of type json take any lossless JSON and print as annotations (DSL-04)', () => {
    expect(printed({ type: 'json' })).toEqual({})
    expect(printed({ type: 'json', description: 'Anything', default: null })).toEqual({
      description: 'Anything',
      default: null,
    })
    expect(wrong({ type: 'json' }, { a: [null, 'b'] })).toEqual([])
    expect(wrong({ type: 'json' }, [() => 1])).toEqual(['x[0] is a function, which JSON cannot carry'])
  })

  it('with oneOf have two branches or more, no type, and take what exactly one takes (DSL-05)', () => {
    // @ts-expect-error: one branch is no union
    const single: SchemaSpec = { a: { oneOf: [{ type: 'null' }] } }
    expect(faults(single)).toEqual(['parameters.a.oneOf must be an array of at least two branches'])
    expect(faults({ a: { type: 'null', oneOf: [{ type: 'null' }, { type: 'json' }] } })).toEqual([
      'parameters.a.type is not supported beside oneOf',
    ])
    const overlapping = { oneOf: [{ type: 'json' }, { type: 'null' }] }
    expect(wrong(overlapping, 1)).toEqual([])
    expect(wrong(overlapping, null)).toEqual(['x must match exactly one branch, but 2 of 2 match (1 and 2)'])
  })

  it.each([
    [{ type: 'string', enum: [] }, 'parameters.x.enum must be a non-empty array'],
    [{ type: 'string', enum: ['a', 1] }, 'parameters.x.enum must hold values of type string, got 1'],
    [{ type: 'integer', enum: [1.5] }, 'parameters.x.enum must hold values of type integer, got 1.5'],
    [{ type: 'string', const: 1 }, 'parameters.x.const must be of type string, got 1'],
    [{ type: 'string', enum: ['a'], const: 'b' }, 'parameters.x.const must be one of the enum values'],
    [{ type: 'array', enum: [[]] }, 'parameters.x.enum is not supported on "array"'],
    [{ type: 'json', const: 1 }, 'parameters.x.const is not supported on "json"'],
  ])('%j has an enum or const that cannot be (DSL-06)', (node, fault) => {
    expect(faults({ x: node })).toEqual([fault])
  })
})

describe('annotations', () => {
  it('are title, description, default and examples; every other keyword is refused (DSL-07)', () => {
    const annotated = { type: 'string', title: 'T', description: 'D', default: 'd', examples: ['e'] }
    expect(faults({ x: annotated })).toEqual([])
    expect(printed(annotated)).toEqual(annotated)
    expect(faults({ x: { type: 'string', title: 1, description: null, examples: 'e' } })).toEqual([
      'parameters.x.title must be a string, got 1',
      'parameters.x.description must be a string, got null',
      'parameters.x.examples must be an array',
    ])
    for (const keyword of ['minLength', 'pattern', 'format', 'deprecated', 'nullable'])
      expect(faults({ x: { type: 'string', [keyword]: 1 } })).toEqual([
        `parameters.x.${keyword} is not supported on "string"`,
      ])
    expect(faults({ x: { type: 'json', default: Number.NaN } })).toEqual([
      'parameters.x.default is NaN, which JSON cannot carry',
    ])
  })

  it('do nothing: a default is never applied (DSL-07)', async () => {
    const registry = createToolRegistry()
    let seen: unknown
    registry.register(
      defineTool({
        name: 'tool',
        description: 'A tool.',
        parameters: { x: { type: 'string', default: 'd' } },
        execute: args => {
          seen = args
          return ''
        },
      }),
    )
    await registry.execute({ callId: '1', name: 'tool', arguments: {} })
    expect(seen).toEqual({})
  })
})

describe('what specs are made of', () => {
  it('has required on properties alone (DSL-08)', () => {
    // @ts-expect-error: an item is not required
    const item: SchemaSpec = { a: { type: 'array', items: { type: 'string', required: true } } }
    // @ts-expect-error: nor is a branch
    const branch: SchemaSpec = { a: { oneOf: [{ type: 'null', required: true }, { type: 'string' }] } }
    expect(faults(item)).toEqual(['parameters.a.items.required is only allowed on a property'])
    expect(faults(branch)).toEqual(['parameters.a.oneOf[0].required is only allowed on a property'])
  })

  it('is plain objects and dense lists without a cycle; siblings may share (DSL-09)', () => {
    const shared = { type: 'string' }
    expect(faults({ a: shared, b: shared, c: { oneOf: [shared, { type: 'null' }] } })).toEqual([])
    const cycle: Record<string, unknown> = { type: 'array' }
    cycle.items = cycle
    expect(faults({ a: cycle })).toEqual(['parameters is circular'])
    const hidden = Object.defineProperty({ type: 'string' }, 'secret', { value: 1 })
    const instance = new (class Node {
      type = 'string'
    })()
    const decorated = Object.assign(['a'], { more: 1 })
    for (const node of [
      { type: 'string', [Symbol('s')]: 1 },
      hidden,
      instance,
      Object.create({ type: 'string' }),
      { type: 'string', enum: new Array(2) },
      { type: 'string', enum: decorated },
      { type: 'string', examples: ['a', , 'b'] },
    ])
      expect(faults({ a: node })).toHaveLength(1)
  })
})

describe('printing', () => {
  it('keeps the order of keys, lists required names at each level and nothing that is empty (DSL-10)', () => {
    const schema = schemaSpecToJsonSchema({
      path: { description: 'Where', type: 'string', required: true },
      options: {
        type: 'object',
        additionalProperties: false,
        properties: { deep: { type: 'boolean', required: true }, any: { type: 'json' } },
      },
    })
    expect(JSON.stringify(schema)).toBe(
      '{"type":"object","properties":{"path":{"description":"Where","type":"string"},' +
        '"options":{"type":"object","additionalProperties":false,' +
        '"properties":{"deep":{"type":"boolean"},"any":{}},"required":["deep"]}},"required":["path"]}',
    )
    expect(schemaSpecToJsonSchema({ a: { type: 'null' } })).toEqual({
      type: 'object',
      properties: { a: { type: 'null' } },
    })
    expect(isDeepFrozen(schema)).toBe(true)
  })

  it('does not recurse, nor does validating: 5 000 nested unions (DSL-11)', () => {
    let node: Record<string, unknown> = { type: 'string' }
    for (let i = 0; i < 5_000; i++) node = { oneOf: [{ type: 'number' }, node] }
    const spec = { x: node } as unknown as SchemaSpec
    expect(faults(spec)).toEqual([])
    expect(validateArgs(spec, { x: 'text' })).toEqual([])
    expect(validateArgs(spec, { x: true })).toHaveLength(1)
    // Its depth is beyond what JSON.stringify would print.
    expect(Object.keys(schemaSpecToJsonSchema(spec))).toEqual(['type', 'properties'])
  })
})
