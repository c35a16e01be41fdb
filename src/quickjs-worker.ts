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
export {
  type QuickJsWorkerOptions,
  quickJsWorkerRuntime,
} from './sandbox/quickjs/worker/quick-js-worker-runtime.js'
export type { WorkerLike, WorkerSource } from './sandbox/quickjs/worker/worker-like.js'
