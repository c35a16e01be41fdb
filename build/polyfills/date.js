import data from 'data:date'
import { DateTimeFormat } from '@formatjs/intl-datetimeformat'
import { kept } from './kept.js'
import { readZones } from './zones.js'

const PLAIN = data.formats.gregory
const CLOCK = /^[hHBm]/
const dates = Object.keys(PLAIN).filter(skeleton => !/[hHBms]/.test(skeleton.replace(/MMM/g, '')))

function register(formats) {
  for (const locale of ['en-US', 'en'])
    DateTimeFormat.__addLocaleData({ data: { ...data, formats: { gregory: formats } }, locale })
}

const DATE_PARTS = ['weekday', 'era', 'year', 'month', 'day']
const TIME_PARTS = ['dayPeriod', 'hour', 'minute', 'second', 'fractionalSecondDigits', 'timeZoneName']
const asks = (options, parts) => parts.some(part => options[part] !== undefined)

/** The times that may go with a date: those with the parts that are asked for. */
function timesFor({ hour, minute, second, fractionalSecondDigits, timeZoneName, dayPeriod }) {
  const wanted = [
    [hour, /[hH]/],
    [minute, /m/],
    [second ?? fractionalSecondDigits, /s/],
    [timeZoneName, /[vz]/],
    [dayPeriod, /B/],
  ]
  return Object.keys(PLAIN).filter(
    skeleton =>
      CLOCK.test(skeleton) &&
      wanted.every(([asked, letter]) => (asked !== undefined) === letter.test(skeleton)),
  )
}

const together = (date, time) => `${date}${date.includes('MMMM') ? " 'at' " : ', '}${time}`

const known = new Map()

/** Reading the format of every date with every time would take half a second: only what may fit is read. */
function formatsFor(options) {
  const isBoth = asks(options, DATE_PARTS) && asks(options, TIME_PARTS)
  const times = isBoth ? timesFor(options) : []
  const key = times.join()
  if (!known.has(key)) {
    const formats = times.flatMap(time =>
      dates.map(date => [`${date}, ${time}`, together(PLAIN[date], PLAIN[time])]),
    )
    register(times.length === 0 ? PLAIN : Object.fromEntries(formats))
    known.set(key, DateTimeFormat.localeData.en.formats)
  }
  return known.get(key)
}

register(PLAIN)
DateTimeFormat.__defaultTimeZone = 'UTC'

const utc = { UTC: [[-Infinity, 'UTC', 0, false]] }
DateTimeFormat.tzData = utc

/** Makes ready what the options need: formats, and the zones once one is named. */
function prepare(options) {
  const given = Object(options ?? {})
  const zone = given.timeZone
  if (zone !== undefined && zone !== 'UTC' && DateTimeFormat.tzData === utc)
    DateTimeFormat.tzData = readZones(zones())
  const formats = formatsFor(given)
  for (const locale of ['en-US', 'en']) DateTimeFormat.localeData[locale].formats = formats
}

const Format = new Proxy(DateTimeFormat, {
  __proto__: null,
  apply(target, self, [locales, options]) {
    prepare(options)
    return Reflect.apply(target, self, [locales, options])
  },
  construct(target, [locales, options], newTarget) {
    prepare(options)
    return Reflect.construct(target, [locales, options], newTarget)
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
