import type { JsonObject, JsonValue } from '../../json/json-value.js'
import { acceptsNull, withNull } from './accepts-null.js'
import { type DecodePlan, newPlan } from './decode-plan.js'
import { type Draft, isDeeper, isList, own, sameJson, setOwn } from './json.js'
import { inOrder } from './keyword-order.js'
import { withWords } from './lost-words.js'
import type { LoweringContext, LowerNode, Place } from './lowering-context.js'
import { isAssertion } from './normalize-node.js'
import { anyOpenApi, finishOpenApi } from './open-api.js'
import { wireAlias } from './wire-names.js'

const MAX_VALUE_LEVELS = 64
const LOOKS_AROUND = /\(\?(<?[=!]|<\w+>)|\\[1-9]|\\k|\\[bB]/
const REPEATS = /\{(\d+)(?:,(\d*))?\}/g
const countsTooFar = (pattern: string, most = Number.POSITIVE_INFINITY): boolean =>
  [...pattern.matchAll(REPEATS)].some(([, from, to]) => Number(from) > most || Number(to) > most)
const isNamable = (value: JsonValue): boolean => typeof value === 'string' || typeof value === 'number'
const LISTS = ['anyOf', 'oneOf', 'allOf', 'prefixItems']
const MAPS = ['patternProperties', 'dependentSchemas']
const OF_THE_SAME_VALUE = ['anyOf', 'oneOf', 'allOf', 'if', 'then', 'else', 'dependentSchemas']
const SINGLES = [
  ...['items', 'additionalProperties', 'not', 'if', 'then', 'else', 'contains', 'propertyNames'],
  ...['unevaluatedItems', 'unevaluatedProperties'],
]
const OBJECT_WORDS = /^(properties|required|additionalProperties|(min|max)Properties)$/
const ARRAY_WORDS = /^(items|prefixItems|(min|max)Items)$/
const STRING_WORDS = /^((min|max)Length|pattern)$/
const BOUNDS = ['minimum', 'maximum']
const NUMBER_WORDS = /^(exclusive)?(minimum|maximum)$/i

/** A node whose keywords are lowered, and what that takes. */
export interface NodeToLower {
  readonly node: JsonObject
  /** The types that it is sent with. */
  readonly types: readonly string[]
  readonly place: Place
  readonly plan: DecodePlan
  readonly context: LoweringContext
  readonly lowerNode: LowerNode
}

/** Lowers the keywords of one node: what the provider takes is kept, what it does not take is said in the description. */
class KeywordLowering {
  readonly #at: NodeToLower
  readonly #out: Draft = {}
  readonly #lost: (readonly [string, JsonValue])[] = []

  constructor(at: NodeToLower) {
    this.#at = at
  }

  run(): JsonObject {
    const { dialect } = this.#at.context
    if (this.#at.types.length > 0 && !dialect.openApi)
      this.#out.type = this.#at.types.length === 1 ? (this.#at.types[0] as string) : [...this.#at.types]
    for (const [key, value] of Object.entries(this.#at.node)) if (key !== 'type') this.#keyword(key, value)
    this.#finishObject()
    this.#finishArray()
    const description = withWords(own(this.#at.node, 'description'), this.#lost, this.#at.context)
    if (description !== undefined) this.#out.description = description
    return inOrder(dialect.openApi ? finishOpenApi(this.#out, this.#openApiTypes()) : this.#out)
  }

  // `nullable` adds null to an enum, which `type` does not.
  #openApiTypes(): readonly string[] {
    const values = own(this.#at.node, 'enum')
    const lists = isList(values)
      ? values
      : Object.hasOwn(this.#at.node, 'const')
        ? [this.#at.node.const]
        : [null]
    const others = this.#at.types.filter(type => type !== 'null')
    return lists.includes(null) || others.length === 0 ? this.#at.types : others
  }

  #keyword(key: string, value: JsonValue): void {
    const { dialect } = this.#at.context
    if (key === 'description' || key === 'required') return
    if (key === 'properties') this.#properties(value as JsonObject)
    else if (key === 'enum' || key === 'const') this.#values(key, value)
    else if (key === 'format' && dialect.formats !== undefined) this.#format(value as string)
    else if (key === 'pattern' && dialect.plainPatterns && LOOKS_AROUND.test(value as string))
      this.#lose(key, value, 'the pattern looks around, which the provider cannot')
    else if (key === 'pattern' && countsTooFar(value as string, dialect.maxRepeats))
      this.#lose(key, value, `the pattern counts further than ${dialect.maxRepeats}`)
    else if (key === 'additionalProperties' && dialect.closed) this.#closed(value)
    else if (dialect.openApi && !this.#isForMyType(key)) return
    else if (!this.#at.context.takes(key)) this.#unsupported(key, value)
    else if (key === 'minItems' && (value as number) > (dialect.maxMinItems ?? Number.POSITIVE_INFINITY))
      this.#lose(key, value, `minItems may be ${dialect.maxMinItems} at most`)
    else if (BOUNDS.includes(key)) this.#bound(key, value as number)
    else {
      const lowered = this.#lowered(key, value)
      if (lowered !== null || value === null) setOwn(this.#out, key, lowered)
    }
  }

  // An exclusive bound may have set the same one already: the closer of the two holds.
  #bound(key: string, value: number): void {
    const known = this.#out[key]
    const closer = key === 'minimum' ? Math.max : Math.min
    this.#out[key] = typeof known === 'number' ? closer(known, value) : value
  }

  #exclusive(key: string, value: number): void {
    const isMinimum = key === 'exclusiveMinimum'
    const whole = this.#at.types.includes('integer') && !this.#at.types.includes('number')
    const next = isMinimum ? Math.floor(value) + 1 : Math.ceil(value) - 1
    this.#bound(isMinimum ? 'minimum' : 'maximum', whole ? next : value)
    if (whole)
      this.#at.context.note(this.#at.place, 'keyword', true, `${key} is sent as the next whole number`)
    else this.#lose(key, value, `${key} is sent as a bound that may be reached`)
  }

  // A keyword about another type says nothing, and OpenAPI's reader refuses it.
  #isForMyType(key: string): boolean {
    const is = (...types: readonly string[]): boolean => types.some(type => this.#at.types.includes(type))
    if (OBJECT_WORDS.test(key)) return is('object')
    if (ARRAY_WORDS.test(key)) return is('array')
    if (STRING_WORDS.test(key)) return is('string')
    return !NUMBER_WORDS.test(key) || is('number', 'integer')
  }

  #lowered(key: string, value: JsonValue): JsonValue {
    if (LISTS.includes(key))
      return (value as readonly JsonValue[]).map((branch, i) => this.#below(branch, key, i))
    if (MAPS.includes(key)) {
      const out: Draft = {}
      for (const [name, schema] of Object.entries(value as JsonObject))
        setOwn(out, name, this.#below(schema, key, name))
      return out
    }
    if (!SINGLES.includes(key)) return this.#verbatim(key, value)
    const isFlag =
      typeof value === 'boolean' && (key === 'additionalProperties' || key.startsWith('unevaluated'))
    return isFlag ? value : this.#below(value, key)
  }

  // Writers of JSON recurse: what nests too deep would end the whole request.
  #verbatim(key: string, value: JsonValue): JsonValue {
    if (!isDeeper(value, MAX_VALUE_LEVELS)) return value
    this.#at.context.note(this.#at.place, 'nesting', false, `${key} nests too deep to be sent`)
    return null
  }

  #below(schema: JsonValue, key: string, step?: string | number): JsonObject {
    const plan = newPlan()
    if (OF_THE_SAME_VALUE.includes(key)) this.#at.plan.also.push(plan)
    else if (key === 'items' || key === 'prefixItems')
      this.#at.plan.items = this.#joined(this.#at.plan.items, plan)
    else if (key !== 'not') this.#at.plan.rest = this.#joined(this.#at.plan.rest, plan)
    const place = this.#at.context.inside(this.#at.place, schema, key, ...(step === undefined ? [] : [step]))
    return this.#at.lowerNode(schema, place, plan, this.#at.context)
  }

  #joined(known: DecodePlan | undefined, plan: DecodePlan): DecodePlan {
    if (known === undefined) return plan
    known.also.push(plan)
    return known
  }

  #properties(properties: JsonObject): void {
    if (this.#at.context.dialect.openApi && !this.#at.types.includes('object')) return
    const { dialect, root } = this.#at.context
    const out: Draft = {}
    for (const [key, schema] of Object.entries(properties)) {
      const place = this.#at.context.inside(this.#at.place, schema, 'properties', key)
      const wire = dialect.propertyNames ? wireAlias(key, dialect.propertyNames) : key
      if (wire !== key) {
        this.#at.plan.names.set(wire, key)
        this.#at.context.note(place, 'property-name', true, `it is sent as "${wire}"`)
      }
      const plan = newPlan()
      this.#at.plan.properties.set(wire, plan)
      const lowered = this.#at.lowerNode(schema, place, plan, this.#at.context)
      const forced =
        dialect.required === 'all' && !this.#required().includes(key) && !acceptsNull(schema, root)
      ;(forced ? this.#at.plan.absent : this.#at.plan.kept).add(wire)
      setOwn(out, wire, forced ? withNull(lowered) : lowered)
    }
    this.#out.properties = out
  }

  #required(): readonly string[] {
    const required = own(this.#at.node, 'required')
    return isList(required) ? (required as readonly string[]) : []
  }

  #finishObject(): void {
    const { dialect } = this.#at.context
    if (!this.#at.types.includes('object') && (dialect.typed || !Object.hasOwn(this.#at.node, 'required')))
      return
    const properties = (own(this.#at.node, 'properties') ?? {}) as JsonObject
    const named = [...new Set(this.#required())]
    const declared = named.filter(key => Object.hasOwn(properties, key))
    const wire = (key: string): string =>
      dialect.propertyNames ? wireAlias(key, dialect.propertyNames) : key
    if (dialect.required !== 'any' && declared.length < named.length) {
      const missing = named.filter(key => !declared.includes(key))
      this.#lose('required', missing, 'it requires what it does not declare', 'required')
    }
    const kept = dialect.required === 'any' ? named : declared
    if (dialect.required === 'all')
      this.#out.required = Object.keys((this.#out.properties ?? {}) as JsonObject)
    else if (kept.length > 0 || Object.hasOwn(this.#at.node, 'required')) this.#out.required = kept.map(wire)
    if (!dialect.closed) return
    this.#out.properties ??= {}
    const isOpen =
      !Object.hasOwn(this.#at.node, 'additionalProperties') && Object.keys(properties).length === 0
    if (isOpen && this.#at.place.level > 0)
      this.#lose('additionalProperties', true, 'an object must declare its properties', 'open-object')
    this.#out.additionalProperties = false
  }

  #closed(value: JsonValue): void {
    if (value !== false) this.#lose('additionalProperties', value, 'an object must be closed', 'open-object')
  }

  #finishArray(): void {
    const { dialect } = this.#at.context
    if (!this.#at.types.includes('array')) return
    const tuple = own(this.#at.node, 'prefixItems')
    if (isList(tuple) && !this.#at.context.takes('prefixItems')) {
      const count = tuple.length
      this.#at.context.note(this.#at.place, 'keyword', false, 'prefixItems is sent as what any item may be')
      const kinds: JsonValue[] = []
      for (const item of tuple) if (!kinds.some(kind => sameJson(kind, item))) kinds.push(item)
      this.#out.items = this.#below(kinds.length === 1 ? (kinds[0] as JsonValue) : { anyOf: kinds }, 'items')
      if (own(this.#at.node, 'items') === false) this.#out.maxItems ??= count
    }
    if (!dialect.arrayItems && !dialect.typed) return
    if (Object.hasOwn(this.#out, 'items') || Object.hasOwn(this.#out, 'prefixItems')) return
    const exact = !dialect.closed && !dialect.openApi && !this.#at.context.countsItems
    this.#at.context.note(this.#at.place, 'array-items', exact, 'an array must say what its items are')
    this.#out.items = dialect.openApi ? anyOpenApi() : {}
  }

  #values(key: string, value: JsonValue): void {
    const { enums } = this.#at.context.dialect
    const values = key === 'enum' ? (value as readonly JsonValue[]) : [value]
    const scalars = values.every(item => typeof item !== 'object' || item === null)
    if (isDeeper(value, MAX_VALUE_LEVELS)) this.#verbatim(key, value)
    else if (enums === 'any' || (scalars && enums === 'scalars' && this.#at.context.takes(key)))
      this.#out[key] = value
    else if (scalars && (enums === 'scalars' || (enums === 'texts and numbers' && values.every(isNamable))))
      this.#out.enum = values
    else this.#texts(key, value, values)
  }

  #texts(key: string, value: JsonValue, values: readonly JsonValue[]): void {
    const { enums } = this.#at.context.dialect
    const texts = values.filter(item => typeof item === 'string' && item !== '')
    const sendable =
      enums === 'texts' &&
      this.#at.types.includes('string') &&
      texts.length > 0 &&
      values.every(item => item === null || texts.includes(item))
    if (sendable) this.#out.enum = [...new Set(texts)]
    else this.#lose(key, value, 'its values cannot be listed', 'enum')
  }

  #format(format: string): void {
    const { formats = {} } = this.#at.context.dialect
    const known = this.#at.types.some(type => Object.hasOwn(formats, type) && formats[type]?.includes(format))
    if (known) this.#out.format = format
    else {
      this.#lost.push(['format', format])
      this.#at.context.note(this.#at.place, 'format', true, `the format "${format}" is said in words`)
    }
  }

  #unsupported(key: string, value: JsonValue): void {
    if (key === 'prefixItems' || key === 'const') return
    if (key === 'default' || key === 'examples') {
      this.#lost.push([key, value])
      this.#at.context.note(this.#at.place, 'keyword', true, `${key} is said in words`)
    } else if (!isAssertion(key)) this.#at.context.note(this.#at.place, 'keyword', true, `${key} is left out`)
    else if (key === 'additionalProperties' && typeof value === 'boolean')
      this.#at.context.note(this.#at.place, 'keyword', value, 'additionalProperties is left out')
    else if (key.startsWith('exclusive') && this.#at.context.takes('minimum'))
      this.#exclusive(key, value as number)
    else this.#lose(key, value, `${key} cannot be sent`)
  }

  #lose(
    key: string,
    value: JsonValue,
    message: string,
    rule: 'keyword' | 'required' | 'open-object' | 'enum' = 'keyword',
  ): void {
    this.#lost.push([key, value])
    this.#at.context.note(this.#at.place, rule, false, message)
  }
}

export const lowerKeywords = (at: NodeToLower): JsonObject => new KeywordLowering(at).run()
