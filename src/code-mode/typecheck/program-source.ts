import { programShape, withoutLastSemicolons } from '../../sandbox/program-shape.js'

/** A program as the compiler reads it: inside an async function, every character of it in its own line. */
export interface ProgramSource {
  readonly text: string
  /** How far the first line of the program stands to the right of where it was submitted. */
  readonly lead: number
  /** True if it is read as one expression. */
  readonly isExpression: boolean
}

const BODY = ['export {}; async function program() {', '\n}'] as const
const EXPRESSION = ['export {}; const program = (', '\n)'] as const
const MODULE = ['', ''] as const

const wrap = (text: string, around: readonly [string, string]): ProgramSource => ({
  text: `${around[0]}${text}${around[1]}`,
  lead: around[0].length,
  isExpression: around === EXPRESSION,
})

/** What a program may be, in the order in which the runtime tries it; the first that parses is meant. */
export function programSources(submitted: string): readonly ProgramSource[] {
  const shape = programShape(submitted)
  if (shape.kind === 'refused') return []
  // A module has all that a body has; a body parses with an export in it, which is then no part of it.
  if (/\bexport\s+default\b/.test(shape.text)) return [wrap(shape.text, MODULE)]
  return [
    ...(shape.kind === 'maybe-function' ? [wrap(withoutLastSemicolons(shape.text), EXPRESSION)] : []),
    wrap(shape.text, BODY),
  ]
}
