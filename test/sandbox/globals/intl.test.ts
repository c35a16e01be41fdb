import { describe, expect, test } from 'vitest'
import { returned } from '../support/run-code.js'
import { sameAsHost } from './same-as-host.js'

const NUMBERS =
  '[0, -0, 1, -1.5, 0.000123, 1234.5, 1234567.891, 1e21, NaN, Infinity, 0.5, 2.5, 999999, 12345678901234567890n]'
const numberOptions = [
  '{}',
  '{ style: "percent" }',
  '{ style: "percent", maximumFractionDigits: 1 }',
  '{ style: "currency", currency: "USD" }',
  '{ style: "currency", currency: "JPY" }',
  '{ style: "currency", currency: "USD", currencyDisplay: "name" }',
  '{ style: "currency", currency: "USD", currencySign: "accounting" }',
  '{ style: "unit", unit: "kilometer-per-hour" }',
  '{ style: "unit", unit: "megabyte", unitDisplay: "long" }',
  '{ style: "unit", unit: "liter", unitDisplay: "narrow" }',
  '{ notation: "scientific" }',
  '{ notation: "engineering" }',
  '{ minimumFractionDigits: 2, maximumFractionDigits: 2 }',
  '{ minimumIntegerDigits: 3 }',
  '{ maximumSignificantDigits: 3 }',
  '{ minimumSignificantDigits: 4 }',
  '{ useGrouping: false }',
  '{ useGrouping: "min2" }',
  '{ signDisplay: "always" }',
  '{ signDisplay: "exceptZero" }',
  '{ roundingMode: "floor", maximumFractionDigits: 0 }',
  '{ roundingMode: "halfEven", maximumFractionDigits: 0 }',
]

const ORDINARY = '[0, -1.5, 0.0123, 999, 1000, 1234.5, 15300, 999999, 1234567.891, 5e9, 7.77e12]'
const ordinaryOptions = [
  '{ notation: "compact" }',
  '{ notation: "compact", compactDisplay: "long" }',
  '{ notation: "compact", maximumFractionDigits: 1 }',
  '{ style: "currency", currency: "USD", notation: "compact" }',
  '{ style: "currency", currency: "EUR", currencyDisplay: "code" }',
]

describe('numbers read as they do elsewhere', () => {
  sameAsHost([
    ...numberOptions.map(options => `${NUMBERS}.map(n => n.toLocaleString("en-US", ${options}))`),
    ...ordinaryOptions.map(options => `${ORDINARY}.map(n => n.toLocaleString("en-US", ${options}))`),
    `${NUMBERS}.map(n => n.toLocaleString())`,
    `${NUMBERS}.map(n => new Intl.NumberFormat("en").format(n))`,
    'new Intl.NumberFormat("en-US", { style: "currency", currency: "USD" }).formatToParts(-1234.5)',
    'new Intl.NumberFormat("en-US").formatRange(3, 5)',
    'Intl.NumberFormat("en-US").format("1234.50")',
    '[1, 2, 3].map(Intl.NumberFormat("en-US", { style: "percent" }).format)',
    '(({ locale, numberingSystem, style, currency, minimumFractionDigits, maximumFractionDigits }) => [locale, numberingSystem, style, currency, minimumFractionDigits, maximumFractionDigits])(new Intl.NumberFormat("en-US", { style: "currency", currency: "USD" }).resolvedOptions())',
    'Intl.NumberFormat.supportedLocalesOf(["en-US", "en"])',
    'new Intl.NumberFormat("en-US", { style: "currency" })',
    'new Intl.NumberFormat("en-US", { style: "nonsense" })',
    'new Intl.NumberFormat("en-US", { maximumFractionDigits: 1000 })',
    'new Intl.NumberFormat("not a locale")',
    'Number.prototype.toLocaleString.call("5")',
    'Object.prototype.toString.call(new Intl.NumberFormat())',
    'Object.prototype.toString.call(Intl)',
  ])
})

