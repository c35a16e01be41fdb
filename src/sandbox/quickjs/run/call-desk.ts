import { describeError } from '../../../errors/describe-error.js'
import { ToolgateError } from '../../../errors/toolgate-error.js'
import type { JsonValue } from '../../../json/json-value.js'
import { adoptOurs } from '../../../json/known-json.js'
import { Fifo } from '../../../queue/fifo.js'
import type { CodeCall, CodeNamespace } from '../../code-runtime.js'
import type { QuickJsLimits } from '../limits.js'
import { failureText } from './failure-text.js'
import { PacedCalls } from './paced-calls.js'
import { believe, readCallHead, readCallMessage, readNumbers, readUnmadeCall } from './read-message.js'
import { failureReply, overLimitReply, replyText, UNMADE_REPLY } from './reply-text.js'
import type { TextsAside } from './texts-aside.js'

/** Something for the guest: the answer of a call, or a timer that is due. */
export type Answer =
  | {
      readonly kind: 'reply'
      readonly id: number
      readonly text: string
      readonly stack: string
      /** Told once the guest has it. */
      readonly taken?: () => void
      /** The name of a call that was refused before it began. */
      readonly refused?: string
    }
  | { readonly kind: 'timer'; readonly id: number }

export interface CallDeskOptions {
  readonly namespaces: readonly CodeNamespace[]
  readonly limits: QuickJsLimits
  /** Holds the wall clock, of which so much had gone by then. Left out: what has gone by now. */
  hold(spentMs?: number): () => void
  /** Where the program is that makes a call. */
  callStack(): string
  /** Something has come in. */
  wake(): void
}

const MAX_CALL_BYTES = 16 * 1024 * 1024

const PLACED_REFUSALS = 32

interface QueuedCall {
  readonly id: number
  readonly namespace: CodeNamespace
  readonly name: string
  readonly args: readonly JsonValue[]
  readonly bytes: number
  readonly stack: string
}

/** A call of this desk: whoever hears late that its clock stands still may say how much had gone by. */
export interface DeskCall extends CodeCall {
  pauseWallClock(spentMs?: number): () => void
}

/** UTF-8 bytes that a call of a namespace may have. */
export const callBytes = ({ maxCallBytes = MAX_CALL_BYTES }: CodeNamespace): number => maxCallBytes

/** The calls and timers of one run: what the guest has asked for, what is under way, what has come back. */
export class CallDesk {
  readonly #options: CallDeskOptions
  readonly #queue = new PacedCalls<QueuedCall>(call => this.#begin(call))
  readonly #answers = new Fifo<Answer>()
  readonly #timers = new Map<number, ReturnType<typeof setTimeout>>()
  #ended: AbortController | undefined
  #made = 0
  #refused = 0
  #overLimit: string | undefined
  #underWay = 0
  /** What the arguments of calls that have not ended take, as they were written. */
  #heldBytes = 0
  #closed = false

  constructor(options: CallDeskOptions) {
    this.#options = options
  }

  /** Takes a call in; it starts at the next `dispatch`, off the engine's stack. */
  take(message: string, texts: TextsAside): void {
    const { limits, namespaces } = this.#options
    const { id, namespace: index, name, args, ways } = readCallMessage(message, namespaces.length)
    const namespace = namespaces[index] as CodeNamespace
    believe(namespace.open === true || namespace.functions.includes(name))
    const besideBytes = texts.bytes
    const bytes = message.length + besideBytes
    texts.putInto(args as JsonValue[], ways)
    adoptOurs(args, message, besideBytes)
    this.#made += 1
    if (this.#made > limits.maxCalls) {
      const stack = this.#refusedStack()
      this.#overLimit ??= overLimitReply(failureText('call-limit', limits))
      this.#answers.push({ kind: 'reply', id, text: this.#overLimit, stack, refused: name })
      return
    }
    const stack = this.#options.callStack()
    this.#heldBytes += bytes
    this.#queue.add({ id, namespace, name, args, bytes, stack })
  }

