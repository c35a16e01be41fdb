import type { JsonObject, JsonValue } from '../../json/json-value.js'
import { type Draft, isRecord, setOwn } from './json.js'
import { isAssertion } from './normalize-node.js'

const DRAFT_07 = /^https?:\/\/json-schema\.org\/draft-07\/schema#?$/i
const VALUES = ['const', 'enum', 'default', 'examples']
const MAPS = ['properties', 'patternProperties', 'definitions', '$defs', 'dependencies', 'dependentSchemas']

interface Task {
  readonly from: object
  readonly to: Draft | JsonValue[]
  /** A list, or names with schemas: its keys are no keywords. */
  readonly isMap: boolean
}

/** A draft-07 schema without what stands beside its references, which means nothing there. Others are as they were. Iterative. */
export function withLoneReferences(schema: JsonObject): JsonObject {
  if (!DRAFT_07.test(String(schema.$schema))) return schema
  const root: Draft = {}
  const waiting: Task[] = [{ from: schema, to: root, isMap: false }]
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { from, to, isMap } = next
    const isAlone = !isMap && isRecord(from) && typeof from.$ref === 'string'
    for (const [key, value] of Object.entries(from) as [string, JsonValue][]) {
      if (isAlone && key !== '$ref' && (isAssertion(key) || key === 'nullable')) continue
      const isCopied = typeof value === 'object' && value !== null && (isMap || !VALUES.includes(key))
      const copy: JsonValue = !isCopied ? value : Array.isArray(value) ? [] : {}
      if (isCopied)
        waiting.push({
          from: value,
          to: copy as Draft | JsonValue[],
          isMap: Array.isArray(value) || (!isMap && MAPS.includes(key)),
        })
      setOwn(to as Draft, key, copy)
    }
  }
  return root
}
