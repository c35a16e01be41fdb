export type {
  CodeCall,
  CodeCallReply,
  CodeFailureKind,
  CodeLog,
  CodeNamespace,
  CodeRunOutcome,
  CodeRunRequest,
  CodeRuntime,
} from './sandbox/code-runtime.js'
export type { QuickJsLimits } from './sandbox/quickjs/limits.js'
export { type QuickJsOptions, quickJsRuntime } from './sandbox/quickjs/quick-js-runtime.js'
