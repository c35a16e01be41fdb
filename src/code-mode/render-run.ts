import type { JsonValue } from '../json/json-value.js'
import { prettyJson } from '../json/pretty-json.js'
import type { ContentBlock } from '../tools/content-block.js'
import { callNotes, EMPTY_PRINTED, EMPTY_RETURNED, NOTHING_RETURNED } from './instructions.js'
import type { RunCodeValue } from './run-code-value.js'

function resultText(result: JsonValue): string {
  if (typeof result !== 'string') return prettyJson(result)
  return result === '' ? EMPTY_RETURNED : result
}

function output({ logs, result }: RunCodeValue): readonly string[] {
  const printed = logs.join('\n')
  if (result === undefined && printed.trim() === '')
    return [logs.length > 0 ? EMPTY_PRINTED : NOTHING_RETURNED]
  return [...(printed === '' ? [] : [printed]), ...(result === undefined ? [] : [resultText(result)])]
}

/** What the model reads of a run: the lines printed, the result, and what it should know of its calls. */
export function renderRun(value: RunCodeValue): readonly ContentBlock[] {
  return [{ type: 'text', text: [...output(value), ...callNotes(value)].join('\n') }]
}
