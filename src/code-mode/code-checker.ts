/** What a checker is given. */
export interface CodeCheckRequest {
  /** The program as it was submitted. */
  readonly program: string
  /** The declarations of all tools that the program can call. */
  readonly declarations: string
}

/** Checks a program before any of it runs: `toolgate/typecheck` has one. */
export interface CodeChecker {
  /** What is wrong, as text for the model; `undefined` if nothing is. The program then does not run. */
  check(request: CodeCheckRequest): string | undefined | Promise<string | undefined>
}