  /** True if a call of so many bytes may be taken in beside those under way, by the start of its message; else it is rejected. */
  admits(head: string, bytes: number): boolean {
    const { namespaces, limits } = this.#options
    const { memoryBytes } = limits
    const { id, namespace: index, name } = readCallHead(head, namespaces.length)
    const namespace = namespaces[index] as CodeNamespace
    const maxCallBytes = callBytes(namespace)
    const fits = this.#heldBytes === 0 || this.#heldBytes + bytes <= memoryBytes
    if (bytes <= maxCallBytes && fits) return true
    const { maxArgumentBytes = maxCallBytes } = namespace
    const message =
      bytes > maxCallBytes
        ? `The call has ${bytes} bytes as JSON, and its arguments may have ${Math.min(maxArgumentBytes, maxCallBytes)}. Pass less, or in several calls.`
        : `The arguments of calls that have not ended take ${this.#heldBytes} bytes as JSON, and ${bytes} more are over the limit of ${memoryBytes}. Await some of those calls first.`
    const text = failureReply(message, { code: 'LIMIT_EXCEEDED' })
    this.#answers.push({ kind: 'reply', id, text, stack: this.#refusedStack(), refused: name })
    return false
  }

  /** Takes note of a call that the guest could not make. */
  refuse(message: string): void {
    const { id, name } = readUnmadeCall(message)
    this.#answers.push({ kind: 'reply', id, text: UNMADE_REPLY, stack: '', refused: name })
  }

  /** Where a refused call was made. There is no limit on how many are, so only the first ones are told. */
  #refusedStack(): string {
    this.#refused += 1
    return this.#refused <= PLACED_REFUSALS ? this.#options.callStack() : ''
  }

  setTimer(message: string): void {
    const [id = 0, ms = 0] = readNumbers(message)
    const due = (): void => {
      this.#timers.delete(id)
      this.#bring({ kind: 'timer', id })
    }
    this.#timers.set(id, setTimeout(due, ms))
  }

  clearTimer(message: string): void {
    const [id = 0] = readNumbers(message)
    clearTimeout(this.#timers.get(id))
    this.#timers.delete(id)
  }

  /** Starts what was taken in, in order. */
  dispatch(): void {
    this.#queue.start()
  }

  /** What was taken in and has not begun, in order. */
  get notBegun(): readonly { readonly name: string }[] {
    return this.#queue.waiting
  }

  next(): Answer | undefined {
    return this.#answers.shift()
  }

  get hasAnswers(): boolean {
    return this.#answers.size > 0
  }

  /** True if nothing that could wake the guest is under way. */
  get isIdle(): boolean {
    return this.#underWay === 0 && this.#timers.size === 0 && this.#queue.isEmpty
  }

  /** What comes after this is discarded. Returns the names of calls that did not run and that the program does not know of. */
  close(): readonly string[] {
    this.#closed = true
    const notBegun = this.#queue.close().map(({ name }) => name)
    const refused = this.#answers
      .drain()
      .flatMap(answer => (answer.kind === 'reply' ? (answer.refused ?? []) : []))
    for (const timer of this.#timers.values()) clearTimeout(timer)
    this.#timers.clear()
    return [...notBegun, ...refused]
  }

  /** Tells every call that the run has ended. */
  signalEnd(): void {
    this.#ended?.abort(new ToolgateError('ABORTED', 'The program has ended'))
  }

  #begin({ id, namespace, name, args, bytes, stack }: QueuedCall): void {
    const { hold } = this.#options
    this.#ended ??= new AbortController()
    const { signal } = this.#ended
    this.#underWay += 1
    let tellTaken = (): void => {}
    const settle = (text: string): void => {
      this.#underWay -= 1
      this.#heldBytes -= bytes
      this.#bring({ kind: 'reply', id, text, stack, taken: () => tellTaken() })
    }
    const fail = (error: unknown): void => settle(failureReply(describeError(error)))
    try {
      namespace
        .call({
          name,
          args,
          signal,
          pauseWallClock: (spentMs?: number) => hold(spentMs),
          onTaken: listener => {
            tellTaken = listener
          },
        })
        .then(reply => settle(replyText(name, reply)), fail)
    } catch (error) {
      fail(error)
    }
  }

  #bring(answer: Answer): void {
    if (this.#closed) return
    this.#answers.push(answer)
    this.#options.wake()
  }
}
