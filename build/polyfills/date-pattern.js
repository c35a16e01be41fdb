// Which pattern the parts that are asked for come to, as English is told elsewhere: the nearest of the patterns that there are
// data for, and what it lacks appended. After "Date Field Symbols" and "Missing Skeleton Fields" of Unicode's UTS 35.

/** The order of the parts, and where times begin. */
const FIELDS = 'GyMEdahmsSz'
const FIRST_OF_TIME = FIELDS.indexOf('a')
const FRACTION = FIELDS.indexOf('S')
const SAME_FIELD = { L: 'M', c: 'E', B: 'a', H: 'h', K: 'h', k: 'h', v: 'z', O: 'z' }
const fieldOf = letter => FIELDS.indexOf(SAME_FIELD[letter] ?? letter)

const NUMBER = 0x100
/** How far the letters of a field are from its first; letters of hours and of names differ in sign. */
const DISTANCE = { L: 16, c: 32, B: -48, H: 160, K: 16, k: 176, v: -32, O: -16 }
const WORDS = [0, -0x103, -0x103, -0x103, -0x104, -0x101]
const isNumber = (letter, length) => 'ydhHKkmsS'.includes(letter) || ('ML'.includes(letter) && length < 3)

function kindOf(letter, length) {
  const far = DISTANCE[letter] ?? 0
  if (isNumber(letter, length)) return NUMBER + far + length
  return WORDS[length] - Math.abs(far)
}

const RUNS = /'[^']*'|([a-zA-Z])\1*/g

/** What a skeleton or a pattern has of each field: letter, length and kind. */
function partsOf(text) {
  const parts = []
  for (const [run, letter] of text.matchAll(RUNS))
    if (letter !== undefined && fieldOf(letter) >= 0)
      parts[fieldOf(letter)] = { letter, length: run.length, kind: kindOf(letter, run.length) }
  const hour = parts[fieldOf('h')]
  if (hour === undefined) return parts
  if ('Hk'.includes(hour.letter)) delete parts[FIRST_OF_TIME]
  else parts[FIRST_OF_TIME] ??= { letter: 'a', length: 1, kind: kindOf('a', 1) }
  return parts
}

const LETTERS_FIRST = 'GMEHdahmsvyz'

/** Patterns to choose from: those of the data, and each field by itself. */
export function patternsOf(formats) {
  const alone = ['G', 'y', 'M', 'E', 'd', 'a', 'H', 'm', 's', 'S', 'v'].map(letter => [letter, letter])
  const patterns = new Map(alone.map(([key, pattern]) => [key, { key, pattern, parts: partsOf(key) }]))
  for (const [key, pattern] of Object.entries(formats))
    if (!/^B+$/.test(key))
      patterns.set(key, { key, pattern, parts: partsOf(key), isNamed: !/[^a-zA-Z]/.test(key) })
  const place = ({ parts }) => LETTERS_FIRST.indexOf(parts.find(Boolean).letter)
  return [...patterns.values()].sort((a, b) => place(a) - place(b))
}

/** The nearest pattern to some of the fields that are asked for, and which of them it lacks. */
function nearest(patterns, asked, fields) {
  let best
  for (const candidate of patterns) {
    let distance = 0
    let missing = 0
    let extra = 0
    for (let i = 0; i < FIELDS.length; i++) {
      const mine = fields & (1 << i) ? asked[i]?.kind : undefined
      const other = candidate.parts[i]?.kind
      if (mine === other) continue
      if (mine === undefined) {
        distance += 0x10000
        extra |= 1 << i
      } else if (other === undefined) {
        distance += 0x1000
        missing |= 1 << i
      } else distance += Math.abs(mine - other)
    }
    if (
      best === undefined ||
      distance < best.distance ||
      (distance === best.distance && best.missing < missing)
    )
      best = { candidate, distance, missing, extra }
  }
  return best
}

/** A pattern with its fields as long as they are asked for. */
function fitted({ pattern, parts, isNamed }, asked) {
  return pattern.replace(RUNS, (run, letter) => {
    const field = letter === undefined ? -1 : fieldOf(letter)
    const wanted = asked[field]
    if (wanted === undefined) return run
    const wantedLength = wanted.letter === 'E' ? Math.max(wanted.length, 3) : wanted.length
    let { length } = run
    const isClock = 'ms'.includes(letter)
    const isKept =
      isNamed &&
      ((letter !== 'E' && parts[field]?.length === wantedLength) ||
        isNumber(letter, length) !== isNumber(wanted.letter, wanted.length))
    if (!isClock && !isKept) length = wantedLength
    const own = 'ME'.includes(FIELDS[field]) ? letter : wanted.letter
    return own.repeat(length)
  })
}

const APPENDED = {
  d: " ('day': @)",
  h: " ('hour': @)",
  m: " ('minute': @)",
  s: " ('second': @)",
  M: " ('month': @)",
  a: " \u251c'AM/PM': @\u2524",
  S: " \u251c'F14': @\u2524",
}

/** The pattern of the fields of a date or of a time. */
function appended(patterns, asked, fields) {
  if (fields === 0) return ''
  const { candidate, missing } = nearest(patterns, asked, fields)
  const pattern = fitted(candidate, asked)
  const second = 1 << (FRACTION - 1)
  const fraction = 1 << FRACTION
  let left = missing
  let withFraction = pattern
  if ((missing & (second | fraction)) === fraction && fields & second) {
    withFraction = pattern.replace(/s+/, run => `${run}.${'S'.repeat(asked[FRACTION].length)}`)
    left &= ~fraction
  }
  if (left === 0) return withFraction
  // Once and no more: what is still missing is left out elsewhere too.
  const next = nearest(patterns, asked, left)
  const added = fitted(next.candidate, asked)
  const form = APPENDED[FIELDS[31 - Math.clz32(left & ~next.missing)]] ?? ' @'
  return withFraction + form.replace('@', added)
}

/** A date and a time, as the length of the month connects them. */
const together = (date, time, monthLength) => `${date}${monthLength === 4 ? " 'at' " : ', '}${time}`

/** The pattern for a skeleton: the whole, and the date and the time that it is made of where it is made of both. */
export function patternFor(patterns, skeleton) {
  const asked = partsOf(skeleton)
  if (asked[FRACTION] && asked[FRACTION - 2] && !asked[FRACTION - 1])
    asked[FRACTION - 1] = { letter: 's', length: 1, kind: kindOf('s', 1) }
  let fields = 0
  for (let i = 0; i < FIELDS.length; i++) if (asked[i]) fields |= 1 << i
  const whole = nearest(patterns, asked, -1)
  if (whole.missing === 0 && whole.extra === 0)
    return { pattern: fitted(whole.candidate, asked), key: whole.candidate.key }
  const ofDate = (1 << FIRST_OF_TIME) - 1
  const date = appended(patterns, asked, fields & ofDate)
  const time = appended(patterns, asked, fields & ~ofDate)
  if (date === '' || time === '') return { pattern: date + time }
  return { pattern: together(date, time, asked[fieldOf('M')]?.length), date, time }
}
