/**
 * Laws of the limits: a value is taken at exactly its own size, and refused at one less.
 */
import fc from 'fast-check'
import { type JsonLimits, type JsonValue, snapshotJson } from 'toolgate'
import { describe, expect, it } from 'vitest'

// What JSON gives back has no negative zero; lone surrogates and escapes are among the texts.
const value = fc
  .letrec(tie => ({
    node: fc.oneof({ maxDepth: 5 }, tie('scalar'), tie('list'), tie('object')),
    scalar: fc.oneof(
      fc.constant(null),
      fc.boolean(),
      fc.double({ noNaN: true, noDefaultInfinity: true }),
      tie('text'),
    ),
    text: fc
      .array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 6 })
      .map(units => String.fromCharCode(...units)),
    list: fc.array(tie('node'), { maxLength: 5 }),
    object: fc.dictionary(tie('text') as fc.Arbitrary<string>, tie('node'), { maxKeys: 5 }),
  }))
  .node.map(given => JSON.parse(JSON.stringify(given)) as JsonValue)

const children = (node: JsonValue): readonly JsonValue[] =>
  typeof node === 'object' && node !== null ? Object.values(node) : []
const depth = (node: JsonValue): number =>
  typeof node === 'object' && node !== null ? 1 + Math.max(0, ...children(node).map(depth)) : 0
const nodes = (node: JsonValue): number =>
  1 + children(node).reduce<number>((sum, child) => sum + nodes(child), 0)
const bytes = (node: JsonValue): number => new TextEncoder().encode(JSON.stringify(node)).length

describe('the limits of a snapshot', () => {
  it.each([
    ['maxBytes', bytes],
    ['maxNodes', nodes],
    ['maxDepth', depth],
  ] as const)('%s is exact', (limit: keyof JsonLimits, measure) => {
    fc.assert(
      fc.property(value, given => {
        const size = measure(given)
        if (size > 0) expect(snapshotJson(given, { limits: { [limit]: size } })).toEqual(given)
        if (size > 1)
          expect(() => snapshotJson(given, { limits: { [limit]: size - 1 } })).toThrow(
            expect.objectContaining({ code: 'LIMIT_EXCEEDED' }),
          )
      }),
      { numRuns: 1_000 },
    )
  })

  it('order of limits does not matter: what is past any of them is refused', () => {
    fc.assert(
      fc.property(
        value,
        fc.integer({ min: 1, max: 40 }),
        fc.integer({ min: 1, max: 10 }),
        (given, most, deep) => {
          const limits = { maxBytes: most * 4, maxNodes: most, maxDepth: deep }
          const past = bytes(given) > most * 4 || nodes(given) > most || depth(given) > deep
          const take = () => snapshotJson(given, { limits })
          if (past) expect(take).toThrow(expect.objectContaining({ code: 'LIMIT_EXCEEDED' }))
          else expect(take()).toEqual(given)
        },
      ),
      { numRuns: 1_000 },
    )
  })
})
