import { CLOSES, isDeclaration, KIND, OPENS } from './parse-source.js'
import type { SourceToken } from './source-token.js'

/**
 * What the compiler knows of a constant expression: that it is a number, or a text, or a text whose words it does not know.
 * `open` is what only running tells here.
 */
export type ConstantClass = 'number' | 'text' | 'some-text' | 'unknown' | 'open'

/** What names stand for. */
export interface ConstantNames {
  readonly ofName: (name: string) => ConstantClass
  readonly ofMember: (owner: string, name: string) => ConstantClass
}

/** How tight operators bind; of all others nothing is known. */
const STRENGTH: { readonly [operator: string]: number } = {
  __proto__: null as never,
  '|': 1,
  '^': 2,
  '&': 3,
  '<<': 5,
  '>>': 5,
  '>>>': 5,
  '+': 6,
  '-': 6,
  '*': 7,
  '/': 7,
  '%': 7,
  '**': 8,
}
/** Of `as` and `satisfies`. */
const OF_TYPES = 4

const isText = (known: ConstantClass): boolean => known === 'text' || known === 'some-text'

function combine(operator: string, left: ConstantClass, right: ConstantClass): ConstantClass {
  if (left === 'number' && right === 'number') return 'number'
  if (operator !== '+') return left === 'open' || right === 'open' ? 'open' : 'unknown'
  if (left === 'some-text' || right === 'some-text') return 'some-text'
  const known = (one: ConstantClass): boolean => one === 'number' || one === 'text'
  if (known(left) && known(right)) return 'text'
  if (isText(left) || isText(right)) return 'some-text'
  return left === 'unknown' || right === 'unknown' ? 'unknown' : 'open'
}

/** Beyond this, what a constant is is left to running. */
const MAX_TOKENS = 64

/** What is known of the expression that the tokens from one index up to another are. */
export function constantClass(
  text: string,
  tokens: readonly SourceToken[],
  from: number,
  to: number,
  names: ConstantNames,
): ConstantClass {
  if (to - from > MAX_TOKENS) return 'open'
  let i = from
  const word = (at = i): string => {
    const token = tokens[at]
    return token === undefined || at >= to ? '' : text.slice(token.start, token.end)
  }
  const kind = (): number | undefined => (i < to ? tokens[i]?.type : undefined)
  /** Goes behind a bracket and what is in it. */
  const skip = (): void => {
    let depth = 0
    do {
      if (OPENS.has(kind())) depth += 1
      else if (CLOSES.has(kind())) depth -= 1
      i += 1
    } while (depth > 0 && i < to)
  }
  /** Goes behind the bracket that ends what it is in. */
  const leave = (closing: number | undefined): void => {
    while (i < to && kind() !== closing) {
      if (OPENS.has(kind())) skip()
      else i += 1
    }
    i += 1
  }
  const template = (): ConstantClass => {
    let known: ConstantClass = 'text'
    i += 1
    while (i < to && kind() !== KIND.backQuote) {
      if (kind() !== KIND.dollarBraceL) {
        i += 1
        continue
      }
      i += 1
      const part = expression(0)
      if (part !== 'number' && part !== 'text') known = 'some-text'
      leave(KIND.braceR)
    }
    i += 1
    return known
  }
  const operand = (): ConstantClass => {
    let isCast = false
    while (i < to && tokens[i]?.isType) {
      isCast = true
      i += 1
    }
    const first = word()
    const isSign = first === '+' || first === '-' || first === '~'
    if (isSign || first === '!' || first === 'typeof' || first === 'void') {
      i += 1
      const of = operand()
      return isSign && !isCast && (of === 'number' || of === 'open') ? of : 'unknown'
    }
    let known: ConstantClass = 'unknown'
    let owner: string | undefined
    if (kind() === KIND.num) known = 'number'
    else if (kind() === KIND.string) known = 'text'
    else if (kind() === KIND.name) owner = word()
    if (kind() === KIND.backQuote) known = template()
    else if (kind() === KIND.parenL) {
      i += 1
      known = expression(0)
      // Whatever it is, more of it stands there.
      if (kind() !== KIND.parenR) known = 'unknown'
      leave(KIND.parenR)
    } else if (OPENS.has(kind())) skip()
    else i += 1
    if (owner !== undefined) known = names.ofName(owner)
    for (let steps = 0; i < to; steps++) {
      const isMember = kind() === KIND.dot
      const isElement = kind() === KIND.bracketL
      if (!isMember && !isElement && !OPENS.has(kind()) && kind() !== KIND.questionDot && !isPostfix()) break
      const key = word(i + 1)
      const isKey = isMember || (tokens[i + 1]?.type === KIND.string && tokens[i + 2]?.type === KIND.bracketR)
      known =
        steps === 0 && owner !== undefined && isKey
          ? names.ofMember(owner, isMember ? key : key.slice(1, -1))
          : 'unknown'
      if (isMember) i += 2
      else if (OPENS.has(kind())) skip()
      else i += 1
    }
    return isCast ? 'unknown' : known
  }
  const isPostfix = (): boolean =>
    kind() === KIND.nonNullAssertion || kind() === KIND.postIncDec || kind() === KIND.backQuote
  const expression = (least: number): ConstantClass => {
    let known = operand()
    while (i < to) {
      if (tokens[i]?.isType) {
        if (least > OF_TYPES) return known
        while (i < to && tokens[i]?.isType) i += 1
        known = 'unknown'
        continue
      }
      const operator = word()
      const strength = STRENGTH[operator]
      if (strength === undefined || strength < least) return known
      i += 1
      known = combine(operator, known, expression(operator === '**' ? strength : strength + 1))
    }
    return known
  }
  const known = expression(0)
  return i < to ? 'unknown' : known
}

/** What the constants of a program are, by name, as far as they stand before a place. A name of two things is `open`. */
export function programConstants(
  text: string,
  tokens: readonly SourceToken[],
  names: ConstantNames,
): (name: string, before: number) => ConstantClass {
  const found = new Map<string, ConstantClass>()
  let i = 0
  let isConstant = false
  let nextAt = -1
  return (name, before) => {
    for (; i < before; i++) {
      const token = tokens[i] as SourceToken
      if (!isDeclaration(token) || token.isType) continue
      isConstant = tokens[i - 1]?.type === KIND._const || (i === nextAt && isConstant)
      const word = text.slice(token.start, token.end)
      const sign = tokens[i + 1]
      const end = sign !== undefined && sign.type === KIND.eq ? sign.rhsEndIndex : null
      if (end !== null && tokens[end]?.type === KIND.comma) nextAt = end + 1
      if (found.has(word)) found.set(word, 'open')
      else if (end === null) found.set(word, 'unknown')
      else if (!isConstant) found.set(word, tokens[i - 1]?.type === KIND.comma ? 'open' : 'unknown')
      else found.set(word, constantClass(text, tokens, i + 2, end, names))
    }
    return found.get(name) ?? 'unknown'
  }
}
