import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { ERROR_CODES } from '../src/errors/error-codes.js'
import { EVENT_NAMES } from '../src/events/event-map.js'

// A name that comes or goes is a change of the public surface: edit the list here, and say so in CHANGELOG.md.

const EXPORTS: { readonly [entry: string]: readonly string[] } = {
  'ai-sdk': ['aiSdkApprovals', 'aiSdkMiddleware', 'aiSdkOutput', 'aiSdkTools', 'fromAiSdkTools', 'preflight'],
  anthropic: ['anthropicMessages', 'preflight'],
  google: ['collectGoogleStream', 'googleContent', 'preflight'],
  index: [
    'CallId',
    'CallerMarks',
    'CodeRunFailedError',
    'ERROR_CODES',
    'OutputSchemaError',
    'RUN_CODE_NAME',
    'ScopeId',
    'ToolArgsError',
    'ToolNotFoundError',
    'ToolOutputError',
    'ToolTimeoutError',
    'ToolgateError',
    'assertObjectOutputSchema',
    'assertSupportedOutputSchema',
    'canonicalJson',
    'circuitBreaker',
    'concurrencyLimit',
    'createRedactor',
    'createToolRegistry',
    'defineTool',
    'isLosslessJson',
    'jsonSchema',
    'jsonSchemaToTs',
    'rateLimit',
    'redact',
    'rememberApprovals',
    'renderToolsSdk',
    'repeatReminder',
    'resultBudget',
    'retryPolicy',
    'schemaSpecToJsonSchema',
    'snapshotJson',
    'timeoutPolicy',
    'validateArgs',
    'validateStructuredValue',
  ],
  mcp: ['MCP_ERROR_CODES', 'mcpTools', 'serveMcp'],
  otel: ['otelStages'],
  openai: ['collectChatStream', 'openAiChat', 'openAiResponses', 'preflight'],
  quickjs: ['quickJsRuntime'],
  'quickjs-worker': ['quickJsWorkerRuntime'],
  testing: [
    'approverConformance',
    'batchConformance',
    'codeRuntimeConformance',
    'expectBatch',
    'fakeTool',
    'gate',
    'recordingApprover',
    'scriptedModel',
  ],
  typecheck: ['typescriptChecker'],
}

const CODES = [
  'ABORTED',
  'ABORTED_BEFORE_DISPATCH',
  'APPROVAL_CANCELLED',
  'APPROVAL_REJECTED',
  'APPROVAL_UNAVAILABLE',
  'ARGUMENTS_NOT_JSON',
  'BLOCKED',
  'CIRCUIT_OPEN',
  'CODE_RUN_FAILED',
  'CONCURRENCY_LIMITED',
  'DENIED',
  'DISPOSED',
  'DUPLICATE_CALL_ID',
  'DUPLICATE_TOOL',
  'GUARD_DENIED',
  'INVALID_ARGS',
  'INVALID_CALL',
  'INVALID_DECISION',
  'INVALID_OPTIONS',
  'INVALID_PARENT',
  'INVALID_TOOL',
  'INVALID_TOOL_OUTPUT',
  'LIMIT_EXCEEDED',
  'NOT_GRANTED',
  'RATE_LIMITED',
  'RESERVED_NAME',
  'STAGE_FAILED',
  'TOOL_FAILED',
  'TOOL_TIMEOUT',
  'UNKNOWN_SCOPE',
  'UNKNOWN_TOOL',
  'UNKNOWN_TOOL_NAME',
  'UNSUPPORTED_SCHEMA',
]

const EVENTS = [
  'approval:asked',
  'approval:decided',
  'change',
  'late-settlement',
  'log',
  'observer-error',
  'progress',
  'result',
  'subcall:end',
  'subcall:start',
]

const source = fileURLToPath(new URL('../src/', import.meta.url))
const entries = readdirSync(source)
  .filter(file => file.endsWith('.ts'))
  .map(file => file.slice(0, -3))

describe('the public surface', () => {
  test('has these entries', () => {
    expect(entries.toSorted()).toEqual(Object.keys(EXPORTS).toSorted())
  })

  test.each(entries)('exports these names from %s', async entry => {
    const names = Object.keys((await import(`${source}${entry}.ts`)) as object)
    expect(names.toSorted()).toEqual(EXPORTS[entry])
  })

  test('has each of its entries in the README', () => {
    const read = (path: string): string => readFileSync(new URL(`../${path}`, import.meta.url), 'utf8')
    const { exports } = JSON.parse(read('package.json')) as { exports: object }
    const named = Object.keys(exports).filter(entry => entry !== './package.json')
    const told = [...read('README.md').matchAll(/`(toolgate(?:\/[\w.-]+)?)`/g)].map(([, name]) => name)
    expect(told).toEqual(expect.arrayContaining(named.map(entry => entry.replace(/^\./, 'toolgate'))))
  })

  test('has these error codes', () => {
    expect(Object.keys(ERROR_CODES).toSorted()).toEqual(CODES)
  })

  test('has these events', () => {
    expect([...EVENT_NAMES].toSorted()).toEqual(EVENTS)
  })
})
