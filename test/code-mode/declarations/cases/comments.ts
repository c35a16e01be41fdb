import { closed, type SchemaCase, string } from './schema-case.js'

export const comments: SchemaCase[] = [
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
    name: 'descriptions that are directives once marks are taken away',
    schema: closed({
      a: { type: 'string', description: '@@ts-expect-error' },
      b: { type: 'string', description: '@@@ts-ignore' },
      c: { type: 'string', description: '@\u0000@ts-nocheck' },
      d: { $ref: '#/gone @@ts-expect-error' },
    }),
    accepts: [{ a: 'x', b: 'x', c: 'x', d: 1 }],
    refuses: [{ a: 1 }, { b: 1 }, { c: 1 }],
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
