import type { JsonObject, JsonValue } from '../../json/json-value.js'
import { beginning } from '../well-formed.js'
import { type Draft, isList, isRecord, own, sameJson, setOwn } from './json.js'
import { type LostKeyword, withWords } from './lost-words.js'
import { isAssertion, namedTypes, normalizeNode } from './normalize-node.js'

/** Two schemas in one. `exact` is false where it accepts other values than both together. */
export interface Merged {
  readonly node: JsonObject
  readonly exact: boolean
}

function mergeTypes(a: JsonObject, b: JsonObject): string[] {
  const [mine, theirs] = [namedTypes(a), namedTypes(b)]
  if (mine.length === 0) return theirs
  if (theirs.length === 0) return mine
  const both = mine.filter(type => theirs.includes(type) || (type === 'integer' && theirs.includes('number')))
  return theirs.includes('integer') && mine.includes('number') ? [...new Set([...both, 'integer'])] : both
}

function mergeProperties(a: JsonObject, b: JsonObject): JsonObject {
  const out: { [key: string]: JsonValue } = {}
  for (const [key, value] of Object.entries(a)) setOwn(out, key, value)
  for (const [key, value] of Object.entries(b)) {
    const mine = own(out, key)
    setOwn(out, key, mine === undefined || sameJson(mine, value) ? value : { allOf: [mine, value] })
  }
  return out
}

const isBound = (a: JsonValue, b: JsonValue): boolean => typeof a === 'number' && typeof b === 'number'

/** Keywords that say something only together. */
const TOGETHER = [
  ['if', 'then', 'else'],
  ['contains', 'minContains', 'maxContains'],
]

/** Keywords that say the same in a schema of their own. */
const ALONE =
  /^(const|\$ref|\$dynamicRef|multipleOf|pattern|propertyNames|dependentRequired|dependentSchemas|anyOf|oneOf|if|then|else|contains|(min|max)Contains)$/

const holds = (node: JsonObject, key: string): boolean => Object.hasOwn(node, key)

const differ = (a: JsonObject, b: JsonObject, key: string): boolean =>
  holds(a, key) !== holds(b, key) || (holds(a, key) && !sameJson(a[key] as JsonValue, b[key] as JsonValue))

/** Keywords of the second schema that would mix with those of the first. */
function mixed(first: JsonObject, second: JsonObject): readonly string[] {
  return TOGETHER.flatMap(group => {
    const both = [first, second].every(node => group.some(key => holds(node, key)))
    return both && group.some(key => differ(first, second, key)) ? group : []
  })
}

/**
 * What accepts the values that both accept. What cannot be said in one schema stays beside it in `allOf`, or is said in words;
 * the first one's words come first.
 */
export function mergeBoth(first: JsonObject, second: JsonObject): Merged {
  const out: Draft = { ...first }
  const beside: Draft = {}
  const lost: LostKeyword[] = []
  let exact = true
  const closes = (node: JsonObject): boolean => own(node, 'additionalProperties') === false
  if ((closes(first) || closes(second)) && (Object.hasOwn(first, 'properties') || closes(first)))
    exact = sameJson(
      Object.keys(own(first, 'properties') ?? {}).sort(),
      Object.keys(own(second, 'properties') ?? {}).sort(),
    )
  const apartFrom = mixed(first, second)
  const isTuple = [first, second].some(node => holds(node, 'prefixItems'))
  const isOpen = ![first, second].some(node => holds(node, 'additionalProperties'))
  for (const [key, theirs] of Object.entries(second)) {
    const mine = own(first, key)
    if (apartFrom.includes(key)) beside[key] = theirs
    else if (mine === undefined) setOwn(out, key, theirs)
    else if (sameJson(mine, theirs) || !isAssertion(key)) continue
    else if (key === 'type') {
      const types = mergeTypes(first, second)
      if (types.length > 0) out.type = types.length === 1 ? (types[0] as string) : types
      else lost.push([key, theirs])
    } else if (key === 'properties' && isRecord(mine) && isRecord(theirs))
      out.properties = mergeProperties(mine, theirs)
    else if (key === 'required' && isList(mine) && isList(theirs))
      out.required = [...new Set([...mine, ...theirs])]
    else if (key === 'enum' && isList(mine) && isList(theirs)) {
      const both = mine.filter(value => theirs.some(other => sameJson(value, other)))
      if (both.length > 0) out.enum = both
      else lost.push([key, theirs])
    } else if (key === 'allOf' && isList(mine) && isList(theirs)) out.allOf = [...mine, ...theirs]
    else if (key === 'not') out.not = { anyOf: [mine, theirs] }
    else if (key === 'items' && !isTuple) out.items = { allOf: [mine, theirs] }
    else if (key === 'uniqueItems') out.uniqueItems = true
    else if (/^min|^exclusiveMin/.test(key) && isBound(mine, theirs))
      out[key] = Math.max(mine as number, theirs as number)
    else if (/^max|^exclusiveMax/.test(key) && isBound(mine, theirs))
      out[key] = Math.min(mine as number, theirs as number)
    else if (key === 'additionalProperties' && (mine === true || theirs === true))
      out.additionalProperties = mine === true ? theirs : mine
    else if (ALONE.test(key) || (key === 'patternProperties' && isOpen)) beside[key] = theirs
    else lost.push([key, theirs])
  }
  if (Object.keys(beside).length > 0) out.allOf = [...(isList(out.allOf) ? out.allOf : []), beside]
  const description = withWords(out.description, lost)
  if (lost.length > 0 && description !== undefined) out.description = description
  return { node: out, exact: exact && lost.length === 0 }
}

