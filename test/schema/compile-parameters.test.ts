import { describe, expect, test } from 'vitest'
import { OutputSchemaError } from '../../src/errors/errors.js'
import { compileOutputSchema } from '../../src/schema/compile-output-schema.js'
import { compileParameters } from '../../src/schema/compile-parameters.js'
import { jsonSchema } from '../../src/schema/json-schema.js'
import { schemaSpecToJsonSchema } from '../../src/schema/validate-args.js'

function faults(parameters: unknown): string[] {
  try {
    compileParameters(parameters as never)
  } catch (error) {
    if (error instanceof OutputSchemaError) return error.violations.map(({ message }) => message)
    throw error
  }
  return []
}

describe('a map of properties', () => {
  test('prints as an open object, required names listed at each level, key order kept', () => {
    const { jsonSchema } = compileParameters({
      path: { description: 'Where', type: 'string', required: true },
      options: {
        type: 'object',
        additionalProperties: false,
        properties: { deep: { type: 'boolean', required: true }, any: { type: 'json', title: 'Any' } },
      },
      tags: { type: 'array', items: { type: 'string', enum: ['a', 'b'] } },
      limit: { oneOf: [{ type: 'integer' }, { type: 'null' }], default: null, examples: [1] },
    })
    expect(JSON.stringify(jsonSchema)).toBe(
      JSON.stringify({
        type: 'object',
        properties: {
          path: { description: 'Where', type: 'string' },
          options: {
            type: 'object',
            additionalProperties: false,
            properties: { deep: { type: 'boolean' }, any: { title: 'Any' } },
            required: ['deep'],
          },
          tags: { type: 'array', items: { type: 'string', enum: ['a', 'b'] } },
          limit: { oneOf: [{ type: 'integer' }, { type: 'null' }], default: null, examples: [1] },
        },
        required: ['path'],
      }),
    )
  })

  test('leaves an empty list of required names out', () => {
    expect(schemaSpecToJsonSchema({ a: { type: 'json' } })).toEqual({ type: 'object', properties: { a: {} } })
    expect(schemaSpecToJsonSchema({})).toEqual({ type: 'object', properties: {} })
  })

  test('is frozen all the way down, and keeps nothing of the spec', () => {
    const spec = { a: { type: 'array' as const, items: { type: 'string' as const } } }
    const compiled = schemaSpecToJsonSchema(spec)
    spec.a.items = { type: 'number' } as never
    expect(compiled).toEqual({
      type: 'object',
      properties: { a: { type: 'array', items: { type: 'string' } } },
    })
    const walk = (value: unknown): void => {
      if (typeof value !== 'object' || value === null) return
      expect(Object.isFrozen(value)).toBe(true)
      Object.values(value).forEach(walk)
    }
    walk(compiled)
  })

  test('takes any name for a property', () => {
    const { jsonSchema, parse } = compileParameters({
      ['__proto__']: { type: 'string', required: true },
      type: { type: 'string' },
      kind: { type: 'string' },
      schema: { type: 'string' },
      jsonSchema: { type: 'string' },
      constructor: { type: 'string' },
    } as never)
    expect(Object.keys(jsonSchema.properties as object)).toEqual([
      '__proto__',
      'type',
      'kind',
      'schema',
      'jsonSchema',
      'constructor',
    ])
    expect(parse?.({ type: 'a' })).toMatchObject({ ok: false, violations: [{ path: '__proto__' }] })
    expect(parse?.(JSON.parse('{"__proto__":"a"}'))).toMatchObject({ ok: true })
  })

  test('lets siblings share a node', () => {
    const shared = { type: 'string' } as const
    expect(faults({ a: shared, b: shared, c: { oneOf: [shared, { type: 'null' }] } })).toEqual([])
  })

  test.each([
    [
      { a: { type: 'object' } },
      'parameters.a must say additionalProperties: true or additionalProperties: false',
    ],
    [{ a: { type: 'string', required: false } }, 'parameters.a.required must be true or left out'],
    [
      { a: { type: 'array', items: { type: 'string', required: true } } },
      'parameters.a.items.required is only allowed on a property',
    ],
    [
      { a: { oneOf: [{ type: 'null', required: true }, { type: 'string' }] } },
      'parameters.a.oneOf[0].required is only allowed on a property',
    ],
    [{ a: { oneOf: [{ type: 'null' }] } }, 'parameters.a.oneOf must be an array of at least two branches'],
    [
      { a: { oneOf: [{ type: 'null' }, { type: 'json' }], type: 'null' } },
      'parameters.a.type is not supported beside oneOf',
    ],
    [{ a: { type: 'string', enum: [] } }, 'parameters.a.enum must be a non-empty array'],
    [{ a: { type: 'string', enum: ['a', 1] } }, 'parameters.a.enum must hold values of type string, got 1'],
    [{ a: { type: 'integer', const: 1.5 } }, 'parameters.a.const must be of type integer, got 1.5'],
    [{ a: { type: 'string', enum: ['a'], const: 'b' } }, 'parameters.a.const must be one of the enum values'],
    [{ a: { type: 'array', enum: [[]] } }, 'parameters.a.enum is not supported on "array"'],
    [{ a: { type: 'string', minLength: 1 } }, 'parameters.a.minLength is not supported on "string"'],
    [{ a: { type: 'json', items: { type: 'json' } } }, 'parameters.a.items is not supported on "json"'],
    [
      { a: { type: ['string', 'null'] } },
      'parameters.a.type must be a single type; write a union of types with oneOf',
    ],
    [{ a: { description: 5, type: 'null' } }, 'parameters.a.description must be a string, got 5'],
    [{ a: {} }, expect.stringContaining('parameters.a must have a "type"')],
    [{ a: 'string' }, 'parameters.a must be a schema object, got "string"'],
    [
      { a: { type: 'string', default: undefined } },
      'parameters.a.default is undefined, which JSON cannot carry',
    ],
    [[], 'parameters must be a map of properties, got an array'],
    [null, 'parameters must be a map of properties, got null'],
    ['text', 'parameters must be a map of properties, got "text"'],
    [
      {
        a: new (class Schema {
          type = 'string'
        })(),
      },
      expect.stringContaining('parameters.a is not a plain object'),
    ],
  ])('refuses what it does not support: %j', (parameters, message) => {
    expect(faults(parameters)).toEqual([message])
  })

  test('reports everything that is wrong at once, in the order of the spec', () => {
    expect(
      faults({ a: { type: 'strin' }, b: { type: 'array', items: {} }, c: { type: 'null', extra: 1 } }),
    ).toEqual([
      expect.stringContaining('parameters.a.type must be one of string'),
      expect.stringContaining('parameters.b.items must have a "type"'),
      'parameters.c.extra is not supported on "null"',
    ])
  })

  test('refuses a cycle, and what throws when it is read', () => {
    const cycle: Record<string, unknown> = { type: 'array' }
    cycle.items = cycle
    expect(faults({ a: cycle })).toEqual(['parameters is circular'])
    const hostile = {
      get a() {
        throw new Error('no')
      },
    }
    expect(faults(hostile)).toEqual([expect.stringContaining('could not be read: no')])
    const { proxy, revoke } = Proxy.revocable({}, {})
    revoke()
    expect(faults(proxy)).toEqual([expect.stringContaining('could not be read')])
  })

  test('does not recurse: 5 000 nested unions compile and validate', () => {
    let node: unknown = { type: 'string' }
    for (let i = 0; i < 5_000; i++) node = { oneOf: [{ type: 'number' }, node] }
    const { parse } = compileOutputSchema(node as never)
    expect(parse?.('text')).toEqual({ ok: true, value: 'text' })
    expect(parse?.(true)).toMatchObject({ ok: false })
  })

  test('does not recurse over values: 5 000 nested arrays validate', () => {
    let node: unknown = { type: 'string' }
    let value: unknown = 5
    for (let i = 0; i < 4_000; i++) node = { type: 'array', items: node }
    for (let i = 0; i < 4_000; i++) value = [value]
    const parsed = compileOutputSchema(node as never).parse?.(value)
    expect(parsed).toMatchObject({
      ok: false,
      violations: [{ message: expect.stringMatching(/must be a string, got 5$/) }],
    })
  })
})

