import type { JsonValue } from 'toolgate'
import type { SchemaCase } from './schema-case.js'

const DRAFT_07 = [
  'http://json-schema.org/draft-07/schema#',
  'http://json-schema.org/draft-07/schema',
  'https://json-schema.org/draft-07/schema#',
  'https://json-schema.org/draft-07/schema',
  'http://JSON-Schema.org/Draft-07/Schema#',
  'HTTP://JSON-SCHEMA.ORG/DRAFT-07/SCHEMA',
]

const DRAFT_2020_12 = [
  'https://json-schema.org/draft/2020-12/schema',
  'https://json-schema.org/draft/2020-12/schema#',
  'http://json-schema.org/draft/2020-12/schema',
  'http://json-schema.org/draft/2020-12/schema#',
  'https://JSON-Schema.org/Draft/2020-12/Schema',
]

const OTHERS: readonly JsonValue[] = [
  'http://json-schema.org/draft-04/schema#',
  'http://json-schema.org/draft-06/schema#',
  'https://json-schema.org/draft/2019-09/schema',
  'https://example.com/draft-07/schema#',
  'draft-07',
  '',
  7,
]

const tooMany = 'arguments[1] is one item too many: at most 1 allowed'

/** Which draft a schema is read in. */
export const DRAFT_CASES: readonly SchemaCase[] = [
  ...DRAFT_07.map(
    ($schema): SchemaCase => ({
      what: `${$schema} is draft-07, where a list under items is a tuple and prefixItems means nothing`,
      schema: { $schema, items: [{ type: 'string' }], additionalItems: false, prefixItems: [false] },
      valid: [['a'], []],
      invalid: [[['a', 1], [tooMany]]],
    }),
  ),
  ...DRAFT_2020_12.map(
    ($schema): SchemaCase => ({
      what: `${$schema} is 2020-12, where prefixItems is the tuple and additionalItems means nothing`,
      schema: { $schema, prefixItems: [{ type: 'string' }], items: false, additionalItems: true },
      valid: [['a'], []],
      invalid: [[['a', 1], [tooMany]]],
    }),
  ),
  {
    what: 'no $schema is 2020-12',
    schema: { prefixItems: [{ type: 'string' }], items: false },
    valid: [['a']],
    invalid: [[['a', 1], [tooMany]]],
  },
  ...OTHERS.map(
    ($schema): SchemaCase => ({
      what: `${JSON.stringify($schema)} is refused`,
      schema: { $schema },
      refused: [
        `schema.$schema is ${JSON.stringify($schema)}; JSON Schema 2020-12 and draft-07 are supported`,
      ],
    }),
  ),
  {
    what: 'a $schema further in means nothing',
    schema: { properties: { x: { $schema: DRAFT_07[0] as string, prefixItems: [{ type: 'string' }] } } },
    valid: [{ x: ['a'] }],
    invalid: [[{ x: [1] }, ['x[0] must be a string, got 1']]],
  },
  {
    what: 'in draft-07 a reference overrides what stands beside it',
    schema: {
      $schema: DRAFT_07[0] as string,
      properties: { x: { $ref: '#/definitions/text', minLength: 3 } },
      definitions: { text: { type: 'string' } },
    },
    valid: [{ x: 'a' }],
    invalid: [[{ x: 1 }, ['x must be a string, got 1']]],
  },
  {
    what: 'in 2020-12 both count',
    schema: {
      properties: { x: { $ref: '#/$defs/text', minLength: 3 } },
      $defs: { text: { type: 'string' } },
    },
    valid: [{ x: 'abc' }],
    invalid: [
      [{ x: 'a' }, ['x must have at least 3 characters, has 1']],
      [{ x: 1 }, ['x must be a string, got 1']],
    ],
  },
  {
    what: 'in draft-07 $dynamicRef, unevaluatedProperties, dependentRequired and minContains mean nothing',
    schema: {
      $schema: DRAFT_07[0] as string,
      $dynamicRef: '#nowhere',
      unevaluatedProperties: false,
      dependentRequired: { a: ['b'] },
      properties: { list: { contains: { type: 'null' }, minContains: 2 } },
    },
    valid: [{ a: 1, list: [null] }],
    invalid: [[{ list: [1] }, ['list must hold an item that is null']]],
  },
  {
    what: 'dependencies count in both drafts',
    schema: { dependencies: { a: ['b'], c: { required: ['d'] } } },
    valid: [{ a: 1, b: 1 }, {}],
    invalid: [
      [{ a: 1, c: 1 }, ['missing required property b, needed beside a', 'missing required property d']],
    ],
  },
  {
    what: 'format annotates',
    schema: { properties: { x: { type: 'string', format: 'email' } } },
    valid: [{ x: 'nobody' }],
  },
  {
    what: 'an empty enum takes nothing',
    schema: { properties: { x: { enum: [] } } },
    valid: [{}],
    invalid: [[{ x: 1 }, ['x is not allowed']]],
  },
]
