import data from 'data:date'
import { DateTimeFormat, parseDateTimeSkeleton } from '@formatjs/intl-datetimeformat'
import { patternFor, patternsOf } from './date-pattern.js'
import { kept } from './kept.js'
import { getCanonicalLocales, LookupSupportedLocales } from './locales.js'
import { readZones } from './zones.js'

const { formats, intervalFormats: intervals } = data
for (const locale of ['en-US', 'en'])
  DateTimeFormat.__addLocaleData({ data: { ...data, formats: { gregory: {} } }, locale })
DateTimeFormat.__defaultTimeZone = 'UTC'

const utc = { UTC: [[-Infinity, 'UTC', 0, false]] }
DateTimeFormat.tzData = utc

const names = letter => ({
  narrow: letter.repeat(5),
  short: letter.repeat(3),
  long: letter.repeat(4),
  numeric: letter,
  '2-digit': letter + letter,
})
const DIGITS = { 1: 'S', 2: 'SS', 3: 'SSS' }
const ZONES = { short: 'z', long: 'zzzz', shortOffset: 'O', longOffset: 'OOOO' }
/** What a date shows, in the order of skeletons, and by which letters. */
const LETTERS = {
  era: names('G'),
  year: names('y'),
  month: names('M'),
  weekday: names('E'),
  day: names('d'),
  dayPeriod: { ...names('B'), short: 'B' },
  hour: names('h'),
  minute: names('m'),
  second: names('s'),
  fractionalSecondDigits: DIGITS,
  timeZoneName: ZONES,
}
const SHOWN = Object.keys(LETTERS)
/** All that is read, in the order of the standard. */
const OPTIONS = [
  ...[
    'localeMatcher',
    'calendar',
    'numberingSystem',
    'hour12',
    'hourCycle',
    'timeZone',
    'weekday',
    'era',
    'year',
    'month',
  ],
  ...[
    'day',
    'dayPeriod',
    'hour',
    'minute',
    'second',
    'fractionalSecondDigits',
    'timeZoneName',
    'formatMatcher',
  ],
  ...['dateStyle', 'timeStyle'],
]
const asks = (options, parts) => parts.some(part => options[part] !== undefined)

/** What is asked for, each option read once. */
function read(options) {
  if (options === null) throw new TypeError('options cannot be null')
  const given = Object(options ?? {})
  const read = { __proto__: null }
  for (const name of OPTIONS) {
    const value = given[name]
    if (value === undefined) continue
    read[name] = name === 'hour12' ? Boolean(value) : name === 'fractionalSecondDigits' ? +value : `${value}`
  }
  return read
}

/** Refuses what English dates of the common calendar cannot say. */
function refuse(name, value, supported) {
  if (value !== undefined && !supported.includes(value.toLowerCase()))
    throw new RangeError(`${name} "${value}" is not supported here: ${supported.join(', ')}`)
}

function hourLetter({ hour12, hourCycle }, locales) {
  const locale = LookupSupportedLocales(undefined, getCanonicalLocales(locales))[0] ?? ''
  const cycle = hourCycle ?? /-u-(?:.*-)?hc-(h\d\d)/.exec(locale)?.[1]
  if (hour12 !== undefined) return hour12 ? 'h' : 'H'
  return { h11: 'K', h23: 'H', h24: 'k' }[cycle] ?? 'h'
}

const TIME_STYLES = { full: 'hmmsszzzz', long: 'hmmssz', medium: 'hmmss', short: 'hmm' }

const patterns = patternsOf(formats.gregory)
const known = new Map()

const twice = pattern => intervals.intervalFormatFallback.replace(/\{[01]\}/g, () => pattern)
const each = (keys, value) => Object.fromEntries(keys.map(key => [key, value]))
const patternOf = skeleton => patternFor(patterns, skeleton).pattern

/** What a range looks like, by the first field that differs; those that are not asked for are told where they do. */
function rangesFor(skeleton, { pattern, date, time }) {
  const bare = skeleton.replace(/(.)\1*/g, (run, letter) =>
    letter === 'M' && run.length > 2 ? 'MMM' : letter,
  )
  const [, dateKey, timeKey] = /^([GyMEd]*)(.*)$/.exec(
    bare.replace(/[zO]/, 'v').replace('K', 'h').replace('k', 'H'),
  )
  if (dateKey === '')
    return { ...each(['y', 'M', 'd'], twice(`${patternOf('yMd')}, ${pattern}`)), ...intervals[timeKey] }
  const lacksYear = /M.*d/.test(dateKey) && !dateKey.includes('y') && (timeKey === '' || bare.includes('MMM'))
  const years = lacksYear ? { y: twice(patternOf(`y${skeleton}`)) } : {}
  if (dateKey === 'd') Object.assign(years, { y: twice(patternOf('yMd')), M: twice(patternOf('Md')) })
  if (timeKey === '') return { ...intervals[dateKey], ...years }
  if (date === undefined) {
    const [, ofDate, rest] = /^([GyMEd]*)(.*)$/.exec(skeleton)
    return rangesFor(skeleton, { pattern, date: patternOf(ofDate), time: patternOf(rest) })
  }
  const ofTime = { ...each(['a', 'h', 'm', 's'], twice(time)), ...intervals[timeKey] }
  return {
    ...years,
    ...Object.fromEntries(Object.entries(ofTime).map(([key, range]) => [key, `${date}, ${range}`])),
  }
}

