import type { Edit } from './edited-text.js'
import { isDeclaration, KIND, WORD } from './parse-source.js'
import type { SourceScope, SourceToken } from './source-token.js'
import type { UnsupportedSyntax } from './unsupported-syntax.js'
import { unusedName } from './unused-name.js'

// The engine keeps a second variable for each parameter of a function whose defaults hold a function: one that those see, and
// one that the body sees. Where either is assigned, they differ. Such parameters are therefore taken apart in the body.

const OPENS = new Set([KIND.parenL, KIND.bracketL, KIND.braceL, KIND.dollarBraceL])
const CLOSES = new Set([KIND.parenR, KIND.bracketR, KIND.braceR])
const COUNTS = new Set([KIND.preIncDec, KIND.postIncDec])
const ASSIGNS = new Set([KIND.eq, KIND.assign])
const LISTS = new Set([KIND.bracketR, KIND.braceR])

/** Something in brackets, or what stands outside of all. */
interface Frame {
  readonly open: number
  /** The end of the function whose parameters these are, as an index of a token. */
  readonly functionEnd: number | undefined
  hasDefault: boolean
  hasFunction: boolean
}

/** A list of parameters, by the indexes of its brackets' tokens. */
interface Parameters {
  readonly open: number
  readonly close: number
  readonly end: number
}

/** Where parameters begin: types may stand before the bracket. */
function functionEnds(tokens: readonly SourceToken[], scopes: readonly SourceScope[]): Map<number, number> {
  // Of each token, the first from it on that is no type: runs of types may be as long as the text, and scopes many.
  const afterTypes = new Uint32Array(tokens.length + 1)
  for (let i = tokens.length - 1; i >= 0; i--)
    afterTypes[i] = (tokens[i] as SourceToken).isType ? (afterTypes[i + 1] as number) : i
  const ends = new Map<number, number>()
  for (const { startTokenIndex, endTokenIndex, isFunctionScope } of scopes) {
    const at = afterTypes[startTokenIndex] as number
    if (isFunctionScope && tokens[at]?.type === KIND.parenL) ends.set(at, endTokenIndex)
  }
  return ends
}

function withFunctions(
  tokens: readonly SourceToken[],
  scopes: readonly SourceScope[],
): readonly Parameters[] {
  const ends = functionEnds(tokens, scopes)
  const found: Parameters[] = []
  const frames: Frame[] = [{ open: -1, functionEnd: undefined, hasDefault: false, hasFunction: false }]
  for (let i = 0; i < tokens.length; i++) {
    const { type, isType } = tokens[i] as SourceToken
    const top = frames.at(-1) as Frame
    if (isType) continue
    if (type === KIND.eq) top.hasDefault = true
    else if (type === KIND.arrow) top.hasFunction = true
    else if (OPENS.has(type)) {
      const functionEnd = ends.get(i)
      if (functionEnd !== undefined) top.hasFunction = true
      frames.push({ open: i, functionEnd, hasDefault: false, hasFunction: false })
    } else if (CLOSES.has(type) && frames.length > 1) {
      frames.pop()
      const outer = frames.at(-1) as Frame
      outer.hasDefault ||= top.hasDefault
      outer.hasFunction ||= top.hasFunction
      if (top.functionEnd !== undefined && top.hasDefault && top.hasFunction)
        found.push({ open: top.open, close: i, end: top.functionEnd })
    }
  }
  return found
}

/** Tokens that are looked at to find what lists hold, for each token of the text. Past them nothing is looked for. */
const LOOKS_PER_TOKEN = 20

/** True for what stands behind a list of names that it assigns: a sign, or a loop's word. */
const assignsList = (token: SourceToken | undefined): boolean =>
  token?.type === KIND.eq || token?.type === KIND._in || token?.contextualKeyword === WORD._of

function namesIn(text: string, tokens: readonly SourceToken[], { open, close }: Parameters): Set<string> {
  const names = new Set<string>()
  for (let i = open + 1; i < close; i++) {
    const token = tokens[i] as SourceToken
    if (token.type === KIND.name && isDeclaration(token)) names.add(text.slice(token.start, token.end))
  }
  return names
}

/** The next token that way, past brackets, casts and what else leaves a name the name that it is. */
function outwards(tokens: readonly SourceToken[], from: number, step: 1 | -1): number {
  const bracket = step > 0 ? KIND.parenR : KIND.parenL
  let at = from + step
  while (tokens[at]?.isType || tokens[at]?.type === bracket || tokens[at]?.type === KIND.nonNullAssertion)
    at += step
  return at
}

