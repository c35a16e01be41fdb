/** One schema, with values that its printed type must accept and must refuse. */
export interface SchemaCase {
  readonly name: string
  readonly schema: unknown
  readonly accepts: readonly unknown[]
  readonly refuses: readonly unknown[]
  /** What the text has to contain. */
  readonly says?: readonly string[]
}

const object = (properties: object, rest: object = {}): object => ({ type: 'object', properties, ...rest })
const closed = (properties: object, rest: object = {}): object =>
  object(properties, { additionalProperties: false, ...rest })
const string = { type: 'string' }
const number = { type: 'number' }

const literals: SchemaCase[] = [
  {
    name: 'a string enum',
    schema: { type: 'string', enum: ['a', 'b"c'] },
    accepts: ['a', 'b"c'],
    refuses: ['c', 1],
  },
  { name: 'a const string', schema: { const: 'a' }, accepts: ['a'], refuses: ['b', null] },
  { name: 'a const number', schema: { const: -1.5 }, accepts: [-1.5], refuses: [1, '-1.5'] },
  { name: 'a const zero, however signed', schema: { const: -0 }, accepts: [0], refuses: [1] },
  { name: 'a const boolean', schema: { const: true }, accepts: [true], refuses: [false] },
  { name: 'a const null', schema: { const: null }, accepts: [null], refuses: [0] },
  {
    name: 'a const object',
    schema: { const: { a: [1, { b: null }] } },
    accepts: [{ a: [1, { b: null }] }],
    refuses: [{ a: [1] }, {}],
  },
  {
    name: 'a mixed enum',
    schema: { enum: ['a', 1, null, false, { k: 'v' }, [1]] },
    accepts: ['a', 1, null, false, { k: 'v' }, [1]],
    refuses: [true, 'b', { k: 'w' }, [2]],
  },
  {
    name: 'both booleans as an enum',
    schema: { enum: [true, false] },
    accepts: [true, false],
    refuses: ['true'],
    says: ['boolean'],
  },
  { name: 'an empty enum', schema: { enum: [] }, accepts: [], refuses: ['a', null], says: ['never'] },
  {
    name: 'an enum that partly has the type',
    schema: { type: 'string', enum: ['a', 1] },
    accepts: ['a'],
    refuses: [1],
  },
  {
    name: 'an enum without any value of the type',
    schema: { type: 'integer', enum: ['a', 1.5] },
    accepts: [],
    refuses: ['a', 1.5, 1],
  },
  { name: 'a large number', schema: { const: 1e21 }, accepts: [1e21], refuses: [1] },
  {
    name: 'repeated members',
    schema: { anyOf: [string, { type: 'string' }, { type: ['string', 'null'] }] },
    accepts: ['a', null],
    refuses: [1],
    says: ['string | null'],
  },
  { name: 'integer beside number', schema: { type: ['integer', 'number'] }, accepts: [1.5], refuses: ['a'] },
]

