import { countBelow } from '../../count-below.js'
import { CLOSES, isDeclaration, isFunctionScoped, isUse, KIND, OPENS, WORD } from './parse-source.js'
import type { SourceScope, SourceToken } from './source-token.js'

const ASSIGNS = new Set([KIND.eq, KIND.assign, KIND.postIncDec])
const LISTS = new Set([KIND.bracketL, KIND.braceL])
const AFTER_ELEMENT = new Set([KIND.comma, KIND.bracketR, KIND.braceR])
const BEFORE_ELEMENT = {
  list: new Set([KIND.bracketL, KIND.comma, KIND.ellipsis]),
  object: new Set([KIND.braceL, KIND.comma, KIND.colon, KIND.ellipsis]),
  /** Where a list in an object is one of names, and no computed name of a property. */
  objectList: new Set([KIND.colon, KIND.ellipsis]),
}

/** Where a name stands for a variable that no scope within the stretch declares. */
export interface NameUse {
  readonly at: number
  readonly name: string
  readonly assigns: boolean
  /** True in a function or class of the stretch. */
  readonly isInner: boolean
}

/** What names mean in a stretch of tokens. */
export interface NamesUsed {
  readonly uses: readonly NameUse[]
  /** The names that the stretch itself declares, outside of its scopes, and where. */
  readonly declared: ReadonlyMap<string, number>
  /** Those of them that belong to the function, whatever block they are declared in. */
  readonly hoisted: ReadonlySet<string>
}

/** What names are looked for in. */
export interface NameSource {
  readonly text: string
  readonly tokens: readonly SourceToken[]
  /** Outer ones before those in them. */
  readonly scopes: readonly SourceScope[]
  /** What names say, by where they begin, as far as they have been looked at: one may be as long as the text. */
  readonly words: Map<number, string>
}

interface OpenScope {
  readonly names: Set<string>
  readonly end: number
  readonly isFunctionScope: boolean
}

/** The scopes that a token stands in. */
interface OpenScopes {
  readonly list: OpenScope[]
  functions: number
  /** How many of them declare a name. */
  readonly hiding: Map<string, number>
}

interface OpenBracket {
  readonly isPattern: boolean
  readonly isObject: boolean
}

/** Scopes by where they begin, the outer ones first. */
export const inOrder = (scopes: readonly SourceScope[]): readonly SourceScope[] =>
  [...scopes]
    .reverse()
    .sort((a, b) => a.startTokenIndex - b.startTokenIndex || b.endTokenIndex - a.endTokenIndex)

/** The next token that way, past brackets, casts and what else leaves a name the name that it is. */
function outwards(tokens: readonly SourceToken[], from: number, step: 1 | -1): SourceToken | undefined {
  const bracket = step > 0 ? KIND.parenR : KIND.parenL
  let at = from + step
  while (tokens[at]?.isType || tokens[at]?.type === bracket || tokens[at]?.type === KIND.nonNullAssertion)
    at += step
  return tokens[at]
}

/** For each bracket of a stretch, where it closes. */
function bracketEnds(tokens: readonly SourceToken[], from: number, to: number): Map<number, number> {
  const ends = new Map<number, number>()
  const open: number[] = []
  for (let i = from; i < to; i++) {
    const { type, isType } = tokens[i] as SourceToken
    if (isType) continue
    if (OPENS.has(type)) open.push(i)
    else if (CLOSES.has(type)) ends.set(open.pop() ?? -1, i)
  }
  return ends
}

/** True for what stands behind a list of names that it assigns: a sign, or a loop's word. */
function assignsList(tokens: readonly SourceToken[], close: number): boolean {
  let at = close + 1
  while (tokens[at]?.isType) at += 1
  const { type, contextualKeyword } = tokens[at] as SourceToken
  return type === KIND.eq || type === KIND._in || contextualKeyword === WORD._of
}

function assigns(tokens: readonly SourceToken[], at: number, bracket: OpenBracket | undefined): boolean {
  const next = outwards(tokens, at, 1)
  const before = outwards(tokens, at, -1)
  if (ASSIGNS.has(next?.type) || before?.type === KIND.preIncDec) return true
  const isHead = before?.type === KIND._for || before?.contextualKeyword === WORD._await
  if (isHead && (next?.type === KIND._in || next?.contextualKeyword === WORD._of)) return true
  if (!bracket?.isPattern || !AFTER_ELEMENT.has(next?.type)) return false
  return BEFORE_ELEMENT[bracket.isObject ? 'object' : 'list'].has(before?.type)
}

/** The index of the first scope that begins at a token or after it. */
export const firstScope = ({ scopes }: NameSource, from: number): number =>
  countBelow(scopes.length, from, index => (scopes[index] as SourceScope).startTokenIndex)

