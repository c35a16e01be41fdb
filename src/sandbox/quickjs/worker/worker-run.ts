import { describeError } from '../../../errors/describe-error.js'
import { joinListed, listedNames, withoutFirst } from '../../../errors/listed-names.js'
import { ToolgateError } from '../../../errors/toolgate-error.js'
import type { CodeFailureKind, CodeLog, CodeRunOutcome, CodeRunRequest } from '../../code-runtime.js'
import { failureText } from '../run/failure-text.js'
import { lineOf } from '../run/log-line.js'
import { PacedCalls } from '../run/paced-calls.js'
import { failureReply, replyText } from '../run/reply-text.js'
import type { EngineWorker, WorkerOwner } from './engine-worker.js'
import { type FromWorker, shapeOf, type WorkerSettings } from './messages.js'
import { readCallBody, readIds, readLines, readNames, readOutcome } from './read-outcome.js'
import { UntakenAnswers } from './untaken-answers.js'
import { WorkerWatch } from './worker-watch.js'

interface PostedCall {
  readonly id: number
  readonly namespace: number
  readonly body: string
  readonly bytes: number
}

/** Calls that the worker had sent out come before those that it had not. */
function withNotRun(
  { notRun: waiting = [], ...outcome }: CodeRunOutcome,
  notBegun: readonly string[],
): CodeRunOutcome {
  const notRun = joinListed(listedNames(notBegun), waiting)
  return notRun.length > 0 ? { ...outcome, notRun } : outcome
}

type RunSettings = Pick<WorkerSettings, 'limits' | 'cpuClock'>

/** One program in one worker, seen from the host: its calls, its lines, and its end, whatever the worker does. */
export class WorkerRun implements WorkerOwner {
  /** Settles with the outcome. Rejects for misuse only. */
  readonly outcome: Promise<CodeRunOutcome>
  readonly #id: number
  readonly #worker: EngineWorker
  readonly #request: CodeRunRequest
  readonly #settings: RunSettings
  readonly #watch: WorkerWatch
  readonly #lines: string[] = []
  // All that a worker has posted arrives in one turn.
  readonly #calls = new PacedCalls<PostedCall>(call => this.#call(call))
  readonly #untaken: UntakenAnswers
  readonly #inbox: FromWorker[] = []
  /** Who wants to know of answers that the program gets. */
  readonly #listeners = new Map<number, () => void>()
  /** Names of calls that the worker has not sent out yet. */
  #waiting: readonly string[] = []
  #wake = (): void => {}
  #resolve: (outcome: CodeRunOutcome) => void = () => {}
  #reject: (error: unknown) => void = () => {}
  #ended: AbortController | undefined
  #reason: string | undefined
  #holds = 0
  #taken = 0
  #settled = false

