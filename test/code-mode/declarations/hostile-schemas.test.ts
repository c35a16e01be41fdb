import { jsonSchemaToTs } from 'toolgate'
import { describe, expect, it } from 'vitest'
import { compile, JSON_VALUE, judge } from './compile.js'

type Schema = { [keyword: string]: unknown }

function nested(levels: number, wrap: (inner: Schema) => Schema): Schema {
  let schema: Schema = { type: 'string' }
  for (let level = 0; level < levels; level++) schema = wrap(schema)
  return schema
}

const WRAPPERS: { [name: string]: (inner: Schema) => Schema } = {
  properties: inner => ({ type: 'object', properties: { a: inner } }),
  items: items => ({ type: 'array', items }),
  tuples: inner => ({ type: 'array', prefixItems: [inner] }),
  unions: inner => ({ oneOf: [inner, { type: 'number' }] }),
  intersections: inner => ({ allOf: [inner, { type: ['string', 'null'] }] }),
  'additional properties': inner => ({ type: 'object', additionalProperties: inner }),
  'pattern properties': inner => ({ type: 'object', patternProperties: { x$: inner } }),
  'properties beside choices': inner => ({
    type: 'object',
    properties: { a: inner },
    anyOf: [{ required: ['a'] }, { required: ['b'] }],
  }),
}

function sourceOf(schema: unknown): string {
  return `${JSON_VALUE}\ntype T = ${jsonSchemaToTs(schema)}\nexport declare const t: T`
}

describe('a schema of any size', () => {
  // No compiler takes so many levels in one type.
  it('prints 5 000 levels of any kind, and compiles (TS-11)', () => {
    const sources = Object.values(WRAPPERS).map(wrap => sourceOf(nested(5_000, wrap)))
    expect(compile(sources).flat()).toEqual([])
  })

  it('keeps the type at the bottom', () => {
    const text = jsonSchemaToTs(nested(40, WRAPPERS.properties!))
    const value = (bottom: string): string => `${'{ a: '.repeat(40)}${bottom}${' }'.repeat(40)}`
    const [verdict] = judge([
      {
        prelude: `${JSON_VALUE}\ntype T = ${text}`,
        statements: [`const good: T = ${value('"x"')}`, `const bad: T = ${value('1')}`],
      },
    ])
    expect(verdict?.broken).toEqual([])
    expect(verdict?.statements.map(complaint => complaint === undefined)).toEqual([true, false])
  })

  it('prints and compiles 2 000 properties and chains of 2 000 references', () => {
    const numbers = Array.from({ length: 2_000 }, (_, index) => index)
    const wide = {
      type: 'object',
      properties: Object.fromEntries(
        numbers.map(n => [`p${n}`, { type: 'string', description: `number ${n}` }]),
      ),
      additionalProperties: { type: 'number' },
    }
    const link = (n: number): Schema => ({
      anyOf: [{ $ref: `#/$defs/d${n + 1}` }, { const: n }, { $ref: '#/$defs/d0' }],
    })
    const chain = {
      $ref: '#/$defs/d0',
      $defs: { ...Object.fromEntries(numbers.map(n => [`d${n}`, link(n)])), d2000: { type: 'object' } },
    }
    expect(compile([sourceOf(wide), sourceOf(chain)]).flat()).toEqual([])
  })

  it('does not grow with the paths through shared parts', () => {
    const doubled = Object.fromEntries(
      Array.from({ length: 60 }, (_, n) => {
        const next = { $ref: `#/$defs/d${n + 1}` }
        return [`d${n}`, { type: 'object', properties: { left: next, right: next } }]
      }),
    )
    const byReference = { $ref: '#/$defs/d0', $defs: { ...doubled, d60: { type: 'string' } } }
    expect(jsonSchemaToTs(byReference).length).toBeLessThan(100_000)
    let byIdentity: Schema = { type: 'string' }
    for (let level = 0; level < 60; level++) {
      byIdentity = { type: 'object', properties: { left: byIdentity, right: byIdentity } }
    }
    expect(jsonSchemaToTs(byIdentity).length).toBeLessThan(10_000_000)
  })
})

describe('a schema that is no JSON', () => {
  it('prints a cycle of objects as a recursive type', () => {
    const schema: Schema = { type: 'object', additionalProperties: false }
    schema.properties = { self: schema, list: { type: 'array', items: schema }, n: { type: 'number' } }
    const [verdict] = judge([
      {
        prelude: `${JSON_VALUE}\ntype T = ${jsonSchemaToTs(schema)}`,
        statements: [
          'const a: T = { self: { list: [{ n: 1 }] } }',
          'const b: T = { self: { list: [{ n: "x" }] } }',
        ],
      },
    ])
    expect(verdict?.statements.map(complaint => complaint === undefined)).toEqual([true, false])
  })

  it('degrades where a property throws, and there alone (TS-09)', () => {
    const properties = {
      get bad(): never {
        throw new Error('no')
      },
      worse: new Proxy(
        { type: 'string' },
        {
          ownKeys: () => {
            throw new Error('no')
          },
        },
      ),
      good: { type: 'number' },
    }
    const { proxy, revoke } = Proxy.revocable({}, {})
    revoke()
    const text = jsonSchemaToTs({
      type: 'object',
      properties: { gone: proxy },
    })
    expect(text).toContain('gone?: JsonValue')
    expect(jsonSchemaToTs({ type: 'object', properties })).toMatch(/bad\?: JsonValue;[\s\S]*good\?: number/)
    expect(jsonSchemaToTs(proxy)).toContain('JsonValue')
  })

  it.each([
    ['inherited keywords', Object.create({ type: 'string' })],
    ['functions', () => {}],
    ['symbols', Symbol('x')],
    ['big integers', 1n],
    ['values JSON lacks', { enum: [undefined, Number.NaN, 1n, () => {}, 'a'] }],
    ['a class instance', new Date(0)],
    ['a huge sparse array', { enum: new Array(4_000_000_000), anyOf: new Array(3) }],
  ])('prints something that compiles for %s', (_, schema) => {
    expect(compile([sourceOf(schema)]).flat()).toEqual([])
  })
})
