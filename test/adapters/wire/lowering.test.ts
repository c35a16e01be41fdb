import { preflight } from 'toolgate/openai'
import { describe, expect, it } from 'vitest'
import { complaints, WIRES } from './dialects.js'

const toolOf = (parameters: unknown) => [{ name: 'tool', description: '', parameters: parameters as never }]
const wire = (name: string, parameters: unknown) => (WIRES[name] as (source: any) => any)(toolOf(parameters))
const deep = (schema: unknown) => ({
  type: 'object',
  properties: { a: { anyOf: [{ type: 'array', items: schema }, { type: 'string' }] } },
})
const below = (schema: any): any => schema.properties.a.anyOf[0].items

describe('a tool without parameters', () => {
  it.each([{}, { type: 'object' }, { type: 'object', properties: {} }, true].map(each => [each]))(
    'has properties where the wire wants them: %j',
    parameters => {
      const schema = parameters === true ? {} : parameters
      for (const name of ['openai', 'openai, strict', 'anthropic', 'anthropic, strict'])
        expect(wire(name, schema).schema).toMatchObject({ type: 'object', properties: {} })
      expect(wire('openai, strict', schema)).toMatchObject({
        strict: true,
        schema: { required: [], additionalProperties: false },
      })
      expect(wire('google, openapi', schema).schema).toEqual({ type: 'OBJECT' })
    },
  )
})

// Each keyword that Google's OpenAPI has no word for, deep inside a union.
const UNKNOWN: readonly (readonly [string, unknown, object])[] = [
  ['a list of types', { type: ['string', 'null'] }, { type: 'STRING', nullable: true }],
  ['several types', { type: ['string', 'integer'] }, { anyOf: [{ type: 'STRING' }, { type: 'INTEGER' }] }],
  ['const', { const: 'a' }, { type: 'STRING', enum: ['a'] }],
  [
    'an exclusive bound of whole numbers',
    { type: 'integer', exclusiveMinimum: 0 },
    { type: 'INTEGER', minimum: 1 },
  ],
  [
    'an exclusive bound',
    { type: 'number', exclusiveMaximum: 2 },
    { type: 'NUMBER', maximum: 2, description: '(exclusiveMaximum 2)' },
  ],
  ['$schema', { $schema: 'http://json-schema.org/draft-07/schema#', type: 'string' }, { type: 'STRING' }],
  ['an enum of numbers', { type: 'integer', enum: [1, 2] }, { type: 'INTEGER', description: '(enum [1,2])' }],
  [
    'an enum with null',
    { type: ['string', 'null'], enum: ['a', null] },
    { type: 'STRING', enum: ['a'], nullable: true },
  ],
  ['an empty text in an enum', { enum: ['', 'a'] }, { type: 'STRING', description: '(enum ["","a"])' }],
  ['oneOf', { oneOf: [{ type: 'string' }, { type: 'null' }] }, { type: 'STRING', nullable: true }],
  [
    'allOf',
    { allOf: [{ type: 'object', properties: { x: { type: 'string' } } }, { required: ['x'] }] },
    { type: 'OBJECT', properties: { x: { type: 'STRING' } }, required: ['x'] },
  ],
  ['multipleOf', { type: 'integer', multipleOf: 5 }, { type: 'INTEGER', description: '(multipleOf 5)' }],
  [
    'uniqueItems',
    { type: 'array', items: { type: 'string' }, uniqueItems: true },
    { type: 'ARRAY', items: { type: 'STRING' } },
  ],
  ['additionalProperties', { type: 'object', additionalProperties: false }, { type: 'OBJECT' }],
  ['a format', { type: 'string', format: 'email' }, { type: 'STRING', description: '(format "email")' }],
  ['a known format', { type: 'string', format: 'date-time' }, { type: 'STRING', format: 'date-time' }],
  [
    'counts',
    { type: 'string', minLength: 1, maxLength: 9 },
    { type: 'STRING', minLength: '1', maxLength: '9' },
  ],
  ['a requirement of what is not declared', { type: 'object', required: ['x'] }, { type: 'OBJECT' }],
  [
    'a draft-04 bound',
    { type: 'integer', minimum: 0, exclusiveMinimum: true },
    { type: 'INTEGER', minimum: 1 },
  ],
]

