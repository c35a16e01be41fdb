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

/** How a tool shows and checks its canonical value. */
export interface ToolOutputOptions<P, S> {
  /** The canonical value: a schema node, `jsonSchema<T>(raw)` or a Standard Schema. */
  readonly schema: S
  /** What the model sees of the value. */
  readonly render: (args: InferArgs<P>, value: InferValue<S>) => readonly ContentBlock[]
  /** The result's `meta`, for user interfaces. */
  readonly presentationMeta?:
    | ((args: InferArgs<P>, value: InferValue<S>) => JsonObject | undefined)
    | undefined
}

/** Options of `defineTool`. `S` is the schema of `output`, `undefined` for a tool whose body returns text or content blocks. */
export interface ToolOptions<P, S = undefined> {
  /** Unique in its scope. Any text; the model sees it as it is. */
  readonly name: string
  readonly title?: string | undefined
  /** For the model: what the tool does and when to use it. */
  readonly description: string
  readonly annotations?: ToolAnnotations | undefined
  /** The arguments: a map of properties, `jsonSchema<T>(raw)`, raw JSON Schema, or a Standard Schema. */
  readonly parameters: P
  /** The canonical value, which the body then returns. Without it the body returns what the model sees. */
  readonly output?: ToolOutputOptions<P, S> | undefined
  /** Whether nulls and JSON text in the arguments may be mended; see `ToolDefinition.coerceArguments`. */
  readonly coerceArguments?: boolean | undefined
  /** Milliseconds the body may run under `timeoutPolicy`. */
  readonly timeoutMs?: number | undefined
  // A condition over functions, not a function that returns a condition: so the compiler knows what the body should return
  // while it looks at the body, and 'text' stays 'text'.
  /** The body. With `output` it returns the canonical value, without it text or content blocks. */
  readonly execute: [S] extends [undefined]
    ? (args: InferArgs<P>, context: ToolContext) => ContentToolReturn | Promise<ContentToolReturn>
    : (args: InferArgs<P>, context: ToolContext) => InferInput<S> | Promise<InferInput<S>>
  readonly finalizeContent?:
    | ((
        call: ToolCall,
        result: ToolExecutionResult,
      ) => readonly ContentBlock[] | undefined | Promise<readonly ContentBlock[] | undefined>)
    | undefined
  readonly isConcurrencySafe?: ((args: InferArgs<P>) => boolean) | undefined
  readonly resourceKeys?: ((args: InferArgs<P>) => readonly string[]) | undefined
  readonly presentCall?: ((args: InferArgs<P>) => ToolCallView | undefined) | undefined
  readonly presentResult?:
    | ((args: InferArgs<P>, result: PresentableResult) => ToolResultView | undefined)
    | undefined
}

/**
 * Makes a tool: types inferred from its schemas, arguments validated before the body, callbacks detached from `this`.
 * @throws ToolgateError `INVALID_TOOL`, or `UNSUPPORTED_SCHEMA` listing everything wrong with a schema.
 */
export function defineTool<
  const P extends ParametersInput,
  const S extends OutputSchemaInput | undefined = undefined,
>(options: ToolOptions<P, S>): ToolDefinition {
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
    ...(options as object),
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
