import { codeFrame } from '../../code-frame.js'
import type { CodeFailureKind } from '../../code-runtime.js'
import { programShape } from '../../program-shape.js'
import { shownPlace } from '../../shown-place.js'
import type { Position } from './source-map.js'
import type { TypeStripper } from './strip-types.js'
import type { ProgramToken } from './token-table.js'
import {
  findDefaultExport,
  findUnsupported,
  MAY_BE_UNSUPPORTED,
  type UnsupportedSyntax,
} from './unsupported-syntax.js'

/** A program that the engine can evaluate. */
export interface PreparedProgram {
  /** Evaluates to an async function without parameters. */
  readonly script: string
  /** True if what the program returns may be a function to call in its place. */
  readonly callsResult: boolean
  /** From a place in the script to one in the submitted text; `undefined` for the wrapping. */
  readonly locate: (generated: Position) => Position | undefined
  /** The submitted text. */
  readonly text: string
}

export type Preparation =
  | { readonly ok: true; readonly program: PreparedProgram }
  | { readonly ok: false; readonly kind: CodeFailureKind; readonly message: string }

const OPEN = '(async function(){'
const CLOSE = '\n})'
const CALL_OPEN = 'return ('
const CALL_CLOSE = '\n)'

function refuse(text: string, message: string, place: Position | undefined): Preparation {
  const position = place === undefined ? undefined : shownPlace(text, place)
  const frame = position === undefined ? '' : `\n\n${codeFrame(text, position)}`
  const where = position === undefined ? '' : ` (${position.line}:${position.column})`
  return { ok: false, kind: 'syntax', message: `SyntaxError: ${message}${where}${frame}` }
}

/** Puts `return` where `export default` stood, without moving anything. */
function replaceDefault(text: string, [first, second]: readonly [ProgramToken, ProgramToken]): string {
  const lines = text.split('\n')
  const put = ({ line, column, raw }: ProgramToken, replacement: string): void => {
    const old = lines[line - 1] as string
    lines[line - 1] =
      `${old.slice(0, column - 1)}${replacement.padEnd(raw.length)}${old.slice(column - 1 + raw.length)}`
  }
  put(first, '')
  put(second, 'return')
  return lines.join('\n')
}

function locator(
  toSource: (generated: Position) => Position | undefined,
  code: string,
  lead: number,
  lastLine: number,
): PreparedProgram['locate'] {
  const lines = code.split('\n')
  return ({ line, column }) => {
    // The engine counts characters, the text UTF-16 units.
    const generatedLine = `${line === 1 ? OPEN : ''}${lines[line - 1] ?? ''}`
    let units = 0
    let characters = 1
    for (const character of generatedLine) {
      if (characters >= column) break
      characters += 1
      units += character.length
    }
    const at = { line, column: units + 1 + Math.max(0, column - characters) - (line === 1 ? OPEN.length : 0) }
    if (at.column < 1 || line > lines.length) return undefined
    const source = toSource(at)
    if (source === undefined) return undefined
    const place = source.line === 1 ? { line: 1, column: source.column - lead } : source
    return place.column < 1 || place.line > lastLine ? undefined : place
  }
}

function withoutLastSemicolons(text: string): string {
  let end = text.length
  while (end > 0 && /[;\s]/.test(text[end - 1] as string)) end -= 1
  return text.slice(0, end) + text.slice(end).replace(/;/g, ' ')
}

function asFunction(text: string, stripper: TypeStripper, submitted: string): PreparedProgram | undefined {
  const expression = withoutLastSemicolons(text)
  const stripped = stripper.strip(`${CALL_OPEN}${expression}${CALL_CLOSE}`)
  if (!stripped.ok) return undefined
  const script = `${OPEN}${stripped.code}${CLOSE}`
  const lastLine = text.split('\n').length
  const locate = locator(stripped.toSource, stripped.code, CALL_OPEN.length, lastLine)
  return { script, callsResult: true, locate, text: submitted }
}

/** What must be refused although it parses, and where `export default` stands. Most programs have neither word. */
function inspectSyntax(
  text: string,
  stripper: TypeStripper,
): { readonly fault?: UnsupportedSyntax; readonly defaultExport?: readonly [ProgramToken, ProgramToken] } {
  if (!MAY_BE_UNSUPPORTED.test(text) || !stripper.strip(text).ok) return {}
  const tokens = stripper.tokens(text)
  const fault = findUnsupported(tokens)
  const defaultExport = findDefaultExport(tokens)
  return { ...(fault && { fault }), ...(defaultExport && { defaultExport }) }
}

/** Reads a program: its shape, its types, and how to find places of the running script in the submitted text. */
export function prepareProgram(submitted: string, stripper: TypeStripper): Preparation {
  const shape = programShape(submitted)
  if (shape.kind === 'refused') return { ok: false, kind: 'syntax', message: shape.message }
  const { fault, defaultExport } = inspectSyntax(shape.text, stripper)
  if (fault !== undefined) return refuse(submitted, fault.message, fault)
  if (shape.kind === 'maybe-function') {
    const program = asFunction(shape.text, stripper, submitted)
    if (program !== undefined) return { ok: true, program }
  }
  const text = defaultExport === undefined ? shape.text : replaceDefault(shape.text, defaultExport)
  const stripped = stripper.strip(text)
  if (!stripped.ok) {
    const { kind, message, position } = stripped.fault
    return kind === 'stack' ? { ok: false, kind, message } : refuse(submitted, message, position)
  }
  const script = `${OPEN}${stripped.code}${CLOSE}`
  const locate = locator(stripped.toSource, stripped.code, 0, text.split('\n').length)
  return { ok: true, program: { script, callsResult: defaultExport !== undefined, locate, text: submitted } }
}
