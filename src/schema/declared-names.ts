import type { JsonObject, JsonValue } from '../json/json-value.js'
import type { MutableSchema } from './link-schema.js'
import { pointerTokens } from './locate-keyword.js'

const LISTS = ['allOf', 'anyOf', 'oneOf']
const SINGLES = ['if', 'then', 'else']
const NAMED = ['properties', 'patternProperties']

type Schema = { readonly [keyword: string]: unknown }

const isSchema = (value: unknown): value is Schema => typeof value === 'object' && value !== null

/** The names of properties that a closed object's own keywords declare; patterns in slashes. */
export function ownNames(schema: Schema): string[] {
  const [names, patterns] = NAMED.map(keyword => Object.keys((schema[keyword] ?? {}) as JsonObject))
  return [...(names ?? []), ...(patterns ?? []).map(pattern => `/${pattern}/`)]
}

/** What the schemas that are about one value declare. */
export interface DeclaredNames {
  /** As they are told. */
  readonly names: readonly string[]
  has(name: string): boolean
}

/** The same of all schemas that are about the same value; references are followed in `root`. */
export function namesInPlace(schema: Schema, root: MutableSchema): DeclaredNames {
  const seen = new Set<Schema>()
  const waiting: unknown[] = [schema]
  const names = new Set<string>()
  const exact = new Set<string>()
  const patterns = new Set<string>()
  for (let i = 0; i < waiting.length; i++) {
    const next = waiting[i]
    if (!isSchema(next) || seen.has(next)) continue
    seen.add(next)
    for (const name of ownNames(next)) names.add(name)
    for (const name of Object.keys((next.properties ?? {}) as object)) exact.add(name)
    for (const pattern of Object.keys((next.patternProperties ?? {}) as object)) patterns.add(pattern)
    for (const keyword of LISTS) waiting.push(...((next[keyword] ?? []) as unknown[]))
    for (const keyword of SINGLES) waiting.push(next[keyword])
    waiting.push(...Object.values((next.dependentSchemas ?? {}) as object))
    if (typeof next.$ref === 'string') waiting.push(target(next.$ref, root))
  }
  const expressions = [...patterns].map(pattern => new RegExp(pattern, 'u'))
  return {
    names: [...names],
    has: name => exact.has(name) || expressions.some(expression => expression.test(name)),
  }
}

function target(reference: string, root: MutableSchema): unknown {
  return pointerTokens(reference).reduce<unknown>(
    (node, token) => (node as { [key: string]: JsonValue })[token],
    root,
  )
}
