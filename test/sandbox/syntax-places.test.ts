import { describe, expect, test } from 'vitest'
import { run } from './support/run-code.js'

describe('what does not parse is placed in the text as it was submitted', () => {
  // The place is the end of what is there where something is missing, and what is wrong where something is.
  const faults: readonly (readonly [string, string, RegExp])[] = [
    ['let x = 1\nreturn x +await', '2:16', /the end of the program/],
    ['return 1\nconst v = new', '2:14', /the end of the program/],
    ['```ts\nconst v = new\n```', '2:14', /Unexpected token/],
    ['const a', '1:8', /missing initializer/],
    ['const a\n\n\n', '1:8', /missing initializer/],
    ['const b\nreturn 1', '1:8', /missing initializer/],
    ['break', '1:6', /break must be inside loop/],
    ['[1].forEach(x => {\n  break\n})\nreturn 1', '2:8', /break must be inside loop/],
    ['try { 1 }', '1:10', /expecting catch or finally/],
    ['try { 1 }\nreturn 2', '1:10', /expecting catch or finally/],
    ['if', '1:3', /expecting '\('/],
    ['throw', '1:6', /line terminator/],
    ['delete x', '1:9', /delete/],
    ['return 1\n\nconst y = -1 ** 2', '3:14', /\*\*/],
    ['class A { #a }\nreturn new A().#b', '2:16', /#b/],
    ['return 1\n)', '2:1', /Unexpected token/],
    ['return @', '1:9', /Unexpected token/],
    ['const x = 1\nreturn @x', '2:10', /Unexpected token/],
    ['f(@)', '1:4', /Unexpected token/],
    ['const A = class {\n  x = ;\n}', '2:7', /Unexpected token/],
    ['return class { m() { class B { y( } } }', '1:35', /Unexpected token/],
    ['let a = 1\nlet a = 2', '2:7', /redefinition/],
    ['x = 1 +\n\n\n', '1:8', /Unexpected token/],
    ['\u{1F600}: 1', '1:1', /unexpected character/],
  ]
  test.each(faults)('%j at %s', async (program, place, said) => {
    const { error } = await run(program)
    expect(error?.kind).toBe('syntax')
    expect(error?.message).toMatch(said)
    expect(error?.message).toContain(`(${place})\n\n`)
    const [line = '0'] = place.split(':')
    expect(error?.message).toContain(`> ${line} | `)
    expect(error?.message).not.toContain("'}'")
  })
})
