// English order: letters by themselves first, then accents, then case; punctuation before digits before letters.
import { kept } from './kept.js'
import { getCanonicalLocales, LookupSupportedLocales } from './locales.js'

const MARKS = /\p{M}+/gu
/** What is another letter or sign with a difference as of an accent. */
const LETTERS = 'ßæœøđðħłґ‘’‚‛“”„‟'
/** The one letter of Russian with a mark that is a letter of its own. */
const SHORT_I = /и\u0306/giu
const SPECIAL_LETTER = new RegExp(`[${LETTERS}]`, 'g')
const NO_MARK = new RegExp(`[^\\p{M}${LETTERS}]`, 'giu')
const SPECIAL = { ß: 'ss', æ: 'ae', œ: 'oe', ø: 'o', đ: 'd', ð: 'd', ħ: 'h', ł: 'l', ґ: 'г' }
for (const quote of '‘’‚‛') SPECIAL[quote] = "'"
for (const quote of '“”„‟') SPECIAL[quote] = '"'
// The three orders are those of `Intl.Collator('en-US')` with ICU 78, of what is common in each kind.
const SIGNS =
  '_-‐‒–—―⁓,;⁏:!¡?¿‽.·⁕⁖⁘⁙⁚⁛⁜⁝⁞\'‹›"«»()[]{}⁅⁆§¶⁋@*⁎⁑/\\&⁊#%‰‱†‡•‣‧⁃⁌⁍′‵‸※‿⁔⁀⁐⁁⁂`^°©®+±÷×<=>¬|¦~⁒⁄¤¢$£¥₠₡₢₣₤₥₦₩₪₫€₭₮₯₰₱₲₳₴₵₶₷₸₹₺₻₼₽₾₿'
const CYRILLIC = 'абвгдђеєжзѕиійјклљмнњопрстћуфхцчџшщъыьѣэюя'
const MARK_ORDER =
  '\u0332\u0313\u0314\u0301\u0300\u0306\u0302\u030c\u030a\u0342\u0308\u030b\u0303\u0307\u0338\u0327\u0328\u0304\u0335'
/** Letters with a stroke, which is a mark like others. */
const STROKES = { ø: 'o\u0338', ł: 'l\u0335', đ: 'd\u0335', ħ: 'h\u0335' }

