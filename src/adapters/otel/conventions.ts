import type { ToolCall } from '../../tools/tool-call.js'

/**
 * Which names are used. `genai-1.42-dev` are those of the GenAI conventions' own repository, which has published no other version
 * yet; `semconv-1.41` and `semconv-1.36` those of the general conventions before they moved.
 */
export type OtelConventions = 'genai-1.42-dev' | 'semconv-1.41' | 'semconv-1.36'

/** What differs between the versions. */
export interface ConventionNames {
  readonly schemaUrl: string
  readonly arguments: string
  readonly result: string
  readonly duration: string
  /** What the histogram has beside the tool: one histogram for all operations tells which it was, one for tools whose they are. */
  readonly durationHas: 'operation' | 'agent'
}

const OF_ALL_OPERATIONS = { duration: 'gen_ai.client.operation.duration', durationHas: 'operation' } as const
const CONTENT = { arguments: 'gen_ai.tool.call.arguments', result: 'gen_ai.tool.call.result' } as const

export const CONVENTIONS: { readonly [C in OtelConventions]: ConventionNames } = {
  'genai-1.42-dev': {
    schemaUrl: 'https://opentelemetry.io/schemas/gen-ai-dev/1.42.0-dev',
    ...CONTENT,
    duration: 'gen_ai.execute_tool.duration',
    durationHas: 'agent',
  },
  'semconv-1.41': {
    schemaUrl: 'https://opentelemetry.io/schemas/1.41.0',
    ...CONTENT,
    ...OF_ALL_OPERATIONS,
  },
  // It had no names for arguments and results.
  'semconv-1.36': {
    schemaUrl: 'https://opentelemetry.io/schemas/1.36.0',
    arguments: 'toolgate.call.arguments',
    result: 'toolgate.call.result',
    ...OF_ALL_OPERATIONS,
  },
}

/** In seconds; the conventions' own boundaries for operations. */
export const DURATION_BUCKETS: readonly number[] = [
  0.01, 0.02, 0.04, 0.08, 0.16, 0.32, 0.64, 1.28, 2.56, 5.12, 10.24, 20.48, 40.96, 81.92,
]

/** A text of a length that an attribute may have. */
export type ToText = (text: string) => string

/** The span's name. It must not grow with the names of tools that do not exist: those are the model's. */
export const spanName = ({ tool, name }: ToolCall, textOf: ToText): string =>
  tool === undefined ? 'execute_tool' : `execute_tool ${textOf(name)}`

export const spanAttributes = (
  call: ToolCall,
  agent: string | undefined,
  textOf: ToText,
): Record<string, string> => ({
  'gen_ai.operation.name': 'execute_tool',
  'gen_ai.tool.name': textOf(call.name),
  'gen_ai.tool.type': 'function',
  'gen_ai.tool.call.id': textOf(call.callId),
  'toolgate.scope': textOf(call.scope),
  'toolgate.root_call.id': textOf(call.rootCallId),
  ...(call.tool?.description !== undefined && { 'gen_ai.tool.description': textOf(call.tool.description) }),
  ...(agent !== undefined && { 'gen_ai.agent.name': textOf(agent) }),
})

/** The attributes of a duration: each value of each of them is a series. */
export const durationAttributes = (
  { durationHas }: ConventionNames,
  { tool, name }: ToolCall,
  { agent, code }: { readonly agent: string | undefined; readonly code: string | undefined },
  textOf: ToText,
): Record<string, string> => ({
  ...(durationHas === 'operation' && { 'gen_ai.operation.name': 'execute_tool' }),
  'gen_ai.tool.name': tool === undefined ? '_OTHER' : textOf(name),
  'gen_ai.tool.type': 'function',
  ...(durationHas === 'agent' && agent !== undefined && { 'gen_ai.agent.name': textOf(agent) }),
  ...(code !== undefined && { 'error.type': textOf(code) }),
})