const compositions: SchemaCase[] = [
  {
    name: 'an array of a union',
    schema: { type: 'array', items: { type: ['string', 'number'] } },
    accepts: [['a', 1], []],
    refuses: ['a', [null], 1],
    says: ['(string | number)[]'],
  },
  {
    name: 'an array of an intersection',
    schema: { type: 'array', items: { allOf: [object({ a: string }), object({ b: number })] } },
    accepts: [[{ a: 'x', b: 1 }]],
    refuses: [[{ a: 1 }], { a: 'x' }],
  },
  {
    name: 'allOf with a union inside',
    schema: {
      allOf: [
        { anyOf: [object({ a: string }, { required: ['a'] }), object({ b: string }, { required: ['b'] })] },
        object({ c: number }, { required: ['c'] }),
      ],
    },
    accepts: [
      { a: 'x', c: 1 },
      { b: 'x', c: 1 },
    ],
    refuses: [{ a: 'x' }, { c: 1 }],
  },
  {
    name: 'properties beside oneOf',
    schema: object(
      { id: string },
      {
        required: ['id'],
        oneOf: [object({ a: number }, { required: ['a'] }), object({ b: number }, { required: ['b'] })],
      },
    ),
    accepts: [
      { id: 'x', a: 1 },
      { id: 'x', b: 1 },
    ],
    refuses: [{ a: 1 }, { id: 'x' }, { id: 1, a: 1 }],
  },
  {
    name: 'properties beside anyOf of required keys',
    schema: object(
      { a: string, b: number },
      { additionalProperties: false, anyOf: [{ required: ['a'] }, { required: ['b'] }] },
    ),
    accepts: [{ a: 'x' }, { b: 1 }, { a: 'x', b: 1 }],
    refuses: [{}, { a: 1 }, { a: 'x', z: 1 }],
  },
  {
    name: 'a nullable object beside anyOf of required keys',
    schema: { type: ['object', 'null'], anyOf: [{ required: ['a'] }, { required: ['b'] }] },
    accepts: [null, { a: 1 }],
    refuses: [{}, 'a'],
  },
  {
    name: 'allOf of closed objects',
    schema: { allOf: [closed({ a: string }), closed({ a: string, b: number })] },
    accepts: [{}, { a: 'x' }],
    refuses: [{ b: 1 }, { a: 'x', b: 1 }],
  },
  {
    name: 'allOf of an open and a closed object',
    schema: { allOf: [closed({ a: string }), object({ a: string })] },
    accepts: [{ a: 'x' }, {}],
    refuses: [{ z: 1 }],
  },
  {
    name: 'unevaluatedProperties: false over allOf',
    schema: { allOf: [object({ a: string }), object({ b: number })], unevaluatedProperties: false },
    accepts: [{ a: 'x', b: 1 }],
    refuses: [{ a: 'x', z: 1 }],
  },
  {
    name: 'a scalar type beside anyOf of constants',
    schema: { type: 'string', anyOf: [{ const: 'a' }, { const: 'b' }] },
    accepts: ['a', 'b'],
    refuses: ['c'],
  },
  {
    name: 'a type array',
    schema: { type: ['object', 'null'], properties: { a: string } },
    accepts: [null, { a: 'x' }],
    refuses: [1, { a: 1 }],
  },
  { name: 'nullable', schema: { type: 'string', nullable: true }, accepts: ['a', null], refuses: [1] },
  {
    name: 'nullable over a reference',
    schema: { nullable: true, allOf: [{ $ref: '#/$defs/A' }], $defs: { A: closed({ a: string }) } },
    accepts: [null, { a: 'x' }],
    refuses: [1, { b: 1 }],
  },
  {
    name: 'more combinations than a compiler can take',
    schema: {
      allOf: Array.from({ length: 5 }, (_, k) => ({
        anyOf: Array.from({ length: 20 }, (_, i) => object({ [`k${k}`]: { const: i } })),
      })),
    },
    accepts: [{ k0: 1 }],
    refuses: [],
  },
]