describe('on the OpenAPI wire of Google', () => {
  it.each(UNKNOWN)('%s is written in its words, deep inside anyOf', (_what, schema, expected) => {
    const lowered = wire('google, openapi', deep(schema))
    expect(below(lowered.schema)).toMatchObject(expected)
    expect(complaints('google, openapi', lowered.schema)).toEqual([])
  })

  it.each([{ const: null }, { enum: [null] }, { type: ['string', 'null'], const: null, maxLength: 3 }])(
    '%j is null and nothing else, and nothing is lost',
    given => {
      const { schema, findings } = wire('google, openapi', { type: 'object', properties: { a: given } })
      expect(schema.properties.a).toEqual({ type: 'NULL', nullable: true })
      expect(findings).toEqual([])
    },
  )

  it('a null that its type shuts out is not sent as if it were let in', () => {
    const parameters = { type: 'object', properties: { a: { type: 'string', const: null } } }
    const { schema, findings } = wire('google, openapi', parameters)
    expect(schema.properties.a).toEqual({ type: 'STRING', description: '(const null)' })
    expect(findings).toMatchObject([{ rule: 'enum', exact: false, path: '#/parameters/properties/a' }])
  })

  it('references stand written out, and a schema that contains itself ends', () => {
    const { schema, findings } = wire('google, openapi', {
      type: 'object',
      properties: { tree: { $ref: '#/$defs/node' } },
      $defs: {
        node: {
          type: 'object',
          properties: {
            name: { type: 'string' },
            children: { type: 'array', items: { $ref: '#/$defs/node' } },
          },
        },
      },
    })
    expect(schema.properties.tree.properties.children.items).toEqual({ type: 'OBJECT' })
    expect(findings).toContainEqual(
      expect.objectContaining({
        rule: 'recursion',
        path: '#/parameters/$defs/node/properties/children/items',
        exact: false,
      }),
    )
  })

  it('references that make few schemas into very many are cut, not followed', () => {
    const $defs: { [name: string]: unknown } = { d0: { type: 'string' } }
    for (let i = 1; i < 60; i++) {
      const $ref = `#/$defs/d${i - 1}`
      $defs[`d${i}`] = { type: 'object', properties: { a: { $ref }, b: { $ref } } }
    }
    const { schema, findings } = wire('google, openapi', {
      type: 'object',
      properties: { x: { $ref: '#/$defs/d59' } },
      $defs,
    })
    expect(JSON.stringify(schema).length).toBeLessThan(3_000_000)
    expect(findings.some(({ rule }: any) => rule === 'size')).toBe(true)
  })
})

describe('a union at the root', () => {
  const either = {
    type: 'object',
    properties: { id: { type: 'string' } },
    required: ['id'],
    oneOf: [
      { properties: { a: { type: 'string' } }, required: ['a'] },
      { properties: { b: { type: 'string' } }, required: ['b'] },
    ],
  }
  it.each(['openai', 'anthropic', 'google, openapi', 'google, json-schema'])(
    'is one object on the wire of %s',
    name => {
      const { schema, findings } = wire(name, either)
      expect(Object.keys(schema.properties)).toEqual(['id', 'a', 'b'])
      expect(schema.required).toEqual(['id'])
      expect(schema.description).toBe('Requires (a) or (b).')
      expect(findings).toContainEqual(
        expect.objectContaining({ rule: 'root-union', path: '#/parameters', exact: false }),
      )
    },
  )

  it('of what is no object stands under a property, and is taken out again', () => {
    for (const name of Object.keys(WIRES)) {
      const made = wire(name, {
        anyOf: [
          { type: 'string' },
          { type: 'object', properties: { a: { type: 'string' } }, required: ['a'] },
        ],
      })
      expect(made.schema.required).toEqual(['value'])
      expect(made.decode({ value: { a: 'x' } })).toEqual({ a: 'x' })
      expect(made.decode({ value: 'x' })).toBe('x')
    }
  })

  it('of one reference is what it refers to', () => {
    const $defs = { args: { type: 'object', properties: { a: { type: 'string' } } } }
    expect(wire('openai', { $ref: '#/$defs/args', $defs }).schema).toEqual({
      type: 'object',
      properties: { a: { type: 'string' } },
    })
  })
})

