/** What the prelude would never write, should somebody have got hold of the engine's memory and write it in its name. */
import { describe, expect, test } from 'vitest'
import { CallDesk } from '../../src/sandbox/quickjs/run/call-desk.js'
import { ForeignMessage } from '../../src/sandbox/quickjs/run/foreign-message.js'
import { TextsAside } from '../../src/sandbox/quickjs/run/texts-aside.js'

function texts(...all: string[]): TextsAside {
  const aside = new TextsAside()
  for (const text of all) {
    aside.expect(text.length)
    aside.add(text)
  }
  return aside
}

describe('a large text', () => {
  test.each<[string, unknown, (string | number)[]]>([
    ['into a prototype', [{}], [0, '__proto__', 'polluted']],
    ['into a constructor', [{}], [0, 'constructor', 'prototype', 'polluted']],
    ['where nothing is', [{}], [0, 'polluted']],
    ['over a length', [[null]], [0, 'length']],
    ['over another value', [{ a: 1 }], [0, 'a']],
    ['into a scalar', [5], [0, 'a']],
    ['nowhere', [null], []],
  ])('is not put %s', (_what, root, way) => {
    expect(() => texts('evil').putInto(root as never, [way])).toThrow(ForeignMessage)
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined()
  })

  test('that was never sent is not put anywhere', () => {
    expect(() => texts().putInto([null], [[0]])).toThrow(ForeignMessage)
  })

  test('is an own property, whatever its name', () => {
    const root = JSON.parse('[{"__proto__":null}]')
    texts('text').putInto(root, [[0, '__proto__']])
    expect(JSON.stringify(root)).toBe('[{"__proto__":"text"}]')
    expect(Object.getPrototypeOf(root[0])).toBe(Object.prototype)
  })
})

describe('a call', () => {
  const namespaces = [{ global: 'closed', functions: ['one'], call: async () => ({ ok: true as const }) }]
  const desk = (): CallDesk =>
    new CallDesk({
      namespaces,
      limits: { maxCalls: 9 },
      hold: () => () => {},
      wake: () => {},
      callStack: () => '',
    } as never)

  test.each([
    ['of a namespace that there is not', '[1,7,0,"one",[],[]]'],
    ['of what every list has', '[1,"length",0,"one",[],[]]'],
    ['of a function that there is not', '[1,0,0,"two",[],[]]'],
    ['without a name', '[1,0,0,null,[],[]]'],
    ['without arguments', '[1,0,0,"one",{},[]]'],
    ['without a number', '["1",0,0,"one",[],[]]'],
  ])('%s is not taken', (_what, message) => {
    expect(() => desk().take(message, texts())).toThrow(ForeignMessage)
  })

  test('as the prelude writes it is taken', () => {
    const taking = desk()
    taking.take('[1,0,0,"one",[],[]]', texts())
    expect(taking.unanswered).toEqual([[1, 'one']])
  })
})
