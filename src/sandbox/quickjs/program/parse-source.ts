import { parse } from 'sucrase/dist/parser/index.js'
import { IdentifierRole } from 'sucrase/dist/parser/tokenizer/index.js'
import { ContextualKeyword } from 'sucrase/dist/parser/tokenizer/keywords.js'
import { TokenType } from 'sucrase/dist/parser/tokenizer/types.js'
import * as base from 'sucrase/dist/parser/traverser/base.js'
import type { SourceScope, SourceToken } from './source-token.js'

/** The kinds of tokens, by the parser's names. */
export const KIND: { readonly [name: string]: number } = TokenType
/** The words that are keywords in some places only. */
export const WORD: { readonly [name: string]: number } = ContextualKeyword

// Its state is a variable that it sets anew for each text. Where the module is no ES module, only this object shows that.
const parser = base.default ?? base

const { TopLevelDeclaration, ObjectShorthandBlockScopedDeclaration } = IdentifierRole as {
  readonly [name: string]: number
}

/** True for a name where it is declared. */
export const isDeclaration = ({ identifierRole: role }: SourceToken): boolean =>
  role !== null &&
  role >= (TopLevelDeclaration as number) &&
  role <= (ObjectShorthandBlockScopedDeclaration as number)

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
    return parse(text, false, true, false) as ParsedSource
  } catch (error) {
    // In classes it stumbles over what its own first error has left.
    throw parser.state?.error ?? error
  } finally {
    if (isOff) stacks.stackTraceLimit = before.value
  }
}
