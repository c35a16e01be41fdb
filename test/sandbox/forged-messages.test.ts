import { describe, expect, test } from 'vitest'
import { readThrown } from '../../src/sandbox/quickjs/run/judge-ending.js'
import {
  ForgedMessage,
  levelOf,
  readByteCount,
  readCallMessage,
  readCountedNames,
  readNumbers,
  readText,
} from '../../src/sandbox/quickjs/run/read-message.js'
import { TextsAside } from '../../src/sandbox/quickjs/run/texts-aside.js'

// A program cannot write these. They are what one would write that had got into the guest's own memory.
const forged: readonly (readonly [string, () => unknown])[] = [
  ['a call that is no list', () => readCallMessage('{}', 1)],
  ['a call of a namespace that is none', () => readCallMessage('[1,1,0,"a",[],[]]', 1)],
  ['a call of a namespace below zero', () => readCallMessage('[1,-1,0,"a",[],[]]', 1)],
  ['a call of an inherited namespace', () => readCallMessage('[1,"constructor",0,"a",[],[]]', 1)],
  ['a call without a number', () => readCallMessage('[null,0,0,"a",[],[]]', 1)],
  ['a call without a name', () => readCallMessage('[1,0,0,{},[],[]]', 1)],
  ['a call whose arguments are no list', () => readCallMessage('[1,0,0,"a",{"length":1},[]]', 1)],
  ['a call with ways that are none', () => readCallMessage('[1,0,0,"a",[],[[{}]]]', 1)],
  ['a timer that is none', () => readNumbers('["1"]')],
  ['names that are none', () => readCountedNames('[["a",1],2]')],
  ['more random bytes than are sent', () => readByteCount('1e12')],
  ['a line that is no text', () => readText('{}')],
  ['a line of an unknown level', () => levelOf('9')],
  ['an exception without a line', () => readThrown('{"stack":"","source":"own"}')],
  ['an exception of another kind', () => readThrown('{"line":"","stack":"","source":"abort"}')],
]

describe('a message that the guest does not write', () => {
  test.each(forged)('is refused: %s', (_what, read) => {
    expect(read).toThrow(ForgedMessage)
  })

  const ways: readonly (readonly [string, unknown, (string | number)[][]])[] = [
    ['through __proto__', [{}], [[0, '__proto__', 'polluted']]],
    ['through constructor', [{}], [[0, 'constructor', 'prototype', 'polluted']]],
    ['to a member that is not there', [{}], [[0, 'polluted']]],
    ['to a member of a list that is not there', [[]], [[0, 'length']]],
    ['to what is no null', [{ a: 1 }], [[0, 'a']]],
    ['through a text', ['abc'], [[0, 'length']]],
    ['to nothing', [null], [[]]],
    ['without a text', [null, null], [[0], [1]]],
  ]
  test.each(ways)('puts no text %s', (_what, root, wanted) => {
    const texts = new TextsAside()
    texts.expect(4)
    texts.add('text')
    const before = JSON.stringify(root)
    expect(() => texts.putInto(root as never, wanted)).toThrow(ForgedMessage)
    expect(JSON.stringify(root)).toBe(before)
    expect('polluted' in {}).toBe(false)
  })

  test('and one that it does write is taken', () => {
    const texts = new TextsAside()
    texts.expect(4)
    texts.add('text')
    const { args, ways: to } = readCallMessage(
      '[1,0,50,"a",[{"__proto__":{"b":null}}],[[0,"__proto__","b"]]]',
      1,
    )
    texts.putInto(args as never, to)
    expect(JSON.stringify(args)).toBe('[{"__proto__":{"b":"text"}}]')
  })
})
