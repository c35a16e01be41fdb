// English order: letters by themselves first, then accents, then case; punctuation before digits before letters.
import { kept } from './kept.js'
import { getCanonicalLocales, LookupSupportedLocales } from './locales.js'

const MARKS = /\p{M}+/gu
const LETTERS = '\u00df\u00e6\u0153\u00f8\u0111\u00f0\u0142\u00fe\u0131'
const SPECIAL_LETTER = new RegExp(`[${LETTERS}]`, 'g')
const NO_MARK = new RegExp(`[^\\p{M}${LETTERS}]`, 'giu')
const SPECIAL = { ß: 'ss', æ: 'ae', œ: 'oe', ø: 'o', đ: 'd', ð: 'd', ł: 'l', þ: 'th', ı: 'i' }
const PUNCTUATION = '_-,;:!?.\'"()[]{}@*/\\&#%`^+<=>|~$'

/** Where a character stands: white space, punctuation, other signs, digits, letters. */
function rank(character) {
  const at = PUNCTUATION.indexOf(character)
  if (at >= 0) return 0x100 + at
  const code = character.codePointAt(0)
  if (/\s/u.test(character)) return code & 0xff
  if (/\p{P}/u.test(character)) return 0x200 + code
  if (/\p{N}/u.test(character)) return 0x300000 + code
  return /\p{L}/u.test(character) ? 0x400000 + code : 0x150000 + code
}

const ranks = new Map()
function rankOf(character) {
  if (!ranks.has(character)) ranks.set(character, rank(character))
  return ranks.get(character)
}

/** Base letters as lower case, with runs of digits as one element where they count as numbers. */
function elements(text, numeric) {
  const found = []
  const bare = text
    .normalize('NFD')
    .replace(MARKS, '')
    .toLowerCase()
    .replace(SPECIAL_LETTER, letter => SPECIAL[letter])
  for (const [part] of bare.matchAll(numeric ? /\d+|[^\d]/gu : /./gsu)) found.push(part)
  return found
}

function compareElements(a, b, numeric) {
  for (let i = 0; i < a.length && i < b.length; i++) {
    const [x, y] = [a[i], b[i]]
    if (x === y) continue
    if (numeric && /^\d/.test(x) && /^\d/.test(y)) {
      const [m, n] = [x.replace(/^0+(?=\d)/, ''), y.replace(/^0+(?=\d)/, '')]
      if (m === n) continue
      return m.length !== n.length ? m.length - n.length : m < n ? -1 : 1
    }
    const order = rankOf(x) - rankOf(y)
    if (order !== 0) return order
  }
  return a.length - b.length
}

const marksOf = text => text.normalize('NFD').replace(NO_MARK, c => '0'.repeat(c.length))

const isUpper = character => character !== character.toLowerCase()

/** Lower case first, from the left. */
function compareCase(a, b, upperFirst) {
  const [x, y] = [[...a.normalize('NFD')], [...b.normalize('NFD')]]
  for (let i = 0; i < x.length && i < y.length; i++) {
    const [p, q] = [isUpper(x[i]), isUpper(y[i])]
    if (p !== q) return p === upperFirst ? -1 : 1
  }
  return 0
}

const SENSITIVITIES = ['base', 'accent', 'case', 'variant']

function compareTexts(a, b, { numeric, sensitivity, caseFirst, ignorePunctuation }) {
  if (a === b) return 0
  const [x, y] = ignorePunctuation ? [a, b].map(text => text.replace(/[\p{P}\s]/gu, '')) : [a, b]
  const base = compareElements(elements(x, numeric), elements(y, numeric), numeric)
  if (base !== 0) return base < 0 ? -1 : 1
  if (sensitivity === 'accent' || sensitivity === 'variant') {
    const [m, n] = [marksOf(x.toLowerCase()), marksOf(y.toLowerCase())]
    if (m !== n) return m < n ? -1 : 1
  }
  return sensitivity === 'case' || sensitivity === 'variant' ? compareCase(x, y, caseFirst === 'upper') : 0
}

function oneOf(options, key, allowed, fallback) {
  const value = options[key]
  if (value === undefined) return fallback
  if (!allowed.includes(String(value))) throw new RangeError(`${key} must be one of ${allowed.join(', ')}`)
  return String(value)
}

class Collation {
  #settings
  #compare
  constructor(locales, options) {
    if (options === null) throw new TypeError('options cannot be null')
    const tags = getCanonicalLocales(locales)
    const given = Object(options ?? {})
    this.#settings = {
      locale: LookupSupportedLocales(undefined, tags)[0]?.replace(/-u-.*$/, '') ?? 'en-US',
      usage: oneOf(given, 'usage', ['sort', 'search'], 'sort'),
      sensitivity: oneOf(given, 'sensitivity', SENSITIVITIES, 'variant'),
      ignorePunctuation: Boolean(given.ignorePunctuation),
      collation: 'default',
      numeric: given.numeric === undefined ? /-kn\b(?!-false)/.test(tags[0]) : Boolean(given.numeric),
      caseFirst: oneOf(given, 'caseFirst', ['upper', 'lower', 'false'], 'false'),
    }
  }
  get compare() {
    this.#compare ??= (a, b) => compareTexts(`${a}`, `${b}`, this.#settings)
    return this.#compare
  }
  resolvedOptions() {
    return { ...this.#settings }
  }
  static supportedLocalesOf(locales) {
    return LookupSupportedLocales(undefined, getCanonicalLocales(locales))
  }
  get [Symbol.toStringTag]() {
    return 'Intl.Collator'
  }
}

/** It works without `new` too. */
export const Collator = new Proxy(Collation, {
  __proto__: null,
  apply: (target, _self, args) => Reflect.construct(target, args, Collator),
})
Object.defineProperty(Collation, 'length', { value: 0 })
Object.defineProperty(Collation.prototype, 'constructor', { value: Collator })

const collator = kept((locales, options) => new Collator(locales, options))

/** `localeCompare` of texts. */
export const compare = (a, b, locales, options) => collator(locales, options).compare(a, b)
