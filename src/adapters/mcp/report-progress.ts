import type { ProgressEvent, SubcallStartEvent, ToolRegistry } from '../../index.js'

interface Report {
  readonly progress: number
  readonly total?: number
  readonly message?: string
}

/** Tells the client of one call how far it has come. `progress` grows with every report, as the protocol wants it. */
export type SendProgress = (report: Report) => void

/** Reports that go out as they come; of more only the last one does, so often. */
const AT_ONCE = 20
const PAUSE_MS = 100

/** Before the first report, which may be 0. */
const NOT_BEGUN = -1

/** Node keeps a process alive for a timer; nobody waits for this one. */
const letGo = (timer: unknown): void => (timer as { unref?(): void }).unref?.()

/** Reports of one call: a tool that tells of every step does not flood its client. */
class Reporter {
  readonly #send: SendProgress
  last = NOT_BEGUN
  #room = AT_ONCE
  #waiting: Report | undefined
  #timer: ReturnType<typeof setTimeout> | undefined

  constructor(send: SendProgress) {
    this.#send = send
  }

  tell(report: Report): void {
    this.last = report.progress
    if (this.#room > 0) {
      this.#room -= 1
      this.#send(report)
    } else this.#waiting = report
    if (this.#timer === undefined) this.#pause()
  }

  /** Sends what waits: nothing comes after it. */
  end(): void {
    clearTimeout(this.#timer)
    this.#room = 0
    if (this.#waiting !== undefined) this.#send(this.#waiting)
    this.#waiting = undefined
  }

  #pause(): void {
    this.#timer = setTimeout(() => {
      this.#timer = undefined
      if (this.#waiting !== undefined) this.#send(this.#waiting)
      else this.#room += 1
      this.#waiting = undefined
      if (this.#room < AT_ONCE) this.#pause()
    }, PAUSE_MS)
    letGo(this.#timer)
  }
}

/** The id of the outermost call: those of a program's calls begin with it. */
export const outerCallId = (callId: string): string => callId.replace(/(?::code:\d+)+$/, '')

const describe = ({ name, message, completed, total }: ProgressEvent): string => {
  const count = completed === undefined ? '' : `${completed}${total === undefined ? '' : ` of ${total}`}`
  return `${name}: ${message ?? (count || 'at work')}`
}

/** Passes the progress of calls on to those who asked for it. */
export class ProgressReports {
  readonly #registry: ToolRegistry
  readonly #reporters = new Map<string, Reporter>()

  constructor(registry: ToolRegistry) {
    this.#registry = registry
    registry.on('progress', this.#onProgress)
    registry.on('subcall:start', this.#onSubcall)
  }

  follow(callId: string, send: SendProgress): () => void {
    const reporter = new Reporter(send)
    this.#reporters.set(callId, reporter)
    return () => {
      reporter.end()
      this.#reporters.delete(callId)
    }
  }

  close(): void {
    this.#registry.off('progress', this.#onProgress)
    this.#registry.off('subcall:start', this.#onSubcall)
    this.#reporters.clear()
  }

  readonly #onProgress = (event: ProgressEvent): void => {
    const outer = outerCallId(event.callId)
    const reporter = this.#reporters.get(outer)
    if (reporter === undefined) return
    const { completed, total, message } = event
    const isOwn = outer === event.callId
    if (!isOwn || completed === undefined || completed <= reporter.last) {
      this.#step(reporter, isOwn ? (message ?? describe(event)) : describe(event))
      return
    }
    reporter.tell({
      progress: completed,
      ...(total !== undefined && { total }),
      ...(message !== undefined && { message }),
    })
  }

  readonly #onSubcall = ({ callId, name }: SubcallStartEvent): void => {
    const reporter = this.#reporters.get(outerCallId(callId))
    if (reporter !== undefined) this.#step(reporter, `calls ${name}`)
  }

  #step(reporter: Reporter, message: string): void {
    reporter.tell({ progress: Math.max(reporter.last, 0) + 1, message })
  }
}
