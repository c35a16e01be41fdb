import { describeError } from '../errors/describe-error.js'
import { joinListed, listedNames, readListed } from '../errors/listed-names.js'
import { ToolgateError } from '../errors/toolgate-error.js'
import type { ApprovalAskedEvent, ApprovalDecidedEvent, LateSettlementEvent } from '../events/event-map.js'
import type { CodeModeHost } from '../registry/code-mode-support.js'
import type { CodeCall, CodeRunOutcome, CodeRuntime } from '../sandbox/code-runtime.js'
import type { ToolContext, ToolExecutionToken } from '../tools/tool-call.js'
import { createAttachments } from './attachments.js'
import {
  catalogNamespace,
  type LeftBodies,
  type ProgramCalls,
  toolsNamespace,
  type UnansweredCall,
} from './bindings.js'
import type { Catalogue } from './catalogue.js'
import { createHurry, DRAIN_OF_GRACE, drain } from './drain.js'
import { drainMsOf, readOutcome } from './read-outcome.js'
import type { RunCodeValue } from './run-code-value.js'
import { type LeftCalls, runFailure } from './run-failure.js'

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

interface WatchedBodies extends LeftBodies {
  isRunning(token: ToolExecutionToken): boolean
  names(): string[]
  end(): void
}

/** The names of calls that have settled although their bodies had not stopped, until those end. */
function watchBodies(host: CodeModeHost): WatchedBodies {
  const running = new Map<ToolExecutionToken, { readonly name: string; bodies: number }>()
  // A body may stop between the end of its call and the word of it.
  const stopped = new WeakSet<ToolExecutionToken>()
  const onLate = ({ call: { token } }: LateSettlementEvent): void => {
    const call = running.get(token)
    if (call !== undefined && --call.bodies <= 0) running.delete(token)
    stopped.add(token)
  }
  host.events.on('late-settlement', onLate)
  return {
    add({ token, name }, bodies) {
      if (bodies > 0 || !stopped.has(token)) running.set(token, { name, bodies })
    },
    isRunning: token => running.has(token),
    names: () => [...running.values()].map(({ name }) => name),
    end: () => host.events.off('late-settlement', onLate),
  }
}

function leftCalls(
  outcome: CodeRunOutcome,
  unanswered: readonly UnansweredCall[],
  running: readonly string[],
): LeftCalls {
  const namesOf = (ran: boolean): readonly string[] =>
    listedNames(unanswered.filter(call => call.ran === ran).map(({ name }) => name))
  const notAwaited = readListed(outcome.notAwaited ?? [])
  const left = {
    notAwaited: [...listedNames(notAwaited.names, notAwaited.count)],
    notRun: [...joinListed(namesOf(false), outcome.notRun ?? [])],
    cutOff: [...namesOf(true)],
    stillRunning: [...listedNames(running)],
  }
  return Object.fromEntries(Object.entries(left).filter(([, names]) => names.length > 0))
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
  const hurry = createHurry(host.abortGraceMs)
  const follow = (): void => {
    hurry.begin()
    ended.abort(context.signal.reason)
  }
  if (context.signal.aborted) follow()
  else context.signal.addEventListener('abort', follow)
  let programEnded = false
  const unwatch = watchApprovals(host, context, active)
  const bodies = watchBodies(host)
  const attachments = createAttachments(context)
  const calls: ProgramCalls = {
    scheduler,
    active,
    bodies,
    attachments,
    unanswered: new Map(),
    hasEnded: () => programEnded || ended.signal.aborted,
  }
  let outcome: CodeRunOutcome | undefined
  let stillRunning: readonly string[] = []
  try {
    const answered: unknown = await runtime.run({
      program,
      namespaces: [toolsNamespace(host, context, calls), catalogNamespace(catalogue)],
      signal: context.signal,
      abortGraceMs: host.abortGraceMs * DRAIN_OF_GRACE,
      onLog: ({ level, text }) => host.events.emit('log', { callId, name, scope, level, text }),
    })
    outcome = readOutcome(answered)
  } finally {
    programEnded = true
    if (!scheduler.isIdle) ended.abort(new ToolgateError('ABORTED', 'The program has ended'))
    const inFlight = await drain(scheduler, drainMsOf(runtime), hurry)
    context.signal.removeEventListener('abort', follow)
    hurry.end()
    stillRunning = [...inFlight, ...bodies.names()]
    bodies.end()
    attachments.end()
    unwatch()
  }
  const answerless = [...calls.unanswered.values()].filter(
    ({ token }) => token === undefined || !bodies.isRunning(token),
  )
  const left = leftCalls(outcome, answerless, stillRunning)
  const { logs, value, error } = outcome
  // An abort has the last word, as in every call; what the program had come to and left behind is told all the same.
  if (context.signal.aborted && error?.kind !== 'abort') {
    const before = error && ` The program had failed before: ${error.kind}: ${error.message}`
    const message = `The run was aborted. ${describeError(context.signal.reason)}${before ?? ''}`
    throw runFailure({ kind: 'abort', message }, { logs, ...left })
  }
  if (error !== undefined) throw runFailure(error, { logs, ...left })
  return { logs: [...logs], ...(value !== undefined && { result: value }), ...left }
}
