import { ToolgateError } from '../../errors/toolgate-error.js'
import type { JsonObject } from '../../json/json-value.js'
import { snapshotJson } from '../../json/snapshot-json.js'
import type { Presentation } from '../../registry/present.js'
import { byText } from './json.js'

/** A tool as a model is told of it: what `present()`, `schemas()` and `visible()` give. */
export interface WireTool {
  readonly name: string
  readonly description: string
  readonly parameters: JsonObject
}

/** Where tools come from: a registry, a scope, or a list. A scope is asked anew each time. */
export type ToolSource = { present(): Presentation } | readonly WireTool[]

const wrong = (what: string): never => {
  throw new ToolgateError('INVALID_OPTIONS', what)
}

function checkTool(tool: WireTool): WireTool {
  const { name, description, parameters } = tool
  if (typeof name !== 'string' || name === '') return wrong('a tool must have a name')
  if (typeof description !== 'string') return wrong(`tool "${name}" must have a description`)
  if (typeof parameters !== 'object' || parameters === null || Array.isArray(parameters))
    return wrong(`tool "${name}" must have parameters, a JSON Schema object`)
  const copy = snapshotJson(parameters, {
    root: `the parameters of tool "${name}"`,
    limits: { maxDepth: 100_000 },
  })
  return { name, description, parameters: copy as JsonObject }
}

/** The tools of a source by name, in code unit order: the same bytes in whatever order they were registered. */
export function readTools(source: ToolSource): readonly WireTool[] {
  const isScope = typeof source === 'object' && source !== null && 'present' in source
  if (!isScope && !Array.isArray(source))
    return wrong('tools come from a scope, a registry or a list of tools')
  const tools = isScope
    ? (source as { present(): Presentation }).present().tools
    : (source as readonly WireTool[]).map(checkTool)
  const sorted = tools.toSorted((a, b) => byText(a.name, b.name))
  for (const [i, tool] of sorted.entries())
    if (i > 0 && sorted[i - 1]?.name === tool.name) wrong(`there are two tools "${tool.name}"`)
  return sorted
}
