import type { McpServing } from 'toolgate/mcp'
import type { StreamableHTTPServerTransport } from './sdk.js'

/** Bounds on the clients of a gateway that come over HTTP. */
export interface SessionLimits {
  /** Milliseconds without a request or an open stream after which a session is ended; `Infinity` for never. */
  readonly idleMs: number
  /** Sessions at one time. One more takes the place of the one that has been idle longest; where none is, it is refused. */
  readonly maxSessions: number
}

/** One client. */
export interface HttpSession {
  readonly transport: StreamableHTTPServerTransport
  readonly serving: McpServing
}

interface Held extends HttpSession {
  /** Requests and streams that are open now. */
  open: number
  idleSince: number
  timer: ReturnType<typeof setTimeout> | undefined
}

const LONGEST_MS = 2 ** 31 - 1

/** The clients of a gateway, of which none stays that has gone without a word. */
export class HttpSessions {
  readonly #limits: SessionLimits
  readonly #held = new Map<string, Held>()
  /** Places of those that are being made. */
  #reserved = 0

  constructor(limits: SessionLimits) {
    this.#limits = limits
  }

  get(id: string): HttpSession | undefined {
    return this.#held.get(id)
  }

  /** Keeps a place for one more. False if all are taken by clients that are at work. */
  async reserve(): Promise<boolean> {
    const { maxSessions } = this.#limits
    if (this.#held.size + this.#reserved >= maxSessions) {
      const idle = [...this.#held].filter(([, { open }]) => open === 0)
      const [longest] = idle.sort(([, a], [, b]) => a.idleSince - b.idleSince)
      if (longest === undefined) return false
      const [id, { serving }] = longest
      this.#forget(id)
      this.#reserved += 1
      await serving.close()
      return true
    }
    this.#reserved += 1
    return true
  }

  /** Gives a place back, taken or not. */
  release(): void {
    this.#reserved -= 1
  }

  add(id: string, session: HttpSession): void {
    const held: Held = { ...session, open: 0, idleSince: Date.now(), timer: undefined }
    this.#held.set(id, held)
    this.#rest(id, held)
    void session.serving.closed.then(() => this.#forget(id))
  }

  /** Tells that a request or a stream of a client is open; the result tells its end. */
  opened(id: string): () => void {
    const held = this.#held.get(id)
    if (held === undefined) return () => {}
    held.open += 1
    clearTimeout(held.timer)
    let isOpen = true
    return () => {
      if (!isOpen) return
      isOpen = false
      held.open -= 1
      held.idleSince = Date.now()
      if (held.open === 0 && this.#held.get(id) === held) this.#rest(id, held)
    }
  }

  async close(): Promise<void> {
    const all = [...this.#held]
    for (const [id] of all) this.#forget(id)
    await Promise.allSettled(all.map(([, { serving }]) => serving.close()))
  }

  #rest(id: string, held: Held): void {
    const { idleMs } = this.#limits
    if (idleMs > LONGEST_MS) return
    held.timer = setTimeout(() => {
      this.#forget(id)
      held.serving.close().catch(() => {})
    }, idleMs)
    held.timer.unref()
  }

  #forget(id: string): void {
    clearTimeout(this.#held.get(id)?.timer)
    this.#held.delete(id)
  }
}
