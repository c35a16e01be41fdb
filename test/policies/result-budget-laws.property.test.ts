import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { countedTool } from '../support/tools.js'
import { readBytes, runWithin, textsOf } from './result-budget-support.js'

type Json = null | boolean | number | string | Json[] | { [key: string]: Json }

const LEFT_ITEMS = /^… ([\d,]+) more items?$/
const LEFT_CHARACTERS = /^([\s\S]*)… \[([\d,]+) more characters?\]$/
const LEFT_PROPERTIES = /^([\d,]+) more (property|properties)$/
const NAMED = /^… \[(array, [\d,]+ items?|object, [\d,]+ propert(?:y|ies))\]$/
const count = (text = ''): number => Number(text.replaceAll(',', ''))
const isWellFormed = (text: string): boolean => !/\p{Surrogate}/u.test(text)
const isObject = (value: unknown): value is { [key: string]: Json } =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Says where a cut value is no cut of the whole one: what is kept is the same, and what is not is counted. */
function faults(whole: Json, cut: Json, at = '$'): string[] {
  if (typeof cut === 'string' && typeof whole === 'object' && whole !== null)
    return NAMED.test(cut) ? [] : [at]
  if (typeof whole === 'string' && typeof cut === 'string') {
    if (whole === cut) return []
    const [, kept = '', left] = LEFT_CHARACTERS.exec(cut) ?? []
    const rest = whole.slice(kept.length)
    return whole.startsWith(kept) &&
      [...rest].length === count(left) &&
      (isWellFormed(kept) || !isWellFormed(whole))
      ? []
      : [`${at}: ${cut}`]
  }
  if (Array.isArray(whole) && Array.isArray(cut)) {
    const last = cut.at(-1)
    const [, left] = typeof last === 'string' ? (LEFT_ITEMS.exec(last) ?? []) : []
    const isMark = left !== undefined && last !== whole[cut.length - 1]
    const kept = isMark ? cut.slice(0, -1) : cut
    const missing = whole.length - kept.length
    return [
      ...(missing === (isMark ? count(left) : 0) ? [] : [`${at}: ${missing} missing`]),
      ...kept.flatMap((item, i) => faults(whole[i] as Json, item, `${at}[${i}]`)),
    ]
  }
  if (isObject(whole) && isObject(cut)) {
    const keys = Object.keys(cut)
    const own = keys.filter(key => Object.hasOwn(whole, key))
    const marks = keys.filter(key => !Object.hasOwn(whole, key) && /^…\.*$/.test(key))
    const cutKeys = keys.filter(key => !own.includes(key) && !marks.includes(key))
    const [, left] = LEFT_PROPERTIES.exec(String(cut[marks[0] ?? ''])) ?? []
    const missing = Object.keys(whole).length - own.length - cutKeys.length
    return [
      ...(missing === (left === undefined ? 0 : count(left)) ? [] : [`${at}: ${missing} missing`]),
      ...cutKeys.filter(key => !LEFT_CHARACTERS.test(key)),
      ...own.flatMap(key => faults(whole[key] as Json, cut[key] as Json, `${at}.${key}`)),
    ]
  }
  return Object.is(whole, cut) ? [] : [`${at}: ${JSON.stringify(cut)}`]
}

const string = fc.oneof(
  { weight: 6, arbitrary: fc.string({ unit: 'grapheme', maxLength: 20 }) },
  { weight: 3, arbitrary: fc.string({ unit: 'binary', maxLength: 400, size: 'max' }) },
  {
    weight: 1,
    arbitrary: fc.string({
      unit: fc.constantFrom('😀', '"', '\\', '\n', 'é', 'a'),
      maxLength: 3_000,
      size: 'max',
    }),
  },
)
const json = fc.letrec<{ value: Json; array: Json[]; object: { [key: string]: Json } }>(tie => ({
  value: fc.oneof(
    { maxDepth: 6, depthIdentifier: 'json' },
    fc.oneof(
      fc.constant(null),
      fc.boolean(),
      fc.integer(),
      fc.double({ noNaN: true, noDefaultInfinity: true }).map(n => n + 0),
      string,
    ),
    tie('array'),
    tie('object'),
  ),
  array: fc.array(tie('value'), { maxLength: 60, depthIdentifier: 'json' }),
  object: fc.dictionary(string, tie('value'), {
    maxKeys: 40,
    depthIdentifier: 'json',
    noNullPrototype: true,
  }),
}))

const escapeAll = (text: string): string =>
  text.replace(/[^\x20-\x7e]/g, unit => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
const PRINTS: ((value: Json) => string)[] = [
  value => JSON.stringify(value),
  value => JSON.stringify(value, null, 2),
  // Code unit by code unit, so that pairs are two escapes.
  value => escapeAll(JSON.stringify(value)),
  value => `\n ${JSON.stringify(value, null, '\t')}\r\n`,
]

const budget = fc.integer({ min: 1_024, max: 6_000 })
const run = (text: string, maxBytes: number, maxStringBytes?: number) =>
  runWithin(
    { maxBytes, ...(maxStringBytes !== undefined && { maxStringBytes }) },
    countedTool('tool', () => text),
  )

describe('whatever is cut to a budget', () => {
  it('stays JSON where it was JSON, keeps letter for letter what it keeps, and counts the rest', async () => {
    let cuts = 0
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(json.array, json.object),
        fc.constantFrom(...PRINTS),
        budget,
        fc.option(fc.integer({ min: 64, max: 500 }), { nil: undefined }),
        async (value, print, maxBytes, maxStringBytes) => {
          const text = print(value)
          const result = await run(text, maxBytes, maxStringBytes)
          const [shown = '', note] = textsOf(result.content)
          expect(readBytes(result)).toBeLessThanOrEqual(maxBytes)
          expect(faults(value, JSON.parse(shown))).toEqual([])
          if (note === undefined) expect(shown).toBe(text)
          else cuts++
        },
      ),
      { numRuns: 700 },
    )
    expect(cuts).toBeGreaterThan(150)
  })

  it('is within the budget, and has no half of a character, where it was plain text', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(string, { maxLength: 40 }), budget, async (lines, maxBytes) => {
        const text = `- ${lines.join('\n')}`
        const result = await run(text, maxBytes)
        const [shown = '', note] = textsOf(result.content)
        expect(readBytes(result)).toBeLessThanOrEqual(maxBytes)
        if (note === undefined) {
          expect(shown).toBe(text)
          return
        }
        const [head = '', tail = ''] = shown.split(/\n… \[[\d,]+ bytes left out\](?: …\n)?/)
        expect(text.startsWith(head) && text.endsWith(tail)).toBe(true)
        if (isWellFormed(text)) expect([isWellFormed(head), isWellFormed(tail)]).toEqual([true, true])
        const left = count(/… \[([\d,]+) bytes left out\]/.exec(shown)?.[1])
        expect(Buffer.byteLength(head) + Buffer.byteLength(tail) + left).toBe(Buffer.byteLength(text))
      }),
      { numRuns: 500 },
    )
  })
})
