/** A token of the parser, with what it has learned of it. */
export interface SourceToken {
  /** A value of `TokenType`. */
  readonly type: number
  /** A value of `ContextualKeyword`: which word a name is that means something in some places. */
  readonly contextualKeyword: number
  readonly start: number
  readonly end: number
  /** Nothing of it is left when types are taken off. */
  readonly isType: boolean
  readonly scopeDepth: number
  /** What a name is to the variable that it names; null for what is no name of one. */
  readonly identifierRole: number | null
  /** The same for the tokens that belong to one class, one function or one call. */
  readonly contextId: number | null
  /** Of `=` and `export`: the token after what belongs to them. */
  readonly rhsEndIndex: number | null
}

/** A part of a text in which names may be declared, by the indexes of its first token and of the one after its last. */
export interface SourceScope {
  readonly startTokenIndex: number
  readonly endTokenIndex: number
  readonly isFunctionScope: boolean
}
