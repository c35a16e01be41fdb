import type { JsonObject } from 'toolgate'
import type { SchemaCase } from './schema-case.js'

const ODD = 'a/b~c "{}[]<>^`|é'
const ESCAPED = 'a/b~c %25'
const POINTER = ODD.replaceAll('~', '~0').replaceAll('/', '~1')
const DRAFT_07 = 'http://json-schema.org/draft-07/schema#'

const text = { type: 'string' }

/** Each leads to `{ type: 'string' }`. */
const LEADING: readonly (readonly [what: string, schema: JsonObject])[] = [
  ['a definition', { $ref: '#/$defs/text', $defs: { text } }],
  ['a definition of old', { $ref: '#/definitions/text', definitions: { text } }],
  ['draft-07', { $schema: DRAFT_07, $ref: '#/definitions/text', definitions: { text } }],
  ['$defs in draft-07', { $schema: DRAFT_07, $ref: '#/$defs/text', $defs: { text } }],
  ['a pointer with escapes', { $ref: `#/$defs/${POINTER}`, $defs: { [ODD]: text } }],
  ['an encoded pointer', { $ref: `#/$defs/${encodeURIComponent(POINTER)}`, $defs: { [ODD]: text } }],
  ['a name that looks encoded', { $ref: '#/$defs/a~1b~0c%20%2525', $defs: { [ESCAPED]: text } }],
  ['a percent sign that encodes nothing', { $ref: '#/$defs/100%', $defs: { '100%': text } }],
  ['a name that is empty', { $ref: '#/$defs/', $defs: { '': text } }],
  ['a name every object has', { $ref: '#/$defs/toString', $defs: { toString: text } as never }],
  ['a reference of a reference', { $ref: '#/$defs/a', $defs: { a: { $ref: '#/$defs/b' }, b: text } }],
  ['a property', { $ref: '#/$defs/o/properties/a', $defs: { o: { properties: { a: text } } } }],
  ['an item of a tuple', { $ref: '#/$defs/t/prefixItems/1', $defs: { t: { prefixItems: [true, text] } } }],
  [
    'an item of a tuple in draft-07',
    { $schema: DRAFT_07, $ref: '#/definitions/t/items/1', definitions: { t: { items: [true, text] } } },
  ],
  [
    'under a keyword of its own making',
    { $ref: '#/components/schemas/Text', components: { schemas: { Text: text } } },
  ],
  ['an anchor', { $ref: '#text', $defs: { a: { $anchor: 'text', ...text } } }],
  [
    'an anchor in draft-07',
    { $schema: DRAFT_07, $ref: '#text', definitions: { a: { $id: '#text', ...text } } },
  ],
  ['a dynamic anchor', { $dynamicRef: '#text', $defs: { a: { $dynamicAnchor: 'text', ...text } } }],
  ['a dynamic anchor, not dynamically', { $ref: '#text', $defs: { a: { $dynamicAnchor: 'text', ...text } } }],
  ['an anchor, dynamically', { $dynamicRef: '#text', $defs: { a: { $anchor: 'text', ...text } } }],
  ['a pointer, dynamically', { $dynamicRef: '#/$defs/text', $defs: { text } }],
  ['an identifier', { $id: 'https://example.com/a/b', $ref: 'text', $defs: { a: { $id: 'text', ...text } } }],
  [
    'an absolute identifier',
    { $ref: 'https://example.com/text', $defs: { a: { $id: 'https://example.com/text', ...text } } },
  ],
  ['an identifier of its own', { $id: 'urn:example:a', $ref: '#/$defs/a', $defs: { a: text } }],
  [
    'itself by its name',
    { $id: 'https://example.com/a', $ref: 'https://example.com/a#/$defs/t', $defs: { t: text } },
  ],
  [
    'itself by a name beside a reference, in draft-07',
    {
      $schema: DRAFT_07,
      $id: 'https://example.com/a',
      $ref: 'https://example.com/a#/definitions/t',
      definitions: { t: text },
    },
  ],
  [
    'an anchor of another resource',
    { $ref: 'other#text', $defs: { a: { $id: 'other', $defs: { b: { $anchor: 'text', ...text } } } } },
  ],
  [
    'a pointer within another resource',
    { $ref: 'other#/$defs/b', $defs: { a: { $id: 'other', $defs: { b: text } }, b: { type: 'number' } } },
  ],
  [
    'a resource within a resource',
    {
      $id: 'https://example.com/a/',
      $ref: 'b/c',
      $defs: { b: { $id: 'b/', $defs: { c: { $id: 'c', ...text } } } },
    },
  ],
]

/** Each leads nowhere. */
const BROKEN: readonly (readonly [to: string, rest: JsonObject])[] = [
  ['#/$defs/none', {}],
  ['#/$defs/none', { $defs: { some: true } }],
  ['#none', { $defs: { a: { $anchor: 'some' } } }],
  ['https://example.com/schema', {}],
  ['https://json-schema.org/draft/2020-12/schema', {}],
  ['other.json#/a', {}],
  ['#/$defs/toString', { $defs: {} }],
  ['#/list/length', { list: [] }],
  ['#/list/1', { list: [true] }],
  ['#/properties/x/$ref', {}],
  ['#/$defs/a/const', { $defs: { a: { const: 5 } } }],
  ['http://[', {}],
  ['#/$defs/A', { $defs: { a: true } }],
]

