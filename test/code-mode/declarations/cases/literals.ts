import { type SchemaCase, string } from './schema-case.js'

export const literals: SchemaCase[] = [
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
