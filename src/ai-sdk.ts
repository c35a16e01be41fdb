export { aiSdkApprovals } from './adapters/ai-sdk/ai-sdk-approvals.js'
export { aiSdkMiddleware } from './adapters/ai-sdk/ai-sdk-middleware.js'
export { type AiSdkScope, aiSdkOutput, aiSdkTools } from './adapters/ai-sdk/ai-sdk-tools.js'
export type {
  AiSdkCallOptions,
  AiSdkMiddleware,
  AiSdkOutput,
  AiSdkOutputPart,
  AiSdkRequest,
  AiSdkSchema,
  AiSdkTool,
  AiSdkToolSet,
  ForeignAiSdkTool,
} from './adapters/ai-sdk/ai-sdk-types.js'
export type { CallRunner } from './adapters/ai-sdk/call-queue.js'
export { fromAiSdkTools } from './adapters/ai-sdk/from-ai-sdk-tools.js'
export { type PreflightOptions, preflight } from './adapters/wire/preflight.js'
export type { ProviderName } from './adapters/wire/provider-limits.js'
export type { WireFinding, WireRule } from './adapters/wire/wire-finding.js'
export type { ToolSource, WireTool } from './adapters/wire/wire-tools.js'
