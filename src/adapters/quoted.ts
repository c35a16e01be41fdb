import { writtenOut } from './mcp/unseen.js'
import { beginning } from './well-formed.js'

const SHOWN = 80

/** A name in quotes, cut where it is long; what a reader could not see is written out. */
export const quoted = (name: string): string =>
  writtenOut(JSON.stringify(name.length > SHOWN ? `${beginning(name, SHOWN)}…` : name))
