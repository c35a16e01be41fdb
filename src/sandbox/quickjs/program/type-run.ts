import type { Edit } from './edited-text.js'
import { hasLineBreak } from './line-breaks.js'
import { CLOSES, KIND, OPENS, WORD } from './parse-source.js'
import type { SourceToken } from './source-token.js'

/** What a run of type tokens begins with if it belongs to what stands before it. Other runs are whole statements. */
const ANNOTATES = new Set([
  KIND.colon,
  KIND.question,
  KIND.bang,
  KIND.lessThan,
  KIND.typeParameterStart,
  KIND._implements,
  KIND._this,
])
const CASTS = new Set([WORD._as, WORD._satisfies])
/** What may end in an empty line and goes on if types stood there. */
const CONTINUES = new Set([KIND.parenL, KIND.bracketL, KIND.backQuote])
/** What an expression that is a statement cannot begin with. */
const NO_EXPRESSION = /^(?:async|class|function)$/
const STATEMENT_STARTS = new Set([
  undefined,
  KIND.semi,
  KIND.braceL,
  KIND.braceR,
  KIND.parenR,
  KIND._else,
  KIND._do,
])
const WITHOUT_LINE_BREAK = new Set([KIND._return, KIND._throw, KIND._yield])
const TYPE_OPENS = new Set([...OPENS, KIND.lessThan])
const TYPE_CLOSES = new Set([...CLOSES, KIND.greaterThan])
/** What may begin a statement or a member that has only types. */
const STARTS = new Set([
  KIND.lessThan,
  KIND._function,
  KIND._export,
  KIND._declare,
  KIND._abstract,
  KIND._static,
  KIND.name,
  KIND.string,
  KIND.num,
  KIND.bracketL,
  KIND.hash,
])
/** What does so right after a block. */
const AFTER_BLOCKS = new Set([KIND.lessThan, KIND.name, KIND._function, KIND._export, KIND._declare])
/** Words that a type follows. */
const TYPE_FOLLOWS = new Set([
  WORD._keyof,
  WORD._unique,
  WORD._readonly,
  WORD._infer,
  WORD._asserts,
  WORD._is,
  WORD._as,
  WORD._satisfies,
  WORD._abstract,
])
/** What a type may end with. */
const TYPE_ENDS = new Set([
  KIND.name,
  KIND.string,
  KIND.num,
  KIND.bigint,
  KIND.parenR,
  KIND.bracketR,
  KIND.braceR,
  KIND.greaterThan,
  KIND.backQuote,
  KIND._this,
  KIND._null,
  KIND._void,
  KIND._true,
  KIND._false,
])
/** Names of members that mean something else before another name. */
const PREFIXES = new Set([WORD._get, WORD._set, WORD._static, WORD._accessor])
const IS_KEYWORD: number = KIND.IS_KEYWORD as number
const FIELD_TYPES = new Set([KIND.colon, KIND.question, KIND.bang])
const MEMBER_STARTS = new Set([KIND.name, KIND.string, KIND.num, KIND.bracketL, KIND.hash, KIND.star])

/** True if another statement or member begins at a token, by what stands before it. */
function begins(text: string, tokens: readonly SourceToken[], at: number, from: number): boolean {
  const token = tokens[at] as SourceToken
  const previous = tokens[at - 1] as SourceToken
  if (previous.type === KIND.semi) return true
  if (!STARTS.has(token.type)) return false
  if (previous.type === KIND.braceR && AFTER_BLOCKS.has(token.type)) return true
  const isFieldMark = at === from + 1 && FIELD_TYPES.has(previous.type) && previous.type !== KIND.colon
  if (!TYPE_ENDS.has(previous.type) && !isFieldMark) return false
  return !TYPE_FOLLOWS.has(previous.contextualKeyword) && hasLineBreak(text, previous.end, token.start)
}

/** The index after a run of type tokens that belong to one statement, member or place. */
export function endOfTypeRun(text: string, tokens: readonly SourceToken[], from: number): number {
  let depth = 0
  let i = from
  for (; tokens[i]?.isType === true; i++) {
    if (depth === 0 && i > from && begins(text, tokens, i, from)) break
    const { type } = tokens[i] as SourceToken
    if (TYPE_OPENS.has(type)) depth += 1
    else if (TYPE_CLOSES.has(type)) depth -= 1
  }
  return i
}

/**
 * What stands in the place of tokens that are types, from one up to another. Something always does, so that what they kept
 * apart stays apart; and where types ended a statement or kept a line break from ending one, it does the same.
 */
export function typeRunEdit(text: string, tokens: readonly SourceToken[], from: number, to: number): Edit {
  const first = tokens[from] as SourceToken
  const previous = tokens[from - 1]
  const next = tokens[to]
  const { start } = first
  const { end } = tokens[to - 1] as SourceToken
  const isCast =
    CASTS.has(first.contextualKeyword) && previous !== undefined && !hasLineBreak(text, previous.end, start)
  if (!isCast && !ANNOTATES.has(first.type)) return { start, end, text: ';' }
  if (
    first.type === KIND.lessThan &&
    (previous?.isType === true || STATEMENT_STARTS.has(previous?.type)) &&
    NO_EXPRESSION.test(text.slice(next?.start, next?.end))
  )
    return { start, end, text: '0,' }
  if (previous === undefined || next === undefined) return { start, end, text: ' ' }
  if (first.type === KIND.lessThan) {
    const isAsync =
      previous.contextualKeyword === WORD._async &&
      next.type === KIND.parenL &&
      !hasLineBreak(text, previous.end, start)
    if (isAsync || WITHOUT_LINE_BREAK.has(previous.type)) return { start, end: next.start, text: ' ' }
  }
  if (first.type === KIND.colon && previous.type === KIND.parenR && next.type === KIND.arrow)
    return { start: previous.end, end: next.start, text: ' ' }
  const endsStatement =
    !next.isType &&
    ((isCast && CONTINUES.has(next.type) && hasLineBreak(text, end, next.start)) ||
      (PREFIXES.has(previous.contextualKeyword) &&
        FIELD_TYPES.has(first.type) &&
        (MEMBER_STARTS.has(next.type) || (next.type & IS_KEYWORD) !== 0) &&
        hasLineBreak(text, start, next.start)))
  return { start, end, text: endsStatement ? ' ;' : ' ' }
}
