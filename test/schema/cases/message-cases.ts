import type { JsonObject, JsonValue } from 'toolgate'
import { forX, type SchemaCase } from './schema-case.js'

const TEXT_OR_NULL = [{ type: 'string' }, { type: 'null' }]
const noLonger: JsonObject = { properties: { a: {}, 'b c': {} }, patternProperties: { '^x-': {} } }

/** Keywords for `x`, a value of it, and all that is said. */
const KEYWORDS: readonly (readonly [keywords: JsonObject, value: JsonValue, ...messages: string[]])[] = [
  [{ type: 'string' }, 5, 'x must be a string, got 5'],
  [{ type: ['string', 'null'] }, {}, 'x must be a string or null, got an object'],
  [{ type: 'integer' }, 1.5, 'x must be an integer, got 1.5'],
  [{ enum: ['a', 1, null] }, 'b', 'x must be one of ["a",1,null], got "b"'],
  [{ type: 'string', enum: ['a', 'b'] }, null, 'x must be one of ["a","b"], got null'],
  [{ const: { a: 1 } }, { a: 2 }, 'x must be {"a":1}, got an object'],
  [{ minimum: 1 }, 0, 'x must be at least 1, got 0'],
  [{ maximum: 1 }, 2, 'x must be at most 1, got 2'],
  [{ exclusiveMinimum: 1 }, 1, 'x must be more than 1, got 1'],
  [{ exclusiveMaximum: 1 }, 1, 'x must be less than 1, got 1'],
  [{ multipleOf: 0.5 }, 0.75, 'x must be a multiple of 0.5, got 0.75'],
  [{ minLength: 2 }, '😀', 'x must have at least 2 characters, has 1'],
  [{ maxLength: 1 }, 'ab', 'x must have at most 1 character, has 2'],
  [{ pattern: '^a+$' }, 'b', 'x must match the pattern ^a+$, got "b"'],
  [{ minItems: 1 }, [], 'x must have at least 1 item, has 0'],
  [{ maxItems: 1 }, [1, 2], 'x must have at most 1 item, has 2'],
  [{ uniqueItems: true }, [{ a: 1 }, { a: 1 }], 'x must hold no item twice'],
  [{ minProperties: 1 }, {}, 'x must have at least 1 property, has 0'],
  [{ maxProperties: 0 }, { a: 1 }, 'x must have at most 0 properties, has 1'],
  [{ contains: { type: 'null' } }, [1, 'a'], 'x must hold an item that is null'],
  [{ contains: { minLength: 2 } }, ['a'], 'x must hold an item that matches "contains"'],
  [{ contains: { const: 1 }, minContains: 2 }, [1, 'a'], 'x must hold at least 2 items that are 1'],
  [
    { contains: { minimum: 1 }, maxContains: 1 },
    [1, 2],
    'x must hold at most 1 item that matches "contains"',
  ],
  [{ contains: { enum: [1, 2] }, maxContains: 1 }, [1, 2], 'x must hold at most 1 item that is one of [1,2]'],
  [{ not: { type: 'null' } }, null, 'x must not be null, got null'],
  [{ not: { enum: ['a', 'b'] } }, 'a', 'x must not be one of ["a","b"], got "a"'],
  [{ not: { required: ['a'] } }, { a: 1 }, 'x must not match the schema under "not"'],
  [{ not: {} }, 1, 'x is not allowed'],
  [{ required: ['y'] }, {}, 'missing required property x.y'],
  [
    { required: ['toString', 'a b'] },
    {},
    'missing required property x.toString',
    'missing required property x["a b"]',
  ],
  [{ dependentRequired: { a: ['b'] } }, { a: 1 }, 'missing required property x.b, needed beside x.a'],
  [{ dependentSchemas: { a: { properties: { b: false } } } }, { a: 1, b: 1 }, 'x.b is not allowed'],
  [{ additionalProperties: false }, { y: 1 }, 'x.y is not a declared property: the object must be empty'],
  [
    { ...noLonger, additionalProperties: false },
    { a: 1, 'x-a': 1, y: 1, z: 1 },
    'x.y is not a declared property; declared: a, b c, /^x-/',
    'x.z is not a declared property; declared: a, b c, /^x-/',
  ],
  [
    { unevaluatedProperties: false, allOf: [{ properties: { a: {} } }] },
    { a: 1, y: 1 },
    'x.y is not a declared property; declared: a',
  ],
  [
    {
      unevaluatedProperties: false,
      allOf: [{ properties: { a: {}, b: {} }, required: ['b'] }, { $ref: '#/$defs/open' }],
    },
    { a: 1, c: 1, d: 1 },
    'missing required property x.b',
    'x.d is not a declared property; declared: a, b, c',
  ],
  [
    { unevaluatedItems: false, allOf: [{ prefixItems: [{ type: 'string' }] }] },
    [1],
    'x[0] must be a string, got 1',
  ],
  [
    {
      unevaluatedProperties: false,
      oneOf: [{ properties: { a: { const: 1 } } }, { properties: { b: {} }, required: ['b'] }],
    },
    { a: 2, b: 1 },
    'x.a is not a declared property; declared: a, b',
  ],
  [{ additionalProperties: { type: 'null' } }, { y: 1 }, 'x.y must be null, got 1'],
  [{ patternProperties: { '^y': { type: 'null' } } }, { y: 1 }, 'x.y must be null, got 1'],
  [
    { propertyNames: { pattern: '^a' } },
    { b: 1 },
    'x: the property name "b" must match the pattern ^a, got "b"',
  ],
  [
    { prefixItems: [{ type: 'null' }], items: false },
    [null, 1, 2],
    'x[1] is one item too many: at most 1 allowed',
    'x[2] is one item too many: at most 1 allowed',
  ],
  [{ items: false }, [1], 'x[0] is one item too many'],
  [{ unevaluatedItems: false }, [1], 'x[0] is one item too many'],
  [{ prefixItems: [{ type: 'null' }] }, [1], 'x[0] must be null, got 1'],
  [{ items: { properties: { 'a/b': { type: 'null' } } } }, [{ 'a/b': 1 }], 'x[0]["a/b"] must be null, got 1'],
  [{ if: { type: 'string' }, then: { minLength: 1 } }, '', 'x must have at least 1 character, has 0'],
  [{ if: { type: 'string' }, else: { type: 'null' } }, 5, 'x must be null, got 5'],
  [{ allOf: [{ type: 'string' }, { minLength: 2 }] }, 'a', 'x must have at least 2 characters, has 1'],
  [
    { allOf: [{ minimum: 2 }, { minimum: 2 }, { multipleOf: 2 }] },
    1,
    'x must be at least 2, got 1',
    'x must be a multiple of 2, got 1',
  ],
]

