import { canonicalJson } from '../json/canonical-json.js'
import type { JsonValue } from '../json/json-value.js'
import type { PostToolDecision, Stages } from '../pipeline/stages.js'
import type { ToolCall } from '../tools/tool-call.js'
import type { AdditionalContext, ToolExecutionResult } from '../tools/tool-result.js'
import { checkedOptions, refuseOption, wholeNumber } from './checked-options.js'
import { nameFilter } from './name-filter.js'
import { RepeatChains, type RepeatFilter } from './repeat-reminder-chains.js'

/** Options of `repeatReminder`. */
export interface RepeatReminderOptions {
  /** At how many equal calls in a row to remind, each at least 2. Beyond the last there is silence. Default 3, 5 and 8. */
  readonly thresholds?: readonly number[]
  /** How many characters of the arguments a reminder shows. Default 500. */
  readonly argumentsPreviewChars?: number
  /** The tools to count, `*` standing for any text. Default all. */
  readonly include?: readonly string[]
  /** Tools not to count. A call of one neither adds to a chain nor breaks it. */
  readonly exclude?: readonly string[]
}

/** The stage that `repeatReminder` makes. */
export interface RepeatReminder extends Stages {
  /** A new prompt: counting starts anew, for all or for the scope and the caller that are given. */
  reset(filter?: RepeatFilter): void
}

const SOURCE = 'repeat-reminder'
const DEFAULT_THRESHOLDS = [3, 5, 8]
const SHOWN_NAME = 80

/** The first characters of a text, and how many follow; a surrogate pair is not cut in two. */
function preview(text: string, chars: number): string {
  if (text.length <= chars) return text
  const unit = text.charCodeAt(chars - 1)
  const end = unit >= 0xd800 && unit <= 0xdbff ? chars - 1 : chars
  return `${text.slice(0, end)}… [${text.length - end} more characters]`
}

function readThresholds(given: unknown): readonly number[] {
  if (given === undefined) return DEFAULT_THRESHOLDS
  const list: readonly unknown[] = Array.isArray(given) ? Array.from(given) : []
  const numbers = list.map(threshold =>
    wholeNumber('repeatReminder: each threshold', threshold, 2, Number.NaN),
  )
  if (numbers.length === 0 || new Set(numbers).size < numbers.length)
    return refuseOption('repeatReminder: thresholds must be a list of different numbers, at least one')
  return numbers.sort((a, b) => a - b)
}

/**
 * Tells the model that it makes the same call again and again: the same tool with equal arguments, one after the other,
 * counted for each scope and caller. It advises and never blocks. Denied and failed calls count, and so do a program's.
 *
 * The reminder is an additional context of the result, before those of stages further in: short at the first threshold, with
 * the arguments at the later ones. What is counted is in memory only; beyond 1 000 scopes and callers, or 16 Mi characters of
 * arguments, the chain that is unused for longest is forgotten.
 * @throws ToolgateError `INVALID_OPTIONS`.
 */
export function repeatReminder(options: RepeatReminderOptions = {}): RepeatReminder {
  const given = checkedOptions('repeatReminder', options, [
    'thresholds',
    'argumentsPreviewChars',
    'include',
    'exclude',
  ])
  const thresholds = readThresholds(given.thresholds)
  const chars = wholeNumber('repeatReminder: argumentsPreviewChars', given.argumentsPreviewChars, 1, 500)
  const isCounted = nameFilter('repeatReminder', given.include, given.exclude)
  const chains = new RepeatChains()

  const remind = ({ name }: ToolCall, count: number, args: string): AdditionalContext => {
    const text =
      count === thresholds[0]
        ? `The same call was made ${count} times in a row. If its result does not help, change the arguments, use another tool, or say what is missing.`
        : `Tool ${JSON.stringify(preview(name, SHOWN_NAME))} was called ${count} times in a row with the same arguments: ${preview(args, chars)}\nThe same call will not bring you further. Change the arguments, use another tool, or tell the user what is in the way.`
    return { source: SOURCE, content: [{ type: 'text', text }], meta: { count } }
  }

  return {
    name: SOURCE,
    reset: filter => chains.forget(filter),
    async postExecute(
      call: ToolCall,
      _result: ToolExecutionResult,
      next: () => Promise<PostToolDecision>,
    ): Promise<PostToolDecision> {
      if (!isCounted(call.name)) return next()
      const args = canonicalJson((call.arguments ?? {}) as JsonValue)
      const count = chains.advance(call, args)
      const decision = await next()
      if (!thresholds.includes(count)) return decision
      const { additionalContexts = [] } = decision
      return { ...decision, additionalContexts: [remind(call, count, args), ...additionalContexts] }
    },
  }
}