/** Where a character stands: white space, punctuation, other signs, digits, letters. */
function rank(character) {
  const sign = SIGNS.indexOf(character)
  if (sign >= 0) return 0x100 + sign
  const letter = CYRILLIC.indexOf(character)
  if (letter >= 0) return 0x400430 + letter
  // The dotless i is a letter of its own, between i and j.
  if (character === 'ı') return 0x400069 + 0.5
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

/** The ranks of ASCII, of letters as lower case. */
const ASCII = Array.from({ length: 128 }, (_, code) => rank(String.fromCharCode(code).toLowerCase()))
const isDigit = code => code >= 48 && code <= 57
const isUpperCode = code => code >= 65 && code <= 90

/** Where the digits from a place on end. */
function endOfDigits(text, from) {
  let at = from
  while (isDigit(text.charCodeAt(at))) at += 1
  return at
}

const bareNumber = digits => digits.replace(/^0+(?=\d)/, '')

function compareNumbers(x, y) {
  const [m, n] = [bareNumber(x), bareNumber(y)]
  if (m === n) return 0
  return m.length !== n.length ? m.length - n.length : m < n ? -1 : 1
}

/** Compares character by character, and makes nothing. `undefined` where another sign than one of ASCII comes before the answer. */
function compareAscii(a, b, { numeric, sensitivity, caseFirst }) {
  const shorter = Math.min(a.length, b.length)
  let ofCase = 0
  let i = 0
  for (; i < shorter; i++) {
    const code = a.charCodeAt(i)
    if (code > 127 || code !== b.charCodeAt(i)) break
  }
  if (numeric) while (i > 0 && isDigit(a.charCodeAt(i - 1))) i -= 1
  for (; i < shorter; i++) {
    const p = a.charCodeAt(i)
    const q = b.charCodeAt(i)
    if (p > 127 || q > 127) return undefined
    if (numeric && isDigit(p) && isDigit(q)) {
      const end = endOfDigits(a, i)
      const other = endOfDigits(b, i)
      if (a.charCodeAt(end) > 127 || b.charCodeAt(other) > 127) return undefined
      const order = compareNumbers(a.slice(i, end), b.slice(i, other))
      if (order !== 0) return order < 0 ? -1 : 1
      if (end !== other) return undefined
      i = end - 1
      continue
    }
    if (p === q) continue
    const order = ASCII[p] - ASCII[q]
    if (order !== 0) return order < 0 ? -1 : 1
    if (ofCase === 0) ofCase = isUpperCode(p) === (caseFirst === 'upper') ? -1 : 1
  }
  // What follows may be a mark, which is no character by itself.
  if (a.charCodeAt(i) > 127 || b.charCodeAt(i) > 127) return undefined
  if (a.length !== b.length) return a.length < b.length ? -1 : 1
  return sensitivity === 'case' || sensitivity === 'variant' ? ofCase : 0
}

/** Base letters as lower case, with runs of digits as one element where they count as numbers. */
function elements(text, numeric) {
  const found = []
  const bare = text
    .normalize('NFD')
    .replace(SHORT_I, 'й')
    .replace(MARKS, '')
    .toLowerCase()
    .replace(SPECIAL_LETTER, letter => SPECIAL[letter])
  for (const [part] of bare.matchAll(numeric ? /\d+|[^\d]/gu : /./gsu)) found.push(part)
  return found
}

const startsWithDigit = element => isDigit(element.charCodeAt(0))

function compareElements(a, b, numeric) {
  for (let i = 0; i < a.length && i < b.length; i++) {
    const x = a[i]
    const y = b[i]
    if (x === y) continue
    const order =
      numeric && startsWithDigit(x) && startsWithDigit(y) ? compareNumbers(x, y) : rankOf(x) - rankOf(y)
    if (order !== 0) return order
  }
  return a.length - b.length
}

/** A mark as a sign whose code says where it stands among the marks. */
function placed(mark) {
  const at = MARK_ORDER.indexOf(mark)
  return at < 0 ? mark : String.fromCharCode(0x2d0 + at)
}

const marksOf = text =>
  text
    .normalize('NFD')
    .replace(SPECIAL_LETTER, letter => STROKES[letter] ?? letter)
    .replace(NO_MARK, c => '0'.repeat(c.length))
    .replace(MARKS, marks => Array.from(marks, placed).join(''))
    // Any other letter is more than a mark.
    .replace(SPECIAL_LETTER, letter => String.fromCharCode(0x2000 + letter.charCodeAt(0)))

const isUpper = character => character !== character.toLowerCase()

/** Lower case first, from the left. */
function compareCase(x, y, upperFirst) {
  for (let i = 0; i < x.length && i < y.length; i++) if (x[i] !== y[i]) return x[i] === upperFirst ? -1 : 1
  return 0
}

const MOST_KEPT_UNITS = 100_000

/** What is known of texts that were compared. */
class Keys {
  #kept = new Map()
  #units = 0
  constructor(settings) {
    this.settings = settings
  }
  of(text) {
    const known = this.#kept.get(text)
    if (known !== undefined) return known
    const { numeric, ignorePunctuation } = this.settings
    const shown = ignorePunctuation ? text.replace(/[\p{P}\s]/gu, '') : text
    const read = numeric ? shown.replace(/\d+/g, bareNumber) : shown
    const key = { read, elements: elements(read, numeric), marks: undefined, upper: undefined }
    this.#units += text.length
    if (this.#units > MOST_KEPT_UNITS) {
      this.#kept.clear()
      this.#units = text.length
    }
    if (text.length <= MOST_KEPT_UNITS) this.#kept.set(text, key)
    return key
  }
}

const marksOfKey = key => (key.marks ??= marksOf(key.read.toLowerCase()))
const upperOfKey = key => (key.upper ??= [...key.read.normalize('NFD')].map(isUpper))

const SENSITIVITIES = ['base', 'accent', 'case', 'variant']

function compareTexts(a, b, keys) {
  if (a === b) return 0
  const { numeric, sensitivity, caseFirst, ignorePunctuation } = keys.settings
  const found = ignorePunctuation ? undefined : compareAscii(a, b, keys.settings)
  if (found !== undefined) return found
  const x = keys.of(a)
  const y = keys.of(b)
  const base = compareElements(x.elements, y.elements, numeric)
  if (base !== 0) return base < 0 ? -1 : 1
  if (sensitivity === 'accent' || sensitivity === 'variant') {
    const m = marksOfKey(x)
    const n = marksOfKey(y)
    if (m !== n) return m < n ? -1 : 1
  }
  if (sensitivity !== 'case' && sensitivity !== 'variant') return 0
  return compareCase(upperOfKey(x), upperOfKey(y), caseFirst === 'upper')
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
    if (this.#compare === undefined) {
      const keys = new Keys(this.#settings)
      this.#compare = (a, b) => compareTexts(`${a}`, `${b}`, keys)
    }
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

const comparing = kept((locales, options) => new Collator(locales, options).compare)
let usual

/** `localeCompare` of texts. */
export function compare(a, b, locales, options) {
  if (locales !== undefined || options !== undefined) return comparing(locales, options)(a, b)
  usual ??= comparing()
  return usual(a, b)
}
