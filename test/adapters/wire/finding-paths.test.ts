import fc from 'fast-check'
import { preflight } from 'toolgate/openai'
import { describe, expect, it } from 'vitest'
import { lawSchema } from '../../code-mode/declarations/law-schemas.js'
import { leadsNowhere, PROVIDERS } from './finding-paths.js'

const RUNS = Number(process.env.RUNS ?? 40)
const $schema = 'http://json-schema.org/draft-07/schema#'
const toolOf = (parameters: object) => ({ name: 'tool', description: '', parameters: parameters as never })
const under = (schema: object) => ({ type: 'object', properties: { o: schema } })

// Every provider loses or changes something of it; Google what its property says.
const odd = () => ({
  type: 'object',
  properties: { q: { type: 'integer', multipleOf: 2, exclusiveMinimum: 0.5 } },
  additionalProperties: { type: 'string', pattern: '^(?!a)' },
})
const text = { type: 'string' }
const IN_O = '/properties/o'

// What a tool may say in words that are rewritten, and where the odd property stands in it.
const REWRITTEN: readonly (readonly [string, object, string])[] = [
  ['anyOf', under({ anyOf: [text, odd()] }), `${IN_O}/anyOf/1`],
  ['oneOf', under({ oneOf: [text, odd()] }), `${IN_O}/oneOf/1`],
  ['allOf', under({ allOf: [odd(), { type: 'object' }] }), `${IN_O}/allOf/0`],
  ['a reference', { ...under({ $ref: '#/$defs/p' }), $defs: { p: odd() } }, '/$defs/p'],
  [
    'definitions of draft-07',
    { $schema, ...under({ $ref: '#/definitions/p' }), definitions: { p: odd() } },
    '/definitions/p',
  ],
  [
    'a reference into a property',
    { type: 'object', properties: { r: { $ref: '#/properties/o' }, o: odd() } },
    IN_O,
  ],
  ['a tuple of draft-07', { $schema, ...under({ type: 'array', items: [odd()] }) }, `${IN_O}/items/0`],
  [
    'additionalItems',
    { $schema, ...under({ type: 'array', items: [text], additionalItems: odd() }) },
    `${IN_O}/additionalItems`,
  ],
  ['oneOf at the root', { type: 'object', oneOf: [{ properties: { a: text } }, odd()] }, '/oneOf/1'],
  ['a root that is no object', { anyOf: [text, odd()] }, '/anyOf/1'],
  ['a reference at the root', { $ref: '#/$defs/x', $defs: { x: odd() } }, '/$defs/x'],
  [
    'a name with the marks of pointers',
    { type: 'object', properties: { 'a/b~c': odd() } },
    '/properties/a~1b~0c',
  ],
]

describe('the path of a finding', () => {
  it.each(REWRITTEN)('is the place in the tool itself: %s', (_what, parameters, place) => {
    const tool = toolOf(parameters)
    for (const provider of PROVIDERS) {
      const paths = preflight([tool], provider, { strict: true }).map(({ path }) => path)
      expect({ provider, nowhere: paths.filter(path => leadsNowhere(tool, path)) }).toEqual({
        provider,
        nowhere: [],
      })
      if (provider === 'google') expect(paths).toContain(`#/parameters${place}/properties/q`)
    }
  })

  it('tells equal schemas apart by where they stand, also if they are one object', () => {
    const shared = odd()
    const tool = toolOf({ type: 'object', properties: { a: shared, b: shared } })
    const paths = preflight([tool], 'google').map(({ path }) => path)
    for (const name of ['a', 'b']) expect(paths).toContain(`#/parameters/properties/${name}/properties/q`)
  })

  it('leads somewhere in tools of all kinds', () => {
    fc.assert(
      fc.property(lawSchema, fc.constantFrom(...PROVIDERS), (schema, provider) => {
        const tool = toolOf(under(schema as object))
        const paths = preflight([tool], provider, { strict: true }).map(({ path }) => path)
        expect(paths.filter(path => leadsNowhere(tool, path))).toEqual([])
      }),
      { numRuns: RUNS * 5 },
    )
  })
})
