import { describe, expect, test } from 'vitest'
import { returned } from '../support/run-code.js'
import { sameAsHost } from './same-as-host.js'

type Choices = { readonly [option: string]: readonly unknown[] }

const NOTATIONS = ['standard', 'compact', 'scientific', 'engineering']
const STYLES = [
  '',
  'style: "percent", ',
  'style: "unit", unit: "byte", ',
  'style: "unit", unit: "liter", unitDisplay: "long", ',
]
const MAGNITUDES =
  '[0, -0, 5e-324, 1e-21, 5e-10, 1e-8, -1e-7, 9e-7, 0.000001, 1e-5, 0.01, 0.5, 1.5, 9.99, 45.87716033955903, 99.73142785007666, 999.4999, 999.5, 999.99, 1000, 1500, 9999, 99999, 999499, 999500, 999950, 1234567, 1234567.1234567891, 1e9, -1.5e12, 9715950633266.918, 999999999999999, 1e15, 1e16, 9999999999999998, 1e21, 1.5e22, 1e25, NaN, Infinity, -Infinity, 99999999999999999n, 999999999999999999n]'
const DIGITS = [
  '',
  'maximumFractionDigits: 1',
  'minimumFractionDigits: 1',
  'maximumSignificantDigits: 1',
  'minimumSignificantDigits: 2',
  'useGrouping: "auto"',
  'useGrouping: "always"',
  'signDisplay: "exceptZero"',
]

describe('numbers of every size read as they do elsewhere', () => {
  sameAsHost([
    ...NOTATIONS.flatMap(notation =>
      STYLES.flatMap(style =>
        DIGITS.map(
          digits =>
            `${MAGNITUDES}.map(n => n.toLocaleString("en-US", { notation: "${notation}", ${style}${digits} }))`,
        ),
      ),
    ),
    ...['short', 'long'].map(
      compactDisplay =>
        `${MAGNITUDES}.map(n => n.toLocaleString("en", { notation: "compact", compactDisplay: "${compactDisplay}", style: "percent" }))`,
    ),
    `${MAGNITUDES}.map(n => n.toLocaleString("en", { notation: "compact", style: "currency", currency: "USD" }))`,
    `${MAGNITUDES}.map(n => n.toLocaleString("en", { style: "currency", currency: "KWD" }))`,
    '[0.07, 1562, 999999, 1e16].map(n => ["scientific", "engineering"].map(notation => n.toLocaleString("en", { notation, roundingIncrement: 25, minimumFractionDigits: 2, maximumFractionDigits: 2 })))',
  ])
})

const WHEN = '[0, 1080000000087, 1720094400000, 1720096200123, 1741503599000].map(t => new Date(t))'
const METHODS = ['toLocaleString', 'toLocaleDateString', 'toLocaleTimeString']
const OPTIONS = [
  'timeZoneName: "short"',
  'timeZoneName: "long", timeZone: "Europe/Berlin"',
  'timeZoneName: "short", timeZone: "America/New_York"',
  'timeZoneName: "shortOffset", timeZone: "Asia/Kolkata"',
  'timeZoneName: "longOffset", timeZone: "America/St_Johns"',
  'timeZoneName: "shortOffset"',
  'dayPeriod: "short"',
  'dayPeriod: "narrow", hour: "numeric"',
  'dayPeriod: "long", hour: "numeric", minute: "2-digit"',
  'weekday: "long", hour: "numeric"',
  'era: "long", year: "numeric"',
  'era: "short", month: "long", weekday: "short"',
  'day: "numeric"',
  'year: "2-digit"',
  'weekday: "narrow"',
  'weekday: "long", month: "long"',
  'year: "numeric", weekday: "long"',
  'day: "2-digit", year: "numeric"',
  'month: "2-digit", day: "2-digit", year: "numeric"',
  'year: "numeric", month: "short", day: "2-digit", hour: "2-digit", minute: "2-digit"',
  'second: "2-digit"',
  'minute: "numeric"',
  'minute: "2-digit", second: "2-digit"',
  'hour: "numeric", second: "numeric"',
  'fractionalSecondDigits: 3',
  'fractionalSecondDigits: 3, second: "numeric"',
  'hour: "numeric", minute: "2-digit", second: "2-digit", fractionalSecondDigits: 2',
  'hour: "2-digit"',
  'hour: "numeric", hourCycle: "h24"',
  'hour: "numeric", hourCycle: "h11"',
  'hour: "numeric", hourCycle: "h23", timeZoneName: "short"',
  'timeStyle: "full", hourCycle: "h23"',
  'dateStyle: "short", timeStyle: "short", hourCycle: "h23"',
  'dateStyle: "long", timeStyle: "long", hourCycle: "h11"',
  'timeZone: "GMT"',
  'timeZone: "utc"',
  'timeZone: "Etc/GMT+5", timeStyle: "long"',
  'timeZone: "US/Pacific", timeStyle: "short"',
  'timeZone: "EST5EDT", timeStyle: "short"',
  'timeZone: "asia/tokyo", timeStyle: "short"',
  'timeZone: "1918"',
  'timeZone: "-5:00"',
  'month: "nonsense"',
  'fractionalSecondDigits: 4',
]
const withZone = (options: string): string =>
  /timeZone:/.test(options) ? options : `timeZone: "UTC", ${options}`

