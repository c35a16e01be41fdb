import { describe, expect, test } from 'vitest'
import type { JsonObject, JsonValue } from '../../src/json/json-value.js'
import { compileDecide } from '../../src/schema/compile-decide.js'
import { explainingCheck, interpretOnly } from '../../src/schema/explaining-check.js'

const both = [
  ['compiled', compileDecide],
  ['interpreted', interpretOnly],
] as const

// On each of these one of the two packages alone is wrong.
const CASES: readonly (readonly [what: string, schema: JsonObject, value: JsonValue, isValid: boolean])[] = [
  ['decimals are exact', { multipleOf: 0.1 }, 0.30000000001, false],
  ['large numbers are exact', { multipleOf: 3 }, 1e22, false],
  ['decimals that are multiples', { multipleOf: 0.01 }, 19.99, true],
  [
    'items that contains has found are evaluated',
    { prefixItems: [true], contains: { type: 'string' }, unevaluatedItems: false },
    [1, 'a', 2],
    false,
  ],
  ['keys that no URI can hold', { additionalProperties: { type: 'integer' } }, { '\ud800': 1 }, true],
  ['such keys with a fault', { additionalProperties: { type: 'integer' } }, { '\ud800': 'x' }, false],
  [
    'equal objects',
    { uniqueItems: true },
    [
      { a: 1, b: 2 },
      { b: 2, a: 1 },
    ],
    false,
  ],
  ['items that only look equal', { uniqueItems: true }, [1, '1', true, [1], { toString: 1 }, {}], true],
  ['equal items where they may be', { uniqueItems: false }, [1, 1], true],
]

describe.each(both)('%s', (_how, compile) => {
  test.each(CASES)('%s', (_what, schema, value, isValid) => {
    const violations = explainingCheck(schema, 'value', compile)(value)
    expect(violations.length === 0).toBe(isValid)
    expect(JSON.stringify(violations)).not.toContain('could not be checked')
  })

  test('a long array of unique items takes no time that grows with its square', () => {
    const check = explainingCheck({ items: { type: 'string' }, uniqueItems: true }, 'value', compile)
    // Each compared with each would be minutes.
    const items = Array.from({ length: 100_000 }, (_, i) => `item ${i}`)
    expect(check(items)).toEqual([])
    expect(check([...items, 'item 1'])).toHaveLength(1)
    expect(check([...items, 1])[0]?.message).toBe('value[100000] must be a string, got 1')
  })
})
