/**
 * Decided otherwise:
 * - JSON-12 depth is a limit, `maxDepth`, 10 000 levels unless the registry says otherwise; all walks are iterative.
 * - JSON-13 so is the number of values, `maxNodes`: a shared graph is refused by its size, at once.
 * - JSON-18 unusable arguments have a code, ARGUMENTS_NOT_JSON or LIMIT_EXCEEDED.
 * - JSON-19 one iterative snapshot; no structured clone.
 * - JSON-20 text is the model's JSON text, and null is no arguments at all: {}.
 * - JSON-21 nothing is frozen deeply but the snapshots of JSON; signals and callers are left alone.
 */
import { runInNewContext } from 'node:vm'
import { isLosslessJson, snapshotJson } from 'toolgate'
import { describe, expect, it } from 'vitest'
import { refusal, refuses, revokedProxy, takes } from './lossless-json-support.js'

describe('what JSON can carry', () => {
  it.each([
    ['null', null],
    ['true', true],
    ['a text', 'a'],
    ['a lone surrogate', '\ud800'],
    ['a lone surrogate as key', { '\udc00': 1 }],
    ['the largest number', Number.MAX_VALUE],
    ['the smallest number', Number.MIN_VALUE],
    ['a list', [1, [2, []]]],
    ['an object', { a: { b: [null, { c: 'd' }] } }],
    ['an object without prototype', Object.assign(Object.create(null), { a: 1 })],
    ['an object of another realm', runInNewContext('({ a: [1, { b: 2 }] })')],
  ])('%s is taken (JSON-01)', (_what, value) => {
    expect(isLosslessJson(value)).toBe(true)
    expect(JSON.stringify(snapshotJson(value))).toBe(JSON.stringify(value))
  })

  it.each([
    ['NaN', Number.NaN],
    ['Infinity', Number.POSITIVE_INFINITY],
    ['-Infinity', Number.NEGATIVE_INFINITY],
    ['-0', -0],
    ['undefined', undefined],
    ['a BigInt', 1n],
    ['a symbol', Symbol('s')],
    ['a function', () => 1],
  ])('%s is refused as a root, in a list and in an object (JSON-02)', (_what, value) => {
    for (const given of [value, [value], { a: { b: value } }]) refuses(given)
  })

  it('a property that is undefined is refused, not left out (JSON-03)', () => {
    refuses({ a: undefined })
    refuses({ a: 1, b: [{ c: undefined }] })
    expect(refusal({ a: [{ b: undefined }] }).message).toContain('value.a[0].b')
  })

  class List extends Array<number> {}
  const withHole = [1, 2, 3]
  delete withHole[1]
  it.each([
    ['a hole', withHole],
    ['nothing but holes', new Array(3)],
    ['a hole and an extra property that makes up for it', Object.assign([1, , 3], { extra: 2 })],
    ['an extra property', Object.assign([1], { x: 1 })],
    ['a symbol property', Object.assign([1], { [Symbol('x')]: 1 })],
    ['a hidden property', Object.defineProperty([1], 'x', { value: 1 })],
    ['an instance of a subclass', List.of(1)],
    ['another prototype', Object.setPrototypeOf([1], { ...Array.prototype })],
    ['no prototype', Object.setPrototypeOf([1], null)],
    ['a length past what it holds', Object.assign([1], { length: 5 })],
  ])('a list with %s is refused (JSON-04)', (_what, value) => {
    refuses(value)
    refuses({ list: [value] })
  })

  it('refuses a list of 2^32 - 1 holes without walking it (JSON-04)', () => {
    refuses(new Array(2 ** 32 - 1))
  })

  const lookAlike = (): object => {
    const prototype = Object.create(null)
    prototype.constructor = runInNewContext('(function Object() {})')
    prototype.constructor.prototype = prototype
    return Object.create(prototype)
  }
  const boundLookAlike = (): object => {
    const prototype = Object.create(null)
    prototype.constructor = runInNewContext('(function Object() {}).bind(null)')
    Object.defineProperty(prototype.constructor, 'name', { value: 'Object' })
    prototype.constructor.prototype = prototype
    return Object.create(prototype)
  }
  const revokedConstructor = (): object => {
    const prototype = Object.create(null)
    prototype.constructor = revokedProxy(() => 1)
    return Object.create(prototype)
  }
  it.each([
    ['an instance of a class', new (class Point {})()],
    ['a Date', new Date(0)],
    ['a Map', new Map()],
    ['a Set', new Set()],
    ['a regular expression', /a/],
    ['an error', new Error('e')],
    ['a promise', Promise.resolve(1)],
    ['a boxed string', new String('a')],
    ['a boxed number', new Number(1)],
    ['a boxed boolean', new Boolean(true)],
    [
      'the arguments of a function',
      (function () {
        // biome-ignore lint/complexity/noArguments: what is tested
        return arguments
      })(),
    ],
    ['a typed array', new Uint8Array(2)],
    ['an array buffer', new ArrayBuffer(2)],
    ['a weak map', new WeakMap()],
    ['an object that inherits', Object.create({ a: 1 })],
    ['a look-alike of Object.prototype', lookAlike()],
    ['a look-alike with native source', boundLookAlike()],
    ['a prototype whose constructor is a revoked proxy', revokedConstructor()],
    ['a Date of another realm', runInNewContext('new Date(0)')],
    ['an instance of another realm’s class', runInNewContext('new (class Point {})()')],
  ])('%s is no plain object (JSON-05)', (_what, value) => {
    refuses(value)
    refuses([{ a: value }])
  })

  it('plain data of another realm is plain data (JSON-05)', () => {
    takes(runInNewContext('({ a: { b: [1, { c: [] }] } })'))
    refuses(runInNewContext('class List extends Array {}; List.of(1)'))
  })

  it.each([
    ['a symbol key', { a: 1, [Symbol('x')]: 1 }],
    ['a hidden key', Object.defineProperty({ a: 1 }, 'x', { value: 1 })],
    ['nothing but a hidden key', Object.defineProperty({}, 'x', { value: 1 })],
  ])('an object with %s is refused (JSON-06)', (_what, value) => refuses(value))

  it('toJSON is never called, and is a function like others (JSON-07)', () => {
    let calls = 0
    refuses({ a: 1, toJSON: () => ++calls })
    refuses(Object.create({ toJSON: () => ++calls }))
    takes({ toJSON: 'text' })
    expect(calls).toBe(0)
  })
})
