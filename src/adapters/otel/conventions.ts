import type { ToolCall } from '../../tools/tool-call.js'

/** Which names the GenAI semantic conventions had: as of semantic-conventions 1.36, or of their own repository's 0.1. */
export type OtelConventions = 'genai-0.1' | 'semconv-1.36'

/** What differs between the versions. */
export interface ConventionNames {
  readonly schemaUrl?: string
  readonly arguments: string
  readonly result: string
  readonly duration: string
}

export const CONVENTIONS: { readonly [C in OtelConventions]: ConventionNames } = {
  'genai-0.1': {
    arguments: 'gen_ai.tool.call.arguments',
    result: 'gen_ai.tool.call.result',
    duration: 'gen_ai.execute_tool.duration',
  },
  // It had no names for arguments and results, and one histogram for all operations.
  'semconv-1.36': {
    schemaUrl: 'https://opentelemetry.io/schemas/1.36.0',
    arguments: 'toolgate.call.arguments',
    result: 'toolgate.call.result',
    duration: 'gen_ai.client.operation.duration',
  },
}

/** In seconds; the conventions' own boundaries for operations. */
export const DURATION_BUCKETS: readonly number[] = [
  0.01, 0.02, 0.04, 0.08, 0.16, 0.32, 0.64, 1.28, 2.56, 5.12, 10.24, 20.48, 40.96, 81.92,
]

/** What spans and metrics call the tool. The names of tools that do not exist are the model's: metrics would grow with them. */
const metricName = ({ tool, name }: ToolCall): string => (tool === undefined ? '_OTHER' : name)

/** The span's name: it must not grow with what models make up either. */
export const spanName = ({ tool, name }: ToolCall): string =>
  tool === undefined ? 'execute_tool' : `execute_tool ${name}`

export const spanAttributes = (call: ToolCall): Record<string, string> => ({
  'gen_ai.operation.name': 'execute_tool',
  'gen_ai.tool.name': call.name,
  'gen_ai.tool.type': 'function',
  'gen_ai.tool.call.id': call.callId,
  'toolgate.scope': call.scope,
  'toolgate.root_call.id': call.rootCallId,
  ...(call.tool?.description !== undefined && { 'gen_ai.tool.description': call.tool.description }),
})

export const metricAttributes = (call: ToolCall, code: string | undefined): Record<string, string> => ({
  'gen_ai.operation.name': 'execute_tool',
  'gen_ai.tool.name': metricName(call),
  'gen_ai.tool.type': 'function',
  ...(code !== undefined && { 'error.type': code }),
})
