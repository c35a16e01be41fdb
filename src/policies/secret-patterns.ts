import { ToolgateError } from '../errors/toolgate-error.js'
import { refuseOption } from './checked-options.js'
import { dropRejection } from './drop-rejection.js'
import type { SecretRange } from './secret-ranges.js'

/**
 * Finds secrets of one's own in a text: where each begins and ends. Synchronous; what it throws, or an answer that is none,
 * withholds the result.
 */
export type SecretFinder = (text: string) => Iterable<SecretRange>

function badAnswer(): never {
  throw new ToolgateError(
    'INVALID_DECISION',
    'A finder of redact answered something else than ranges of its text',
  )
}

const isWithin = (value: unknown, least: number, most: number): value is number =>
  typeof value === 'number' && Number.isInteger(value) && value >= least && value <= most

function checkedRange(range: unknown, length: number): SecretRange {
  if (typeof range !== 'object' || range === null) return badAnswer()
  const { start, end, kind } = range as { readonly [key in keyof SecretRange]?: unknown }
  if (!isWithin(start, 0, length) || !isWithin(end, start, length)) return badAnswer()
  if (kind !== undefined && typeof kind !== 'string') return badAnswer()
  return { start, end, kind }
}

function ownFinder(find: SecretFinder): SecretFinder {
  return text => {
    const answer: unknown = find(text)
    dropRejection(answer)
    const isList = typeof answer === 'object' && answer !== null && Symbol.iterator in answer
    if (!isList) return badAnswer()
    const ranges: SecretRange[] = []
    for (const range of answer as Iterable<unknown>) {
      if (ranges.length > text.length) return badAnswer()
      ranges.push(checkedRange(range, text.length))
    }
    return ranges.filter(({ start, end }) => end > start)
  }
}

function* matches(expression: RegExp, text: string): Generator<SecretRange> {
  for (const match of text.matchAll(expression)) {
    const { secret } = match.indices?.groups ?? {}
    const [start, end] = secret ?? [match.index, match.index + match[0].length]
    if (end > start) yield { start, end }
  }
}

/** The finders of patterns: expressions, of which the group `secret` is hidden where they have it, and functions. */
export function patternFinders(given: unknown): readonly SecretFinder[] {
  if (given === undefined) return []
  if (!Array.isArray(given)) return refuseOption('redact: patterns must be an array of RegExp and functions')
  return Array.from(given, pattern => {
    if (typeof pattern === 'function') return ownFinder(pattern as SecretFinder)
    if (!(pattern instanceof RegExp)) return refuseOption('redact: a pattern must be a RegExp or a function')
    const flags = new Set([...pattern.flags.replace('y', ''), 'g', 'd'])
    const expression = new RegExp(pattern.source, [...flags].join(''))
    return text => matches(expression, text)
  })
}