/** Unions for `x`: what is said is why the closest branch failed. */
const UNIONS: typeof KEYWORDS = [
  [{ anyOf: TEXT_OR_NULL }, 5, 'x must be a string or null, got 5'],
  [
    { oneOf: TEXT_OR_NULL },
    5,
    'x must match exactly one branch, but 0 of 2 match: must be a string or null, got 5',
  ],
  [
    { oneOf: [{ type: 'number' }, { type: 'integer' }] },
    1,
    'x must match exactly one branch, but 2 of 2 match (1 and 2)',
  ],
  [
    { anyOf: [false, { type: 'null' }] },
    5,
    'x must match a branch, but 0 of 2 match; closest is branch 1: x is not allowed',
  ],
  [
    { anyOf: [{ type: 'null' }, { type: 'string', minLength: 3, pattern: '^b' }] },
    'a',
    'x must match a branch, but 0 of 2 match; closest is branch 2: x must have at least 3 characters, has 1, x must match the pattern ^b, got "a"',
  ],
  [
    {
      anyOf: [
        { type: 'object', properties: { k: { const: 'a' } }, required: ['k', 'v'] },
        { type: 'object', properties: { k: { const: 'b' }, w: { anyOf: TEXT_OR_NULL } } },
      ],
    },
    { k: 'b', w: 1 },
    'x must match a branch, but 0 of 2 match; closest is branch 2: x.w must be a string or null, got 1',
  ],
  [
    { anyOf: [{ $ref: '#/$defs/long' }, { type: 'null' }] },
    { a: 1 },
    'x must be an array or null, got an object',
  ],
]

const SECRET = `sk-live-${'0123456789abcdef'.repeat(3)}`
const SHOWN = '"sk-live-0123456789abcdef"…'

