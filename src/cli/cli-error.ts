/** A mistake of the user's: shown as it is, without a stack. */
export class CliError extends Error {
  readonly exitCode: number
  constructor(message: string, exitCode = 2) {
    super(message)
    this.exitCode = exitCode
  }
}
