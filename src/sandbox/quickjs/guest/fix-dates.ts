import { dateText } from './date-text.js'
import {
  apply,
  construct,
  define,
  globals,
  matches,
  NativeDate,
  NativeProxy,
  textOf,
  upperCase,
} from './intrinsics.js'

/** What RFC 3339 lets stand in lower case, and the engine reads in upper case only. */
const LOWER_CASE = /^[+-]?\d{4,6}-\d\d-\d\d[Tt]\d\d:[\d:.]+(?:[Zz]|[+-]\d\d:\d\d)?$/

const readable = (text: string): string =>
  dateText(matches(LOWER_CASE, text) ? apply(upperCase, text, []) : text)

/** Has the engine read dates as they are written elsewhere. */
export function fixDates(): void {
  const nativeParse = NativeDate.parse
  const { parse } = {
    parse(text: string): number {
      return nativeParse(readable(textOf(text)))
    },
  }
  const fixed = new NativeProxy(NativeDate, {
    __proto__: null,
    construct: (target: DateConstructor, args: unknown[], newTarget: DateConstructor): Date => {
      const first = args[0]
      if (args.length === 1 && typeof first === 'string') args[0] = readable(first)
      return construct(target, args, newTarget)
    },
  } as ProxyHandler<DateConstructor>)
  define(NativeDate, 'parse', parse, false)
  define(NativeDate.prototype, 'constructor', fixed, false)
  define(globals, 'Date', fixed, false)
}
