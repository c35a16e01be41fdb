import { CallerMarks } from '../tools/caller-marks.js'
import type { ToolCall } from '../tools/tool-call.js'
import { checkedOptions } from './checked-options.js'

/** Whose chains: those of this scope, of this caller, or both. A field that is `undefined` matches all. */
export interface RepeatFilter {
  readonly scope?: string | undefined
  readonly caller?: unknown
}

interface Chain {
  readonly scope: string
  readonly caller: string
  name: string
  args: string
  count: number
}

const MAX_CHAINS = 1_000
const MAX_CHARS = 16 * 1024 * 1024

const charsOf = ({ name, args }: Chain): number => name.length + args.length

/** For each scope and caller the latest call and how often it was made in a row. */
export class RepeatChains {
  // In order of use, the latest last.
  readonly #chains = new Map<string, Chain>()
  readonly #marks = new CallerMarks()
  #chars = 0

  /** Counts a call and says how many equal ones there are now in a row. */
  advance({ scope, caller: from, name }: ToolCall, args: string): number {
    const caller = this.#marks.of(from)
    const key = JSON.stringify([scope, caller])
    const chain = this.#chains.get(key) ?? { scope, caller, name: '', args: '', count: 0 }
    this.#chains.delete(key)
    this.#chains.set(key, chain)
    if (chain.count > 0 && chain.name === name && chain.args === args) return ++chain.count
    this.#chars -= charsOf(chain)
    Object.assign(chain, { name, args, count: 1 })
    this.#chars += charsOf(chain)
    for (const oldest of this.#chains.keys()) {
      if (this.#chains.size <= MAX_CHAINS && (this.#chars <= MAX_CHARS || oldest === key)) break
      this.#drop(oldest)
    }
    return 1
  }

  forget(filter: RepeatFilter = {}): void {
    const { scope, caller } = checkedOptions('reset', filter, ['scope', 'caller'])
    const mark = caller === undefined ? undefined : this.#marks.of(caller)
    for (const [key, chain] of this.#chains) {
      if (scope !== undefined && chain.scope !== scope) continue
      if (mark === undefined || chain.caller === mark) this.#drop(key)
    }
  }

  #drop(key: string): void {
    const chain = this.#chains.get(key)
    if (chain !== undefined) this.#chars -= charsOf(chain)
    this.#chains.delete(key)
  }
}
