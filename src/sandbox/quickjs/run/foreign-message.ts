/**
 * A message that the prelude does not write: whoever sent it has got hold of the engine's memory. Thrown through the engine,
 * which ends the run as a crash.
 */
export class ForeignMessage extends Error {
  override readonly name: string = 'ForeignMessage'
}