/** True if something in the list, or in what it is the list of, may assign one of its names. */
function mayAssign(
  text: string,
  tokens: readonly SourceToken[],
  { open, end }: Parameters,
  names: ReadonlySet<string>,
): boolean {
  let depth = 0
  let patternDepth = 0
  // From the end: what assigns a list of names stands behind it.
  for (let i = end - 1; i > open; i--) {
    const token = tokens[i] as SourceToken
    if (CLOSES.has(token.type)) {
      depth += 1
      const isPattern = LISTS.has(token.type) && assignsList(tokens[i + 1])
      if (isPattern && patternDepth === 0) patternDepth = depth
    } else if (OPENS.has(token.type)) {
      if (depth === patternDepth) patternDepth = 0
      depth -= 1
    }
    if (token.isType || token.type !== KIND.name || isDeclaration(token)) continue
    const word = text.slice(token.start, token.end)
    if (word === 'eval') return true
    if (!names.has(word)) continue
    const { type: next, contextualKeyword } = tokens[outwards(tokens, i, 1)] as SourceToken
    const before = tokens[outwards(tokens, i, -1)] as SourceToken
    const isHead = before.type === KIND._for || before.contextualKeyword === WORD._await
    if (patternDepth > 0 || ASSIGNS.has(next) || COUNTS.has(next) || COUNTS.has(before.type)) return true
    if (isHead && (next === KIND._in || contextualKeyword === WORD._of)) return true
  }
  return false
}

/** The first parameter that is more than a name, as the index of its first token. */
function firstToMove(tokens: readonly SourceToken[], { open, close }: Parameters): number {
  let first = open + 1
  let depth = 0
  let parts = 0
  for (let i = open + 1; i < close; i++) {
    const { type, isType } = tokens[i] as SourceToken
    if (isType) continue
    if (type === KIND.comma && depth === 0) {
      first = i + 1
      parts = 0
      continue
    }
    if (OPENS.has(type)) depth += 1
    else if (CLOSES.has(type)) depth -= 1
    parts += 1
    if (parts > 1 || type !== KIND.name) return first
  }
  return first
}

function moveIntoBody(tokens: readonly SourceToken[], list: Parameters, name: string): readonly Edit[] {
  const at = (index: number): SourceToken => tokens[index] as SourceToken
  const first = at(firstToMove(tokens, list))
  const close = at(list.close)
  let next = list.close + 1
  while (at(next).isType) next += 1
  const isArrow = at(next).type === KIND.arrow
  const arrow = at(next)
  const body = at(isArrow ? next + 1 : next)
  const last = at(list.end - 1)
  const blank = ({ start, end }: SourceToken): Edit => ({ start, end, text: ' ' })
  return [
    { start: first.start, end: first.start, text: `...${name})${isArrow ? '=>' : ''}{let[` },
    { start: close.start, end: close.end, text: `]=${name};` },
    ...(isArrow ? [blank(arrow)] : []),
    ...(body.type === KIND.braceL
      ? [blank(body)]
      : [
          { start: body.start, end: body.start, text: 'return(' },
          { start: last.end, end: last.end, text: ')}' },
        ]),
  ]
}

/** Names of parameters that the body declares again, which makes variables of their own of them. */
function declaredAgain(
  text: string,
  tokens: readonly SourceToken[],
  { close, end }: Parameters,
  names: ReadonlySet<string>,
): ReadonlySet<string> {
  const again = new Set<string>()
  if (names.size === 0) return again
  for (let i = close + 1; i < end; i++) {
    const { type, start, end: stop } = tokens[i] as SourceToken
    const before = tokens[i - 1]?.type
    if (type !== KIND.name || (before !== KIND._var && before !== KIND._function)) continue
    const name = text.slice(start, stop)
    if (names.has(name)) again.add(name)
  }
  return again
}

/** True for a function whose parameters cannot be taken apart in its body: that of a generator begins later, a setter has just one. */
function mustStay(tokens: readonly SourceToken[], { open }: Parameters): boolean {
  let at = open - 1
  while (tokens[at]?.isType) at -= 1
  if (tokens[at]?.type === KIND.star) return true
  let depth = 0
  do {
    const type = tokens[at]?.type
    if (type === KIND.bracketR) depth += 1
    if (type === KIND.bracketL) depth -= 1
    at -= 1
  } while (depth > 0 && at > 0)
  if (tokens[at]?.type === KIND.hash) at -= 1
  return tokens[at]?.type === KIND.star || tokens[at]?.contextualKeyword === WORD._set
}

const STAYS =
  'the default of this parameter holds a function, and one of these parameters is assigned: give it its default in the body'

/**
 * Edits after which the functions in defaults see the variables of the body. Where that cannot be and would be seen, what is
 * wrong with the program.
 */
export function parameterClosureEdits(
  text: string,
  tokens: readonly SourceToken[],
  scopes: readonly SourceScope[],
): readonly Edit[] | UnsupportedSyntax {
  const lists = withFunctions(tokens, scopes)
  if (lists.length === 0) return []
  let looks = tokens.length * LOOKS_PER_TOKEN
  const name = unusedName(text, '$rest')
  const edits: Edit[] = []
  for (const list of lists) {
    looks -= list.end - list.open
    const names = looks < 0 ? new Set<string>() : namesIn(text, tokens, list)
    const again = declaredAgain(text, tokens, list, names)
    for (const other of again) names.delete(other)
    if (looks >= 0 && !mayAssign(text, tokens, list, names)) continue
    if (again.size > 0 || mustStay(tokens, list))
      return { message: STAYS, at: (tokens[list.open] as SourceToken).start }
    edits.push(...moveIntoBody(tokens, list, name))
  }
  return edits
}
