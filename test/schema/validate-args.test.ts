import { describe, expect, test } from 'vitest'
import type { SchemaSpec } from '../../src/schema/schema-spec.js'
import { validateArgs } from '../../src/schema/validate-args.js'
import { hostileValues } from './hostile-values.js'

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
  list: { type: 'array', items: { type: 'string' } },
} satisfies SchemaSpec

describe('validateArgs', () => {
  test('finds nothing wrong with what matches, undeclared properties included', () => {
    expect(validateArgs(spec, { text: 'a', config: { host: 'h', port: 1.0 }, list: [], more: [{}] })).toEqual(
      [],
    )
  })

  test('names nested places as the model wrote them', () => {
    const nested = { servers: { type: 'array', items: server } } satisfies SchemaSpec
    expect(validateArgs(nested, { servers: [{ host: 'a' }, { host: 5 }, {}] })).toEqual([
      { path: 'servers[1].host', message: 'servers[1].host must be a string, got 5' },
      { path: 'servers[2].host', message: 'missing required property servers[2].host' },
    ])
  })

  test.each([null, 'text', 5, [], undefined])('calls the root "arguments": %j', args => {
    const [violation] = validateArgs(spec, args)
    expect(violation?.path).toBe('arguments')
    expect(violation?.message).toMatch(/^arguments must be an object, got /)
  })

  test('reports what is missing first, then declared properties in order, then undeclared ones (DSL-15)', () => {
    const ordered = {
      root: {
        type: 'object',
        additionalProperties: false,
        properties: {
          c: { type: 'number' },
          b: { type: 'string', required: true },
          a: { type: 'boolean' },
          d: { type: 'null', required: true },
        },
      },
    } satisfies SchemaSpec
    expect(messages(ordered, { root: { z: 1, a: 0, c: '' } })).toEqual([
      'missing required property root.b',
      'missing required property root.d',
      'root.c must be a number, got ""',
      'root.a must be a boolean, got 0',
      'root.z is not a declared property; declared: c, b, a, d',
    ])
  })

  test('counts a required property that is undefined as missing, and an optional one as lossy (DSL-14)', () => {
    expect(messages(spec, { text: undefined })).toEqual(['missing required property text'])
    expect(messages(spec, { text: 'a', config: undefined })).toEqual([
      'config is undefined, which JSON cannot carry',
    ])
  })

  test('asks whether JSON can carry a value only where nothing else is wrong (DSL-15)', () => {
    expect(messages(spec, { text: 1, more: () => 1 })).toEqual(['text must be a string, got 1'])
    expect(messages(spec, { text: 'a', more: () => 1 })).toEqual([
      'more is a function, which JSON cannot carry',
    ])
    expect(messages(spec, { text: 'a', more: [Number.NaN] })).toEqual([
      'more[0] is NaN, which JSON cannot carry',
    ])
  })

  test('sees own properties only', () => {
    const inherited = { toString: { type: 'string', required: true } } as unknown as SchemaSpec
    expect(messages(inherited, {})).toEqual(['missing required property toString'])
    expect(messages({ constructor: { type: 'string' } } as SchemaSpec, {})).toEqual([])
    expect(messages({ ['__proto__']: { type: 'string', required: true } }, {})).toEqual([
      'missing required property __proto__',
    ])
    expect(
      messages({ ['__proto__']: { type: 'string', required: true } }, JSON.parse('{"__proto__":1}')),
    ).toEqual(['__proto__ must be a string, got 1'])
  })

  test('lets a closed object without properties be empty only', () => {
    const empty = { nothing: { type: 'object', additionalProperties: false } } satisfies SchemaSpec
    expect(messages(empty, { nothing: {} })).toEqual([])
    expect(messages(empty, { nothing: { a: 1 } })).toEqual([
      'nothing.a is not a declared property: the object must be empty',
    ])
  })

  test.each([
    [{ type: 'string' }, 1, 'x must be a string, got 1'],
    [{ type: 'number' }, '1', 'x must be a number, got "1"'],
    [{ type: 'number' }, Number.NaN, 'x must be a finite JSON number, got NaN'],
    [{ type: 'number' }, -0, 'x must be a finite JSON number, got -0'],
    [{ type: 'integer' }, 1.5, 'x must be an integer, got 1.5'],
    [{ type: 'integer' }, Number.POSITIVE_INFINITY, 'x must be a finite JSON number, got Infinity'],
    [{ type: 'boolean' }, 'true', 'x must be a boolean, got "true"'],
    [{ type: 'null' }, 0, 'x must be null, got 0'],
    [{ type: 'array' }, {}, 'x must be an array, got an object'],
    [{ type: 'object', additionalProperties: true }, [], 'x must be an object, got an array'],
    [{ type: 'json' }, 1n, 'x must be lossless JSON, got a BigInt'],
    [{ type: 'string', enum: ['a', 'b'] }, 'c', 'x must be one of ["a","b"], got "c"'],
    [{ type: 'string', enum: ['a', 'b'], const: 'b' }, 'a', 'x must be "b", got "a"'],
    [{ type: 'number', const: 0 }, -0, 'x must be 0, got -0'],
    [{ type: 'number', enum: [0, 1] }, -0, 'x must be one of [0,1], got -0'],
  ])('says what was expected and what came: %j', (node, value, message) => {
    expect(messages({ x: node } as SchemaSpec, { x: value })).toEqual([message])
  })

  test('cuts what it shows', () => {
    const long = 'a'.repeat(1000)
    const [message] = messages({ x: { type: 'number' } }, { x: long })
    expect(message).toBe(`x must be a number, got "${'a'.repeat(24)}"…`)
    const [undeclared] = messages(
      { o: { type: 'object', additionalProperties: false } },
      { o: { [long]: 1 } },
    )
    expect(undeclared?.length).toBeLessThan(200)
  })

  test('takes 1.0 as an integer, so that number or integer is ambiguous for it', () => {
    const either = { x: { oneOf: [{ type: 'number' }, { type: 'integer' }] } } satisfies SchemaSpec
    expect(messages(either, { x: 1.5 })).toEqual([])
    expect(messages(either, { x: 1.0 })).toEqual([
      'x must match exactly one branch, but 2 of 2 match (1 and 2)',
    ])
  })

  test('says why the closest branch of a union failed', () => {
    const shapes = {
      shape: {
        oneOf: [
          {
            type: 'object',
            additionalProperties: false,
            properties: { kind: { type: 'string', const: 'circle', required: true }, r: { type: 'number' } },
          },
          {
            type: 'object',
            additionalProperties: false,
            properties: {
              kind: { type: 'string', const: 'square', required: true },
              side: { type: 'number', required: true },
            },
          },
          { type: 'null' },
        ],
      },
    } satisfies SchemaSpec
    expect(messages(shapes, { shape: { kind: 'square' } })).toEqual([
      'shape must match exactly one branch, but 0 of 3 match; closest is branch 2: missing required property shape.side',
    ])
    expect(messages(shapes, { shape: { kind: 'circle', r: 'x' } })).toEqual([
      'shape must match exactly one branch, but 0 of 3 match; closest is branch 1: shape.r must be a number, got "x"',
    ])
    expect(messages({ x: { oneOf: [{ type: 'string' }, { type: 'null' }] } }, { x: 5 })).toEqual([
      'x must match exactly one branch, but 0 of 2 match: must be a string or null, got 5',
    ])
  })

  test.each(hostileValues())('is total for %s', (_, args) => {
    expect(validateArgs(spec, args).length).toBeGreaterThan(0)
  })

  test('does not recurse: deep values and unions are walked with a list', () => {
    let deep: unknown = 'x'
    for (let i = 0; i < 20_000; i++) deep = [deep]
    expect(messages({ x: { type: 'json' } }, { x: deep })).toEqual([
      expect.stringContaining('limit of 10000 levels'),
    ])
  })

  test('throws for a spec that is wrong', () => {
    expect(() => validateArgs({ x: { type: 'strin' } } as never, {})).toThrow(
      expect.objectContaining({ code: 'UNSUPPORTED_SCHEMA' }),
    )
  })
})