const references: SchemaCase[] = [
  {
    name: 'one reference used twice',
    schema: closed(
      { a: { $ref: '#/$defs/P' }, b: { $ref: '#/$defs/P' } },
      { $defs: { P: closed({ x: number, y: { $ref: '#/$defs/N' } }, { required: ['x'] }), N: string } },
    ),
    accepts: [{ a: { x: 1 }, b: { x: 1, y: 'n' } }],
    refuses: [{ b: { x: 'a' } }, { a: {} }, { b: { x: 1, y: 1 } }],
  },
  {
    name: 'a reference with siblings',
    schema: {
      $ref: '#/$defs/A',
      properties: { b: number },
      required: ['b'],
      $defs: { A: object({ a: string }, { required: ['a'] }) },
    },
    accepts: [{ a: 'x', b: 1 }],
    refuses: [{ a: 'x' }, { b: 1 }],
  },
  {
    name: 'a reference narrowed by a type',
    schema: { $ref: '#/$defs/U', type: 'string', $defs: { U: { type: ['string', 'number'] } } },
    accepts: ['a'],
    refuses: [1],
  },
  {
    name: 'pointer escapes',
    schema: closed({ a: { $ref: '#/$defs/a~1b~0c%20d' } }, { $defs: { 'a/b~c d': number } }),
    accepts: [{ a: 1 }],
    refuses: [{ a: 'x' }],
  },
  {
    name: 'a pointer into properties and lists',
    schema: closed({ a: { anyOf: [number, string] }, b: { $ref: '#/properties/a/anyOf/1' } }),
    accepts: [{ b: 'x' }],
    refuses: [{ b: 1 }],
  },
  {
    name: '$id and $anchor',
    schema: closed(
      { a: { $ref: 'item' }, b: { $ref: '#name' }, c: { $ref: 'https://x.test/item#deep' } },
      {
        $id: 'https://x.test/root',
        $defs: {
          i: { $id: 'item', type: 'number', $defs: { d: { $anchor: 'deep', type: 'boolean' } } },
          n: { $anchor: 'name', type: 'string' },
        },
      },
    ),
    accepts: [{ a: 1, b: 'x', c: true }],
    refuses: [{ a: 'x' }, { b: 1 }, { c: 1 }],
  },
  {
    name: 'a draft-07 anchor',
    schema: {
      $schema: 'http://json-schema.org/draft-07/schema#',
      ...closed({ a: { $ref: '#thing' } }),
      definitions: { t: { $id: '#thing', type: 'number' } },
    },
    accepts: [{ a: 1 }],
    refuses: [{ a: 'x' }],
  },
  {
    name: '$dynamicRef with one target',
    schema: closed({ a: { $dynamicRef: '#t' } }, { $defs: { t: { $dynamicAnchor: 't', type: 'number' } } }),
    accepts: [{ a: 1 }],
    refuses: [{ a: 'x' }],
  },
  {
    name: 'recursion through the root',
    schema: closed({ value: number, next: { $ref: '#' } }),
    accepts: [{ value: 1, next: { next: { value: 2 } } }],
    refuses: [{ next: { value: 'x' } }, { next: 1 }],
  },
  {
    name: 'recursion through a definition',
    schema: closed(
      { where: { $ref: '#/$defs/Filter' } },
      {
        $defs: { Filter: closed({ and: { type: 'array', items: { $ref: '#/$defs/Filter' } }, eq: string }) },
      },
    ),
    accepts: [{ where: { and: [{ eq: 'x' }, { and: [] }] } }],
    refuses: [{ where: { and: [{ eq: 1 }] } }, { where: { or: [] } }],
  },
  {
    name: 'mutual recursion',
    schema: {
      $ref: '#/$defs/A',
      $defs: {
        A: closed({ b: { $ref: '#/$defs/B' } }),
        B: { anyOf: [{ type: 'null' }, closed({ a: { $ref: '#/$defs/A' }, n: number })] },
      },
    },
    accepts: [{ b: { a: { b: null }, n: 1 } }],
    refuses: [{ b: { a: { b: { n: 'x' } } } }],
  },
  {
    name: 'recursion in an index signature',
    schema: { type: 'object', additionalProperties: { anyOf: [string, { $ref: '#' }] } },
    accepts: [{ a: { b: { c: 'x' } } }],
    refuses: [{ a: { b: 1 } }],
  },
  {
    name: 'a broken reference among sound ones',
    schema: closed({ a: { $ref: '#/$defs/gone' }, b: number }),
    accepts: [{ a: { any: ['thing'] }, b: 1 }],
    refuses: [{ b: 'x' }],
    says: ['unresolved $ref "#/$defs/gone"'],
  },
  {
    name: 'a reference that is nothing but itself',
    schema: {
      $ref: '#/$defs/A',
      $defs: { A: { anyOf: [{ $ref: '#/$defs/B' }, { type: 'null' }] }, B: { $ref: '#/$defs/A' } },
    },
    accepts: [null],
    refuses: [],
  },
  {
    name: 'unions that contain each other, also behind a property',
    schema: {
      $ref: '#/$defs/P',
      $defs: {
        P: { anyOf: [closed({ q: { $ref: '#/$defs/Q' } }), { $ref: '#/$defs/Q' }] },
        Q: { anyOf: [{ $ref: '#/$defs/P' }, { type: 'null' }] },
      },
    },
    accepts: [{ q: null }],
    refuses: [],
  },
]

