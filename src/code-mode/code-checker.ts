/** What a checker is given. */
export interface CodeCheckRequest {
  /** The program as it was submitted. */
  readonly program: string
  /** The declarations of all tools that the program can call. */
  readonly declarations: string
  /**
   * The names of tools that take more than they declare, by `coerceArguments`: null for an optional property, and JSON
   * text for an object or an array. Default none.
   */
  readonly mendedTools?: readonly string[] | undefined
}

/** Checks a program before any of it runs: `toolgate/typecheck` has one. */
export interface CodeChecker {
  /** What is wrong, as text for the model; `undefined` if nothing is. The program then does not run. */
  check(request: CodeCheckRequest): string | undefined | Promise<string | undefined>
}
