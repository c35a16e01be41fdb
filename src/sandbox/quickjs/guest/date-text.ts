import { apply, execRegExp, matches, slice } from './intrinsics.js'

// The engine reads what it can of a text as a date: fields change places until they fit, and an offset where no time stands is
// taken for the year. Elsewhere such texts are no dates, and a program that asks is told so.

const ISO = /^[+-]?\d{4,}-\d\d[^ ]*$/
/** Two or three numbers between the same signs, where no time and no other part follows at once. */
const NUMBERS = /^\s*(\d+)([/.-])(\d+)(?:\2(\d+))?(?![\d:/.-])/
const TIME = /\d:\d|\d\s*[ap]m/i
const NAMED_OFFSET = /\b(?:GMT|UTC|UT|Z)[+-]\d/i
const OFFSET = /\s[+-]\d{1,4}\s*$|\d\s+[+-]\d/
const NO_DATE = 'no date'

const exec = (pattern: RegExp, text: string): RegExpExecArray | null => apply(execRegExp, pattern, [text])
const isMonth = (number: number): boolean => number >= 1 && number <= 12
const isDay = (number: number): boolean => number >= 1 && number <= 31

function areOrdered(text: string): boolean {
  const found = exec(NUMBERS, text)
  if (found === null || (found[1] as string).length > 2) return true
  const first = +(found[1] as string)
  const second = +(found[3] as string)
  if (found[4] === undefined) return second <= 31
  return first > 31 ? isMonth(second) && isDay(+found[4]) : isMonth(first) && isDay(second)
}

/** What the engine should read in the place of a text, so that it reads the date that other engines do, or none. */
export function dateText(text: string): string {
  if (matches(ISO, text)) return text
  if (!areOrdered(text)) return NO_DATE
  if (matches(TIME, text)) return text
  const named = exec(NAMED_OFFSET, text)
  if (named !== null) return slice(text, 0, named.index) + ' 00:00 ' + slice(text, named.index)
  return matches(OFFSET, text) ? NO_DATE : text
}
