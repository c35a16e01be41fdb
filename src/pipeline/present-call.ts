import { dropRejection } from '../events/event-hub.js'
import { DEFAULT_JSON_LIMITS } from '../json/json-limits.js'
import type { JsonValue } from '../json/json-value.js'
import { trySnapshot } from '../json/snapshot-json.js'
import type { ToolCallView } from '../presentation/cards.js'
import type { RegisteredTool } from '../tools/tool-definition.js'

/** The tool's own card of a call, or a generic one; a presenter that throws or returns no card falls back. */
export function presentCall(tool: RegisteredTool, args: JsonValue): ToolCallView {
  try {
    const given: unknown = tool.presentCall?.(args)
    dropRejection(given)
    const card = trySnapshot(given, DEFAULT_JSON_LIMITS, 'card')
    if (card.ok && typeof card.value === 'object' && card.value !== null && 'card' in card.value)
      return card.value as unknown as ToolCallView
  } catch {
    // The generic card below.
  }
  return Object.freeze({ card: 'generic', title: tool.title ?? tool.name, rawInput: args })
}
