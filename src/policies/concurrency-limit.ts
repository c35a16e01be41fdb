import type { Stages } from '../pipeline/stages.js'
import type { ToolCall, ToolExecutionToken } from '../tools/tool-call.js'
import { callKey, type PolicyKey, type PolicyKeyOf } from './call-key.js'
import { checkedOptions, wholeNumber } from './checked-options.js'
import { codedFailure, quoted } from './coded-failure.js'
import { type Slot, Slots } from './slots.js'

/** Options of `concurrencyLimit`. */
export interface ConcurrencyLimitOptions {
  /** How many calls may run at the same time. */
  readonly limit: number
  /** What is counted together. Default each tool by its name. */
  readonly key?: PolicyKeyOf | undefined
  /** How many calls with one key may wait for their turn; 0 to wait for none. Default 100. */
  readonly queue?: number | undefined
}

/** A call under way: what it was made by, and the place that it holds. */
interface Running {
  readonly parent: ToolExecutionToken | undefined
  readonly key: PolicyKey
  slot: Slot | undefined
}

/**
 * Lets at most `limit` calls run at the same time, counted for each tool or key. Others wait in order, until an abort, or fail
 * with `CONCURRENCY_LIMITED` where `queue` of them wait already. Time spent waiting is not the tool's: put the stage outside
 * `timeoutPolicy`, or inside to bound it. Calls of tools that are not there are not counted.
 *
 * A call that is made inside a counted one, as a program's or a sub-agent's are, runs in its place, one at a time, and does not
 * wait for what it is part of. A body that ran on after its call had ended is not counted any more.
 * @throws ToolgateError `INVALID_OPTIONS`
 */
export function concurrencyLimit(options: ConcurrencyLimitOptions): Stages {
  const given = checkedOptions('concurrencyLimit', options, ['limit', 'key', 'queue'])
  const limit = wholeNumber('concurrencyLimit: limit', given.limit, 1, Number.NaN)
  const maxQueued = wholeNumber('concurrencyLimit: queue', given.queue, 0, 100)
  const keyOf = callKey('concurrencyLimit', given.key)
  const slotsOf = new Map<string | object, Slots>()
  const running = new WeakMap<ToolExecutionToken, Running>()

  const slotAround = ({ parent }: ToolCall, key: PolicyKey): Slot | undefined => {
    for (let at = parent; at !== undefined; ) {
      const outer = running.get(at)
      if (outer?.key === key && outer?.slot !== undefined) return outer.slot
      at = outer?.parent
    }
    return undefined
  }

  return {
    name: 'concurrency-limit',
    async execute(call, next) {
      const key = keyOf(call)
      const state: Running = { parent: call.parent, key, slot: undefined }
      running.set(call.token, state)
      if (key === undefined) return next()
      const slots = slotsOf.get(key) ?? new Slots(limit, maxQueued)
      slotsOf.set(key, slots)
      const slot = await slots.enter(slotAround(call, key), call)
      if (slot === 'aborted') return next()
      if (slot === 'full') {
        const queued = maxQueued === 0 ? '' : ` and ${maxQueued} wait`
        const message = `Tool ${quoted(call.name)} did not run: at most ${limit} may run at a time${queued}, and all places are taken. Try again when a call has ended`
        return codedFailure(call, {
          code: 'CONCURRENCY_LIMITED',
          message,
          details: { limit, queue: maxQueued },
        })
      }
      state.slot = slot
      try {
        return await next()
      } finally {
        state.slot = undefined
        slots.leave(slot)
        if (slots.isUnused) slotsOf.delete(key)
      }
    },
  }
}
