/** A place as the engine tells it; both count from 1. Lines end at LF alone. */
export interface Position {
  readonly line: number
  readonly column: number
}
