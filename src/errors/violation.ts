/** One way in which a value does not match its schema. */
export interface Violation {
  /** Where, from the root's name: `arguments`, `servers[1].host`, `value.rows[0]`. */
  readonly path: string
  /** A whole sentence part that reads on its own, path included. */
  readonly message: string
}