const parse = (skeleton, found) =>
  parseDateTimeSkeleton(skeleton, found.pattern, rangesFor(skeleton, found), intervals.intervalFormatFallback)

/** The one format that a skeleton comes to. */
function formatFor(skeleton) {
  if (!known.has(skeleton)) known.set(skeleton, parse(skeleton, patternFor(patterns, skeleton)))
  return known.get(skeleton)
}

/** The format of a time of a style, perhaps with a date of a style in front of it. */
function styleFor({ dateStyle, timeStyle }, hour) {
  const skeleton = (TIME_STYLES[timeStyle] ?? 'hmm').replace('h', hour)
  const pattern = 'hK'.includes(hour) ? (data.timeFormat[timeStyle] ?? '') : patternOf(skeleton)
  const date = data.dateFormat[dateStyle]
  const ranges = rangesFor(date ? `yMd${skeleton}` : skeleton, { pattern, date, time: pattern })
  // Times of 24 hours have two digits.
  return parseDateTimeSkeleton(
    skeleton.replace(/[Hk]/, '$&$&'),
    pattern,
    ranges,
    intervals.intervalFormatFallback,
  )
}

function skeletonFor(options, hour) {
  const isPlain = SHOWN.every(part => 'era timeZoneName'.includes(part) || options[part] === undefined)
  const shown = isPlain ? { ...options, year: 'numeric', month: 'numeric', day: 'numeric' } : options
  const skeleton = SHOWN.map(part => LETTERS[part][shown[part]] ?? '').join('')
  return skeleton.replace(/h/g, hour)
}

/** Makes ready what the options need: the format, and the zones once one is named. */
function prepare(locales, options) {
  const given = read(options)
  refuse('calendar', given.calendar, ['gregory'])
  refuse('numberingSystem', given.numberingSystem, ['latn'])
  if (/Generic$/.test(given.timeZoneName)) refuse('timeZoneName', given.timeZoneName, Object.keys(ZONES))
  if (/^(?:etc\/)?(?:gmt|utc)$/i.test(given.timeZone)) given.timeZone = 'UTC'
  if (given.timeZone !== undefined && given.timeZone !== 'UTC' && DateTimeFormat.tzData === utc)
    DateTimeFormat.tzData = readZones(zones())
  const hour = hourLetter(given, locales)
  const isStyle = given.timeStyle !== undefined
  const format = isStyle ? styleFor(given, hour) : formatFor(skeletonFor(given, hour))
  for (const locale of ['en-US', 'en']) {
    const local = DateTimeFormat.localeData[locale]
    local.formats = { gregory: [format] }
    if (isStyle) local.timeFormat = { ...local.timeFormat, [given.timeStyle]: format }
  }
  return given
}

const Format = new Proxy(DateTimeFormat, {
  __proto__: null,
  apply(_target, _self, [locales, options]) {
    return Reflect.construct(DateTimeFormat, [locales, prepare(locales, options)], Format)
  },
  construct(target, [locales, options], newTarget) {
    return Reflect.construct(target, [locales, prepare(locales, options)], newTarget)
  },
})
Object.defineProperty(DateTimeFormat.prototype, 'constructor', { value: Format })

const PARTS = {
  date: ['weekday', 'year', 'month', 'day'],
  time: ['dayPeriod', 'hour', 'minute', 'second', 'fractionalSecondDigits'],
}
const DEFAULTS = { date: ['year', 'month', 'day'], time: ['hour', 'minute', 'second'] }

/** What `toLocaleDateString` and its kin show where the options name no part of their own. */
function withDefaults(options, required, defaults) {
  const given = { __proto__: null, ...options }
  const kinds = required === 'any' ? ['date', 'time'] : [required]
  const isAsked = kinds.some(kind => asks(given, PARTS[kind]))
  if (given.dateStyle !== undefined || given.timeStyle !== undefined) {
    if (required === 'date' && given.timeStyle !== undefined)
      throw new TypeError('toLocaleDateString takes no timeStyle')
    if (required === 'time' && given.dateStyle !== undefined)
      throw new TypeError('toLocaleTimeString takes no dateStyle')
    return given
  }
  if (isAsked) return given
  for (const kind of defaults === 'all' ? ['date', 'time'] : [defaults])
    for (const part of DEFAULTS[kind]) given[part] = 'numeric'
  return given
}

const formatter = kept(
  (locales, options, required, defaults) => new Format(locales, withDefaults(options, required, defaults)),
)

/** `toLocaleString`, `toLocaleDateString` and `toLocaleTimeString` of dates. */
function format(date, locales, options, required, defaults) {
  const made = formatter(locales, options, required, defaults)
  return Number.isNaN(date.getTime()) ? 'Invalid Date' : made.format(date)
}

export { Format as DateTimeFormat, format }