const TEXTS: readonly SchemaCase[] = [
  {
    what: 'a text long enough to be a secret is never shown whole',
    schema: {
      properties: {
        number: { type: 'number' },
        pattern: { pattern: '^a' },
        enum: { enum: ['a', 'b'] },
        not: { not: { type: 'string' } },
        union: { anyOf: [{ type: 'null' }, { pattern: '^a' }] },
        name: { propertyNames: { maxLength: 3 } },
      },
    },
    invalid: [
      [
        { number: SECRET, pattern: SECRET, enum: SECRET, not: SECRET, union: SECRET, name: { [SECRET]: 1 } },
        [
          `number must be a number, got ${SHOWN}`,
          `pattern must match the pattern ^a, got ${SHOWN}`,
          `enum must be one of ["a","b"], got ${SHOWN}`,
          `not must not be a string, got ${SHOWN}`,
          `union must match a branch, but 0 of 2 match; closest is branch 2: union must match the pattern ^a, got ${SHOWN}`,
          `name: the property name ${SHOWN} must have at most 3 characters, has 56`,
        ],
      ],
    ],
  },
  {
    what: 'texts of the schema are cut too',
    schema: {
      properties: {
        pattern: { pattern: `^${'a'.repeat(500)}$` },
        enum: { enum: Array.from({ length: 500 }, (_, i) => `value ${i}`) },
        closed: {
          properties: Object.fromEntries(Array.from({ length: 100 }, (_, i) => [`property${i}`, true])),
          additionalProperties: false,
        },
      },
    },
    invalid: [
      [
        { pattern: 'b', enum: 'b', closed: { other: 1 } },
        [
          `pattern must match the pattern ^${'a'.repeat(119)}…, got "b"`,
          `enum must be one of [${Array.from({ length: 28 }, (_, i) => `"value ${i}"`).join()},…] (500 values), got "b"`,
          `closed.other is not a declared property; declared: ${Array.from(
            { length: 100 },
            (_, i) => `property${i}`,
          )
            .join(', ')
            .slice(0, 160)}…`,
        ],
      ],
    ],
  },
  {
    what: 'long paths lose their middle',
    schema: { additionalProperties: { $ref: '#' }, type: 'object' },
    invalid: [
      [
        { [`a${'b'.repeat(500)}`]: { ['c'.repeat(500)]: { ['d'.repeat(500)]: { ['e'.repeat(500)]: 1 } } } },
        [
          `arguments["a${'b'.repeat(59)}…"]["${'c'.repeat(24)}…${'d'.repeat(32)}…"]["${'e'.repeat(60)}…"] must be an object, got 1`,
        ],
      ],
    ],
  },
  {
    what: 'ten problems are shown, and how many more there are is said',
    schema: { items: { type: 'null' } },
    invalid: [
      [
        Array.from({ length: 10 }, () => 1),
        Array.from({ length: 10 }, (_, i) => `arguments[${i}] must be null, got 1`),
      ],
      [
        Array.from({ length: 11 }, () => 1),
        [
          ...Array.from({ length: 10 }, (_, i) => `arguments[${i}] must be null, got 1`),
          'and 1 more problem',
        ],
      ],
      [
        Array.from({ length: 500 }, () => 1),
        [
          ...Array.from({ length: 10 }, (_, i) => `arguments[${i}] must be null, got 1`),
          'and 490 more problems',
        ],
      ],
      [
        Array.from({ length: 5_000 }, () => 1),
        [
          ...Array.from({ length: 10 }, (_, i) => `arguments[${i}] must be null, got 1`),
          'and 1000 or more problems',
        ],
      ],
    ],
  },
  {
    what: 'of a very large value the first problem alone is looked for, and that is said',
    schema: { items: { type: 'null' } },
    invalid: [
      [
        Array.from({ length: 100_000 }, () => 1),
        [
          'arguments[0] must be null, got 1',
          'and perhaps more: of so large a value only the first problem is looked for',
        ],
      ],
    ],
  },
  {
    what: 'several faults are said at once, in the order of the schema',
    schema: {
      type: 'object',
      required: ['a'],
      properties: { b: { type: 'string' }, c: { minimum: 1, multipleOf: 2 } },
    },
    invalid: [
      [
        { b: 5, c: -1 },
        [
          'missing required property a',
          'b must be a string, got 5',
          'c must be at least 1, got -1',
          'c must be a multiple of 2, got -1',
        ],
      ],
    ],
  },
]

/** What is said about values, word for word. */
export const MESSAGE_CASES: readonly SchemaCase[] = [
  ...[...KEYWORDS, ...UNIONS].map(
    ([keywords, value, ...messages]): SchemaCase => ({
      what: `${JSON.stringify(keywords)} against ${JSON.stringify(value)}`,
      schema: { ...forX(keywords), $defs: { long: { type: 'array' }, open: { properties: { c: {} } } } },
      invalid: [[{ x: value }, messages]],
    }),
  ),
  ...TEXTS,
]