const DATES = '[1e11, 1767225599999, 951782400000, 1751371200000, 1741509000000].map(t => new Date(t))'
const dateOptions = [
  '{ timeZone: "UTC" }',
  ...['full', 'long', 'medium', 'short'].flatMap(style => [
    `{ dateStyle: "${style}", timeZone: "UTC" }`,
    `{ timeStyle: "${style}", timeZone: "UTC" }`,
    `{ dateStyle: "${style}", timeStyle: "short", timeZone: "America/New_York" }`,
  ]),
  '{ year: "numeric", month: "short", day: "numeric", timeZone: "UTC" }',
  '{ year: "numeric", month: "long", day: "numeric", weekday: "long", timeZone: "UTC" }',
  '{ weekday: "short", timeZone: "UTC" }',
  '{ month: "long", timeZone: "UTC" }',
  '{ month: "2-digit", day: "2-digit", year: "numeric", timeZone: "UTC" }',
  '{ year: "2-digit", month: "numeric", day: "numeric", timeZone: "UTC" }',
  '{ month: "short", day: "numeric", timeZone: "Asia/Tokyo" }',
  '{ year: "numeric", month: "long", timeZone: "UTC" }',
  '{ hour: "numeric", minute: "2-digit", timeZone: "UTC" }',
  '{ hour: "2-digit", minute: "2-digit", second: "2-digit", hour12: false, timeZone: "Asia/Kathmandu" }',
  '{ hour: "numeric", minute: "numeric", hourCycle: "h23", timeZone: "Europe/Berlin" }',
  '{ hour: "numeric", timeZone: "UTC" }',
  '{ month: "short", day: "numeric", hour: "numeric", minute: "2-digit", timeZone: "America/Los_Angeles" }',
  '{ year: "numeric", month: "2-digit", day: "2-digit", hour: "2-digit", minute: "2-digit", second: "2-digit", timeZone: "Asia/Kolkata" }',
  '{ weekday: "short", month: "short", day: "numeric", hour: "numeric", timeZone: "UTC" }',
  '{ hour: "numeric", minute: "2-digit", timeZone: "America/New_York", timeZoneName: "short" }',
  '{ hour: "numeric", minute: "2-digit", second: "2-digit", timeZone: "Europe/London", timeZoneName: "long" }',
  '{ year: "numeric", month: "long", day: "numeric", hour: "numeric", minute: "2-digit", timeZoneName: "short", timeZone: "Australia/Sydney" }',
  '{ year: "numeric", month: "long", day: "numeric", hour: "numeric", minute: "2-digit", timeZone: "UTC" }',
  '{ era: "short", year: "numeric", timeZone: "UTC" }',
]

describe('dates read as they do elsewhere', () => {
  sameAsHost([
    ...dateOptions.map(
      options => `${DATES}.map(d => new Intl.DateTimeFormat("en-US", ${options}).format(d))`,
    ),
    ...['toLocaleString', 'toLocaleDateString', 'toLocaleTimeString'].map(
      method => `${DATES}.map(d => d.${method}("en-US", { timeZone: "America/Chicago" }))`,
    ),
    `${DATES}.map(d => d.toLocaleDateString("en-US", { month: "short", timeZone: "UTC" }))`,
    `${DATES}.map(d => d.toLocaleTimeString("en-US", { hour: "2-digit", timeZone: "UTC" }))`,
    'new Date(NaN).toLocaleString("en-US")',
    'new Date(0).toLocaleDateString("en-US", { timeStyle: "short" })',
    'new Date(0).toLocaleString("en-US", { timeZone: "Not/AZone" })',
    'new Intl.DateTimeFormat("en-US", { timeZone: "UTC", dateStyle: "full", year: "numeric" })',
    'new Intl.DateTimeFormat("en-US").format(new Date(NaN))',
    'new Intl.DateTimeFormat("en-US", { dateStyle: "medium", timeZone: "UTC" }).formatToParts(0)',
    'new Intl.DateTimeFormat("en-US", { dateStyle: "medium", timeZone: "UTC" }).formatRange(0, 1e9)',
    'Date.prototype.toLocaleString.call(5)',
    // Times on both sides of the changes of clocks.
    ...[
      'America/New_York',
      'Europe/Berlin',
      'Australia/Sydney',
      'America/Sao_Paulo',
      'Asia/Kathmandu',
      'Pacific/Apia',
    ].map(
      zone =>
        `Array.from({ length: 80 }, (_, i) => new Date(Date.UTC(1975, i * 7, 1 + i % 28, i % 24)).toLocaleString("en-US", { timeZone: "${zone}" }))`,
    ),
  ])
})

