import { refuseOption } from './checked-options.js'

/** The longest time that a timer can be set to: beyond it runtimes fire at once. */
const MOST_MS = 2 ** 31 - 1

interface Bounds {
  readonly least: number
  /** Whether `Infinity` may be given, for no such limit. */
  readonly endless?: boolean
}

/** A number of milliseconds that a timer can be set to, or the default where none is given. */
export function milliseconds(option: string, given: unknown, otherwise: number, bounds: Bounds): number {
  const { least, endless = false } = bounds
  if (given === undefined) return otherwise
  if (endless && given === Number.POSITIVE_INFINITY) return given
  if (typeof given === 'number' && given >= least && given <= MOST_MS) return given
  const none = endless ? ', or Infinity for none' : ''
  return refuseOption(`${option} must be a number of milliseconds from ${least} to ${MOST_MS}${none}`)
}
