import type { Edit } from './edited-text.js'
import { firstScope, type NameSource } from './name-uses.js'
import type { Parameters } from './parameter-lists.js'
import { CLOSES, KIND, OPENS, WORD } from './parse-source.js'
import type { SourceScope, SourceToken } from './source-token.js'

/** One parameter, by the indexes of its first token and of the one after its last. */
export interface Parameter {
  readonly start: number
  readonly end: number
  /** True where it ends what a function's `length` counts. */
  readonly endsLength: boolean
  /** The first token of its default. */
  readonly value: number | undefined
  readonly isName: boolean
}

const LITERALS = new Set([
  KIND.num,
  KIND.bigint,
  KIND.string,
  KIND.regexp,
  KIND._true,
  KIND._false,
  KIND._null,
])

/** True for a default that is a literal or a function: whenever it is made, it is the same. */
function isInertValue(source: NameSource, from: number, to: number): boolean {
  const at = (index: number): SourceToken => source.tokens[index] as SourceToken
  const start = at(from).type === KIND.minus ? from + 1 : from
  const first = at(start)
  if (to - start === 1)
    return LITERALS.has(first.type) || source.text.slice(first.start, first.end) === 'undefined'
  if (to - start === 2 && OPENS.has(first.type) && CLOSES.has(at(start + 1).type)) return true
  const head = first.contextualKeyword === WORD._async ? start + 1 : start
  const isFunction = at(head).type === KIND._function
  // Behind the word stand a star and a name at most.
  const furthest = isFunction ? head + 3 : head
  for (let i = firstScope(source, head); i < source.scopes.length; i++) {
    const { startTokenIndex, endTokenIndex, isFunctionScope } = source.scopes[i] as SourceScope
    if (startTokenIndex > furthest) return false
    if (isFunctionScope && endTokenIndex === to) return true
  }
  return false
}

function parameter(tokens: readonly SourceToken[], start: number, end: number): Parameter {
  let depth = 0
  let sign: number | undefined
  const parts: number[] = []
  for (let i = start; i < end; i++) {
    const token = tokens[i] as SourceToken
    if (token.isType) continue
    if (OPENS.has(token.type)) depth += 1
    else if (CLOSES.has(token.type)) depth -= 1
    if (depth === 0 && token.type === KIND.eq) sign ??= i
    if (sign === undefined && token.type !== KIND.comma) parts.push(i)
  }
  const isRest = tokens[parts[0] as number]?.type === KIND.ellipsis
  const isName = parts.length === (isRest ? 2 : 1) && tokens[parts.at(-1) as number]?.type === KIND.name
  const value = sign === undefined ? undefined : sign + 1
  return { start, end, endsLength: isRest || sign !== undefined, value, isName }
}

/** True if nobody sees when a parameter is taken apart. */
export function isInert(source: NameSource, { end, value, isName }: Parameter): boolean {
  if (!isName) return false
  let last = end
  while (source.tokens[last - 1]?.isType) last -= 1
  return value === undefined || isInertValue(source, value, last)
}

/** The parameters of a list. */
export function parametersOf(
  tokens: readonly SourceToken[],
  { open, close }: Parameters,
): readonly Parameter[] {
  const found: Parameter[] = []
  let start = open + 1
  let depth = 0
  for (let i = open + 1; i <= close; i++) {
    const { type, isType } = tokens[i] as SourceToken
    if (i === close || (type === KIND.comma && depth === 0 && !isType)) {
      if (i > start) found.push(parameter(tokens, start, i))
      start = i + 1
    } else if (isType) continue
    else if (OPENS.has(type)) depth += 1
    else if (CLOSES.has(type)) depth -= 1
  }
  return found
}

/** Edits, and those of them that stand behind what else is written at their place. */
export interface MovedEdits {
  readonly edits: readonly Edit[]
  readonly last: Edit
}

/** Edits that take the last parameters of a function apart in its body; the function's `length` stays. */
export function moveIntoBody(
  tokens: readonly SourceToken[],
  list: Parameters,
  moved: readonly Parameter[],
  name: string,
  isSetter: boolean,
): MovedEdits {
  const at = (index: number): SourceToken => tokens[index] as SourceToken
  const first = at((moved[0] as Parameter).start)
  const close = at(list.close)
  let next = list.close + 1
  while (at(next).isType) next += 1
  const arrow = at(next)
  const isArrow = arrow.type === KIND.arrow
  const body = at(isArrow ? next + 1 : next)
  const isBlock = body.type === KIND.braceL
  const { end } = at(list.end - 1)
  const counted = moved.findIndex(parameter => parameter.endsLength)
  const before = moved.slice(0, counted < 0 ? moved.length : counted).map((_, index) => `${name}_${index},`)
  const given = isSetter ? name : `${before.join('')}...${name}`
  const value = isSetter || before.length > 0 ? `[${given}]` : name
  return {
    edits: [
      { start: first.start, end: first.start, text: `${given})${isArrow ? '=>' : ''}{let[` },
      { start: close.start, end: close.end, text: `]=${value};` },
      ...(isArrow ? [{ start: arrow.start, end: arrow.end, text: ' ' }] : []),
      ...(isBlock ? [] : [{ start: body.start, end: body.start, text: 'return(' }]),
    ],
    // The body stays a block of its own, so that the parameters do not see what it declares.
    last: { start: end, end, text: isBlock ? '}' : ')}' },
  }
}
