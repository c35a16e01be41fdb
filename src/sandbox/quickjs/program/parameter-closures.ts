import type { Edit } from './edited-text.js'
import { isDeclaration, KIND, WORD } from './parse-source.js'
import type { SourceScope, SourceToken } from './source-token.js'
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
  const ends = new Map<number, number>()
  for (const { startTokenIndex, endTokenIndex, isFunctionScope } of scopes) {
    if (!isFunctionScope) continue
    let at = startTokenIndex
    while (tokens[at]?.isType) at += 1
    // A setter may have no list in the place of its one parameter.
    const isSetter = tokens[at - 2]?.contextualKeyword === WORD._set
    if (tokens[at]?.type === KIND.parenL && !isSetter) ends.set(at, endTokenIndex)
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

/** Tokens that are looked at to find assignments, for each token of the text. Past them every list is taken to have some. */
const LOOKS_PER_TOKEN = 20

/** True if something in the list, or in what it is the list of, may assign one of its names. */
function mayAssign(text: string, tokens: readonly SourceToken[], { open, close, end }: Parameters): boolean {
  const textOf = ({ start, end: stop }: SourceToken): string => text.slice(start, stop)
  const names = new Set<string>()
  for (let i = open + 1; i < close; i++) {
    const token = tokens[i] as SourceToken
    if (token.type === KIND.name && isDeclaration(token)) names.add(textOf(token))
  }
  let depth = 0
  let patternDepth = 0
  // From the end: what assigns a list of names stands behind it.
  for (let i = end - 1; i > open; i--) {
    const token = tokens[i] as SourceToken
    if (CLOSES.has(token.type)) {
      depth += 1
      const isPattern = LISTS.has(token.type) && tokens[i + 1]?.type === KIND.eq
      if (isPattern && patternDepth === 0) patternDepth = depth
    } else if (OPENS.has(token.type)) {
      if (depth === patternDepth) patternDepth = 0
      depth -= 1
    }
    if (token.isType || token.type !== KIND.name || isDeclaration(token) || !names.has(textOf(token)))
      continue
    const next = tokens[i + 1]?.type as number
    const before = tokens[i - 1]?.type as number
    const isHead = before === KIND.parenL && tokens[i - 2]?.type === KIND._for
    if (patternDepth > 0 || isHead || ASSIGNS.has(next) || COUNTS.has(next) || COUNTS.has(before)) return true
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

/** Edits after which the functions in defaults see the variables of the body. */
export function parameterClosureEdits(
  text: string,
  tokens: readonly SourceToken[],
  scopes: readonly SourceScope[],
): readonly Edit[] {
  let looks = tokens.length * LOOKS_PER_TOKEN
  const lists = withFunctions(tokens, scopes).filter(list => {
    looks -= list.end - list.open
    return looks < 0 || mayAssign(text, tokens, list)
  })
  if (lists.length === 0) return []
  const name = unusedName(text, '$rest')
  return lists.flatMap(list => moveIntoBody(tokens, list, name))
}
