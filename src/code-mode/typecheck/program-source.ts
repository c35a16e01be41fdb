import ts from 'typescript'
import { programShape } from '../../sandbox/program-shape.js'

/** A program as the compiler reads it: inside an async function, every character of it in its own line. */
export interface ProgramSource {
  readonly text: string
  /** How far the first line of the program stands to the right of where it was submitted. */
  readonly lead: number
}

const BODY = ['export {}; async function program() {', '\n}'] as const
const EXPRESSION = ['export {}; const program = (', '\n)'] as const

function parses(text: string): boolean {
  const { diagnostics } = ts.transpileModule(text, {
    reportDiagnostics: true,
    compilerOptions: { target: ts.ScriptTarget.ESNext, module: ts.ModuleKind.ESNext },
  })
  return (diagnostics ?? []).every(({ category }) => category !== ts.DiagnosticCategory.Error)
}

function wrap(text: string, [open, close]: readonly [string, string]): ProgramSource | undefined {
  const wrapped = `${open}${text}${close}`
  return parses(wrapped) ? { text: wrapped, lead: open.length } : undefined
}

/** Wraps a program; `undefined` for what does not parse, which the runtime can say better. */
export function programSource(submitted: string): ProgramSource | undefined {
  const shape = programShape(submitted)
  if (shape.kind === 'refused') return undefined
  const asExpression =
    shape.kind === 'maybe-function' ? wrap(shape.text.replace(/[;\s]+$/, ''), EXPRESSION) : undefined
  if (asExpression !== undefined) return asExpression
  return (
    wrap(shape.text, BODY) ??
    (/\bexport\s+default\b/.test(shape.text) ? wrap(shape.text, ['', '']) : undefined)
  )
}
