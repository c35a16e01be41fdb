import { apply, execRegExp, matches, slice } from './intrinsics.js'

// The engine reads what it can of a text as a date: fields change places until they fit, and an offset where no time stands is
// taken for the year. Elsewhere such texts are no dates, and a program that asks is told so.

const ISO = /^(?:\d{4,}|[+-]\d{6})-\d\d(?:\S*[\dZz])?$/
/** Two or three numbers between the same signs, where no time and no other part follows at once. */
const NUMBERS = /^\s*(\d+)([/.-])(\d+)(?:\2(\d+))?(?![\d:/.-])/
const TIME = /\d:\d|\d\s*[ap]m/i
const NAMED_OFFSET = /\b(?:GMT|UTC|UT|Z)[+-]\d/i
const OFFSET = /\s[+-]\d{1,4}\s*$|\d\s+[+-]\d/
const NO_DATE = 'no date'
/** White space but blanks, which are the only one that the engine passes over. */
const OTHER_SPACE = /[^\S ]/
/** Signs that are passed over before a date, and behind one. Others are words elsewhere, which a number neither follows nor is followed by. */
const BEFORE = /[\s!-'*-/:-@]/
const BEHIND = /[\s!-'*,-/:-@]/
const NO_WORD = /^[[-\x60{-\uffff]|\d[[-\x60{-\uffff]|\d\+$/
const NUMBER_IN_WORD = /^(?!jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]+\d/i
/** No date is longer. */
const MOST_UNITS = 200

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

/** Without what the engine takes for a field of a date, and is passed over elsewhere: quotes and line breaks around it, tabs in it. */
function bareText(text: string): string {
  if (text.length > MOST_UNITS) return text
  let from = 0
  let to = text.length
  while (from < to && matches(BEFORE, text[from] as string)) from += 1
  while (to > from && matches(BEHIND, text[to - 1] as string)) to -= 1
  const inner = slice(text, from, to)
  if (!matches(OTHER_SPACE, inner)) return inner
  let spaced = ''
  for (let i = 0; i < inner.length; i++)
    spaced += matches(OTHER_SPACE, inner[i] as string) ? ' ' : (inner[i] as string)
  return spaced
}

/** What the engine should read in the place of a text, so that it reads the date that other engines do, or none. */
export function dateText(given: string): string {
  if (matches(ISO, given)) return given
  const text = bareText(given)
  if (matches(ISO, text)) return text
  if (matches(NO_WORD, text) || matches(NUMBER_IN_WORD, text) || !areOrdered(text)) return NO_DATE
  if (matches(TIME, text)) return text
  const named = exec(NAMED_OFFSET, text)
  if (named !== null) return slice(text, 0, named.index) + ' 00:00 ' + slice(text, named.index)
  return matches(OFFSET, text) ? NO_DATE : text
}
