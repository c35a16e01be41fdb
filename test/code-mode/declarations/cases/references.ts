import { closed, number, object, type SchemaCase, string } from './schema-case.js'

export const references: SchemaCase[] = [
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
