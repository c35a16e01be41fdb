import { describeError } from '../errors/describe-error.js'
import { OutputSchemaError } from '../errors/errors.js'
import { ToolgateError } from '../errors/toolgate-error.js'
import type { JsonObject, JsonValue } from '../json/json-value.js'
import { snapshotJson } from '../json/snapshot-json.js'
import { checkJsonSchema } from '../schema/check-json-schema.js'
import { createCoerce } from '../schema/coerce-value.js'
import type { Parsed, ParseValue } from '../schema/parsed.js'
import type { Validator } from '../schema/validator.js'
import { withoutMarks } from '../schema/without-marks.js'
import { CALLBACKS, readDefinition, refuseTool } from './read-definition.js'
import type { ToolInfo } from './tool-call.js'
import type { RegisteredOutput, RegisteredTool, ToolDefinition, ToolOutput } from './tool-definition.js'
import { validatedCallbacks } from './validated-callbacks.js'

// Schemas nest two levels for each level of a value, and come from the host's program, not from a model.
const MAX_SCHEMA_DEPTH = 100_000

const SCHEMA_KEYWORD =
  /^(\$.+|type|properties|required|additionalProperties|patternProperties|propertyNames|items|prefixItems|(all|any|one)Of|not|if|then|else|enum|const|definitions|title|description|default|examples|(min|max)Properties|dependent.+|dependencies|unevaluatedProperties|x-.+)$/

// Under these keywords stands no object. One that does is a property of that name, in a map for `defineTool`.
const NEVER_OBJECT =
  /^(\$(schema|id|ref|anchor|comment)|type|required|enum|examples|title|description|prefixItems|(all|any|one)Of|(min|max)Properties)$/

const isObject = (value: JsonValue | undefined): boolean =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Whether parameters are a map of properties by mistake: nothing in them is a keyword, or their `type` is a property. */
function isMap(parameters: JsonObject): boolean {
  const keys = Object.keys(parameters)
  const isKeyword = (key: string): boolean =>
    SCHEMA_KEYWORD.test(key) && !(NEVER_OBJECT.test(key) && isObject(parameters[key]))
  return (keys.includes('type') && isObject(parameters.type)) || (keys.length > 0 && !keys.some(isKeyword))
}

// Libraries leave symbols and hidden properties on the schemas that they make. These never travel.
function copied(field: string, schema: unknown): JsonValue {
  const options = { root: field, limits: { maxDepth: MAX_SCHEMA_DEPTH } }
  try {
    return snapshotJson(schema, options)
  } catch {
    return snapshotJson(withoutMarks(schema), options)
  }
}

function snapshotSchema(name: string, field: string, schema: unknown): JsonObject {
  let copy: JsonValue
  try {
    copy = copied(field, schema)
  } catch (cause) {
    return refuseTool(name, describeError(cause), cause)
  }
  if (typeof copy !== 'object' || copy === null || Array.isArray(copy))
    return refuseTool(name, `${field} must be a JSON Schema object`)
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
  const { render, presentationMeta, parse } = output
  const schema = snapshotSchema(name, 'output.schema', output.schema)
  if (parse === undefined) requireResolvable(name, 'output.schema', schema)
  return Object.freeze({
    schema,
    parse: parse ?? lazyParse(schema, 'value', validator),
    render,
    ...(presentationMeta && { presentationMeta }),
  })
}

// Callbacks keep their `this`.
function bindCallbacks(fields: ToolDefinition, definition: ToolDefinition): ToolDefinition {
  const bound: Record<string, unknown> = { ...fields }
  for (const key of CALLBACKS) bound[key] = fields[key]?.bind(definition)
  return bound as unknown as ToolDefinition
}

function snapshot(
  definition: ToolDefinition,
  validator: Validator,
  coerceByDefault: boolean,
): RegisteredTool {
  const fields = bindCallbacks(readDefinition(definition), definition)
  const { name, title, description, annotations, timeoutMs, output, validateArguments } = fields
  const parameters = snapshotSchema(name, 'parameters', fields.parameters)
  if (isMap(parameters))
    return refuseTool(
      name,
      'parameters is no JSON Schema; a map of properties is for defineTool, which makes a schema of it',
    )
  if (validateArguments) requireResolvable(name, 'parameters', parameters)
  const { finalizeContent } = fields
  const callbacks = validateArguments
    ? validatedCallbacks(fields, lazyParse(parameters, 'arguments', validator))
    : fields
  const { execute, isConcurrencySafe, resourceKeys, presentCall, presentResult } = callbacks
  const info: ToolInfo = Object.freeze({
    description,
    ...(title !== undefined && { title }),
    ...(annotations && { annotations: snapshotSchema(name, 'annotations', annotations) }),
    ...(timeoutMs !== undefined && { timeoutMs }),
  })
  return Object.freeze({
    name,
    ...info,
    info,
    parameters,
    ...((fields.coerceArguments ?? coerceByDefault) && { coerce: createCoerce(parameters) }),
    ...(output !== undefined && { output: snapshotOutput(name, output, validator) }),
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
export function snapshotTool(
  definition: ToolDefinition,
  validator: Validator,
  coerceByDefault: boolean,
): RegisteredTool {
  try {
    return snapshot(definition, validator, coerceByDefault)
  } catch (error) {
    if (ToolgateError.isInstance(error)) throw error
    return refuseTool(undefined, `its definition could not be read: ${describeError(error)}`, error)
  }
}