const RANGES = [
  '',
  ...['full', 'long', 'medium', 'short'].flatMap(style => [
    `dateStyle: "${style}"`,
    `dateStyle: "${style}", timeStyle: "short"`,
    `dateStyle: "${style}", timeStyle: "medium"`,
    `timeStyle: "${style}"`,
  ]),
  'dateStyle: "short", timeStyle: "short", hourCycle: "h23"',
  'month: "short", day: "numeric"',
  'weekday: "short", month: "numeric", day: "numeric"',
  'year: "numeric", month: "long"',
  'hour: "numeric", minute: "2-digit"',
  'hour: "2-digit", minute: "2-digit", hourCycle: "h23"',
  'month: "long", day: "numeric", hour: "numeric", minute: "2-digit"',
  'month: "short", day: "numeric", hour: "numeric", minute: "2-digit", timeZoneName: "short"',
]

describe('dates of every combination of options read as they do elsewhere', () => {
  sameAsHost([
    ...OPTIONS.flatMap(options => [
      `${WHEN}.map(d => new Intl.DateTimeFormat("en-US", { ${withZone(options)} }).format(d).replace(/\\u202f/g, " "))`,
      ...METHODS.map(
        method => `${WHEN}.map(d => d.${method}("en-US", { ${withZone(options)} }).replace(/\\u202f/g, " "))`,
      ),
    ]),
    ...RANGES.map(
      options =>
        `[0, 18e5, 36e5, 324e5, 2592e5, 3888e6, 432e8].map(later => new Intl.DateTimeFormat("en-US", { timeZone: "UTC", ${options} }).formatRange(1720080930000, 1720080930000 + later).replace(/\\u202f/g, " "))`,
    ),
    'new Intl.DateTimeFormat("en-US", null)',
    'new Intl.DateTimeFormat("en-US", { timeZone: "GMT" }).resolvedOptions().timeZone',
    '(f => [f instanceof Intl.DateTimeFormat, f.constructor === Intl.DateTimeFormat, f.format(0)])(Intl.DateTimeFormat("en-US", { timeZone: "UTC" }))',
    '(class extends Intl.DateTimeFormat { day() { return this.format(0) } }, new (class extends Intl.DateTimeFormat { day() { return this.format(0) } })("en-US", { timeZone: "UTC" }).day())',
    '[0, 6].map(month => new Date(Date.UTC(2024, month)).toLocaleString("en-US", { timeZone: "Europe/Dublin", timeZoneName: "long" }))',
  ])

  test('with each option read once', async () => {
    const program = `const seen = []
new Intl.DateTimeFormat('en-US', new Proxy({ timeZone: 'UTC' }, { get(o, k) { seen.push(k); return o[k] } }))
return new Set(seen).size === seen.length`
    expect(await returned(program)).toBe(true)
  })

  test.each([
    ['calendar: "buddhist"', 'calendar "buddhist" is not supported here: gregory'],
    ['numberingSystem: "arab"', 'numberingSystem "arab" is not supported here: latn'],
    [
      'timeZoneName: "longGeneric"',
      'timeZoneName "longGeneric" is not supported here: short, long, shortOffset, longOffset',
    ],
  ])('or are refused: %s', async (options, message) => {
    const program = `try { return new Date(0).toLocaleString('en-US', { ${options} }) } catch (error) { return [error.name, error.message] }`
    expect(await returned(program)).toEqual(['RangeError', message])
  })
})