const containers: SchemaCase[] = [
  {
    name: 'odd keys',
    schema: closed({
      'a-b': string,
      '1x': string,
      'q"': string,
      'l\nn': string,
      '😀': string,
      ['__proto__']: string,
      '\u2028': string,
      new: string,
      class: string,
    }),
    accepts: [
      { 'a-b': 'x', '1x': 'x', 'q"': 'x', 'l\nn': 'x', '😀': 'x', '\u2028': 'x', new: 'x', class: 'x' },
      JSON.parse('{"__proto__":"x"}'),
    ],
    refuses: [{ 'a-b': 1 }, { 'l\nn': 1 }, { '😀': 1 }, JSON.parse('{"__proto__":1}'), { a_b: 'x' }],
  },
  {
    name: 'prefixItems',
    schema: { type: 'array', prefixItems: [string, { type: ['number', 'null'] }] },
    accepts: [[], ['a'], ['a', null], ['a', 1, {}]],
    refuses: [[1], ['a', 'b']],
  },
  {
    name: 'prefixItems with items: false',
    schema: { type: 'array', prefixItems: [string, number], items: false, minItems: 1 },
    accepts: [['a'], ['a', 1]],
    refuses: [[], ['a', 1, 2]],
  },
  {
    name: 'prefixItems with typed rest',
    schema: { type: 'array', prefixItems: [string], items: number, minItems: 2 },
    accepts: [
      ['a', 1],
      ['a', 1, 2],
    ],
    refuses: [['a'], ['a', 'b'], ['a', 1, 'b']],
  },
  {
    name: 'a draft-07 tuple',
    schema: { type: 'array', items: [string, number], additionalItems: false, minItems: 2 },
    accepts: [['a', 1]],
    refuses: [['a'], ['a', 1, 1]],
  },
  {
    name: 'a draft-07 tuple with typed rest',
    schema: { type: 'array', items: [string], additionalItems: number },
    accepts: [[], ['a', 1]],
    refuses: [['a', 'b']],
  },
  {
    name: 'maxItems within the tuple',
    schema: { type: 'array', prefixItems: [string, number, number], maxItems: 2 },
    accepts: [['a', 1]],
    refuses: [['a', 1, 1]],
  },
  {
    name: 'equal minItems and maxItems',
    schema: { type: 'array', items: number, minItems: 2, maxItems: 2 },
    accepts: [[1, 2]],
    refuses: [[1], [1, 2, 3], ['a', 1]],
  },
  {
    name: 'minItems alone',
    schema: { type: 'array', items: { type: ['string', 'number'] }, minItems: 1 },
    accepts: [['a'], ['a', 1]],
    refuses: [[], [null]],
  },
  {
    name: 'large counts',
    schema: { type: 'array', items: number, minItems: 100, maxItems: 200 },
    accepts: [[1]],
    refuses: [['a']],
    says: ['100..200 items'],
  },
  { name: 'items: false', schema: { type: 'array', items: false }, accepts: [[]], refuses: [[1]] },
  {
    name: 'an array of anything',
    schema: { type: 'array' },
    accepts: [[], [1, 'a', {}]],
    refuses: [{}],
    says: ['JsonValue[]'],
  },
  {
    name: 'typed additionalProperties beside named keys',
    schema: object({ a: number, b: { type: 'boolean' } }, { required: ['a'], additionalProperties: string }),
    accepts: [
      { a: 1, x: 'y' },
      { a: 1, b: true },
    ],
    refuses: [{ a: 'x' }, { a: 1, x: null }, { x: 'y' }],
  },
  {
    name: 'patternProperties with a plain prefix',
    schema: closed({ a: number }, { patternProperties: { '^x-': string } }),
    accepts: [{ a: 1, 'x-1': 's' }],
    refuses: [{ 'x-1': 1 }, { y: 's' }],
  },
  {
    name: 'patternProperties with a real pattern',
    schema: closed({ a: number }, { patternProperties: { '[xy]$': string } }),
    accepts: [{ a: 1, ax: 's' }],
    refuses: [{ ax: null }, { a: 's' }],
  },
  {
    name: 'patternProperties for every key',
    schema: { type: 'object', patternProperties: { '^.*$': number } },
    accepts: [{ a: 1 }],
    refuses: [{ a: 'x' }],
  },
  {
    name: 'patternProperties in an open object',
    schema: object({ a: number }, { patternProperties: { y$: string, '^x-': string } }),
    accepts: [{ a: 1, y: 's', 'x-1': 's', z: null }],
    refuses: [{ 'x-1': 1 }, { a: 's' }],
  },
  {
    name: 'an open object',
    schema: object({ a: string }),
    accepts: [{ a: 'x', more: [1] }, {}],
    refuses: [{ a: 1 }, [], 'x', 1],
  },
  {
    name: 'a closed object',
    schema: closed({ a: string }),
    accepts: [{}, { a: 'x' }],
    refuses: [{ b: 1 }, null],
  },
  {
    name: 'any object',
    schema: { type: 'object' },
    accepts: [{}, { a: 1 }],
    refuses: [1, 'x', null, []],
    says: ['Record<string, JsonValue>'],
  },
  {
    name: 'no key at all',
    schema: { type: 'object', additionalProperties: false },
    accepts: [{}],
    refuses: [{ a: 1 }],
    says: ['Record<string, never>'],
  },
  {
    name: 'boolean sub-schemas',
    schema: closed({ a: true, b: false }, { required: ['a'] }),
    accepts: [{ a: { x: 1 } }],
    refuses: [{}, { a: 1, b: 1 }],
    says: ['a: JsonValue', 'b?: never'],
  },
  {
    name: 'a required key not in properties',
    schema: object({ a: string }, { required: ['b'] }),
    accepts: [{ b: null }, { a: 'x', b: 1 }],
    refuses: [{ a: 'x' }],
  },
  {
    name: 'a required key not in a closed object',
    schema: closed({ a: string }, { required: ['b'] }),
    accepts: [],
    refuses: [{ a: 'x' }, { b: 1 }],
  },
  {
    name: 'a required key of the additional type',
    schema: { type: 'object', required: ['b'], additionalProperties: number },
    accepts: [{ b: 1 }],
    refuses: [{}, { b: 'x' }],
  },
]

