import { listedNames } from '../../../errors/listed-names.js'
import type { CodeLog, CodeRunRequest } from '../../code-runtime.js'
import { type CallDesk, callBytes } from './call-desk.js'
import type { CpuBudget } from './cpu-budget.js'
import { type Ending, readEnding } from './judge-ending.js'
import { lineOf } from './log-line.js'
import { leastBytes, weightOf } from './message-bytes.js'
import type { OutputLedger } from './output-ledger.js'
import { levelOf, readByteCount, readCountedNames, readText } from './read-message.js'
import type { RunSettings } from './run-settings.js'
import { TextsAside } from './texts-aside.js'

export interface InboxOptions {
  readonly request: CodeRunRequest
  readonly settings: RunSettings
  readonly budget: CpuBudget
  readonly ledger: OutputLedger
  readonly desk: CallDesk
  /** So many random bytes, as hexadecimal digits; nothing where the host fails to give them. */
  randomHex(bytes: number): string | undefined
}

/** What a guest says to its host: lines, calls, timers, what it asks for, and its end. */
export class Inbox {
  /** How the program has ended by itself. */
  ending: Ending | undefined
  /** Names of calls whose answers it never asked for. */
  notAwaited: readonly string[] = []
  /** Where the call was made whose answer is being delivered. */
  answeredStack = ''
  readonly #options: InboxOptions
  readonly #texts = new TextsAside()
  readonly #mostTextBytes: number

  constructor(options: InboxOptions) {
    this.#options = options
    const { request, settings } = options
    this.#mostTextBytes = Math.max(settings.limits.outputBytes, ...request.namespaces.map(callBytes))
  }

  /** True if a message may be read, by its beginning and its UTF-8 bytes. What it stands for is refused otherwise. */
  admits(head: string, bytes: number): boolean {
    const { budget, desk, ledger } = this.#options
    const kind = head[0] as string
    if (kind === 'P') {
      this.#texts.expect(bytes - 1)
      // Whatever it belongs to is refused when it comes.
      return this.#texts.bytes <= this.#mostTextBytes && budget.affordsReading(bytes)
    }
    if (kind === 'C' && !desk.admits(head.slice(1), bytes + this.#texts.bytes)) {
      this.#texts.drop()
      return false
    }
    if (!ledger.fits(leastBytes(head, bytes, this.#texts.bytes))) {
      budget.stop('output-limit')
      return false
    }
    return budget.affordsReading(bytes + weightOf(head))
  }

  /** Takes a message. What it asks for is returned. */
  receive(message: string): string | undefined {
    const { settings, desk, randomHex } = this.#options
    const body = message.slice(1)
    switch (message[0]) {
      case 'G':
        return Object.hasOwn(settings.polyfills, body) ? settings.polyfills[body] : undefined
      case 'R':
        return randomHex(readByteCount(body))
      case 'K':
        return this.answeredStack
      case 'L':
        this.#print(levelOf(body[0]), readText(body.slice(1)))
        return undefined
      case 'M':
        this.#print(levelOf(body[0]), body.slice(1))
        return undefined
      case 'P':
        this.#texts.add(body)
        return undefined
      case 'C':
        this.#takeCall(body)
        return undefined
      case 'Q':
        this.#texts.drop()
        desk.refuse(body)
        return undefined
      case 'T':
        desk.setTimer(body)
        return undefined
      case 'U':
        desk.clearTimer(body)
        return undefined
      case 'N':
        this.notAwaited = listedNames(...readCountedNames(body))
        return undefined
      default:
        this.#end(message[0] as string, body)
        return undefined
    }
  }

  #takeCall(body: string): void {
    const { desk } = this.#options
    const bytes = body.length + this.#texts.bytes
    if (this.#texts.bytes === 0 || desk.admits(body, bytes)) desk.take(body, this.#texts)
    else this.#texts.drop()
  }

  #end(kind: string, text: string): void {
    const { budget, ledger } = this.#options
    if (kind === 'B' && !ledger.fits(this.#texts.bytes)) {
      budget.stop('output-limit')
      return
    }
    this.ending = readEnding(kind, text, this.#texts)
    // What the program left behind must not go on computing.
    budget.stop('settled')
  }

  #print(level: CodeLog['level'], text: string): void {
    const { budget, ledger, request } = this.#options
    if (!ledger.addLine(lineOf({ level, text }))) {
      budget.stop('output-limit')
      return
    }
    try {
      budget.forOthers(() => request.onLog?.({ level, text }))
    } catch {
      // An observer's fault is not the program's.
    }
  }
}
