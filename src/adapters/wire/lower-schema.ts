import type { JsonObject, JsonValue } from '../../json/json-value.js'
import { changesAnything, type DecodePlan, newPlan } from './decode-plan.js'
import type { Dialect } from './dialect.js'
import { isList, isRecord, own } from './json.js'
import { inOrder } from './keyword-order.js'
import { withLoneReferences } from './lone-references.js'
import { withWords } from './lost-words.js'
import { lowerKeywords } from './lower-keywords.js'
import { LoweringContext, type LoweringNote, type Place } from './lowering-context.js'
import { areDisjoint, mergeAllOf, mergeBoth } from './merge-schemas.js'
import { isAssertion, meantTypes, namedTypes, normalizeNode } from './normalize-node.js'
import { anyOpenApi, finishOpenApi } from './open-api.js'
import { cutRequiredRecursion } from './optional-recursion.js'
import { rootSchema, WRAPPER } from './root-schema.js'

/** A schema as a provider takes it. */
export interface LoweredSchema {
  readonly schema: JsonObject
  /** How arguments are read back; undefined where they stay as they are. */
  readonly plan: DecodePlan | undefined
  readonly notes: readonly LoweringNote[]
}

const MAX_LEVELS = 64
const SAYS_NOTHING = 'a schema must say what it accepts'
const ONLY_WORDS = ['title', 'description', 'default', 'examples', '$comment', 'deprecated']

/** Anything: what stands where a schema cannot be written. */
const anything = (dialect: Dialect): JsonObject => (dialect.openApi ? anyOpenApi() : {})

function lowerReference(
  node: JsonObject,
  reference: string,
  place: Place,
  plan: DecodePlan,
  context: LoweringContext,
): JsonObject {
  const { dialect } = context
  const { $ref, $dynamicRef, ...beside } = node
  const target = context.follow(reference)
  if (target === undefined) {
    context.note(place, 'reference', false, 'the reference leads nowhere')
    return lowerNode(beside, place, plan, context)
  }
  const circular = place.trail.includes(target)
  const inPlace = (): JsonObject => {
    const merged = isRecord(target)
      ? mergeBoth(beside, normalizeNode(target).node)
      : { node: beside, exact: target === true }
    if (!merged.exact) context.note(place, 'reference', false, 'what stands beside the reference is left out')
    return lowerNode(merged.node, { ...place, trail: [...place.trail, target] }, plan, context)
  }
  if (dialect.references === 'inline') {
    if (!circular) return inPlace()
    context.note(place, 'recursion', false, 'a schema that contains itself ends here')
    const types = isRecord(target) ? meantTypes(target).slice(0, 1) : []
    const { description } = beside
    const stub = types.length > 0 ? { type: types[0] as string } : {}
    return lowerNode({ ...(description !== undefined && { description }), ...stub }, place, plan, context)
  }
  const means = Object.keys(beside).some(isAssertion)
  if (means && !dialect.besideReference) {
    if (!circular) return inPlace()
    context.note(place, 'reference', false, 'what stands beside the reference is left out')
  }
  const definition = context.define(reference, target, place)
  plan.also.push(definition.plan)
  const rest = dialect.besideReference
    ? lowerKeywords({ node: beside, types: namedTypes(beside), place, plan, context, lowerNode })
    : {}
  return inOrder({ ...rest, $ref: `#/$defs/${definition.name}` })
}

/** A node whose `allOf` the provider does not take, without it. */
function withoutAllOf(
  node: JsonObject,
  place: Place,
  context: LoweringContext,
): { readonly node: JsonObject; readonly place: Place } {
  const trail = [...place.trail]
  const { allOf, ...rest } = node
  const only = isList(allOf) && allOf.length === 1 && isRecord(allOf[0]) ? allOf[0] : undefined
  if (
    only !== undefined &&
    typeof only.$ref === 'string' &&
    Object.keys(rest).every(key => ONLY_WORDS.includes(key))
  )
    return { node: { ...rest, ...only }, place }
  const merged = mergeAllOf(node, branch => {
    let { node: at } = normalizeNode(branch)
    while (typeof at.$ref === 'string') {
      const target = context.follow(at.$ref)
      if (!isRecord(target) || trail.includes(target)) return undefined
      trail.push(target)
      const { $ref, ...beside } = at
      at = mergeBoth(beside, normalizeNode(target).node).node
    }
    return at
  })
  context.note(place, 'keyword', merged.exact, 'allOf is put together into one schema')
  return { node: merged.node, place: { ...place, trail } }
}

