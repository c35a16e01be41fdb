/** Why a value is no JSON that may be taken. */
export class Refusal {
  readonly code: 'ARGUMENTS_NOT_JSON' | 'LIMIT_EXCEEDED'
  readonly what: string
  /** True if no member of the value is to blame more than another. */
  readonly isOfAll: boolean
  constructor(code: Refusal['code'], what: string, isOfAll = false) {
    this.code = code
    this.what = what
    this.isOfAll = isOfAll
  }
}

/** Of a value that is too much as a whole. */
export const pastLimit = (what: string): Refusal =>
  new Refusal('LIMIT_EXCEEDED', `is past the limit of ${what}`, true)
export const lossy = (what: string): Refusal =>
  new Refusal('ARGUMENTS_NOT_JSON', `is ${what}, which JSON cannot carry`)
