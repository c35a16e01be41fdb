import type { JsonObject, JsonValue } from '../../json/json-value.js'
import type { Dialect } from './dialect.js'
import { type Draft, follow, isList, isRecord, own } from './json.js'
import { type LostKeyword, type Spoken, withWords } from './lost-words.js'
import { mergeAllOf, mergeBoth, mergeObjects } from './merge-schemas.js'
import { isAssertion, meantTypes, namedTypes, normalizeNode } from './normalize-node.js'
import type { WireRule } from './wire-finding.js'

/** The property that arguments stand under where they are no object. */
export const WRAPPER = 'value'

type Note = (rule: WireRule, exact: boolean, message: string) => void

/** A root that is an object, and whether the schema had to be put under a property for that. */
export interface RootSchema {
  readonly node: JsonObject
  readonly wrapped: boolean
}

const MAX_HOPS = 64
// A union is never put together exactly.
const ignore = (): void => {}
const isObjectLike = (node: JsonObject): boolean => {
  const types = meantTypes(node)
  return types.length === 0 ? Object.hasOwn(node, 'properties') : types.every(type => type === 'object')
}

/** What a reference at the root stands for, with what stands beside it. */
function dereferenced(given: JsonObject, root: JsonObject, lost: () => void): JsonObject | undefined {
  let { node } = normalizeNode(given)
  for (let hop = 0; typeof node.$ref === 'string'; hop++) {
    const target = follow(root, node.$ref)
    if (hop >= MAX_HOPS || !isRecord(target)) return undefined
    const { $ref, ...beside } = node
    const merged = mergeBoth(beside, normalizeNode(target).node)
    if (!merged.exact) lost()
    node = merged.node
  }
  return node
}

// What stays of an alternative when its properties are put with those of the others.
const KEPT = ['type', 'properties', 'required', 'additionalProperties']

function withoutUnion(node: JsonObject, keyword: string, { root, dialect }: Spoken, note: Note): RootSchema {
  const { [keyword]: union, ...base } = node
  const options = (union as readonly JsonValue[]).map(branch =>
    isRecord(branch) ? dereferenced(branch, root, ignore) : undefined,
  )
  const whole = options.map(option => {
    const merged = option && mergeAllOf(option, branch => dereferenced(branch, root, ignore)).node
    // A branch that only says what is required is about the object that the root describes.
    return merged && namedTypes(merged).length === 0 && namedTypes(base).includes('object')
      ? { type: 'object', ...merged }
      : merged
  })
  if (!whole.every(option => option !== undefined && isObjectLike(option))) {
    note('root-type', true, `the arguments may be no object, so they stand under "${WRAPPER}"`)
    return { node, wrapped: true }
  }
  note('root-union', false, `${keyword} may not stand at the root; its properties are put together`)
  const merged: Draft = { ...mergeObjects(base, whole as JsonObject[]) }
  const saysMore = whole.some(option =>
    Object.keys(option ?? {}).some(key => isAssertion(key) && !KEPT.includes(key)),
  )
  const lost: LostKeyword[] = saysMore ? [[keyword, union as JsonValue]] : []
  const description = withWords(merged.description, lost, { root, dialect })
  if (description !== undefined) merged.description = description
  return { node: merged, wrapped: false }
}

/** The root as a provider wants it: an object, without the keywords that may not stand there. */
export function rootSchema(parameters: JsonObject, dialect: Dialect, note: Note): RootSchema {
  const wrap = (): RootSchema => {
    note('root-type', true, `the arguments are no object, so they stand under "${WRAPPER}"`)
    return { node: parameters, wrapped: true }
  }
  const lost = (): void => note('reference', false, 'what stands beside the reference is left out')
  let node = dereferenced(parameters, parameters, lost)
  if (node === undefined) {
    note('reference', false, 'the reference at the root leads nowhere; any object is asked for')
    return { node: { type: 'object' }, wrapped: false }
  }
  if (isList(node.allOf) && dialect.notAtRoot.includes('allOf')) {
    const merged = mergeAllOf(node, branch => dereferenced(branch, parameters, lost))
    note('root-union', merged.exact, 'allOf may not stand at the root; its branches are put together')
    node = merged.node
  }
  for (const keyword of ['anyOf', 'oneOf'] as const) {
    if (!isList(own(node, keyword)) || !dialect.notAtRoot.includes(keyword)) continue
    const without = withoutUnion(node, keyword, { root: parameters, dialect }, note)
    if (without.wrapped) return { node: parameters, wrapped: true }
    node = without.node
  }
  const types = meantTypes(node)
  if (types.length > 0 && !types.includes('object')) return wrap()
  const { type, ...rest } = node
  const out: { [key: string]: JsonValue } = { type: 'object', ...rest }
  const unsent: LostKeyword[] = []
  for (const keyword of ['enum', 'const', 'not', 'allOf'] as const) {
    if (!Object.hasOwn(out, keyword) || !dialect.notAtRoot.includes(keyword)) continue
    note('root-union', false, `${keyword} may not stand at the root`)
    unsent.push([keyword, out[keyword] as JsonValue])
    delete out[keyword]
  }
  const description = withWords(out.description, unsent, { root: parameters, dialect })
  if (unsent.length > 0 && description !== undefined) out.description = description
  if (types.length > 1) note('type-list', false, 'the root is sent as an object and nothing else')
  return { node: out, wrapped: false }
}
