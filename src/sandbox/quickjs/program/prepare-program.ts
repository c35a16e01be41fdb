import { codeFrame } from '../../code-frame.js'
import type { CodeFailureKind } from '../../code-runtime.js'
import { programShape, withoutLastSemicolons } from '../../program-shape.js'
import { shownPlace } from '../../shown-place.js'
import { findOffsets } from './find-offsets.js'
import type { Position } from './position.js'
import type { StripOutcome, TypeStripper } from './type-stripper.js'

/** A program that the engine can evaluate. */
export interface PreparedProgram {
  /** Evaluates to an async function without parameters. */
  readonly script: string
  /** True if what the program returns may be a function to call in its place. */
  readonly callsResult: boolean
  /** From a place in the script to an offset in the submitted text; `undefined` before its start, its length past its end. */
  readonly locate: (generated: Position) => number | undefined
  /** The submitted text. */
  readonly text: string
  /** The program in it, at the same offsets: blanks stand for what opens a fence, and what closes it is cut off. */
  readonly code: string
}

export type Preparation =
  | { readonly ok: true; readonly program: PreparedProgram }
  | { readonly ok: false; readonly kind: CodeFailureKind; readonly message: string }

type Stripped = Extract<StripOutcome, { readonly ok: true }>

const OPEN = '(async function(){'
const CLOSE = '\n})'
const CALL_OPEN = 'return ('
const CALL_CLOSE = '\n)'
const LIST_OPEN = 'return ['
const LIST_CLOSE = '\n]'

/** Half of a pair, which no UTF-8 has: the engine would read another character. */
const HALF_PAIR = /\p{Surrogate}/u
const NO_HALF_PAIRS =
  'half of a surrogate pair stands in the text; write an escape such as \\ud83d in its place'

const FENCE_LINE = /^[ \t]*(?:```|~~~)/m
const FENCE_HINT = '\n\nA fence stands in the text. Send what is in it, and nothing around it.'

function refuse(text: string, message: string, at: number | undefined): Preparation {
  const position = at === undefined ? undefined : shownPlace(text, at)
  const frame = position === undefined ? '' : `\n\n${codeFrame(text, position)}`
  const where = position === undefined ? '' : ` (${position.line}:${position.column})`
  return { ok: false, kind: 'syntax', message: `SyntaxError: ${message}${where}${frame}` }
}

/** `lead` is how much stands before the submitted text in what was stripped. */
function program(
  submitted: string,
  code: string,
  { stripped, loopMaker: loops }: Stripped,
  lead: number,
  callsResult: boolean,
): PreparedProgram {
  const open = loops === undefined ? OPEN : `(${loops.name}=>${OPEN.slice(1)}`
  const script = `${open}${stripped.text}${CLOSE}${loops === undefined ? '' : `(${loops.text})`}`
  const behind = open.length + stripped.text.length + CLOSE.length
  const offsetOf = findOffsets(script)
  return {
    script,
    callsResult,
    text: submitted,
    code,
    locate(generated) {
      const offset = offsetOf(generated)
      if (offset === undefined || offset < open.length || offset > behind) return undefined
      const at = stripped.toSource(Math.min(offset - open.length, stripped.text.length)) - lead
      return at < 0 ? undefined : Math.min(at, submitted.length)
    },
  }
}

/** Reads a program: its shape, its types, and how to find places of the running script in the submitted text. */
export function prepareProgram(submitted: string, stripper: TypeStripper): Preparation {
  const shape = programShape(submitted)
  if (shape.kind === 'refused') return { ok: false, kind: 'syntax', message: shape.message }
  const half = submitted.search(HALF_PAIR)
  if (half >= 0) return refuse(submitted, NO_HALF_PAIRS, half)
  const { text } = shape
  if (shape.kind === 'maybe-function') {
    const expression = withoutLastSemicolons(text)
    const outcome = stripper.strip(`${CALL_OPEN}${expression}${CALL_CLOSE}`)
    // A text that closes the one bracket does not close the other.
    if (outcome.ok && !outcome.goesOn && stripper.strip(`${LIST_OPEN}${expression}${LIST_CLOSE}`).ok)
      return { ok: true, program: program(submitted, text, outcome, CALL_OPEN.length, true) }
  }
  const outcome = stripper.strip(text)
  if (outcome.ok) return { ok: true, program: program(submitted, text, outcome, 0, outcome.callsDefault) }
  const { kind, message, at } = outcome.fault
  if (kind === 'stack') return { ok: false, kind, message }
  // What is missing at the end is missing behind the last of what is there.
  const refused = refuse(submitted, message, at && Math.min(at, text.trimEnd().length))
  if (refused.ok || message.includes('fence') || !FENCE_LINE.test(text)) return refused
  return { ...refused, message: refused.message + FENCE_HINT }
}
