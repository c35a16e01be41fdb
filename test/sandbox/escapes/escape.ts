/**
 * A program that tries to get out, to see what it must not, or to make the sandbox say something else than what happened;
 * and what it returns when it has got nothing. `call` is the only thing it may have done to the host: names of calls, in order.
 */
export interface Escape {
  readonly what: string
  readonly program: string
  /** What it returns, or how it fails. */
  readonly ends: { readonly value: unknown } | { readonly kind: string; readonly message?: RegExp }
  readonly calls?: readonly string[]
  readonly logs?: readonly string[]
}

export const gives = (what: string, program: string, value: unknown, calls?: readonly string[]): Escape => ({
  what,
  program,
  ends: { value },
  ...(calls && { calls }),
})

export const fails = (what: string, program: string, kind: string, message?: RegExp): Escape => ({
  what,
  program,
  ends: { kind, ...(message && { message }) },
})
