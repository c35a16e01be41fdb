import { dropRejection } from '../events/event-hub.js'
import { DEFAULT_JSON_LIMITS } from '../json/json-limits.js'
import type { JsonValue } from '../json/json-value.js'
import { trySnapshot } from '../json/snapshot-json.js'
import type { ToolCallView } from '../presentation/cards.js'
import type { RegisteredTool } from '../tools/tool-definition.js'

const CALL_CARDS: readonly unknown[] = ['generic', 'terminal', 'diff'] satisfies ToolCallView['card'][]

function isCallCard(value: unknown): value is ToolCallView {
  if (typeof value !== 'object' || value === null || !('card' in value) || !('title' in value)) return false
  return CALL_CARDS.includes(value.card) && typeof value.title === 'string'
}

/** The tool's own card of a call, or a generic one; a presenter that throws or returns no card falls back. */
export function presentCall(tool: RegisteredTool, args: JsonValue): ToolCallView {
  try {
    const given: unknown = tool.presentCall?.(args)
    dropRejection(given)
    const card = trySnapshot(given, DEFAULT_JSON_LIMITS, 'card')
    if (card.ok && isCallCard(card.value)) return card.value
  } catch {
    // The generic card below.
  }
  return Object.freeze({ card: 'generic', title: tool.title ?? tool.name, rawInput: args })
}