describe('other parameters', () => {
  const raw = { type: 'object', properties: { a: { type: 'string', minLength: 2 } } }

  test('raw JSON Schema is copied, frozen and left to the registry', () => {
    for (const given of [raw, jsonSchema<{ a: string }>(raw)]) {
      const compiled = compileParameters(given)
      expect(compiled).toEqual({ jsonSchema: raw })
      expect(compiled.jsonSchema).not.toBe(raw)
      expect(Object.isFrozen(compiled.jsonSchema)).toBe(true)
    }
    expect(compileOutputSchema(jsonSchema({ type: 'string' }))).toEqual({ jsonSchema: { type: 'string' } })
  })

  test('raw JSON Schema that is not JSON is refused', () => {
    expect(faults(jsonSchema([]))).toEqual(['parameters must be a JSON Schema object'])
    expect(faults({ type: 'object', default: new Date(0) })).toEqual([
      expect.stringContaining('parameters.default'),
    ])
  })
})

describe('parse', () => {
  const { parse } = compileParameters({ a: { type: 'string', required: true }, b: { type: 'json' } })

  test('hands valid arguments on as they are', () => {
    const args = Object.freeze({ a: 'x', more: 1 })
    expect(parse?.(args)).toEqual({ ok: true, value: args })
    expect(parse?.(args)).toHaveProperty('value', args)
  })

  test('keeps to ten problems', () => {
    const names = Array.from({ length: 25 }, (_, i) => `p${i}`)
    const many = Object.fromEntries(
      names.map(name => [name, { type: 'string' as const, required: true as const }]),
    )
    const parsed = compileParameters(many).parse?.({})
    expect(parsed).toMatchObject({ ok: false, violations: { length: 11 } })
    expect(JSON.stringify(parsed)).toContain('and 15 more problems')
  })
})
