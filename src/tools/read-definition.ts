import { describeError } from '../errors/describe-error.js'
import { ToolgateError } from '../errors/toolgate-error.js'
import { misspelt } from './misspelt.js'
import type { ToolDefinition, ToolOutput } from './tool-definition.js'

const MAX_TIMEOUT_MS = 2 ** 31 - 1
const FIELDS = [
  'name',
  'title',
  'description',
  'annotations',
  'parameters',
  'validateArguments',
  'coerceArguments',
  'output',
  'timeoutMs',
] as const
const OUTPUT_FIELDS = ['schema', 'render', 'presentationMeta', 'parse'] as const

/** The fields of a definition that are functions. */
export const CALLBACKS = [
  'execute',
  'finalizeContent',
  'isConcurrencySafe',
  'resourceKeys',
  'presentCall',
  'presentResult',
] as const

type Fields<K extends string> = { [F in K]?: unknown }

const isRecord = (value: unknown): value is object => typeof value === 'object' && value !== null

/** Throws `INVALID_TOOL`, naming the tool where it has a name. */
export function refuseTool(name: unknown, problem: string, cause?: unknown): never {
  const shown = typeof name === 'string' && name !== '' ? `Tool "${name}"` : 'A tool'
  throw new ToolgateError('INVALID_TOOL', `${shown} cannot be registered: ${problem}`, { cause })
}

function readOnce<K extends string>(given: object, keys: readonly K[]): Fields<K> {
  const fields: Fields<K> = {}
  for (const key of keys) {
    const value = (given as Fields<K>)[key]
    if (value !== undefined) fields[key] = value
  }
  return fields
}

// Its functions keep their `this`: what comes back is another object.
function checkOutput(name: string, output: unknown): ToolOutput {
  if (!isRecord(output)) return refuseTool(name, 'output must be an object with "schema" and "render"')
  const fields = readOnce(output, OUTPUT_FIELDS)
  const slip = misspelt(output, fields, OUTPUT_FIELDS)
  if (slip !== undefined) refuseTool(name, `output ${slip}`)
  for (const key of ['render', 'presentationMeta', 'parse'] as const) {
    const callback = fields[key]
    if (callback === undefined && key !== 'render') continue
    if (typeof callback !== 'function') return refuseTool(name, `output.${key} must be a function`)
    fields[key] = callback.bind(output)
  }
  return fields as unknown as ToolOutput
}

function check(definition: object): ToolDefinition {
  const known = [...FIELDS, ...CALLBACKS]
  const fields = readOnce(definition, known)
  const { name, title, description, annotations, validateArguments, coerceArguments, output, timeoutMs } =
    fields
  const slip = misspelt(definition, fields, known)
  if (slip !== undefined) refuseTool(name, `it ${slip}`)
  if (typeof name !== 'string' || name === '') return refuseTool(undefined, 'name must be a non-empty string')
  if (typeof description !== 'string') refuseTool(name, 'description must be a string')
  if (title !== undefined && typeof title !== 'string') refuseTool(name, 'title must be a string')
  if (annotations !== undefined && !isRecord(annotations)) refuseTool(name, 'annotations must be an object')
  if (validateArguments !== undefined && typeof validateArguments !== 'boolean')
    refuseTool(name, 'validateArguments must be a boolean')
  if (coerceArguments !== undefined && typeof coerceArguments !== 'boolean')
    refuseTool(name, 'coerceArguments must be a boolean')
  const timed = typeof timeoutMs === 'number' && timeoutMs > 0 && timeoutMs <= MAX_TIMEOUT_MS
  if (timeoutMs !== undefined && !timed)
    refuseTool(name, `timeoutMs must be a positive number of milliseconds, at most ${MAX_TIMEOUT_MS}`)
  for (const key of CALLBACKS)
    if (typeof fields[key] !== 'function' && (key === 'execute' || fields[key] !== undefined))
      refuseTool(name, `${key} must be a function`)
  if (output !== undefined) fields.output = checkOutput(name, output)
  return fields as unknown as ToolDefinition
}

/**
 * Reads a definition's fields, each once, and checks all but its schemas. Absent fields are absent in the copy.
 * @throws ToolgateError `INVALID_TOOL`, for a misspelt field too.
 */
export function readDefinition(definition: unknown): ToolDefinition {
  if (!isRecord(definition)) return refuseTool(undefined, 'it is not an object; pass what defineTool returns')
  try {
    return check(definition)
  } catch (error) {
    if (ToolgateError.isInstance(error)) throw error
    return refuseTool(undefined, `its definition could not be read: ${describeError(error)}`, error)
  }
}
