/** Something that parses as TypeScript and cannot run here. */
export interface UnsupportedSyntax {
  readonly message: string
  /** Where it stands, as an offset. */
  readonly at: number
}

export const isUnsupported = (value: object): value is UnsupportedSyntax => 'message' in value