const branches = (value: JsonValue | undefined): readonly JsonObject[] =>
  isList(value) ? value.filter(item => isRecord(item)).map(branch => normalizeNode(branch).node) : []

/** A node without its `allOf`. `resolve` gives what a branch stands for, `undefined` if that cannot be written out. */
export function mergeAllOf(
  node: JsonObject,
  resolve: (branch: JsonObject) => JsonObject | undefined,
  level = 0,
): Merged {
  const { allOf, ...rest } = node
  let merged: Merged = { node: rest, exact: !isList(allOf) || !allOf.includes(false) }
  for (const branch of branches(allOf)) {
    const resolved = resolve(branch)
    if (resolved === undefined) {
      merged = { ...merged, exact: false }
      continue
    }
    const whole =
      Object.hasOwn(resolved, 'allOf') && level < 32
        ? mergeAllOf(resolved, resolve, level + 1)
        : { node: resolved, exact: true }
    const both = mergeBoth(merged.node, whole.node)
    merged = { node: both.node, exact: merged.exact && whole.exact && both.exact }
  }
  return merged
}

const requiredOf = (node: JsonObject): readonly string[] => {
  const required = own(node, 'required')
  return isList(required) ? (required as readonly string[]) : []
}

/** One object with the properties of all: required is what all require. Which go together is said in words. */
export function mergeObjects(base: JsonObject, options: readonly JsonObject[]): JsonObject {
  const versions = new Map<string, JsonValue[]>()
  const addAll = (node: JsonObject): void => {
    for (const [key, schema] of Object.entries((own(node, 'properties') ?? {}) as JsonObject)) {
      const known = versions.get(key) ?? []
      if (!known.some(other => sameJson(other, schema))) known.push(schema)
      versions.set(key, known)
    }
  }
  for (const node of [base, ...options]) addAll(node)
  const properties: { [key: string]: JsonValue } = {}
  for (const [key, known] of versions)
    setOwn(properties, key, known.length === 1 ? (known[0] as JsonValue) : { anyOf: known })
  const common = requiredOf(options[0] ?? {}).filter(key =>
    options.every(option => requiredOf(option).includes(key)),
  )
  const required = [...new Set([...requiredOf(base), ...common])]
  const closed = options.every(option => own(option, 'additionalProperties') === false)
  const sets = options.map(option => requiredOf(option).join(', ') || 'nothing more').join(') or (')
  const words = `Requires (${sets.length > 400 ? `${beginning(sets, 400)}…` : sets}).`
  const { description, ...rest } = base
  return {
    ...rest,
    type: 'object',
    description: typeof description === 'string' ? `${description} ${words}` : words,
    properties,
    ...(required.length > 0 && { required }),
    ...(closed && { additionalProperties: false }),
  }
}

function scalarValues(node: JsonObject): readonly JsonValue[] | undefined {
  if (Object.hasOwn(node, 'const')) return [node.const as JsonValue]
  const values = own(node, 'enum')
  return isList(values) ? values : undefined
}

const overlap = (a: readonly JsonValue[], b: readonly JsonValue[]): boolean =>
  a.some(value => b.some(other => sameJson(value, other)))

function apart(a: JsonObject, b: JsonObject): boolean {
  const [mine, theirs] = [namedTypes(a), namedTypes(b)]
  const shares = (type: string): boolean =>
    theirs.includes(type) ||
    (type === 'integer' && theirs.includes('number')) ||
    (type === 'number' && theirs.includes('integer'))
  if (mine.length > 0 && theirs.length > 0 && !mine.some(shares)) return true
  const [some, others] = [scalarValues(a), scalarValues(b)]
  if (some !== undefined && others !== undefined) return !overlap(some, others)
  const [own1, own2] = [own(a, 'properties'), own(b, 'properties')]
  if (!isRecord(own1) || !isRecord(own2)) return false
  return requiredOf(a).some(key => {
    if (!requiredOf(b).includes(key)) return false
    const [left, right] = [own(own1, key), own(own2, key)]
    return isRecord(left) && isRecord(right) && apart(left, right)
  })
}

/** Whether no value can match two of these, so that "one of" and "any of" mean the same. */
export function areDisjoint(nodes: readonly JsonObject[]): boolean {
  // Every pair is compared; a list this long is not worth it.
  if (nodes.length > 64) return false
  return nodes.every((a, i) => nodes.slice(i + 1).every(b => apart(a, b)))
}
