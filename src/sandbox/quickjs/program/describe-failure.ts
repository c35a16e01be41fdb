import { codeFrame } from '../../code-frame.js'
import { shownPlace } from '../../shown-place.js'
import type { Position } from './position.js'
import type { PreparedProgram } from './prepare-program.js'

/** The name that the engine gives to the program's frames. */
export const PROGRAM_FILE = 'program.ts'

const FRAME = /^\s*at (?:(.*) \()?program\.ts:(\d+)(?::(\d+))?\)?$/
const MAX_FRAMES = 8
/** To find a place takes time that grows with its line, and a program can write itself a stack of any lines. */
const MAX_LOOKS = 24

/** `Name: message`, a frame of the submitted text, and the program's own calls on the way there. */
export function describeFailure(line: string, stack: string, program: PreparedProgram): string {
  const frames: { readonly name: string; readonly position: Position }[] = []
  let looks = 0
  let more = 0
  for (const entry of stack.split('\n')) {
    const match = FRAME.exec(entry)
    if (match === null) continue
    if (frames.length === MAX_FRAMES || looks === MAX_LOOKS) {
      more += 1
      continue
    }
    looks += 1
    const position = program.locate({ line: Number(match[2]), column: Number(match[3] ?? 1) })
    if (position !== undefined)
      frames.push({ name: match[1] ?? '', position: shownPlace(program.text, position) })
  }
  const [first] = frames
  if (first === undefined) return line
  const shown = frames.map(({ name, position }) => {
    const place = `${position.line}:${position.column}`
    return name === '' || name === '<anonymous>' ? `    at ${place}` : `    at ${name} (${place})`
  })
  if (more > 0) shown.push(`    … ${more} more`)
  return `${line}\n\n${codeFrame(program.text, first.position)}\n\n${shown.join('\n')}`
}
