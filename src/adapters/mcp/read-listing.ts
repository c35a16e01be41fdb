import { type JsonObject, type JsonValue, snapshotJson, ToolgateError } from '../../index.js'
import { beginning } from '../well-formed.js'
import { isRecord, messageOf, quoted, textOf } from './read-field.js'
import { hasUnseen } from './unseen.js'

/** A tool as its server lists it: checked, copied and frozen. */
export interface McpToolListing {
  /** The server's own name of the tool. */
  readonly name: string
  readonly title?: string
  readonly description?: string
  readonly inputSchema: JsonObject
  readonly outputSchema?: JsonObject
  /** What the server says of the tool; not to be relied on. */
  readonly annotations?: JsonObject
}

/** Why a tool is not there, or less than its server wanted it to be. */
export interface McpProblem {
  /** The server's own name of the tool, where it has a usable one; absent if it is about the list as a whole. */
  readonly tool?: string
  /** `refused`: it cannot be called. `degraded`: it can, and less is checked than its server wanted. */
  readonly effect: 'refused' | 'degraded'
  readonly code: string
  readonly message: string
}

/** The longest name that a tool may have, its prefix included. */
export const MAX_NAME_CHARS = 256
const SHOWN = 128

/** What is wrong with a name; `undefined` if nothing is. */
function nameFault(name: unknown, prefix: string): string | undefined {
  if (typeof name !== 'string') return `its name is ${name === undefined ? 'missing' : `no text`}`
  if (name.trim() === '') return 'its name is blank'
  if (prefix.length + name.length > MAX_NAME_CHARS)
    return `its name has ${prefix.length + name.length} characters; ${MAX_NAME_CHARS} is the most`
  if (/\p{Cs}/u.test(name)) return 'its name is no well-formed text'
  return hasUnseen(name) ? 'its name has characters that cannot be seen' : undefined
}

function inputSchemaOf(given: JsonValue | undefined): JsonObject | string {
  if (!isRecord(given)) return 'its inputSchema is no JSON Schema object'
  const { type } = given as JsonObject
  // Arguments are always an object; a schema that leaves it out means the same, and providers want it said.
  if (type === undefined) return { type: 'object', ...(given as JsonObject) }
  return type === 'object'
    ? (given as JsonObject)
    : `the type of its inputSchema is ${JSON.stringify(type)}; it must be "object"`
}

const refused = (tool: unknown, code: string, message: string): McpProblem => ({
  ...(typeof tool === 'string' && { tool: beginning(tool, SHOWN) }),
  effect: 'refused',
  code,
  message: `Tool ${typeof tool === 'string' ? quoted(tool) : 'without a usable name'}: ${message}`,
})

/** Reads one entry of a server's list: the tool, or why it is refused. Never throws. */
export function readListing(
  raw: unknown,
  prefix: string,
  maxDefinitionBytes: number,
): McpToolListing | McpProblem {
  let name: unknown
  try {
    if (!isRecord(raw)) return refused(undefined, 'INVALID_TOOL', 'it is no object')
    name = raw.name
    const fault = nameFault(name, prefix)
    if (fault !== undefined) return refused(name, 'INVALID_TOOL', fault)
    const { title, description, inputSchema, outputSchema, annotations, execution } = raw
    const given = { name, title, description, inputSchema, outputSchema, annotations, execution }
    const present = Object.fromEntries(
      Object.entries(given).filter(([, value]) => value !== undefined && value !== null),
    )
    const copy = snapshotJson(present, { root: 'tool', limits: { maxBytes: maxDefinitionBytes } })
    return listingOf(copy as JsonObject, name as string)
  } catch (error) {
    const code =
      ToolgateError.isInstance(error) && error.code === 'LIMIT_EXCEEDED' ? error.code : 'INVALID_TOOL'
    return refused(name, code, `its definition cannot be used: ${messageOf(error)}`)
  }
}

function listingOf(copy: JsonObject, name: string): McpToolListing | McpProblem {
  const { title, description, outputSchema, annotations, execution } = copy
  const inputSchema = inputSchemaOf(copy.inputSchema)
  if (typeof inputSchema === 'string') return refused(name, 'INVALID_TOOL', inputSchema)
  if (isRecord(execution) && execution.taskSupport === 'required')
    return refused(
      name,
      'INVALID_TOOL',
      'it can be run as a task of the protocol only, which is not supported',
    )
  const hints = isRecord(annotations) ? (annotations as JsonObject) : undefined
  const shownTitle = textOf(title) ?? textOf(hints?.title)
  const text = textOf(description)
  return Object.freeze({
    name,
    ...(shownTitle !== undefined && { title: shownTitle }),
    ...(text !== undefined && { description: text }),
    inputSchema: Object.freeze(inputSchema),
    ...(isRecord(outputSchema) && { outputSchema: outputSchema as JsonObject }),
    ...(hints !== undefined && { annotations: hints }),
  })
}

/** Tells a problem from a tool. */
export const isProblem = (read: McpToolListing | McpProblem): read is McpProblem => 'effect' in read
