import { closed, number, object, type SchemaCase, string } from './schema-case.js'

export const compositions: SchemaCase[] = [
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
    name: 'properties beside anyOf',
    schema: object(
      { id: string },
      {
        required: ['id'],
        anyOf: [closed({ id: {}, a: number }, { required: ['a'] }), closed({ id: {}, b: number })],
      },
    ),
    accepts: [{ id: 'x', a: 1 }, { id: 'x', b: 1 }, { id: 'x' }],
    refuses: [{ a: 1 }, { id: 1, a: 1 }, { id: 'x', a: 'y' }, { id: 'x', z: 1 }],
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
    name: 'a closed object beside an optional key that every object inherits',
    schema: { allOf: [closed({ a: string }), object({ a: string, toString: string, constructor: string })] },
    accepts: [{}, { a: 'x' }],
    refuses: [{ toString: 'x' }, { constructor: 'x' }],
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
    name: 'unevaluatedProperties: false over references, which are open elsewhere',
    schema: closed(
      {
        closed: {
          allOf: [{ $ref: '#/$defs/A' }],
          type: 'object',
          properties: { c: number },
          unevaluatedProperties: false,
        },
        open: { $ref: '#/$defs/A' },
      },
      { $defs: { A: object({ a: string, more: { $ref: '#/$defs/A' } }) } },
    ),
    accepts: [{ closed: { a: 'x', c: 1, more: { z: 1 } }, open: { a: 'x', z: 1 } }, { closed: {} }],
    refuses: [{ closed: { z: 1 } }, { closed: { a: 1 } }, { open: { a: 1 } }, { open: { more: { a: 1 } } }],
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
