import { closed, number, type SchemaCase } from './schema-case.js'

export const malformed: SchemaCase[] = [
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
