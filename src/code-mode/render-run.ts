import { prettyJson } from '../json/pretty-json.js'
import type { ContentBlock } from '../tools/content-block.js'
import { callNotes, NOTHING_RETURNED } from './instructions.js'
import type { RunCodeValue } from './run-program.js'

/** What the model reads of a run: the lines printed, the result, and what it should know of its calls. */
export function renderRun(value: RunCodeValue): readonly ContentBlock[] {
  const { logs, result } = value
  const shown = result === undefined ? '' : typeof result === 'string' ? result : prettyJson(result)
  const output = [logs.join('\n'), shown].filter(part => part !== '')
  const text = [...(output.length > 0 ? output : [NOTHING_RETURNED]), ...callNotes(value)].join('\n')
  return [{ type: 'text', text }]
}