/** Numbers in [0, 1) that a seed decides. */
function randomFrom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state * 48_271) % 2_147_483_647
    return state / 2_147_483_647
  }
}

const NUMBER_OPTIONS: Choices = {
  style: ['decimal', 'percent', 'unit'],
  notation: NOTATIONS,
  compactDisplay: ['short', 'long'],
  unitDisplay: ['short', 'long', 'narrow'],
  maximumFractionDigits: [2, 5],
  minimumFractionDigits: [0, 1],
  maximumSignificantDigits: [2, 3, 6],
  minimumIntegerDigits: [2],
  useGrouping: [true, false, 'always', 'min2', 'auto'],
  signDisplay: ['always', 'never', 'exceptZero', 'negative'],
  roundingMode: ['ceil', 'floor', 'expand', 'trunc', 'halfEven'],
  trailingZeroDisplay: ['stripIfInteger'],
}
const DATE_OPTIONS: Choices = {
  era: ['narrow', 'short', 'long'],
  year: ['numeric', '2-digit'],
  month: ['numeric', '2-digit', 'short', 'long', 'narrow'],
  weekday: ['narrow', 'short', 'long'],
  day: ['numeric', '2-digit'],
  dayPeriod: ['narrow', 'short', 'long'],
  hour: ['numeric', '2-digit'],
  minute: ['numeric', '2-digit'],
  second: ['numeric', '2-digit'],
  fractionalSecondDigits: [1, 2, 3],
  timeZoneName: ['short', 'long', 'shortOffset', 'longOffset'],
  hourCycle: ['h11', 'h12', 'h23', 'h24'],
}
const ZONES = ['UTC', 'GMT', 'America/New_York', 'Europe/Berlin', 'Asia/Tokyo', 'Asia/Kolkata']

describe('random options come to what they come to elsewhere', () => {
  const seed = Math.floor(Math.random() * 1e9) + 1
  const random = randomFrom(seed)
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T
  const chosen = (choices: Choices): Record<string, unknown> => {
    const share = pick([0.2, 0.4, 0.6])
    return Object.fromEntries(
      Object.entries(choices).flatMap(([name, values]) => (random() < share ? [[name, pick(values)]] : [])),
    )
  }
  const numbers = Array.from({ length: 150 }, () => {
    const options = { ...chosen(NUMBER_OPTIONS), unit: 'kilometer' }
    const value = (random() - 0.5) * 10 ** Math.floor(random() * 40 - 15)
    return `(${value}).toLocaleString("en-US", ${JSON.stringify(options)})`
  })
  const dates = Array.from({ length: 150 }, () => {
    const options = { ...chosen(DATE_OPTIONS), timeZone: pick(ZONES) }
    const time = Math.floor((random() - 0.1) * 4e12)
    return `new Date(${time}).${pick(METHODS)}("en-US", ${JSON.stringify(options)}).replace(/\\u202f/g, " ")`
  })
  test(`of numbers and dates, by seed ${seed}`, async () => {
    const all = [...numbers, ...dates]
    const come = `sources => sources.map(source => { try { return source + ' is ' + (0, eval)(source) } catch (error) { return source + ' threw ' + error.name } })`
    const expected = (new Function(`return ${come}`)() as (s: readonly string[]) => string[])(all)
    expect(await returned(`return (${come})(${JSON.stringify(all)})`)).toEqual(expected)
  })
})