describe('every time zone of the host is known, with its offset of today and of 1990', () => {
  const zones = Intl.supportedValuesOf('timeZone')
  const parts = Array.from({ length: 8 }, (_, part) => zones.filter((_zone, i) => i % 8 === part))
  // One formatter for each zone: the host takes milliseconds to make one.
  sameAsHost(
    parts.map(
      part =>
        `${JSON.stringify(part)}.map(timeZone => { const f = new Intl.DateTimeFormat("en-US", { timeZone, dateStyle: "short", timeStyle: "short" }); return [0, 6].flatMap(month => [1990, 2025].map(year => f.format(Date.UTC(year, month, 15)))) })`,
    ),
  )
})

describe('plurals, lists, relative times', () => {
  sameAsHost([
    '[0, 1, 2, 1.5, 11, 21].map(n => new Intl.PluralRules("en").select(n))',
    '[1, 2, 3, 4, 11, 12, 13, 21, 22, 103].map(n => new Intl.PluralRules("en-US", { type: "ordinal" }).select(n))',
    ...['conjunction', 'disjunction', 'unit'].map(
      type =>
        `[[], ["a"], ["a", "b"], ["a", "b", "c"]].map(list => new Intl.ListFormat("en", { type: "${type}" }).format(list))`,
    ),
    'new Intl.ListFormat("en", { style: "short" }).formatToParts(["a", "b"])',
    'new Intl.ListFormat("en").format([1])',
    ...['second', 'minute', 'hour', 'day', 'week', 'month', 'quarter', 'year'].map(
      unit =>
        `[-2, -1, 0, 1, 1.5, 1000].flatMap(n => ["always", "auto"].map(numeric => new Intl.RelativeTimeFormat("en", { numeric }).format(n, "${unit}")))`,
    ),
    'new Intl.RelativeTimeFormat("en").format(1, "nonsense")',
    'Intl.getCanonicalLocales(["EN-us", "de-latn-de", "en-us"])',
    'Intl.getCanonicalLocales("a_b")',
  ])
})

const WORDS =
  '["b", "A", "a", "B", "é", "e", "E", "f", "", " ", "-", "_", "10", "9", "1", "a b", "ab", "a-b", "résumé", "resume", "Resume", "zebra", "Äpfel", "Apfel", "apple", "ß", "ss", "co-op", "coop", "CO-OP", "item 2", "item 10", "$5", "€5", "naïve", "naive", "œuvre", "oeuvre", "Zoë", "Zoe", "#1", "@x", "(a)", "1a", "a1", "?", "!"]'
const pairsWith = (compare: string): string =>
  `(words => words.flatMap(a => words.map(b => Math.sign(${compare}))))(${WORDS})`