const comments: SchemaCase[] = [
  {
    name: 'not',
    schema: { type: 'string', not: { const: 'a' } },
    accepts: ['b'],
    refuses: [1],
    says: ['not {"const":"a"}'],
  },
  {
    name: 'if, then and else',
    schema: closed({ a: string }, { if: { required: ['a'] }, then: { minProperties: 1 }, else: false }),
    accepts: [{ a: 'x' }],
    refuses: [{ a: 1 }],
    says: ['if {"required":["a"]}', 'then {"minProperties":1}', 'else false'],
  },
  {
    name: 'dependentSchemas and dependentRequired',
    schema: closed(
      { a: string, b: string },
      { dependentSchemas: { a: { required: ['b'] } }, dependentRequired: { b: ['a'] } },
    ),
    accepts: [{ a: 'x', b: 'y' }],
    refuses: [{ a: 1 }],
    says: ['dependentSchemas {"a":{"required":["b"]}}', 'b requires a'],
  },
  {
    name: 'unknown keywords',
    schema: closed({ a: { type: 'string', 'x-unit': 'ms' } }),
    accepts: [{ a: 'x' }],
    refuses: [{ a: 1 }],
    says: ['x-unit "ms"'],
  },
  {
    name: 'constraints',
    schema: closed({
      a: {
        type: 'string',
        format: 'email',
        pattern: '^a*/b$',
        minLength: 1,
        maxLength: 9,
        default: 'x',
        examples: ['p', 'q'],
        deprecated: true,
      },
      n: { type: 'integer', minimum: 1, exclusiveMaximum: 9, multipleOf: 2 },
    }),
    accepts: [{ a: 'x', n: 2 }],
    refuses: [{ a: 1 }],
    says: [
      '@deprecated',
      'format email',
      'pattern ^a*\\/b$',
      'length 1..9',
      'default "x"',
      'e.g. "p", "q"',
      'integer, >= 1, < 9, multiple of 2',
    ],
  },
  {
    name: 'a description that tries to leave its comment',
    schema: closed({
      a: { type: 'string', description: 'one */ number; x: "\n@ts-expect-error\r\u2028 two *//* end' },
    }),
    accepts: [{ a: 'x' }],
    refuses: [{ a: 1 }],
    says: ['one *\\/ number; x: " ts-expect-error two *\\//* end'],
  },
  {
    name: 'a description that is a directive',
    schema: closed({ a: { type: 'string', description: '@ts-expect-error' } }),
    accepts: [{ a: 'x' }],
    refuses: [{ a: 1 }],
  },
  {
    name: 'comments on items, branches and other keys',
    schema: closed({
      l: { type: 'array', items: { type: 'string', format: 'uri' } },
      u: {
        anyOf: [
          { type: 'string', description: 'a name' },
          { type: 'number', description: 'an id' },
        ],
      },
      m: { type: 'object', additionalProperties: { type: 'number', minimum: 1 } },
    }),
    accepts: [{ l: ['x'], u: 1, m: { k: 1 } }],
    refuses: [{ u: null }],
    says: ['items: format uri', '/* a name */ string | /* an id */ number', 'other keys: >= 1'],
  },
]

