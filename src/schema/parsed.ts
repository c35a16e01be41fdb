import type { Violation } from '../errors/violation.js'

/** What became of a value that was held against a schema: the value to go on with, or why it does not match. */
export type Parsed =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly violations: readonly Violation[] }

/** Holds a value against a schema. Total: it never throws and its promise never rejects. */
export type ParseValue = (value: unknown) => Parsed | Promise<Parsed>
