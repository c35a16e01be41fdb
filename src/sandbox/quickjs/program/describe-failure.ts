import { codeFrame } from '../../code-frame.js'
import { shownPlaces } from '../../shown-place.js'
import type { PreparedProgram } from './prepare-program.js'
import { readFrame } from './read-frame.js'

const MAX_FRAMES = 8
/** A program can write itself a stack of any places. */
const MAX_LOOKS = 24

/** `Name: message`, a frame of the submitted text, and the program's own calls on the way there. */
export function describeFailure(line: string, stack: string, program: PreparedProgram): string {
  const frames: { readonly name: string; readonly position: ReturnType<ReturnType<typeof shownPlaces>> }[] =
    []
  const placeAt = shownPlaces(program.text)
  let looks = 0
  let more = 0
  for (const entry of stack.split('\n')) {
    const frame = readFrame(entry)
    if (frame === undefined) continue
    if (frames.length === MAX_FRAMES || looks === MAX_LOOKS) {
      more += 1
      continue
    }
    looks += 1
    const at = program.locate(frame.place)
    if (at !== undefined) frames.push({ name: frame.name, position: placeAt(at) })
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