  constructor(id: number, worker: EngineWorker, request: CodeRunRequest, settings: RunSettings) {
    this.#id = id
    this.#worker = worker
    this.#request = request
    this.#settings = settings
    this.#untaken = new UntakenAnswers(settings.limits.memoryBytes)
    this.outcome = new Promise((resolve, reject) => {
      this.#resolve = resolve
      this.#reject = reject
    })
    this.#watch = new WorkerWatch(worker, settings, request.abortGraceMs, kind => this.#kill(kind))
    request.signal?.addEventListener('abort', this.#onAbort)
  }

  readonly #onAbort = (): void => this.stop(this.#request.signal?.reason)

  start(seeds: readonly number[]): void {
    const { program, namespaces } = this.#request
    void this.#listen()
    this.#worker.serve(this)
    this.#worker.post(['run', this.#id, program, namespaces.map(shapeOf), seeds])
    this.#watch.ping()
  }

  /** Ends the run as aborted: by the worker's own word, or with the worker. */
  stop(reason: unknown): void {
    if (this.#settled || this.#reason !== undefined) return
    this.#reason = describeError(reason)
    this.#worker.post(['abort', this.#id, this.#reason])
    this.#watch.abort()
    // What comes from now on was said before the worker heard of it, and begins nothing.
    this.#calls.halt()
  }

  died(): void {
    this.#kill(this.#reason === undefined ? 'crash' : 'abort')
  }

  receive(message: FromWorker): void {
    this.#inbox.push(message)
    this.#wake()
  }

  /** Messages arrive in the asynchronous context of whoever started the worker; calls and lines belong into that of their run. */
  async #listen(): Promise<void> {
    while (!this.#settled) {
      await new Promise<void>(resolve => {
        this.#wake = resolve
      })
      for (const message of this.#inbox.splice(0)) this.#hear(message)
    }
  }

  #hear(message: FromWorker): void {
    if (this.#settled) return
    if (message[0] === 'pong') {
      this.#watch.pong()
      return
    }
    if (message[0] === 'ready' || message[1] !== this.#id) return
    switch (message[0]) {
      case 'lines': {
        const logs = readLines(message[2])
        if (logs === undefined) this.#kill('crash')
        else for (const log of logs) this.#print(log)
        return
      }
      case 'computing':
        this.#watch.computes()
        return
      case 'waiting': {
        const names = readNames(message[2])
        if (names === undefined) this.#kill('crash')
        else this.#waiting = joinListed(this.#waiting, names)
        return
      }
      case 'taken': {
        const ids = readIds(message[2])
        if (ids === undefined) this.#kill('crash')
        else for (const id of ids) this.#took(id)
        return
      }
      case 'call':
        if (this.#waiting.length > 0) this.#waiting = withoutFirst(this.#waiting)
        this.#take(message[2], message[3], message[4])
        return
      case 'outcome': {
        const outcome = readOutcome(message[2])
        if (outcome === undefined) this.#kill('crash')
        else this.#end(outcome)
        return
      }
      case 'refused': {
        const [, , code, text] = message
        this.#settle(() => this.#reject(new ToolgateError(code, text)))
        return
      }
      default:
        message satisfies never
    }
  }

  /** The program has the answer of a call. */
  #took(id: number): void {
    this.#untaken.take(id)
    this.#listeners.get(id)?.()
    this.#listeners.delete(id)
  }

  #print(log: CodeLog): void {
    this.#lines.push(lineOf(log))
    try {
      this.#request.onLog?.(log)
    } catch {
      // An observer's fault is not the program's.
    }
  }

  #take(id: number, namespace: number, body: string): void {
    this.#taken += 1
    // A worker of ours refuses them itself.
    if (this.#taken > this.#settings.limits.maxCalls) {
      this.#kill('crash')
      return
    }
    this.#calls.add({ id, namespace, body, bytes: body.length })
    this.#calls.start()
  }

  #call({ id, namespace: index, body }: PostedCall): void {
    const namespace = this.#request.namespaces[index]
    const read = readCallBody(body)
    const isKnown = read && (namespace?.open === true || namespace?.functions.includes(read[0]))
    if (namespace === undefined || read === undefined || !isKnown) {
      this.#kill('crash')
      return
    }
    const [name, args] = read
    this.#ended ??= new AbortController()
    const { signal } = this.#ended
    const answer = (text: string): void => {
      this.#untaken.add(id, text.length)
      this.#worker.post(['reply', this.#id, id, text])
    }
    const fail = (error: unknown): void => {
      if (!this.#settled) answer(failureReply(describeError(error)))
    }
    try {
      namespace
        .call({
          name,
          args,
          signal,
          pauseWallClock: () => this.#hold(id),
          onTaken: listener => this.#listeners.set(id, listener),
          untilTaken: () => this.#untaken.wait(),
        })
        .then(reply => this.#settled || answer(replyText(name, reply)), fail)
    } catch (error) {
      fail(error)
    }
  }

  #hold(call: number): () => void {
    this.#holds += 1
    const hold = this.#holds
    this.#worker.post(['hold', this.#id, call, hold, this.#watch.wallSpentMs])
    const goOn = this.#watch.holdWall()
    return () => {
      goOn()
      this.#worker.post(['release', this.#id, hold])
    }
  }

  /** Ends the run without its worker's word, and the worker with it. What was printed until then is kept. */
  #kill(kind: CodeFailureKind): void {
    if (this.#settled) return
    void this.#worker.terminate()
    this.#end({ logs: this.#lines, notRun: this.#waiting, error: this.#failure(kind) })
  }

  /** A run that was to end is aborted, whatever its worker has come to since. */
  #end({ value, ...outcome }: CodeRunOutcome): void {
    const isAborted = this.#reason !== undefined && outcome.error?.kind !== 'abort'
    const ended = isAborted
      ? { ...outcome, error: this.#failure('abort') }
      : { ...outcome, ...(value !== undefined && { value }) }
    this.#settle(notBegun => this.#resolve(withNotRun(ended, notBegun)))
  }

  #failure(kind: CodeFailureKind): NonNullable<CodeRunOutcome['error']> {
    const reason = kind === 'abort' ? ` ${this.#reason}` : ''
    return { kind, message: `${failureText(kind, this.#settings.limits)}${reason}` }
  }

  #settle(tell: (notBegun: readonly string[]) => void): void {
    if (this.#settled) return
    this.#settled = true
    this.#watch.end()
    this.#untaken.end()
    const notBegun = this.#calls.close().flatMap(({ body }) => readCallBody(body)?.[0] ?? [])
    this.#request.signal?.removeEventListener('abort', this.#onAbort)
    tell(notBegun)
    this.#ended?.abort(new ToolgateError('ABORTED', 'The program has ended'))
  }
}