/** What references lead to. */
export const REFERENCE_CASES: readonly SchemaCase[] = [
  ...LEADING.map(
    ([what, schema]): SchemaCase => ({
      what: `lead to ${what}`,
      schema,
      valid: ['a'],
      invalid: [[5, ['arguments must be a string, got 5']]],
    }),
  ),
  ...BROKEN.map(
    ([to, rest]): SchemaCase => ({
      what: `are refused by name where they lead nowhere: ${to} beside ${JSON.stringify(rest)}`,
      schema: { properties: { x: { $ref: to } }, ...rest },
      refused: [`schema.properties.x.$ref refers to ${JSON.stringify(to)}, which is not in this schema`],
    }),
  ),
  {
    what: 'are refused one by one',
    schema: {
      properties: { a: { $ref: '#/a' }, b: { items: { $dynamicRef: '#b' } } },
      $defs: { c: { $ref: 'c' } },
    },
    refused: [
      'schema.properties.a.$ref refers to "#/a", which is not in this schema',
      'schema.properties.b.items.$dynamicRef refers to "#b", which is not in this schema',
      'schema.$defs.c.$ref refers to "c", which is not in this schema',
    ],
  },
  {
    what: 'are none in data and under names of properties',
    schema: {
      properties: { $ref: { type: 'string' }, x: { const: { $ref: '#/none' } } },
      default: { $ref: '#/none' },
      examples: [{ $ref: '#/none' }],
    },
    valid: [{ $ref: 'a', x: { $ref: '#/none' } }],
    invalid: [[{ $ref: 1 }, ['$ref must be a string, got 1']]],
  },
  {
    what: 'may lead back to the root',
    schema: {
      type: 'object',
      properties: { children: { type: 'array', items: { $ref: '#' } } },
      required: ['name'],
    },
    valid: [{ name: 'a', children: [{ name: 'b', children: [] }] }],
    invalid: [
      [
        { name: 'a', children: [{ name: 'b', children: [{}] }] },
        ['missing required property children[0].children[0].name'],
      ],
    ],
  },
  {
    what: 'may lead to each other',
    schema: {
      $ref: '#/$defs/even',
      $defs: {
        even: { properties: { next: { $ref: '#/$defs/odd' }, even: { const: true } }, required: ['even'] },
        odd: { properties: { next: { $ref: '#/$defs/even' }, odd: { const: true } }, required: ['odd'] },
      },
    },
    valid: [{ even: true, next: { odd: true, next: { even: true } } }],
    invalid: [[{ even: true, next: { even: true } }, ['missing required property next.odd']]],
  },
  {
    what: 'may lead to a yes or a no',
    schema: {
      properties: { yes: { $ref: '#/$defs/yes' }, no: { $ref: '#/$defs/no' } },
      $defs: { yes: true, no: false },
    },
    valid: [{ yes: 1 }, {}],
    invalid: [[{ no: 1 }, ['no is not allowed']]],
  },
  {
    what: 'that would never end are refused',
    schema: { $ref: '#/$defs/a', $defs: { a: { anyOf: [{ $ref: '#/$defs/b' }] }, b: { $ref: '#/$defs/a' } } },
    refused: ['schema.$defs.b leads back to itself: checking would never end'],
  },
  {
    what: 'that are dynamic lead to the outermost anchor of the name: a list of what its user says',
    schema: {
      $defs: {
        list: {
          $id: 'list',
          type: 'array',
          items: { $dynamicRef: '#item' },
          $defs: { any: { $dynamicAnchor: 'item' } },
        },
        texts: { $id: 'texts', $ref: 'list', $defs: { item: { $dynamicAnchor: 'item', type: 'string' } } },
        numbers: {
          $id: 'numbers',
          $ref: 'list',
          $defs: { item: { $dynamicAnchor: 'item', type: 'number' } },
        },
      },
      properties: { any: { $ref: 'list' }, texts: { $ref: 'texts' }, numbers: { $ref: 'numbers' } },
    },
    valid: [{ any: ['a', 1], texts: ['a'], numbers: [1] }],
    invalid: [
      [
        { any: ['a', 1], texts: ['a', 1], numbers: ['a', 1] },
        ['texts[1] must be a string, got 1', 'numbers[0] must be a number, got "a"'],
      ],
    ],
  },
  {
    what: 'that are dynamic extend what is recursive: a tree that knows its own properties alone',
    schema: {
      $id: 'https://example.com/strict-tree',
      $dynamicAnchor: 'node',
      $ref: 'tree',
      unevaluatedProperties: false,
      $defs: {
        tree: {
          $id: 'tree',
          $dynamicAnchor: 'node',
          type: 'object',
          properties: { data: true, children: { type: 'array', items: { $dynamicRef: '#node' } } },
        },
      },
    },
    valid: [{ children: [{ data: 1, children: [] }] }],
    invalid: [
      [
        { children: [{ daat: 1 }] },
        ['children[0].daat is not a declared property; declared: data, children'],
      ],
    ],
  },
]
