import {
  createToolRegistry,
  defineTool,
  jsonSchema,
  type OutputSchemaInput,
  type Registration,
} from 'toolgate'

/** What the registry says of the values of one schema: which it accepts, or that it cannot use the schema. */
export type Acceptance = readonly boolean[] | undefined

/** Values, and the schema of a tool's result that judges them. */
export interface Valued {
  readonly schema: OutputSchemaInput
  readonly values: readonly unknown[]
}

/** Judges values as a registry judges results: any JSON may be one, and no text is parsed. */
export async function acceptedValues(cases: readonly Valued[]): Promise<Acceptance[]> {
  const registry = createToolRegistry()
  let value: unknown
  const found: Acceptance[] = []
  for (const { schema, values } of cases) {
    let registration: Registration
    try {
      registration = registry.register(
        defineTool({
          name: 'judge',
          description: 'Gives the value to judge.',
          parameters: {},
          output: { schema, render: () => [] },
          execute: () => value as never,
        }),
      )
    } catch {
      found.push(undefined)
      continue
    }
    const accepted: boolean[] = []
    for (value of values) {
      const result = await registry.execute({ callId: 'judge', name: 'judge' })
      if (result.isError && result.error.code !== 'INVALID_TOOL_OUTPUT') throw new Error(result.error.message)
      accepted.push(!result.isError)
    }
    registration()
    found.push(accepted)
  }
  return found
}

/** Raw JSON Schema as a result's schema. */
export const raw = (schema: object): OutputSchemaInput => jsonSchema(schema)
