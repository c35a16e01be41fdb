export type {
  ApprovalAnswer,
  ApprovalOutcome,
  ApprovalRequest,
  Approver,
} from './approvals/approval.js'
export type { ApprovalFilter } from './approvals/approval-memory.js'
export {
  type RememberApprovalsOptions,
  type RememberingApprover,
  rememberApprovals,
  type SessionAnswer,
  type SessionApprover,
  type SessionOutcome,
} from './approvals/remember-approvals.js'
export type { CodeChecker, CodeCheckRequest } from './code-mode/code-checker.js'
export type { CodeModeOptions, CodeRuntimeOption } from './code-mode/code-mode.js'
export { createToolRegistry, type ToolRegistryOptions } from './code-mode/create-tool-registry.js'
export { jsonSchemaToTs } from './code-mode/declarations/json-schema-to-ts.js'
export { renderToolsSdk, type SdkTool } from './code-mode/declarations/render-tools-sdk.js'
export type { SdkDetail } from './code-mode/sdk-section.js'
export { ERROR_CODES, type ToolgateErrorCode } from './errors/error-codes.js'
export {
  CodeRunFailedError,
  OutputSchemaError,
  ToolArgsError,
  ToolNotFoundError,
  ToolOutputError,
  ToolTimeoutError,
} from './errors/errors.js'
export { ToolgateError, type ToolgateErrorOptions } from './errors/toolgate-error.js'
export type { Violation } from './errors/violation.js'
export type { EventListener } from './events/event-hub.js'
export type {
  ApprovalAskedEvent,
  ApprovalDecidedEvent,
  CallEvent,
  ChangeEvent,
  LateSettlementEvent,
  LogEvent,
  ObserverErrorEvent,
  ProgressEvent,
  ResultEvent,
  SubcallEndEvent,
  SubcallStartEvent,
  ToolgateEvents,
} from './events/event-map.js'
export { canonicalJson } from './json/canonical-json.js'
export type { JsonLimits } from './json/json-limits.js'
export type { JsonObject, JsonValue } from './json/json-value.js'
export { isLosslessJson, type SnapshotOptions, snapshotJson } from './json/snapshot-json.js'
export type {
  AroundCall,
  FailureWords,
  Guard,
  PostToolDecision,
  PostToolExtras,
  PreToolDecision,
  Stages,
} from './pipeline/stages.js'
export type { RetryJitter } from './policies/backoff.js'
export type { PolicyKey, PolicyKeyOf } from './policies/call-key.js'
export { type CircuitBreakerOptions, circuitBreaker } from './policies/circuit-breaker.js'
export { type ConcurrencyLimitOptions, concurrencyLimit } from './policies/concurrency-limit.js'
export { type RateLimitOptions, type RateWaitOptions, rateLimit } from './policies/rate-limit.js'
export { type RedactOptions, redact } from './policies/redact.js'
export type { RedactorOptions } from './policies/redaction.js'
export { createRedactor, type Redacted, type Redactor } from './policies/redactor.js'
export {
  type RepeatReminder,
  type RepeatReminderOptions,
  repeatReminder,
} from './policies/repeat-reminder.js'
export type { RepeatFilter } from './policies/repeat-reminder-chains.js'
export { type ResultBudgetOptions, resultBudget } from './policies/result-budget.js'
export type { ResultSink, SinkErrorListener, WholeResult } from './policies/result-sink.js'
export { type RetryNotice, type RetryPolicyOptions, retryPolicy } from './policies/retry-policy.js'
export type { SecretFinder } from './policies/secret-patterns.js'
export type { SecretRange } from './policies/secret-ranges.js'
export { type TimeoutPolicyOptions, timeoutPolicy } from './policies/timeout-policy.js'
export type {
  CardDiff,
  CardLocation,
  PresentableResult,
  ToolCallView,
  ToolKind,
  ToolResultView,
} from './presentation/cards.js'
export type { PromptSection } from './registry/code-mode-support.js'
export type { Presentation, ToolSchema } from './registry/present.js'
export type { Registration, ToolRegistration } from './registry/registration.js'
export type {
  RegistryLimits,
  RegistryOptions,
  ScopeDeclaration,
  ScopeOptions,
} from './registry/registry-options.js'
export type { ToolRegistry } from './registry/tool-registry.js'
export type { ToolScope } from './registry/tool-scope.js'
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
export type { BatchOptions } from './schedule/execute-batch.js'
export type { ExecutionMode } from './schedule/execution-mode.js'
export type { OutputSchemaInput } from './schema/compile-output-schema.js'
export type { ParametersInput } from './schema/compile-parameters.js'
export { type JsonSchemaOf, jsonSchema, type RawJsonSchema } from './schema/json-schema.js'
export type { Parsed, ParseValue } from './schema/parsed.js'
export type {
  ArraySpec,
  Below,
  BooleanSpec,
  ClosedObject,
  ForeignSchema,
  InferArgs,
  InferBranch,
  InferClosed,
  InferContainer,
  InferFields,
  InferForeign,
  InferInput,
  InferNode,
  InferObject,
  InferProperties,
  InferTyped,
  InferValue,
  JsonSpec,
  MaybeRequired,
  NotRequired,
  NullSpec,
  NumberSpec,
  ObjectSpec,
  OneOfSpec,
  PlainBoolean,
  PlainNumber,
  PlainString,
  PropertySpec,
  RequiredNames,
  ScalarTypes,
  SchemaSpec,
  SpecAnnotations,
  SpecNode,
  StringSpec,
  ValueSpec,
  WithConst,
  WithEnum,
  WithItems,
  WithOneOf,
  WithProperties,
  WithRequired,
  WithType,
} from './schema/schema-spec.js'
export type {
  StandardInput,
  StandardIssue,
  StandardOutput,
  StandardPrinter,
  StandardProps,
  StandardResult,
  StandardSchema,
  StandardSchemaPair,
} from './schema/standard-schema.js'
export {
  assertObjectOutputSchema,
  assertSupportedOutputSchema,
  validateStructuredValue,
} from './schema/structured-output.js'
export { schemaSpecToJsonSchema, validateArgs } from './schema/validate-args.js'
export type { ValidateValue, Validator } from './schema/validator.js'
export type { ToolExplanation } from './scopes/explain.js'
export type { RestrictOptions } from './scopes/restriction.js'
export { type PresentationMode, RUN_CODE_NAME } from './scopes/scope-node.js'
export { CallId, ScopeId } from './tools/call-id.js'
export { CallerMarks } from './tools/caller-marks.js'
export type {
  ContentBlock,
  MediaContent,
  ResourceContent,
  ResourceLinkContent,
  TextContent,
} from './tools/content-block.js'
export {
  defineTool,
  type ToolOptions,
  type ToolOutputOptions,
} from './tools/define-tool.js'
export type {
  ToolAnnotations,
  ToolCall,
  ToolContext,
  ToolExecutionInput,
  ToolExecutionToken,
  ToolInfo,
  ToolProgress,
} from './tools/tool-call.js'
export type {
  ContentToolReturn,
  RegisteredOutput,
  RegisteredTool,
  ToolDefinition,
  ToolOutput,
} from './tools/tool-definition.js'
export type {
  AdditionalContext,
  ResultBase,
  ToolExecutionResult,
  ToolFailure,
  ToolFailureError,
  ToolSuccess,
} from './tools/tool-result.js'
