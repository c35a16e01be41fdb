import type { JsonValue } from '../json/json-value.js'
import { checkedOptions } from './checked-options.js'
import { redactJson, redactJsonTexts } from './redact-json.js'
import { REDACTOR_OPTIONS, type RedactorOptions, redactionOf } from './redaction.js'

/** What has no secrets any more, and how many places were hidden. */
export interface Redacted<T> {
  readonly value: T
  readonly count: number
}

/** Hides secrets in what stages do not see, such as logs, progress and approvals. */
export interface Redactor {
  /** A text without secrets. What was JSON stays JSON. */
  text(text: string): Redacted<string>
  /** A value without secrets in its texts and keys. The same value where there were none. */
  json(value: JsonValue): Redacted<JsonValue>
}

/**
 * Makes a redactor, which hides what `redact` does: for what stages do not see, such as `log` and `progress` events.
 * @throws ToolgateError `INVALID_OPTIONS`
 */
export function createRedactor(options: RedactorOptions = {}): Redactor {
  const redaction = redactionOf(checkedOptions('createRedactor', options, REDACTOR_OPTIONS))
  return {
    text(text) {
      const { texts, count } = redactJsonTexts(redaction, [text])
      return { value: texts[0] as string, count }
    },
    json: value => redactJson(redaction, value),
  }
}
