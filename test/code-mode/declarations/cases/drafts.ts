import { closed, number, object, type SchemaCase, string } from './schema-case.js'

const DRAFT_07 = { $schema: 'http://json-schema.org/draft-07/schema#' }
const DRAFT_2019 = { $schema: 'https://json-schema.org/draft/2019-09/schema' }
const node = closed({ next: { $recursiveRef: '#' }, n: number })

/** What means something in one draft and nothing in another. */
export const drafts: SchemaCase[] = [
  {
    name: 'a reference that overrides what stands beside it, in draft-07',
    schema: {
      ...DRAFT_07,
      ...closed({ a: { description: 'An A.', type: 'number', enum: [1], $ref: '#/definitions/A' } }),
      definitions: { A: { type: ['string', 'null'] } },
    },
    accepts: [{ a: 'x' }, { a: null }],
    refuses: [{ a: 1 }],
    says: ['An A.'],
  },
  {
    name: 'a closed reference that overrides, in draft-07',
    schema: {
      ...DRAFT_07,
      $ref: '#/definitions/A',
      additionalProperties: false,
      required: ['a'],
      definitions: { A: object({ b: string }) },
    },
    accepts: [{}, { b: 'x' }, { z: 1 }],
    refuses: [{ b: 1 }, 1],
  },
  {
    name: 'keywords that draft-07 does not know',
    schema: {
      ...DRAFT_07,
      ...closed({
        a: { type: 'array', prefixItems: [string], items: number },
        b: object({ c: string }, { unevaluatedProperties: false }),
        d: { type: 'array', items: [string], unevaluatedItems: false },
      }),
    },
    accepts: [{ a: [1, 2] }, { b: { c: 'x', z: 1 } }, { d: ['x', 1] }],
    refuses: [{ a: ['x', 1] }, { b: { c: 1 } }, { d: [1] }],
  },
  {
    name: 'additionalItems, which 2020-12 does not know',
    schema: { type: 'array', prefixItems: [string], additionalItems: false },
    accepts: [['x', 1]],
    refuses: [[1]],
  },
  {
    name: '$recursiveRef, which 2020-12 does not know',
    schema: node,
    accepts: [{ next: 'x' }],
    refuses: [{ n: 'x' }],
  },
  {
    name: '$recursiveRef in 2019-09',
    schema: { ...DRAFT_2019, ...node },
    accepts: [{ next: { next: { n: 1 } } }],
    refuses: [{ next: 'x' }, { next: { n: 'x' } }],
  },
]
