export { approverConformance } from './testing/approver/approver-conformance.js'
export type { ApproverWrapper } from './testing/approver/approver-world.js'
export { batchConformance } from './testing/batch/batch-conformance.js'
export type { BatchRunner, BatchRunnerFactory } from './testing/batch/batch-world.js'
export type { CodeRuntimeFactory, CodeRuntimeLimits } from './testing/code-runtime/bench.js'
export { codeRuntimeConformance } from './testing/code-runtime/code-runtime-conformance.js'
export type { ConformanceCase } from './testing/conformance-case.js'
export { type BatchResult, expectBatch } from './testing/expect-batch.js'
export { type FakeAnswer, type FakeCall, type FakeTool, fakeTool } from './testing/fake-tool.js'
export { type Gate, gate } from './testing/gate.js'
export {
  type RecordedAnswers,
  type RecordingApprover,
  recordingApprover,
} from './testing/recording-approver.js'
export {
  type ModelSurface,
  type ModelTurn,
  type PlayedTurn,
  type ScriptedCall,
  type ScriptedModel,
  type ScriptedTurn,
  scriptedModel,
  type TurnScript,
} from './testing/scripted-model.js'
