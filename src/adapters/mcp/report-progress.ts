import type { ProgressEvent, SubcallStartEvent, ToolRegistry } from '../../index.js'

/** Tells the client of one call how far it has come. `progress` grows with every report, as the protocol wants it. */
export type SendProgress = (report: { progress: number; total?: number; message?: string }) => void

interface Reporter {
  readonly send: SendProgress
  last: number
}

/** Before the first report, which may be 0. */
const NOT_BEGUN = -1

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
    this.#reporters.set(callId, { send, last: NOT_BEGUN })
    return () => {
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
    reporter.last = completed
    reporter.send({
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
    reporter.last = Math.max(reporter.last, 0) + 1
    reporter.send({ progress: reporter.last, message })
  }
}
