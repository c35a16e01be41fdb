import { codeFrame } from '../../code-frame.js'
import { shownPlace } from '../../shown-place.js'
import type { PreparedProgram } from './prepare-program.js'
import { readFrame } from './read-frame.js'

/** The engine reads on into what is put around a program. */
const CLOSING_TOKEN = /'\}'$/
const QUOTED_TOKEN = /'([^']+)'$/
const LINE_END = /[\n\r\u2028\u2029]/

/** Where the engine says that a program does not parse. Of some faults it says no place, only the token. */
function placeTold(stack: string, token: string | undefined, program: PreparedProgram): number | undefined {
  const { code } = program
  const told = readFrame(stack.split('\n', 1)[0] as string)
  if (told !== undefined) return program.locate(told.place)
  const at = token === undefined ? -1 : code.indexOf(token)
  return at >= 0 && at === code.lastIndexOf(token as string) ? at : undefined
}

/**
 * What the engine does not parse, and where. It tells the place of the token that it has read last, which is the next one
 * where something is missing: on a line that is right, or past the end.
 */
export function describeSyntaxFault(line: string, stack: string, program: PreparedProgram): string {
  const { code, text } = program
  const token = QUOTED_TOKEN.exec(line)?.[1]
  const found = placeTold(stack, token, program)
  if (found === undefined) return line
  const end = code.slice(0, found).trimEnd().length
  const isPastEnd = code.slice(found).trim() === ''
  const isToken = token !== undefined && code.startsWith(token, found)
  const isOnNextLine = !isToken && LINE_END.test(code.slice(end, found))
  const position = shownPlace(text, isPastEnd || isOnNextLine ? end : found)
  const message = isPastEnd ? line.replace(CLOSING_TOKEN, 'the end of the program') : line
  return `${message} (${position.line}:${position.column})\n\n${codeFrame(text, position)}`
}
