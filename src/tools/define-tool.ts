import type { JsonObject } from '../json/json-value.js'
import type { PresentableResult, ToolCallView, ToolResultView } from '../presentation/cards.js'
import { compileOutputSchema, type OutputSchemaInput } from '../schema/compile-output-schema.js'
import { compileParameters, type ParametersInput } from '../schema/compile-parameters.js'
import type { InferArgs, InferInput, InferValue } from '../schema/schema-spec.js'
import type { ContentBlock } from './content-block.js'
import { readDefinition } from './read-definition.js'
import type { ToolAnnotations, ToolCall, ToolContext } from './tool-call.js'
import type { ContentToolReturn, ToolDefinition, ToolOutput } from './tool-definition.js'
import type { ToolExecutionResult } from './tool-result.js'
import { validatedCallbacks } from './validated-callbacks.js'

/** What every tool has, whatever its body returns. */
export interface ToolOptionsBase<P> {
  /** Unique in its scope. Any text; the model sees it as it is. */
  readonly name: string
  readonly title?: string
  /** For the model: what the tool does and when to use it. */
  readonly description: string
  readonly annotations?: ToolAnnotations
  /** The arguments: a map of properties, `jsonSchema<T>(raw)`, raw JSON Schema, or a Standard Schema. */
  readonly parameters: P
  /** Whether nulls and JSON text in the arguments may be mended; see `ToolDefinition.coerceArguments`. */
  readonly coerceArguments?: boolean
  /** Milliseconds the body may run under `timeoutPolicy`. */
  readonly timeoutMs?: number
  finalizeContent?(
    call: ToolCall,
    result: ToolExecutionResult,
  ): readonly ContentBlock[] | undefined | Promise<readonly ContentBlock[] | undefined>
  isConcurrencySafe?(args: InferArgs<NoInfer<P>>): boolean
  resourceKeys?(args: InferArgs<NoInfer<P>>): readonly string[]
  presentCall?(args: InferArgs<NoInfer<P>>): ToolCallView | undefined
  presentResult?(args: InferArgs<NoInfer<P>>, result: PresentableResult): ToolResultView | undefined
}

/** Options of a tool whose body returns text or content blocks. */
export interface ContentToolOptions<P> extends ToolOptionsBase<P> {
  readonly output?: undefined
  execute(args: InferArgs<NoInfer<P>>, context: ToolContext): ContentToolReturn | Promise<ContentToolReturn>
}

/** Options of a tool whose body returns a canonical value. */
export interface ValueToolOptions<P, S> extends ToolOptionsBase<P> {
  readonly output: {
    /** The canonical value: a schema node, `jsonSchema<T>(raw)` or a Standard Schema. */
    readonly schema: S
    /** What the model sees of the value. */
    render(args: InferArgs<NoInfer<P>>, value: InferValue<NoInfer<S>>): readonly ContentBlock[]
    /** The result's `meta`, for user interfaces. */
    presentationMeta?(args: InferArgs<NoInfer<P>>, value: InferValue<NoInfer<S>>): JsonObject | undefined
  }
  execute(
    args: InferArgs<NoInfer<P>>,
    context: ToolContext,
  ): InferInput<NoInfer<S>> | Promise<InferInput<NoInfer<S>>>
}

/**
 * Makes a tool: types inferred from its schemas, arguments validated before the body, callbacks detached from `this`.
 * @throws ToolgateError `INVALID_TOOL`, or `UNSUPPORTED_SCHEMA` listing everything wrong with a schema.
 */
export function defineTool<const P extends ParametersInput, const S extends OutputSchemaInput>(
  options: ValueToolOptions<P, S>,
): ToolDefinition
/** Makes a tool whose body returns text or content blocks. */
export function defineTool<const P extends ParametersInput>(options: ContentToolOptions<P>): ToolDefinition
export function defineTool(options: ValueToolOptions<any, any> | ContentToolOptions<any>): ToolDefinition {
  const fields = readDefinition(options)
  const { name, parameters, output, execute, isConcurrencySafe, resourceKeys } = fields
  const { presentCall, presentResult } = fields
  const compiled = compileParameters(parameters as ParametersInput)
  const callbacks = {
    name,
    execute,
    ...(isConcurrencySafe && { isConcurrencySafe }),
    ...(resourceKeys && { resourceKeys }),
    ...(presentCall && { presentCall }),
    ...(presentResult && { presentResult }),
  }
  return Object.freeze({
    ...options,
    ...fields,
    ...(compiled.parse === undefined ? callbacks : validatedCallbacks(callbacks, compiled.parse)),
    parameters: compiled.jsonSchema,
    // Raw JSON Schema waits for the registry, whose validator it is checked by.
    validateArguments: compiled.parse === undefined,
    ...(output && { output: compileOutput(output) }),
  })
}

function compileOutput(output: ToolOutput): ToolOutput {
  const compiled = compileOutputSchema(output.schema as OutputSchemaInput)
  return Object.freeze({ ...output, schema: compiled.jsonSchema, parse: compiled.parse })
}