/** OpenAPI has one type for a schema: several become alternatives. */
function splitTypes(
  node: JsonObject,
  types: readonly string[],
  place: Place,
  plan: DecodePlan,
  context: LoweringContext,
): JsonObject {
  context.note(place, 'type-list', true, 'a list of types is sent as alternatives')
  const { description, title, type, ...rest } = node
  const anyOf = types.map(kind => {
    const branch = newPlan()
    plan.also.push(branch)
    const of = own(rest, 'enum')
    const values = isList(of) ? of.filter(value => context.isOfType(value, kind)) : undefined
    return values?.length === 0
      ? undefined
      : lowerNode(
          { ...rest, ...(values && { enum: values }), type: kind },
          { ...place, level: place.level + 1 },
          branch,
          context,
        )
  })
  if (anyOf.every(branch => branch === undefined)) {
    context.note(place, 'enum', false, 'no value is of its type')
    return anyOpenApi(description)
  }
  const words = { ...(title !== undefined && { title }), ...(description !== undefined && { description }) }
  return inOrder(finishOpenApi({ ...words, anyOf: anyOf.filter(branch => branch !== undefined) }, []))
}

/** Alternatives stand alone in OpenAPI: what else the node says goes into each of them. */
function distributed(node: JsonObject, context: LoweringContext, place: Place): JsonObject {
  const { anyOf, description, title, ...base } = node
  if (!Object.keys(base).some(isAssertion)) return node
  const branches = (anyOf as readonly JsonValue[]).map(branch => {
    const target = isRecord(branch) && typeof branch.$ref === 'string' ? context.follow(branch.$ref) : branch
    const merged = mergeBoth(base, isRecord(target) ? normalizeNode(target).node : {})
    if (!merged.exact) context.note(place, 'union', false, 'what stands beside anyOf is not in all of it')
    return merged.node
  })
  return { ...(description !== undefined && { description }), anyOf: branches }
}

/** One schema, and all in it, in the provider's words. */
export function lowerNode(
  given: JsonValue,
  at: Place,
  plan: DecodePlan,
  context: LoweringContext,
): JsonObject {
  const { dialect } = context
  let place = at
  if (!isRecord(given)) {
    if (given === false && dialect.keywords === 'all') return { not: {} }
    if (given === false) context.note(place, 'keyword', false, 'a schema that accepts nothing cannot be sent')
    else if (dialect.typed) context.note(place, 'any', false, SAYS_NOTHING)
    return anything(dialect)
  }
  if (place.level > MAX_LEVELS || !context.spend()) {
    const rule = place.level > MAX_LEVELS ? 'nesting' : 'size'
    context.note(place, rule, false, 'the schema goes on for too long; anything is accepted from here')
    return anything(dialect)
  }
  const { node: clean, malformed } = normalizeNode(given)
  let node = clean
  for (const key of malformed) context.note(place, 'keyword', false, `${key} is malformed and is left out`)
  if (isList(own(node, 'allOf')) && !context.takes('allOf'))
    ({ node, place } = withoutAllOf(node, place, context))
  const reference = own(node, '$ref') ?? own(node, '$dynamicRef')
  if (typeof reference === 'string') return lowerReference(node, reference, place, plan, context)
  if (dialect.enums.startsWith('texts')) node = nullBeside(node, dialect)
  if (isList(own(node, 'oneOf')) && !context.takes('oneOf')) node = unionOf(node, place, context)

  const hasUnion = isList(own(node, 'anyOf'))
  if (hasUnion && dialect.openApi) node = distributed(node, context, place)
  const types = dialect.typed ? (hasUnion ? namedTypes(node) : meantTypes(node)) : namedTypes(node)
  if (dialect.typed && types.length === 0 && !hasUnion) {
    context.note(place, 'any', false, SAYS_NOTHING)
    const lost = Object.entries(node).filter(([key]) => isAssertion(key))
    for (const [key] of lost) context.note(place, 'keyword', false, `${key} cannot be sent`)
    const description = withWords(node.description, lost, context)
    if (dialect.openApi) return anyOpenApi(description)
    return description === undefined ? {} : { description }
  }
  const kinds = types.filter(type => type !== 'null')
  if (dialect.openApi && kinds.length > 1 && !hasUnion) return splitTypes(node, types, place, plan, context)
  return lowerKeywords({ node, types, place, plan, context, lowerNode })
}