describe('texts are ordered as they are elsewhere', () => {
  sameAsHost([
    `${WORDS}.sort((a, b) => a.localeCompare(b))`,
    pairsWith('a.localeCompare(b)'),
    ...['base', 'accent', 'case', 'variant'].map(s =>
      pairsWith(`a.localeCompare(b, "en", { sensitivity: "${s}" })`),
    ),
    '["a10", "a9", "a1", "a", "10", "9b", "9", "09", "1.10", "1.9"].sort(new Intl.Collator("en", { numeric: true }).compare)',
    `${WORDS}.sort(new Intl.Collator("en", { caseFirst: "upper" }).compare)`,
    `${WORDS}.sort(new Intl.Collator("en-US", { ignorePunctuation: true, sensitivity: "base" }).compare)`,
    '"a".localeCompare()',
    'String.prototype.localeCompare.call(null, "a")',
    'new Intl.Collator("en", { sensitivity: "nonsense" })',
    'new Intl.Collator("en").resolvedOptions().sensitivity',
    '["b", "a", "C"].sort(Intl.Collator("en").compare)',
    '(c => [c instanceof Intl.Collator, c.constructor === Intl.Collator, Intl.Collator.length, Intl.Collator.supportedLocalesOf("en")])(Intl.Collator())',
    'new (class extends Intl.Collator { first(list) { return list.sort(this.compare)[0] } })("en").first(["b", "a"])',
    'new Intl.Collator("en", null)',
    'new Intl.Collator("en").compare(Symbol(), "a")',
    '"a".localeCompare(Symbol())',
    '"a".localeCompare({ toString: () => "b", valueOf: () => "A" })',
    '["file 10", "file 9", "file 09", "File 9", "file 9a", "file 1é", "file", "filé 9"].sort(new Intl.Collator("en", { numeric: true }).compare)',
    pairsWith('a.localeCompare(b, undefined, { numeric: true })'),
  ])

  test.each([
    ['texts of ASCII are compared as they are', 'customer', 0],
    ['of other texts is kept what was made of each', 'José', 2],
  ])('%s', async (_what, name, times) => {
    const program = `let made = 0
const { normalize } = String.prototype
String.prototype.normalize = function (...form) { made++; return normalize.apply(this, form) }
const names = Array.from({ length: 500 }, (_, i) => '${name} ' + (i * 79) % 503)
const before = made
const sorted = [names.toSorted((a, b) => a.localeCompare(b)), names.toSorted(new Intl.Collator('en', { numeric: true }).compare)]
return [sorted.map(list => list[1]), made - before <= 2 * ${times} * names.length]`
    expect(await returned(program)).toEqual([[`${name} 1`, `${name} 1`], true])
  })

  test('much other text is not kept beyond a bound', async () => {
    const program = `let n = 0
for (let i = 0; i < 300; i++) n += ('é'.repeat(5000) + i).localeCompare('é'.repeat(5000) + (i + 1000), 'en', { numeric: true })
return n`
    expect(await returned(program)).toBe(-300)
  })
})

describe('lists read as they do elsewhere', () => {
  sameAsHost([
    '[1234.5, null, undefined, 2e6, "text", true].toLocaleString()',
    '[1234.5, 2e6].toLocaleString("en-US", { style: "currency", currency: "USD" })',
    '[0.5, [0.25, [0.125]]].toLocaleString("en-US", { style: "percent" })',
    '[new Date(1e11), 5].toLocaleString("en-US", { timeZone: "UTC", maximumFractionDigits: 1 })',
    'new Float64Array([1234.5, 0.25]).toLocaleString("en-US", { style: "percent" })',
    'new BigInt64Array([12345n]).toLocaleString("en-US", { useGrouping: false })',
    '[].toLocaleString("en-US")',
    '[{ toLocaleString: (locales, options) => JSON.stringify([locales, options]) }].toLocaleString("en", { a: 1 })',
    'Array.prototype.toLocaleString.call({ length: 2, 0: 1234.5, 1: 2e6 }, "en-US", { minimumFractionDigits: 2 })',
    'Array.prototype.toLocaleString.call(null)',
    'Uint8Array.prototype.toLocaleString.call([1])',
    '[Array.prototype.toLocaleString.length, Array.prototype.toLocaleString.name]',
  ])
})
