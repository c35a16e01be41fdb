import { describeError } from '../errors/describe-error.js'
import { OutputSchemaError } from '../errors/errors.js'
import { ToolgateError } from '../errors/toolgate-error.js'
import type { JsonObject, JsonValue } from '../json/json-value.js'
import { snapshotJson } from '../json/snapshot-json.js'
import { checkJsonSchema } from '../schema/check-json-schema.js'
import type { Parsed, ParseValue } from '../schema/parsed.js'
import type { Validator } from '../schema/validator.js'
import type { RegisteredOutput, RegisteredTool, ToolDefinition, ToolOutput } from './tool-definition.js'
import { validatedCallbacks } from './validated-callbacks.js'

// Schemas nest two levels for each level of a value, and come from the host's program, not from a model.
const MAX_SCHEMA_DEPTH = 100_000
const MAX_TIMEOUT_MS = 2 ** 31 - 1
const CALLBACKS = [
  'execute',
  'finalizeContent',
  'isConcurrencySafe',
  'resourceKeys',
  'presentCall',
  'presentResult',
] as const
const FIELDS = [
  'name',
  'title',
  'description',
  'annotations',
  'parameters',
  'validateArguments',
  'output',
  'timeoutMs',
] as const

const SCHEMA_KEYWORD =
  /^(\$.+|type|properties|required|additionalProperties|patternProperties|propertyNames|items|prefixItems|(all|any|one)Of|not|if|then|else|enum|const|definitions|title|description|default|examples|(min|max)Properties|dependent.+|dependencies|unevaluatedProperties|x-.+)$/

const isRecord = (value: unknown): value is object => typeof value === 'object' && value !== null

function refuse(name: unknown, problem: string, cause?: unknown): never {
  const shown = typeof name === 'string' && name !== '' ? `Tool "${name}"` : 'A tool'
  throw new ToolgateError('INVALID_TOOL', `${shown} cannot be registered: ${problem}`, { cause })
}

function snapshotSchema(name: string, field: string, schema: unknown): JsonObject {
  let copy: JsonValue
  try {
    copy = snapshotJson(schema, { root: field, limits: { maxDepth: MAX_SCHEMA_DEPTH } })
  } catch (cause) {
    return refuse(name, describeError(cause), cause)
  }
  if (typeof copy !== 'object' || copy === null || Array.isArray(copy))
    return refuse(name, `${field} must be a JSON Schema object`)
  return copy as JsonObject
}

function requireResolvable(name: string, field: string, schema: JsonObject): void {
  const violations = checkJsonSchema(schema)
  if (violations.length > 0)
    throw new OutputSchemaError(`Tool "${name}": ${field} cannot be used`, violations)
}

/** A schema's check by the registry's validator, compiled when it is first needed. */
function lazyParse(schema: JsonObject, root: string, validator: Validator): ParseValue {
  let check: ReturnType<Validator['compile']> | undefined
  const failed = (error: unknown): Parsed => ({
    ok: false,
    violations: [{ path: root, message: `${root} could not be checked: ${describeError(error)}` }],
  })
  return value => {
    try {
      check ??= validator.compile(schema, root)
      const violations = check(value as JsonValue)
      if (violations instanceof Promise)
        return violations.then(
          found => (found.length === 0 ? { ok: true, value } : { ok: false, violations: found }),
          failed,
        )
      return violations.length === 0 ? { ok: true, value } : { ok: false, violations }
    } catch (error) {
      return failed(error)
    }
  }
}

function snapshotOutput(name: string, output: ToolOutput, validator: Validator): RegisteredOutput {
  if (!isRecord(output)) return refuse(name, 'output must be an object with "schema" and "render"')
  const { render, presentationMeta, parse } = output
  if (typeof render !== 'function') return refuse(name, 'output.render must be a function')
  if (presentationMeta !== undefined && typeof presentationMeta !== 'function')
    return refuse(name, 'output.presentationMeta must be a function')
  if (parse !== undefined && typeof parse !== 'function')
    return refuse(name, 'output.parse must be a function')
  const schema = snapshotSchema(name, 'output.schema', output.schema)
  if (parse === undefined) requireResolvable(name, 'output.schema', schema)
  return Object.freeze({
    schema,
    parse: parse ?? lazyParse(schema, 'value', validator),
    render: render.bind(output),
    ...(presentationMeta && { presentationMeta: presentationMeta.bind(output) }),
  })
}

