import {
  apply,
  arrayPrototype,
  create,
  dateTime,
  define,
  describeFunction,
  evaluate,
  globals,
  NativeDate,
  NativeSymbol,
  NativeTypeError,
  probe,
  setProperty,
  textOf,
  typedArrayPrototype,
  typedArrayTag,
} from './intrinsics.js'
import { STAND_INS } from './names.js'

/** Asks the host for the text of a part. */
export type Fetch = (part: string) => unknown

type Part = Record<string, unknown>
type MakePart = (scope: object, intl: object, zones: () => unknown) => Part
export type Load = (part: string) => Part

/** Which part has which names: those of the web, then those of `Intl`. */
const WEB = {
  __proto__: null,
  URL: 'url',
  URLSearchParams: 'url',
  TextEncoder: 'encoding',
  TextDecoder: 'encoding',
  structuredClone: 'clone',
  DOMException: 'exceptions',
} as unknown as Record<string, string>
const INTL = {
  __proto__: null,
  NumberFormat: 'number',
  PluralRules: 'number',
  DateTimeFormat: 'date',
  ListFormat: 'list',
  RelativeTimeFormat: 'relative',
  Collator: 'collator',
  getCanonicalLocales: 'locales',
} as unknown as Record<string, string>

const intl: Record<PropertyKey, unknown> = {}
const parts: Record<string, Part> = create(null)

/**
 * Parts are made from text when they are first touched, in the program's own world: a program that has changed the language
 * gets what it made of it. What they are handed leads nowhere: a scope in front of the globals, `Intl`, and more text.
 */
function partOf(fetch: Fetch, name: string): Part {
  const known = parts[name]
  if (known !== undefined) return known
  const make = evaluate(fetch(name)) as MakePart
  const scope = create(globals) as object
  for (const hidden in WEB) define(scope, hidden, undefined)
  for (const hidden in STAND_INS) define(scope, hidden, undefined)
  // Where the package looks for the class of its errors.
  if (name === 'clone') define(scope, 'DOMException', partOf(fetch, 'exceptions').DOMException)
  const zones = (): unknown => (evaluate(fetch('zones')) as () => unknown)()
  const made = make(scope, intl, zones)
  parts[name] = made
  return made
}

/** A property that becomes a plain one when it is first read or written. */
function defineLazily(target: object, name: string, make: () => unknown): void {
  const settle = (value: unknown): void => define(target, name, value, false)
  setProperty(target, name, {
    __proto__: null,
    enumerable: false,
    configurable: true,
    get: () => {
      const value = make()
      settle(value)
      return value
    },
    set: settle,
  } as PropertyDescriptor)
}

function defineParts(load: Load, target: object, names: Record<string, string>): void {
  for (const name in names)
    defineLazily(target, name, () => {
      const value = load(names[name] as string)[name]
      if (typeof value === 'function') describeFunction(value, 'name', name)
      return value
    })
}

type Method = (this: unknown, first?: unknown, second?: unknown, third?: unknown) => unknown

function defineMethod(prototype: object, name: string, length: number, method: Method): void {
  describeFunction(method, 'name', name)
  describeFunction(method, 'length', length)
  define(prototype, name, method, false)
}

/** Methods of the language that format and compare for people. */
function defineFormatting(load: Load): void {
  const formatWith = (part: string, args: unknown[]): unknown =>
    apply(load(part).format as () => unknown, undefined, args as never)
  const addNumber = (prototype: { valueOf: () => unknown }): void => {
    const valueOfNumber = prototype.valueOf
    const { method } = {
      method(this: unknown, locales: unknown, options: unknown): unknown {
        return formatWith('number', [apply(valueOfNumber, this, []), locales, options])
      },
    }
    defineMethod(prototype, 'toLocaleString', 0, method)
  }
  const addDate = (name: string, required: string, defaults: string): void => {
    const { method } = {
      method(this: unknown, locales: unknown, options: unknown): unknown {
        const date = new NativeDate(apply(dateTime as () => number, this, []))
        return formatWith('date', [date, locales, options, required, defaults])
      },
    }
    defineMethod(NativeDate.prototype, name, 0, method)
  }
  // The engine's own hand neither locales nor options on to the elements.
  const addList = (prototype: object, isOne: (value: unknown) => boolean): void => {
    const { method } = {
      method(this: unknown, locales: unknown, options: unknown): unknown {
        if (!isOne(this)) throw new NativeTypeError('toLocaleString needs a list')
        const list = this as ArrayLike<{ toLocaleString(locales: unknown, options: unknown): unknown } | null>
        const { length } = list
        let text = ''
        for (let i = 0; i < length; i++) {
          if (i > 0) text += ','
          const element = list[i]
          if (element !== undefined && element !== null)
            text += textOf(element.toLocaleString(locales, options))
        }
        return text
      },
    }
    defineMethod(prototype, 'toLocaleString', 0, method)
  }
  addList(arrayPrototype, value => value !== undefined && value !== null)
  addList(typedArrayPrototype, value => probe(typedArrayTag, value) !== undefined)
  addNumber(Number.prototype)
  addNumber(BigInt.prototype)
  addDate('toLocaleString', 'any', 'all')
  addDate('toLocaleDateString', 'date', 'date')
  addDate('toLocaleTimeString', 'time', 'time')
  const { localeCompare } = {
    localeCompare(this: unknown, other: unknown, locales: unknown, options: unknown): unknown {
      if (this === undefined || this === null) throw new NativeTypeError('localeCompare needs a text')
      return apply(load('collator').compare as () => unknown, undefined, [
        textOf(this),
        textOf(other),
        locales,
        options,
      ] as never)
    },
  }
  defineMethod(String.prototype, 'localeCompare', 1, localeCompare)
}

/** Names that cost nothing until a program touches them. */
export function makeLazy(fetch: Fetch, scope: object): Load {
  const load: Load = name => partOf(fetch, name)
  defineParts(load, scope, WEB)
  defineParts(load, intl, INTL)
  define(intl, NativeSymbol.toStringTag, 'Intl', false)
  define(scope, 'Intl', intl, false)
  defineFormatting(load)
  return load
}
