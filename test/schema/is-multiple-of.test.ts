import { expect, test } from 'vitest'
import { isMultipleOf } from '../../src/schema/is-multiple-of.js'

test.each([
  [6, 3, true],
  [7, 3, false],
  [0, 0.1, true],
  [0.3, 0.1, true],
  [-0.3, 0.1, true],
  [19.99, 0.01, true],
  [0.30000000001, 0.1, false],
  [1.5e-11, 1e-11, false],
  [1e308, 0.1, true],
  [1e22, 3, false],
  [3, 1.5, true],
  [1e-7, 1e-9, true],
])('%d is a multiple of %d: %s', (value, divisor, expected) => {
  expect(isMultipleOf(value, divisor)).toBe(expected)
})