function checkText({ name, title, description, annotations, timeoutMs }: ToolDefinition): void {
  if (typeof name !== 'string' || name === '') refuse(undefined, 'name must be a non-empty string')
  if (typeof description !== 'string') refuse(name, 'description must be a string')
  if (title !== undefined && typeof title !== 'string') refuse(name, 'title must be a string')
  if (annotations !== undefined && !isRecord(annotations)) refuse(name, 'annotations must be an object')
  const timed = typeof timeoutMs === 'number' && timeoutMs > 0 && timeoutMs <= MAX_TIMEOUT_MS
  if (timeoutMs !== undefined && !timed)
    refuse(name, `timeoutMs must be a positive number of milliseconds, at most ${MAX_TIMEOUT_MS}`)
}

// Every field is read once, and callbacks keep their `this`.
function readOnce(definition: ToolDefinition): ToolDefinition {
  const fields: Record<string, unknown> = {}
  for (const key of FIELDS) fields[key] = definition[key]
  checkText(fields as unknown as ToolDefinition)
  for (const key of CALLBACKS) {
    const callback: unknown = definition[key]
    if (callback === undefined && key !== 'execute') continue
    if (typeof callback !== 'function') return refuse(fields.name, `${key} must be a function`)
    fields[key] = callback.bind(definition)
  }
  return fields as unknown as ToolDefinition
}

function snapshot(definition: ToolDefinition, validator: Validator): RegisteredTool {
  const fields = readOnce(definition)
  const { name, title, description, annotations, timeoutMs, output, validateArguments } = fields
  if (validateArguments !== undefined && typeof validateArguments !== 'boolean')
    return refuse(name, 'validateArguments must be a boolean')
  const parameters = snapshotSchema(name, 'parameters', fields.parameters)
  const keys = Object.keys(parameters)
  if (keys.length > 0 && !keys.some(key => SCHEMA_KEYWORD.test(key)))
    return refuse(
      name,
      'parameters is no JSON Schema; a map of properties is for defineTool, which makes a schema of it',
    )
  if (validateArguments) requireResolvable(name, 'parameters', parameters)
  const { finalizeContent } = fields
  const callbacks = validateArguments
    ? validatedCallbacks(fields, lazyParse(parameters, 'arguments', validator))
    : fields
  const { execute, isConcurrencySafe, resourceKeys, presentCall, presentResult } = callbacks
  return Object.freeze({
    name,
    ...(title !== undefined && { title }),
    description,
    ...(annotations && { annotations: snapshotSchema(name, 'annotations', annotations) }),
    parameters,
    ...(output !== undefined && { output: snapshotOutput(name, output, validator) }),
    ...(timeoutMs !== undefined && { timeoutMs }),
    execute,
    ...(finalizeContent && { finalizeContent }),
    ...(isConcurrencySafe && { isConcurrencySafe }),
    ...(resourceKeys && { resourceKeys }),
    ...(presentCall && { presentCall }),
    ...(presentResult && { presentResult }),
  })
}

/**
 * Checks a definition and takes its frozen snapshot: later changes to the definition have no effect.
 * @throws ToolgateError `INVALID_TOOL`, or `UNSUPPORTED_SCHEMA` for a schema that is to be validated and cannot be.
 */
export function snapshotTool(definition: ToolDefinition, validator: Validator): RegisteredTool {
  if (!isRecord(definition)) return refuse(undefined, 'it is not an object; pass what defineTool returns')
  try {
    return snapshot(definition, validator)
  } catch (error) {
    if (ToolgateError.isInstance(error)) throw error
    return refuse(undefined, `its definition could not be read: ${describeError(error)}`, error)
  }
}
