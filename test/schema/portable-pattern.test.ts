import { describe, expect, test } from 'vitest'
import { portablePattern } from '../../src/schema/portable-pattern.js'

describe('a pattern that only the old grammar takes means the same afterwards', () => {
  test.each([
    ['^[\\w\\-\\.]+$', ['a-b.c', 'a b']],
    ['^[\\w-.]+$', ['a-b.c', 'a b']],
    ['^[.-\\w]+$', ['a-b.c', 'a b']],
    ['^[a\\-z]+$', ['-', 'b']],
    ['^{a}$', ['{a}', 'a']],
    ['^a]$', ['a]', 'a']],
    ['^a{2}\\@b{1,}$', ['aa@bb', 'a{2}@b']],
    ['^\\_\\%[\\"\\/]$', ['_%"', '_%\\']],
    ['[\\d-]', ['-', 'a']],
  ])('%s', (pattern, samples) => {
    const portable = portablePattern(pattern) as string
    for (const sample of samples)
      expect(new RegExp(portable, 'u').test(sample)).toBe(new RegExp(pattern).test(sample))
  })
})

test('a pattern for Unicode mode stays as it is', () => {
  for (const pattern of ['^\\p{L}+$', '[\\u{1f600}-\\u{1f64f}]', '^a-b$'])
    expect(portablePattern(pattern)).toBe(pattern)
})

test('what is no regular expression has no portable form', () => {
  for (const pattern of ['(', '[a', '*', 'a**', '\\']) expect(portablePattern(pattern)).toBeUndefined()
})