/** Where null may not stand among values, it stands beside them. */
function nullBeside(node: JsonObject, { enums }: Dialect): JsonObject {
  const values = Object.hasOwn(node, 'const') ? [node.const as JsonValue] : own(node, 'enum')
  if (!isList(values) || !values.includes(null)) return node
  const types = namedTypes(node)
  const others = values.filter(value => value !== null)
  const takesNull = types.length === 0 || types.includes('null')
  const { const: _const, enum: _enum, ...rest } = node
  if (others.length === 0) return takesNull ? { ...rest, type: 'null' } : node
  if (enums === 'texts' || !takesNull || node.anyOf !== undefined || node.oneOf !== undefined) return node
  const kinds = types.filter(type => type !== 'null')
  const words = Object.entries(rest).filter(([key]) => ONLY_WORDS.includes(key))
  const means = Object.entries(rest).filter(([key]) => !ONLY_WORDS.includes(key) && key !== 'type')
  const listed = { ...Object.fromEntries(means), ...(kinds.length > 0 && { type: kinds }), enum: others }
  return { ...Object.fromEntries(words), anyOf: [listed, { type: 'null' }] }
}

function unionOf(node: JsonObject, place: Place, context: LoweringContext): JsonObject {
  const { oneOf, anyOf, ...rest } = node
  const resolved = (oneOf as readonly JsonValue[]).map(branch => {
    const target = isRecord(branch) && typeof branch.$ref === 'string' ? context.follow(branch.$ref) : branch
    return isRecord(target) ? normalizeNode(target).node : {}
  })
  const exact = anyOf === undefined && areDisjoint(resolved)
  context.note(place, 'union', exact, 'oneOf is sent as anyOf')
  return { ...rest, anyOf: oneOf as JsonValue }
}

/** The parameters of a tool in the words of a provider, and the way back for arguments that are written to them. */
export function lowerSchema(given: JsonObject, dialect: Dialect): LoweredSchema {
  const parameters = withLoneReferences(given)
  const context = new LoweringContext(parameters, dialect)
  const place = context.rootPlace
  const root = rootSchema(parameters, dialect, (rule, exact, message) =>
    context.note(place, rule, exact, message),
  )
  for (const key of normalizeNode(parameters).malformed)
    context.note(place, 'keyword', false, `${key} is malformed and is left out`)
  const plan = newPlan()
  const lowered = lowerNode(root.node, place, plan, context)
  const schema: { [key: string]: JsonValue } = root.wrapped
    ? {
        type: dialect.openApi ? 'OBJECT' : 'object',
        properties: { [WRAPPER]: lowered },
        required: [WRAPPER],
        ...(context.takes('additionalProperties') && { additionalProperties: false }),
      }
    : { ...lowered }
  if (root.wrapped) plan.unwrap = WRAPPER
  const defs = context.lowerDefinitions(lowerNode)
  if (dialect.recursion === 'optional')
    cutRequiredRecursion(defs, message => context.note(place, 'recursion', false, message))
  if (Object.keys(defs).length > 0) schema.$defs = defs
  if (!dialect.openApi) schema.properties ??= {}
  context.checkPlan(plan)
  return { schema: inOrder(schema), plan: changesAnything(plan) ? plan : undefined, notes: context.notes }
}
