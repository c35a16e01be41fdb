import { describeError } from '../../../errors/describe-error.js'
import { listedNames } from '../../../errors/listed-names.js'
import { ToolgateError } from '../../../errors/toolgate-error.js'
import type { JsonValue } from '../../../json/json-value.js'
import type { CodeCallReply, CodeLog, CodeRuntime } from '../../code-runtime.js'
import type { DeskCall } from '../run/call-desk.js'
import { jsonText } from '../run/json-text.js'
import { readReply } from '../run/reply-text.js'
import type { WaitingCall } from '../run/run-settings.js'
import type { FromWorker, NamespaceShape } from './messages.js'

/** Lines posted one by one in a window; those beyond are joined, so as not to flood the host. */
const MAX_POSTS = 64
const WINDOW_MS = 16
const MAX_UNITS = 32_768

/** One run inside the worker: its calls and lines go out as messages, answers come in. */
export class ServedRun {
  readonly id: number
  readonly #post: (message: FromWorker) => void
  readonly #controller = new AbortController()
  readonly #calls = new Map<number, { readonly call: DeskCall; settle(reply: CodeCallReply): void }>()
  readonly #holds = new Map<number, () => void>()
  #lines: (readonly [CodeLog['level'], string])[] = []
  #units = 0
  #posts = 0
  #windowEnds = 0
  #timer: ReturnType<typeof setTimeout> | undefined
  #made = 0
  #nextLook = performance.now() + WINDOW_MS
  #told = 0
  #taken: number[] = []

  constructor(id: number, post: (message: FromWorker) => void) {
    this.id = id
    this.#post = post
  }

  async run(runtime: CodeRuntime, program: string, shapes: readonly NamespaceShape[]): Promise<void> {
    const { signal } = this.#controller
    const namespaces = shapes.map((shape, i) => ({
      ...shape,
      call: (call: DeskCall) => this.#call(i, call),
    }))
    try {
      const outcome = await runtime.run({ program, namespaces, signal, onLog: log => this.#print(log) })
      this.#flush()
      this.#tellTaken()
      this.#post(['outcome', this.id, jsonText(outcome as unknown as JsonValue)])
    } catch (error) {
      const code = error instanceof ToolgateError ? error.code : 'INVALID_OPTIONS'
      this.#post(['refused', this.id, code, describeError(error)])
    }
  }

  abort(reason: string): void {
    this.#controller.abort(reason)
  }

  reply(id: number, text: string): void {
    this.#calls.get(id)?.settle(readReply(text))
    this.#calls.delete(id)
  }

  hold(id: number, hold: number, spentMs: number): void {
    const made = this.#calls.get(id)
    if (made !== undefined) this.#holds.set(hold, made.call.pauseWallClock(spentMs))
  }

  release(hold: number): void {
    this.#holds.get(hold)?.()
    this.#holds.delete(hold)
  }

  /** While a program computes nothing else is heard here, and the host may end the worker: what it would not know goes out. */
  look(notBegun: readonly WaitingCall[]): void {
    this.#tellTaken()
    if (notBegun.length !== this.#told) {
      const names = notBegun.slice(this.#told).map(({ name }) => name)
      this.#told = notBegun.length
      this.#post(['waiting', this.id, JSON.stringify(listedNames(names))])
    }
    const now = performance.now()
    if (now < this.#nextLook) return
    this.#nextLook = now + WINDOW_MS
    this.#flush()
    this.#post(['computing', this.id])
  }

  /** Those of one turn go out together, unless the program computes on in it. */
  #take(call: number): void {
    if (this.#taken.push(call) === 1) queueMicrotask(() => this.#tellTaken())
  }

  #tellTaken(): void {
    if (this.#taken.length > 0) this.#post(['taken', this.id, JSON.stringify(this.#taken.splice(0))])
  }

  #call(namespace: number, call: DeskCall): Promise<CodeCallReply> {
    this.#flush()
    // They go out in order.
    this.#told = Math.max(0, this.#told - 1)
    this.#made += 1
    const made = this.#made
    call.onTaken?.(() => this.#take(made))
    this.#post(['call', this.id, this.#made, namespace, jsonText([call.name, call.args as JsonValue[]])])
    return new Promise(settle => this.#calls.set(this.#made, { call, settle }))
  }

  #print({ level, text }: CodeLog): void {
    this.#lines.push([level, text])
    this.#units += text.length
    const now = performance.now()
    if (now >= this.#windowEnds) {
      this.#windowEnds = now + WINDOW_MS
      this.#posts = 0
    }
    if (this.#posts < MAX_POSTS || this.#units >= MAX_UNITS) this.#flush()
    else this.#timer ??= setTimeout(() => this.#flush(), WINDOW_MS)
  }

  #flush(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    if (this.#lines.length === 0) return
    // No line may tell of an answer that is told as missing.
    this.#tellTaken()
    this.#posts += 1
    this.#post(['lines', this.id, JSON.stringify(this.#lines)])
    this.#lines = []
    this.#units = 0
  }
}
