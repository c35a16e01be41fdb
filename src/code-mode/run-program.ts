import { cutText } from '../errors/cut-text.js'
import { describeError } from '../errors/describe-error.js'
import { CodeRunFailedError } from '../errors/errors.js'
import { ToolgateError } from '../errors/toolgate-error.js'
import type { ApprovalAskedEvent, ApprovalDecidedEvent, LateSettlementEvent } from '../events/event-map.js'
import type { JsonValue } from '../json/json-value.js'
import { settledWithin } from '../pipeline/settled-within.js'
import type { CodeModeHost } from '../registry/code-mode-support.js'
import type { CodeCall, CodeRunOutcome, CodeRuntime } from '../sandbox/code-runtime.js'
import type { CallScheduler } from '../schedule/call-scheduler.js'
import type { ToolContext, ToolExecutionToken } from '../tools/tool-call.js'
import { createAttachments } from './attachments.js'
import { catalogNamespace, type LeftBodies, toolsNamespace } from './bindings.js'
import type { Catalogue } from './catalogue.js'
import { callNotes, LOGS_HEADING } from './instructions.js'

/** The canonical value of `run_code`. */
export interface RunCodeValue {
  /** The lines printed, in order. */
  logs: string[]
  /** What the program returned; absent for `undefined`. */
  result?: JsonValue
  /** Calls whose answers were never asked for. */
  notAwaited?: string[]
  /** Calls that had not ended when the program had. */
  stillRunning?: string[]
}

const DEFAULT_DRAIN_MS = 1_000
const MAX_NAMES = 50
const MAX_NAME_UNITS = 200

/** Stops the wall clock while a human is asked on behalf of this run. */
function watchApprovals(host: CodeModeHost, context: ToolContext, active: ReadonlySet<CodeCall>): () => void {
  const resumes = new Map<string, () => void>()
  const asked = ({ id, call }: ApprovalAskedEvent): void => {
    const [waiting] = active
    if (waiting !== undefined && host.isWithin(call, context.token)) resumes.set(id, waiting.pauseWallClock())
  }
  const decided = ({ id }: ApprovalDecidedEvent): void => {
    resumes.get(id)?.()
    resumes.delete(id)
  }
  host.events.on('approval:asked', asked)
  host.events.on('approval:decided', decided)
  return () => {
    host.events.off('approval:asked', asked)
    host.events.off('approval:decided', decided)
  }
}

/** The names of calls that have settled although their bodies had not stopped, until those end. */
function watchBodies(host: CodeModeHost): LeftBodies & { names(): string[]; end(): void } {
  const running = new Map<ToolExecutionToken, string>()
  // A body may stop between the end of its call and the word of it.
  const stopped = new WeakSet<ToolExecutionToken>()
  const onLate = ({ call: { token } }: LateSettlementEvent): void => {
    running.delete(token)
    stopped.add(token)
  }
  host.events.on('late-settlement', onLate)
  return {
    add({ token, name }) {
      if (!stopped.has(token)) running.set(token, name)
    },
    names: () => [...running.values()],
    end: () => host.events.off('late-settlement', onLate),
  }
}

/** Waits for the calls under way to end, but not for ever; names those that have not. */
async function drain(scheduler: CallScheduler, drainMs: number): Promise<readonly string[]> {
  const isDrained = await settledWithin(drainMs, scheduler.abandon())
  return isDrained ? [] : scheduler.inFlight.map(call => call.name)
}

/** Names are a program's own words where no tool has them. */
function shownNames(names: readonly string[]): string[] {
  const shown = names.slice(0, MAX_NAMES).map(name => cutText(name, MAX_NAME_UNITS))
  return names.length > MAX_NAMES ? [...shown, `… and ${names.length - MAX_NAMES} more`] : shown
}

function succeed(outcome: CodeRunOutcome, stillRunning: readonly string[]): RunCodeValue {
  const { logs, value, notAwaited = [] } = outcome
  return {
    logs: [...logs],
    ...(value !== undefined && { result: value }),
    ...(notAwaited.length > 0 && { notAwaited: [...notAwaited] }),
    ...(stillRunning.length > 0 && { stillRunning: [...stillRunning] }),
  }
}

function fail(
  error: NonNullable<CodeRunOutcome['error']>,
  outcome: CodeRunOutcome,
  stillRunning: readonly string[],
): never {
  const { kind, message } = error
  const { logs, notAwaited = [] } = outcome
  const details = {
    kind,
    ...(logs.length > 0 && { logs }),
    ...(notAwaited.length > 0 && { notAwaited }),
    ...(stillRunning.length > 0 && { stillRunning }),
  }
  const bodyStopped = stillRunning.length === 0
  if (kind === 'abort') throw new ToolgateError('ABORTED', message, { details: { ...details, bodyStopped } })
  const printed = logs.length > 0 ? [`${LOGS_HEADING}\n${logs.join('\n')}`] : []
  const text = [`${kind}: ${message}`, ...printed, ...callNotes({ notAwaited, stillRunning })].join('\n\n')
  throw new CodeRunFailedError(text, { details })
}

interface RunOptions {
  readonly maxParallel: number
  /** Of the tools that the program sees. */
  readonly catalogue: Catalogue
}

/** Runs one program for a call of `run_code`: its tool calls are nested calls of that one. */
export async function runProgram(
  host: CodeModeHost,
  runtime: CodeRuntime,
  program: string,
  context: ToolContext,
  { maxParallel, catalogue }: RunOptions,
): Promise<RunCodeValue> {
  const { callId, name, scope } = context
  // Follows the outer call in and ends with the run, whatever ends it.
  const ended = new AbortController()
  const active = new Set<CodeCall>()
  const scheduler = host.scheduler(scope, maxParallel, ended.signal)
  const follow = (): void => ended.abort(context.signal.reason)
  if (context.signal.aborted) follow()
  else context.signal.addEventListener('abort', follow)
  const unwatch = watchApprovals(host, context, active)
  const bodies = watchBodies(host)
  const attachments = createAttachments(context)
  let outcome: CodeRunOutcome | undefined
  let stillRunning: readonly string[] = []
  try {
    outcome = await runtime.run({
      program,
      namespaces: [
        toolsNamespace(host, context, { scheduler, active, bodies, attachments }),
        catalogNamespace(catalogue),
      ],
      signal: context.signal,
      onLog: ({ level, text }) => host.events.emit('log', { callId, name, scope, level, text }),
    })
  } finally {
    context.signal.removeEventListener('abort', follow)
    ended.abort(new ToolgateError('ABORTED', 'The program has ended'))
    const inFlight = await drain(scheduler, runtime.drainMs ?? DEFAULT_DRAIN_MS)
    stillRunning = shownNames([...inFlight, ...bodies.names()])
    bodies.end()
    attachments.end()
    unwatch()
  }
  if (outcome.error !== undefined) return fail(outcome.error, outcome, stillRunning)
  // What is done with the value is the caller's word; what the program left behind is told all the same.
  if (context.signal.aborted) {
    const message = `The run was aborted. ${describeError(context.signal.reason)}`
    return fail({ kind: 'abort', message }, outcome, stillRunning)
  }
  return succeed(outcome, stillRunning)
}
