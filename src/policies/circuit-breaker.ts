import type { Stages } from '../pipeline/stages.js'
import type { ToolExecutionResult } from '../tools/tool-result.js'
import { callKey, type PolicyKeyOf } from './call-key.js'
import { checkedOptions, wholeNumber } from './checked-options.js'
import { Circuit, type Verdict } from './circuit.js'
import { codedFailure, quoted } from './coded-failure.js'
import { failureCodes } from './failure-codes.js'
import { KeyedStates } from './keyed-states.js'
import { milliseconds } from './milliseconds.js'

/** Options of `circuitBreaker`. */
export interface CircuitBreakerOptions {
  /** After how many failures in a row the circuit opens. */
  readonly failures: number
  /** How long it then stays open before one call is let through to see. */
  readonly resetAfterMs: number
  /** What is counted together. Default each tool by its name. */
  readonly key?: PolicyKeyOf | undefined
  /** Codes that count as failures beside `TOOL_FAILED` and `TOOL_TIMEOUT`. */
  readonly codes?: readonly string[] | undefined
}

const MOST_KEYS = 10_000

/**
 * Spares what keeps failing: after `failures` in a row, calls fail with `CIRCUIT_OPEN` and the tool does not run. After
 * `resetAfterMs` one call is let through; if it works the circuit closes, if it fails the time begins anew. Any other failure
 * than those of the codes says nothing either way, and neither does an abort. Counted for each tool or key; of keys that are
 * texts 10 000 are kept, those used last.
 * @throws ToolgateError `INVALID_OPTIONS`
 */
export function circuitBreaker(options: CircuitBreakerOptions): Stages {
  const given = checkedOptions('circuitBreaker', options, ['failures', 'resetAfterMs', 'key', 'codes'])
  const failures = wholeNumber('circuitBreaker: failures', given.failures, 1, Number.NaN)
  const resetAfterMs = milliseconds('circuitBreaker: resetAfterMs', given.resetAfterMs ?? Number.NaN, 0, {
    least: 1,
  })
  const keyOf = callKey('circuitBreaker', given.key)
  const codes = failureCodes('circuitBreaker', given.codes)
  const circuits = new KeyedStates(
    () => new Circuit(failures, resetAfterMs),
    (circuit, kept) => circuit.isNew || kept > MOST_KEYS,
  )

  const verdictOn = (result: ToolExecutionResult): Verdict => {
    if (!result.isError) return 'works'
    return codes.has(result.error.code) ? 'fails' : 'neither'
  }

  return {
    name: 'circuit-breaker',
    async execute(call, next) {
      const key = keyOf(call)
      if (key === undefined) return next()
      const admission = circuits.of(key).admit()
      if ('retryAfterMs' in admission) {
        const { retryAfterMs } = admission
        const message = `Tool ${quoted(call.name)} did not run: it has failed too often. Try again in ${retryAfterMs} ms, or another way`
        return codedFailure(call, { code: 'CIRCUIT_OPEN', message, details: { retryAfterMs } })
      }
      let verdict: Verdict = 'neither'
      try {
        const result = await next()
        verdict = verdictOn(result)
        // A failure that comes after the abort tells of the abort.
        if (verdict === 'fails' && call.signal.aborted) verdict = 'neither'
        return result
      } finally {
        admission.report(verdict)
      }
    },
  }
}
