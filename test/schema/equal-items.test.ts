import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { JsonValue } from '../../src/json/json-value.js'
import { hasEqualItems } from '../../src/schema/equal-items.js'

const cases: readonly (readonly [JsonValue[], boolean])[] = [
  [[], false],
  [[1, '1', true, 'true', null, 'null'], false],
  [[1, 2, 1], true],
  [
    [
      { a: 1, b: 2 },
      { b: 2, a: 1 },
    ],
    true,
  ],
  [[{ a: 1 }, { a: '1' }], false],
  [[['a', 'b'], ['a,b'], ['a', ['b']]], false],
  [[[], {}], false],
  [[{ toString: 1 }, {}], false],
]

describe('hasEqualItems', () => {
  test.each(cases)('%j: %s', (items, expected) => {
    expect(hasEqualItems(items)).toBe(expected)
  })

  test('says what comparing each with each would say', () => {
    const items = fc.array(fc.jsonValue({ maxDepth: 2 }) as fc.Arbitrary<JsonValue>, { maxLength: 6 })
    fc.assert(
      fc.property(items, fc.boolean(), (some, again) => {
        const list = again ? [...some, ...some.slice(0, 1)] : some
        const texts = list.map(item => JSON.stringify(item, sortedKeys))
        expect(hasEqualItems(list)).toBe(new Set(texts).size < texts.length)
      }),
    )
  })
})

function sortedKeys(_key: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  return {
    object: Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, item]) => [key, item]),
  }
}
