import { expect, test } from 'vitest'
import { joinListed, listedNames, readListed, withoutFirst } from '../../src/errors/listed-names.js'

const names = (count: number): readonly string[] => Array.from({ length: count }, (_, i) => `call${i}`)

test.each([0, 1, 49, 50, 51, 52, 100, 300])(
  'a list of %d names tells how many are left as they are taken off',
  count => {
    let listed = listedNames(names(count))
    for (let left = count; left > 0; left--) {
      expect(readListed(listed).count).toBe(left)
      listed = withoutFirst(listed)
    }
    expect(listed).toEqual([])
  },
)

test('a list that names have been taken off tells how many it has with another', () => {
  let listed = listedNames(names(100))
  for (let i = 0; i < 60; i++) listed = withoutFirst(listed)
  expect(listed).toEqual(['… and 40 more'])
  expect(joinListed(listed, listedNames(names(70)))).toEqual([...names(50), '… and 60 more'])
})

test('a name is not taken for the rest of a list', () => {
  const listed = listedNames(['a', '… and 5 more'])
  expect(readListed(listed).count).toBe(2)
  expect(readListed(withoutFirst(listed)).count).toBe(1)
})