function count({ hiding }: OpenScopes, names: ReadonlySet<string>, by: 1 | -1): void {
  for (const name of names) hiding.set(name, (hiding.get(name) ?? 0) + by)
}

/** Visits the tokens of a stretch that are no types, with the scopes that each stands in. */
function visit(
  source: NameSource,
  known: Map<number, Set<string>>,
  from: number,
  to: number,
  see: (token: SourceToken, at: number, open: OpenScopes) => void,
): void {
  const { tokens, scopes } = source
  const open: OpenScopes = { list: [], functions: 0, hiding: new Map() }
  const { list } = open
  let next = firstScope(source, from)
  for (let i = from; i < to; i++) {
    for (let last = list.at(-1); last !== undefined && last.end <= i; last = list.at(-1)) {
      list.pop()
      count(open, last.names, -1)
      if (last.isFunctionScope) open.functions -= 1
    }
    for (; scopes[next]?.startTokenIndex === i; next++) {
      const { endTokenIndex: end, isFunctionScope } = scopes[next] as SourceScope
      const names = known.get(next) ?? new Set()
      known.set(next, names)
      list.push({ names, end, isFunctionScope })
      count(open, names, 1)
      if (isFunctionScope) open.functions += 1
    }
    const token = tokens[i] as SourceToken
    if (!token.isType) see(token, i, open)
  }
}

const ESCAPE = /\\u(?:\{([\da-f]+)\}|([\da-f]{4}))/gi

const withoutEscapes = (word: string): string =>
  word.includes('\\')
    ? word.replace(ESCAPE, (_all, long?: string, short?: string) =>
        String.fromCodePoint(Math.min(Number.parseInt(long ?? short ?? '', 16), 0x10ffff)),
      )
    : word

/** Finds the uses of names from a token up to another: of all names or of some. */
export function findNameUses(
  source: NameSource,
  from: number,
  to: number,
  names?: ReadonlySet<string>,
): NamesUsed {
  const { text, tokens, words } = source
  const known = new Map<number, Set<string>>()
  const declared = new Map<string, number>()
  const hoisted = new Set<string>()
  const uses: NameUse[] = []
  const wordOf = ({ type, start, end }: SourceToken): string | undefined => {
    if (type !== KIND.name) return undefined
    const word = words.get(start) ?? withoutEscapes(text.slice(start, end))
    words.set(start, word)
    return word
  }
  visit(source, known, from, to, (token, i, { list }) => {
    const word = isDeclaration(token) ? wordOf(token) : undefined
    if (word === undefined || (names !== undefined && !names.has(word))) return
    // A function's name belongs to the block that the function stands in.
    const isHoisted = isFunctionScoped(token) && !isFunctionName(tokens, i)
    let level = list.length - 1
    while (isHoisted && level >= 0 && !list[level]?.isFunctionScope) level -= 1
    const scope = list[level]
    if (scope !== undefined) scope.names.add(word)
    else {
      declared.set(word, i)
      if (isHoisted) hoisted.add(word)
    }
  })
  const ends = bracketEnds(tokens, from, to)
  const brackets: OpenBracket[] = []
  const classes: (number | null)[] = []
  visit(source, known, from, to, (token, i, open) => {
    const { type } = token
    if (type === KIND._class) classes.push(token.contextId)
    if (OPENS.has(type)) {
      const isObject = type === KIND.braceL
      const outer = brackets.at(-1)
      const before = outer?.isObject ? BEFORE_ELEMENT.objectList : BEFORE_ELEMENT.list
      const isPattern =
        LISTS.has(type) &&
        (assignsList(tokens, ends.get(i) ?? to) ||
          (outer?.isPattern === true && before.has(tokens[i - 1]?.type)))
      brackets.push({ isPattern, isObject })
    } else if (CLOSES.has(type)) {
      brackets.pop()
      if (type === KIND.braceR && classes.length > 0 && classes.at(-1) === token.contextId) classes.pop()
    } else if (isUse(token)) {
      const name = wordOf(token)
      if (name === undefined || (names !== undefined && !names.has(name))) return
      if ((open.hiding.get(name) ?? 0) > 0) return
      const isInner = classes.length > 0 || open.functions > 0
      uses.push({ at: i, name, assigns: assigns(tokens, i, brackets.at(-1)), isInner })
    }
  })
  return { uses, declared, hoisted }
}

function isFunctionName(tokens: readonly SourceToken[], at: number): boolean {
  const before = tokens[at - 1]?.type
  return before === KIND._function || (before === KIND.star && tokens[at - 2]?.type === KIND._function)
}
