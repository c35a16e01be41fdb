import { CodeRunFailedError } from '../errors/errors.js'
import { ToolgateError } from '../errors/toolgate-error.js'
import type { CodeRunOutcome } from '../sandbox/code-runtime.js'
import { callNotes, LESS_OUTPUT, LOGS_HEADING } from './instructions.js'
import type { RunCodeValue } from './run-code-value.js'

/** The names that a run leaves beside its value. */
export type LeftCalls = Pick<RunCodeValue, 'notAwaited' | 'notRun' | 'cutOff' | 'stillRunning'>

/** The details of a failure carry no more than twice as many values. */
const MAX_LINES = 1_000_000

/** Lines as details have them: where there are too many, the last of them is a text of all the others. */
const tellable = (logs: readonly string[]): readonly string[] =>
  logs.length <= MAX_LINES ? logs : [...logs.slice(0, MAX_LINES - 1), logs.slice(MAX_LINES - 1).join('\n')]

/** What a run fails with: beside the reason, all that it printed and left behind. */
export function runFailure(
  { kind, message }: NonNullable<CodeRunOutcome['error']>,
  { logs, ...left }: LeftCalls & { readonly logs: readonly string[] },
): ToolgateError {
  const details = { kind, ...(logs.length > 0 && { logs: tellable(logs) }), ...left }
  const bodyStopped = left.stillRunning === undefined
  if (kind === 'abort') return new ToolgateError('ABORTED', message, { details: { ...details, bodyStopped } })
  const printed = logs.length > 0 ? [`${LOGS_HEADING}\n${logs.join('\n')}`] : []
  const text = [`${kind}: ${message}`, ...printed, ...callNotes(left)].join('\n\n')
  return new CodeRunFailedError(text, { details })
}

/** The failure of a run whose value no result can carry. */
export function unfitRun(returned: unknown, error: unknown): unknown {
  if (!ToolgateError.isInstance(error)) return error
  const { code, message } = error
  const { result: _, ...rest } = returned as RunCodeValue
  if (code === 'LIMIT_EXCEEDED')
    return runFailure({ kind: 'output-limit', message: `${message}. ${LESS_OUTPUT}` }, rest)
  return code === 'INVALID_TOOL_OUTPUT' ? runFailure({ kind: 'invalid-output', message }, rest) : error
}
