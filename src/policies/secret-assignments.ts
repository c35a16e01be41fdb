import type { ReadName, SecretName } from './secret-names.js'
import { endAt, escaped, type FoundSecret } from './secret-ranges.js'

const HINTS = 'passw|passphrase|passcode|pwd|secret|token|key|authorization|cookie|credential|connection'
const MOST_OF_A_NAME = 64
// A quote may stand behind the backslashes of a text that holds a text.
const SEPARATOR = /(\\*["'])?(\s{0,8})(?:=>|:=|[:=])(?!=)(\s{0,8})/y
const OPENING = /(\\*)(["'`])/y
const NUMBER = /-?[0-9][0-9.eE+-]{0,40}(?=\s{0,8}[,}\]])/y
const SCHEME = /(?:[Bb]earer|[Bb]asic|[Tt]oken|[Dd]igest|[Aa]pi[Kk]ey)\s{1,4}/y
const NOT_IN_NAME = /[^A-Za-z0-9_.-]/g
const NOT_IN_HEADER = /[\r\n"'`\\]/g
const NOT_IN_WORD = /[\s"'`&;,|<>()[\]{}\\]/g
const LINE_END = /[ \t]{0,8}(?:$|[\r\n#]|\\[rn])/y
const ESCAPE = /[bfnrt]/

const isNameUnit = (unit: number): boolean =>
  (unit >= 0x30 && unit <= 0x39) ||
  (unit >= 0x41 && unit <= 0x5a) ||
  (unit >= 0x61 && unit <= 0x7a) ||
  unit === 0x5f ||
  unit === 0x2e ||
  unit === 0x2d

function nameStart(text: string, hit: number): number {
  let start = hit
  while (start > 0 && hit - start < MOST_OF_A_NAME && isNameUnit(text.charCodeAt(start - 1))) start--
  // The letter of an escape is not the name's.
  const isEscaped = start > 0 && text[start - 1] === '\\' && start < hit && ESCAPE.test(text[start] ?? '')
  return isEscaped ? start + 1 : start
}

function matchAt(expression: RegExp, text: string, at: number): RegExpExecArray | null {
  expression.lastIndex = at
  return expression.exec(text)
}

/** Where a quoted value ends: at a quote as deep as the opening one, or with the line. */
function quotedEnd(text: string, from: number, quote: string, depth: number): number {
  for (let at = from; at < text.length; at++) {
    const unit = text[at]
    if (unit === '\n') return at
    if (unit !== quote) continue
    let slashes = at
    while (slashes > from && text[slashes - 1] === '\\') slashes--
    if ((at - slashes) % (2 * (depth + 1)) === depth) return at - depth
  }
  return text.length
}

type Found = FoundSecret & { readonly next?: number }

/** The value of a name that is not in quotes: of a variable, a header, a query, a line of settings. */
function bareValue(
  text: string,
  at: number,
  name: string,
  secret: SecretName,
  glue: string,
): Found | undefined {
  const { kind } = secret
  const range = (start: number, stop: RegExp): Found | undefined => {
    const end = endAt(text, start, stop)
    return end > start && secret.hides(text.slice(start, end)) ? { start, end, kind } : undefined
  }
  const isTight = glue === '='
  if (isTight && name.length > 2 && name === name.toUpperCase()) return range(at, NOT_IN_WORD)
  const isHeader = /^:\s*$/.test(glue) && (name.includes('-') || /^(?:authorization|cookie)$/i.test(name))
  if (isHeader) return range(at + (matchAt(SCHEME, text, at)?.[0].length ?? 0), NOT_IN_HEADER)
  const word = range(at, NOT_IN_WORD)
  if (word === undefined || word.end - word.start < 6) return undefined
  if (!/[0-9!@#$%^*+=~]/.test(text.slice(word.start, Math.min(word.end, word.start + 256)))) return undefined
  return isTight || matchAt(LINE_END, text, word.end) !== null ? word : undefined
}

function valueAt(text: string, at: number, name: string, secret: SecretName): Found | undefined {
  const separator = matchAt(SEPARATOR, text, at)
  if (separator === null) return undefined
  const [all, keyQuote] = separator
  const from = at + all.length
  const opening = matchAt(OPENING, text, from)
  if (opening !== null) {
    const [quotes, slashes = '', quote = ''] = opening
    const start = from + quotes.length
    const end = quotedEnd(text, start, quote, slashes.length)
    const scheme = matchAt(SCHEME, text, start)?.[0].length ?? 0
    const isHidden = end > start + scheme && secret.hides(text.slice(start + scheme, end))
    return isHidden ? { start: start + scheme, end, kind: secret.kind } : undefined
  }
  if (keyQuote === undefined) return bareValue(text, from, name, secret, all)
  const number = matchAt(NUMBER, text, from)
  if (number === null || !secret.hides(number[0])) return undefined
  return { start: from, end: from + number[0].length, kind: secret.kind, around: keyQuote }
}

/** Makes a finder of values whose names say that they are secrets, in settings, headers, code and JSON. */
export function assignmentFinder(
  read: ReadName,
  usual: boolean,
  others: readonly string[],
): (text: string) => FoundSecret[] {
  const hints = [...(usual ? [HINTS] : []), ...others.map(escaped)].join('|')
  const hint = new RegExp(hints, 'gi')
  return text => {
    const found: FoundSecret[] = []
    hint.lastIndex = 0
    for (let hit = hint.exec(text); hit !== null; hit = hint.exec(text)) {
      const start = nameStart(text, hit.index)
      const end = endAt(text, hit.index, NOT_IN_NAME)
      const name = end - start > MOST_OF_A_NAME ? '' : text.slice(start, end)
      const secret = read(name)
      const range = secret && valueAt(text, end, name, secret)
      if (range !== undefined) found.push(range)
      hint.lastIndex = Math.max(range?.end ?? end, hit.index + 1)
    }
    return found
  }
}