const malformed: SchemaCase[] = [
  {
    name: 'keywords of the wrong kind',
    schema: {
      type: 'object',
      properties: 5,
      required: 'a',
      additionalProperties: false,
      allOf: {},
      anyOf: 1,
      enum: 'x',
      patternProperties: [],
    },
    accepts: [{}],
    refuses: [1],
  },
  {
    name: 'sub-schemas of the wrong kind',
    schema: closed({ a: 5, b: null, c: 'string', d: [], e: number }),
    accepts: [{ a: 1, b: 'x', c: null, d: {}, e: 1 }],
    refuses: [{ e: 'x' }],
    says: ['unreadable schema'],
  },
  {
    name: 'an unknown type',
    schema: closed({ a: { type: 'file' }, b: number }),
    accepts: [{ a: [1], b: 1 }],
    refuses: [{ b: 'x' }],
    says: ['type "file"'],
  },
  {
    name: 'a type that is no name',
    schema: closed({ a: { type: 5 }, b: { type: [] }, c: { type: ['string', {}] } }),
    accepts: [{ a: 1, b: 1, c: 1 }],
    refuses: [],
  },
  {
    name: 'references of the wrong kind',
    schema: closed({
      a: { $ref: 5 },
      b: { $ref: '' },
      c: { $ref: 'http://[' },
      d: { $ref: '#%E0%A4%A' },
      e: { $ref: '#/type' },
      f: number,
    }),
    accepts: [{ a: 1, c: 1, d: 1, e: 1, f: 1 }],
    refuses: [{ f: 'x' }],
  },
  { name: 'null', schema: null, accepts: [1, 'x'], refuses: [] },
  { name: 'undefined', schema: undefined, accepts: [1], refuses: [] },
  { name: 'an array', schema: [], accepts: [1], refuses: [] },
  { name: 'true', schema: true, accepts: [null], refuses: [] },
  { name: 'false', schema: false, accepts: [], refuses: [null], says: ['never'] },
  { name: 'the empty schema', schema: {}, accepts: [null, { a: [1] }], refuses: [], says: ['JsonValue'] },
]

/** Every row about schemas on which published generators fail, and more of each kind. */
export const SCHEMA_CASES: readonly SchemaCase[] = [
  ...literals,
  ...compositions,
  ...references,
  ...containers,
  ...comments,
  ...malformed,
]
