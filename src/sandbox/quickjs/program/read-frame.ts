import type { Position } from './position.js'

/** The name that the engine gives to the program's frames. */
export const PROGRAM_FILE = 'program.ts'

const FRAME = /^\s*at (?:(.*) \()?program\.ts:(\d+)(?::(\d+))?\)?$/

/** One line of a stack, if it is about the program. The name is empty where there is none. */
export function readFrame(entry: string): { readonly name: string; readonly place: Position } | undefined {
  const match = FRAME.exec(entry)
  if (match === null) return undefined
  return { name: match[1] ?? '', place: { line: Number(match[2]), column: Number(match[3] ?? 1) } }
}