describe('the strict mode of OpenAI', () => {
  const optional = {
    type: 'object',
    properties: {
      path: { type: 'string' },
      limit: { type: 'integer', default: 10, description: 'How many.' },
      mode: { enum: ['a', 'b'], type: 'string' },
      note: { type: ['string', 'null'] },
      at: { $ref: '#/$defs/point' },
    },
    required: ['path'],
    $defs: {
      point: {
        type: 'object',
        properties: { x: { type: 'number' }, y: { type: 'number' } },
        required: ['x'],
      },
    },
  }

  it('has optional properties that may be null, which come back as left out', () => {
    const { schema, strict, decode } = wire('openai, strict', optional)
    expect(strict).toBe(true)
    expect(schema.required).toEqual(['path', 'limit', 'mode', 'note', 'at'])
    expect(schema.properties).toMatchObject({
      limit: { type: ['integer', 'null'], description: 'How many. (default 10)' },
      mode: { type: ['string', 'null'], enum: ['a', 'b', null] },
      note: { type: ['string', 'null'] },
      at: { anyOf: [{ $ref: '#/$defs/point' }, { type: 'null' }] },
    })
    expect(decode({ path: 'p', limit: null, mode: null, note: null, at: { x: 1, y: null } })).toEqual({
      path: 'p',
      note: null,
      at: { x: 1 },
    })
  })

  it('keeps a null that the tool itself wants', () => {
    const { decode, strict } = wire('openai, strict', {
      type: 'object',
      properties: { a: { type: 'null' } },
      required: ['a'],
    })
    expect([strict, decode({ a: null })]).toEqual([true, { a: null }])
  })

  it.each<[string, unknown, string]>([
    ['an open object', { type: 'object', additionalProperties: { type: 'string' } }, 'open-object'],
    ['a bound on length', { type: 'string', minLength: 1 }, 'keyword'],
    ['anything', {}, 'any'],
    ['a tuple', { type: 'array', prefixItems: [{ type: 'string' }] }, 'keyword'],
    ['alternatives that overlap', { oneOf: [{ type: 'string' }, { type: 'string', pattern: 'a' }] }, 'union'],
    ['not', { type: 'string', not: { const: 'a' } }, 'keyword'],
    ['a pattern that looks around', { type: 'string', pattern: '^(?!a)' }, 'keyword'],
    ['a reference that leads nowhere', { $ref: '#/$defs/none' }, 'reference'],
    ['an array of anything', { type: 'array' }, 'array-items'],
  ])('is off for %s, and says where', (_what, schema, rule) => {
    const { strict, findings, schema: sent } = wire('openai, strict', deep(schema))
    expect(strict).toBe(false)
    expect(findings).toContainEqual(
      expect.objectContaining({
        tool: 'tool',
        rule,
        outcome: 'not-strict',
        path: expect.stringMatching(/^#\/parameters\/properties\/a\/anyOf\/0/),
      }),
    )
    // The tool goes out as it is.
    if (rule !== 'array-items' && rule !== 'reference') expect(below(sent)).toEqual(schema)
  })

  it('is off past its limits, and the limit is named', () => {
    const wide = {
      type: 'object',
      properties: Object.fromEntries(Array.from({ length: 5_001 }, (_, i) => [`p${i}`, { type: 'string' }])),
    }
    let nested: unknown = { type: 'string' }
    for (let i = 0; i < 11; i++) nested = { type: 'object', properties: { a: nested }, required: ['a'] }
    const many = {
      type: 'object',
      properties: { a: { type: 'string', enum: Array.from({ length: 1_001 }, (_, i) => `v${i}`) } },
    }
    for (const [schema, words] of [
      [wide, '5000'],
      [nested, 'takes 10'],
      [many, '1000'],
    ] as const) {
      const { strict, findings } = wire('openai, strict', schema)
      expect(strict).toBe(false)
      expect(findings[0]).toMatchObject({
        rule: 'size',
        outcome: 'not-strict',
        message: expect.stringContaining(words),
      })
    }
  })

  it('is off where a null would mean two things', () => {
    const { strict, findings } = wire('openai, strict', {
      type: 'object',
      properties: {
        a: {
          anyOf: [
            { type: 'object', properties: { k: { const: 1 }, v: { type: 'string' } }, required: ['k'] },
            {
              type: 'object',
              properties: { k: { const: 2 }, v: { type: ['string', 'null'] } },
              required: ['k', 'v'],
            },
          ],
        },
      },
      required: ['a'],
    })
    expect(strict).toBe(false)
    expect(findings).toContainEqual(expect.objectContaining({ rule: 'required', outcome: 'not-strict' }))
  })
})

describe('the strict mode of Anthropic', () => {
  it('takes as many tools as a request may hold, by name, and says so of the others', () => {
    const tools = Array.from({ length: 22 }, (_, i) => ({
      name: `t${String(i).padStart(2, '0')}`,
      description: '',
      parameters: { type: 'object', properties: { a: { type: 'string' } }, required: ['a'] },
    }))
    const found = preflight(tools.toReversed(), 'anthropic', { strict: true })
    expect(found.map(({ tool, rule, outcome }) => [tool, rule, outcome])).toEqual([
      ['t20', 'strict-budget', 'not-strict'],
      ['t21', 'strict-budget', 'not-strict'],
    ])
  })

  it('is off for a schema that contains itself', () => {
    const node = { type: 'object', properties: { next: { $ref: '#/$defs/node' } } }
    const { strict, findings } = wire('anthropic, strict', {
      type: 'object',
      properties: { a: { $ref: '#/$defs/node' } },
      $defs: { node },
    })
    expect(strict).toBe(false)
    expect(findings).toContainEqual(expect.objectContaining({ rule: 'recursion', outcome: 'not-strict' }))
  })
})

describe('property names that a provider refuses', () => {
  it.each(['anthropic', 'google, openapi'])(
    'go out under others on the wire of %s and come back as they were',
    name => {
      const schema = {
        type: 'object',
        properties: {
          'a b': { type: 'string' },
          list: {
            type: 'array',
            items: { type: 'object', properties: { '$x/y': { type: 'string' } }, required: ['$x/y'] },
          },
        },
        required: ['a b'],
      }
      const { schema: sent, decode, findings } = wire(name, schema)
      const [first] = Object.keys(sent.properties) as [string]
      const [inner] = Object.keys(sent.properties.list.items.properties) as [string]
      expect(sent.required).toEqual([first])
      expect(decode({ [first]: 'A', list: [{ [inner]: 'B' }] })).toEqual({
        'a b': 'A',
        list: [{ '$x/y': 'B' }],
      })
      expect(findings.filter(({ rule }: any) => rule === 'property-name').length).toBe(2)
    },
  )
})

describe('schemas of other drafts, and broken ones', () => {
  it.each(Object.keys(WIRES))('go out in the words of today on the wire of %s', name => {
    const { schema, findings } = wire(name, {
      $schema: 'http://json-schema.org/draft-07/schema#',
      definitions: { p: { type: 'string' } },
      type: 'object',
      properties: {
        a: {
          type: 'array',
          items: [{ $ref: '#/definitions/p' }, { type: 'integer' }],
          additionalItems: false,
        },
        b: 5,
      },
      required: 'a',
      dependencies: { a: ['b'] },
    })
    const judge = name.replace(', strict', '')
    expect(complaints(judge, schema)).toEqual([])
    expect(JSON.stringify(schema)).not.toMatch(/definitions|additionalItems|dependencies|\$schema/)
    expect(Object.keys(schema.properties)).toEqual(['a'])
    expect(findings).toContainEqual(
      expect.objectContaining({
        rule: 'keyword',
        exact: false,
        message: expect.stringContaining('malformed'),
      }),
    )
  })

  it.each(Object.keys(WIRES))('as deep as they like end somewhere on the wire of %s', name => {
    let schema: unknown = { type: 'string' }
    for (let i = 0; i < 20_000; i++) schema = { type: 'object', properties: { a: schema } }
    const { schema: sent, findings } = wire(name, schema)
    expect(JSON.stringify(sent).length).toBeLessThan(20_000)
    expect(findings).toContainEqual(expect.objectContaining({ rule: 'nesting', exact: false }))
    let value: unknown = []
    for (let i = 0; i < 20_000; i++) value = [value]
    const odd = wire(name, {
      type: 'object',
      properties: { a: { type: 'string', default: value, 'x-note': value } },
    })
    expect(JSON.stringify(odd.schema).length).toBeLessThan(1_000)
  })

  it('keep a property called __proto__ where it is one', () => {
    const schema = JSON.parse('{"type":"object","properties":{"__proto__":{"type":"string"}}}')
    const { schema: sent, decode } = wire('openai, strict', schema)
    expect(Object.keys(sent.properties)).toEqual(['__proto__'])
    expect(Object.keys(decode(JSON.parse('{"__proto__":null}')) as object)).toEqual([])
    expect(Object.keys(decode(JSON.parse('{"__proto__":"x"}')) as object)).toEqual(['__proto__'])
  })
})

describe('preflight', () => {
  it('names the tool, the path and the rule of what is refused, and refuses what it does not know', () => {
    const many = Array.from({ length: 129 }, (_, i) => ({ name: `t${i}`, description: '', parameters: {} }))
    expect(preflight(many, 'openai')).toEqual([
      {
        tool: '',
        path: '#',
        rule: 'tool-count',
        outcome: 'refused',
        exact: false,
        message: expect.stringContaining('128'),
      },
    ])
    expect(preflight([{ name: 'a.b', description: '', parameters: {} }], 'anthropic')).toMatchObject([
      { tool: 'a.b', path: '#/name', rule: 'name', outcome: 'adapted', exact: true },
    ])
    expect(() => preflight([], 'mistral' as never)).toThrow('provider')
    expect(() => preflight([], 'openai', { strikt: true } as never)).toThrow('strikt')
  })
})
