import { SOURCE_PARSER } from '../generated/source-parser.js'
import type { SourceScope, SourceToken } from './source-token.js'

/** The kinds of tokens, by the parser's names. */
export const KIND: { readonly [name: string]: number } = SOURCE_PARSER.TokenType
/** The words that are keywords in some places only. */
export const WORD: { readonly [name: string]: number } = SOURCE_PARSER.ContextualKeyword

/** Brackets of all kinds, those of what stands in a template included. */
export const OPENS: ReadonlySet<number | undefined> = new Set([
  KIND.parenL,
  KIND.bracketL,
  KIND.braceL,
  KIND.dollarBraceL,
])
export const CLOSES: ReadonlySet<number | undefined> = new Set([KIND.parenR, KIND.bracketR, KIND.braceR])

const {
  ObjectKey,
  TopLevelDeclaration,
  FunctionScopedDeclaration,
  ObjectShorthandFunctionScopedDeclaration,
  ObjectShorthandBlockScopedDeclaration,
} = SOURCE_PARSER.IdentifierRole

/** True for a name where it is declared. */
export const isDeclaration = ({ identifierRole: role }: SourceToken): boolean =>
  role !== null &&
  role >= (TopLevelDeclaration as number) &&
  role <= (ObjectShorthandBlockScopedDeclaration as number)

/** True for a name that stands for a variable where that is used. */
export const isUse = (token: SourceToken): boolean =>
  token.identifierRole !== null && token.identifierRole !== ObjectKey && !isDeclaration(token)

/** True for a name that is declared for a whole function: by `var`, as a parameter, or as the name of a function. */
export const isFunctionScoped = ({ identifierRole: role }: SourceToken): boolean =>
  role === FunctionScopedDeclaration || role === ObjectShorthandFunctionScopedDeclaration

const stacks = Error as unknown as { stackTraceLimit: unknown }

/** What the parser makes of a text. */
export interface ParsedSource {
  readonly tokens: readonly SourceToken[]
  /** Inner ones before those around them. */
  readonly scopes: readonly SourceScope[]
}

/**
 * The tokens of a text, which ends with one for its end; throws an error with `pos` for a text that does not parse. The
 * parser makes an error at each guess that it takes back. To write down where would be most of its work, so nothing is.
 */
export function parseSource(text: string): ParsedSource {
  const before = Object.getOwnPropertyDescriptor(stacks, 'stackTraceLimit')
  // Where it cannot be set there is nothing to set back.
  const isOff = before?.writable === true && Reflect.set(stacks, 'stackTraceLimit', 0)
  try {
    return SOURCE_PARSER.parse(text, false, true, false) as ParsedSource
  } catch (error) {
    // In classes it stumbles over what its own first error has left.
    throw SOURCE_PARSER.state?.error ?? error
  } finally {
    if (isOff) stacks.stackTraceLimit = before.value
  }
}
