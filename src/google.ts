export { collectGoogleStream, type GoogleStreamed } from './adapters/google/collect-google-stream.js'
export {
  type GoogleGenerateContent,
  type GoogleOptions,
  googleContent,
} from './adapters/google/google-content.js'
export type {
  GoogleAnswer,
  GoogleContent,
  GoogleFunction,
  GoogleFunctionResponse,
  GoogleInlineData,
  GooglePart,
  GooglePartialArg,
  GoogleSchema,
  GoogleTool,
  GoogleUserContent,
} from './adapters/google/google-types.js'
export { type PreflightOptions, preflight } from './adapters/wire/preflight.js'
export type { ProviderName } from './adapters/wire/provider-limits.js'
export type { WireAdapter, WireOptions } from './adapters/wire/wire-adapter.js'
export type { WireFinding, WireRule } from './adapters/wire/wire-finding.js'
export type { ToolSource, WireTool } from './adapters/wire/wire-tools.js'
export type { WireTurn } from './adapters/wire/wire-turn.js'
