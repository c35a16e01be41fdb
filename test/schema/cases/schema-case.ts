import { createToolRegistry, type JsonObject, type JsonValue, ToolgateError, type Violation } from 'toolgate'

/** A JSON Schema, and what is to be said of it and of values. */
export interface SchemaCase {
  readonly what: string
  readonly schema: JsonObject
  /** What `register()` says against the schema. Without it, it is taken. */
  readonly refused?: readonly string[]
  readonly valid?: readonly JsonValue[]
  /** Values, each with all that is said against it. */
  readonly invalid?: readonly (readonly [value: JsonValue, messages: readonly string[]])[]
}

/** What came of a case. */
export interface JudgedCase {
  readonly refused: readonly string[]
  /** How often the body ran. */
  readonly runs: number
  /** For each value, valid ones first, all that is said against it. */
  readonly messages: readonly (readonly string[])[]
}

/** A schema for arguments whose property `x` is held against these keywords. */
export const forX = (keywords: JsonObject): JsonObject => ({ type: 'object', properties: { x: keywords } })

const texts = (violations: unknown): string[] =>
  (violations as readonly Violation[]).map(({ message }) => message)

/** Registers the schema as the parameters of a tool and calls the tool with each value, by this process's validator. */
export async function judge({ schema, valid = [], invalid = [] }: SchemaCase): Promise<JudgedCase> {
  const registry = createToolRegistry()
  let runs = 0
  const execute = (): string => {
    runs++
    return 'done'
  }
  try {
    registry.register({
      name: 'tool',
      description: 'A tool.',
      parameters: schema,
      validateArguments: true,
      execute,
    })
  } catch (error) {
    if (!ToolgateError.isInstance(error) || error.code !== 'UNSUPPORTED_SCHEMA') throw error
    return { refused: texts((error.details as { violations: unknown }).violations), runs, messages: [] }
  }
  const messages: string[][] = []
  for (const value of [...valid, ...invalid.map(([given]) => given)]) {
    const result = await registry.execute({ callId: 'c', name: 'tool', arguments: JSON.stringify(value) })
    if (result.isError && result.error.code !== 'INVALID_ARGS') throw new Error(result.error.message)
    messages.push(result.isError ? texts((result.error.details as { violations: unknown }).violations) : [])
  }
  return { refused: [], runs, messages }
}

/** What is to come of a case. */
export function expected({ refused = [], valid = [], invalid = [] }: SchemaCase): JudgedCase {
  return {
    refused,
    runs: valid.length,
    messages: [...valid.map(() => []), ...invalid.map(([, messages]) => messages)],
  }
}
