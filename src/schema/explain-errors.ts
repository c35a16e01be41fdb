import type { Violation } from '../errors/violation.js'
import type { JsonObject, JsonValue } from '../json/json-value.js'
import type { OutputUnit } from './cfworker-validator.js'
import { isAmong, namesInPlace, ownNames } from './declared-names.js'
import { type Fault, Findings } from './findings.js'
import { type KeywordFault, keywordFault, notDeclared } from './keyword-text.js'
import type { MutableSchema } from './link-schema.js'
import { type LocatedKeyword, locateKeyword, pointerTokens } from './locate-keyword.js'
import { BRANCH_FINDINGS, unionFault } from './union-text.js'
import { stepsText } from './value-path.js'
import { received } from './value-text.js'

/** What the interpreter says about one keyword, found in the schema and the value again. */
interface Entry {
  readonly unit: OutputUnit
  readonly at: LocatedKeyword
  readonly steps: readonly (string | number)[]
  readonly value: JsonValue
  /** The keyword that led to a `false` schema. */
  readonly cause: string
}

// Said by what stands inside.
const CONTAINERS = new Set([
  '$ref',
  'allOf',
  'if',
  'properties',
  'patternProperties',
  'additionalProperties',
  'unevaluatedProperties',
  'propertyNames',
  'dependentSchemas',
  'prefixItems',
  'items',
  'additionalItems',
  'unevaluatedItems',
])
const NAME_LISTS = new Set(['required', 'dependentRequired', 'dependencies'])

const hasOwn = (value: JsonValue, key: string): boolean => Object.hasOwn(value as object, key)

function lookUp(value: JsonValue, tokens: readonly string[]): Pick<Entry, 'steps' | 'value'> {
  const steps: (string | number)[] = []
  let at = value
  for (const token of tokens) {
    steps.push(Array.isArray(at) ? Number(token) : token)
    at = (at as JsonObject)[token] as JsonValue
  }
  return { steps, value: at }
}

/** The properties that are missing, each with the one that asks for it, if one does. */
function missingNames({ unit, at, value }: Entry): Map<string, string | undefined> {
  const rule = at.owner[unit.keyword] as JsonValue
  const names = new Map<string, string | undefined>()
  const need = (needed: readonly string[], by?: string): void => {
    for (const name of needed) if (!hasOwn(value, name) && !names.has(name)) names.set(name, by)
  }
  if (unit.keyword === 'required') need(rule as readonly string[])
  else
    for (const [key, needed] of Object.entries(rule as JsonObject))
      if (hasOwn(value, key) && Array.isArray(needed)) need(needed as readonly string[], key)
  return names
}

// What a schema that does not match has evaluated does not count, so these follow from other faults, and mislead.
const DERIVED = new Set(['unevaluatedProperties', 'unevaluatedItems'])

class ErrorReader {
  readonly #root: string
  readonly #schema: MutableSchema
  readonly #value: JsonValue
  readonly #names = new Map<object, readonly string[]>()
  readonly #closed = new Map<object, string>()

  constructor(root: string, schema: MutableSchema, value: JsonValue) {
    this.#root = root
    this.#schema = schema
    this.#value = value
  }

  read(units: readonly OutputUnit[], findings: Findings, base: number): void {
    const said = new Set<string>()
    const derived: Entry[] = []
    const before = findings.count
    let next = 0
    while (next < units.length && !findings.isFull) {
      if (isSaidBetter(units, next)) next++
      const entry = this.#entry(units, next)
      const { unit } = entry
      const { keyword } = unit
      next++
      if (keyword === 'anyOf' || keyword === 'oneOf') {
        const end = endOfUnion(units, next, unit)
        if (!entry.at.isCounted) this.#union(keyword, entry, units.slice(next, end), findings, base)
        next = end
      } else if (entry.at.isCounted || CONTAINERS.has(keyword)) continue
      else if (keyword === 'false' && DERIVED.has(entry.cause)) derived.push(entry)
      else this.#say(entry, findings, base, said)
    }
    for (const entry of derived) if (!this.#isDeclared(entry)) this.#say(entry, findings, base, said)
    if (findings.count > before) return
    const deepest = derived.reduce((depth, { steps }) => Math.max(depth, steps.length), 0)
    for (const entry of derived) if (entry.steps.length === deepest) this.#say(entry, findings, base, said)
  }

  #isDeclared({ at, cause, steps }: Entry): boolean {
    return cause === 'unevaluatedItems' || isAmong(this.#declared(at.owner), String(steps.at(-1)))
  }

  #declared(owner: LocatedKeyword['owner']): readonly string[] {
    const names = this.#names.get(owner) ?? namesInPlace(owner, this.#schema)
    this.#names.set(owner, names)
    return names
  }

  // Only what is left open or closed by a boolean meets a `false` schema.
  #forbidden({ at, cause }: Entry): KeywordFault {
    const { owner } = at
    if (cause === 'additionalProperties') {
      const problem = this.#closed.get(owner) ?? notDeclared(ownNames(owner))
      this.#closed.set(owner, problem)
      return { kind: 'other', problem }
    }
    if (cause === 'unevaluatedProperties')
      return { kind: 'other', problem: notDeclared(this.#declared(owner)) }
    const before = cause === 'unevaluatedItems' ? undefined : (owner.prefixItems ?? owner.items)
    const most = Array.isArray(before) ? `: at most ${before.length} allowed` : ''
    return { kind: 'other', problem: `is one item too many${most}` }
  }

  #entry(units: readonly OutputUnit[], index: number): Entry {
    const unit = units[index] as OutputUnit
    const found = lookUp(this.#value, pointerTokens(unit.instanceLocation))
    // The location of a `false` schema is that of the value; what led there comes before it.
    const isFalse = unit.keyword === 'false'
    const cause = units[index - 1]
    const at = locateKeyword(this.#schema, (isFalse ? (cause ?? unit) : unit).keywordLocation)
    const value = at.isName ? (found.steps.at(-1) as JsonValue) : found.value
    return { unit, at, steps: found.steps, value, cause: cause?.keyword ?? '' }
  }

  #say(entry: Entry, findings: Findings, base: number, said: Set<string>): void {
    const { unit, at, value } = entry
    if (unit.keyword === 'false') this.#add(entry, this.#forbidden(entry), findings, base)
    else if (NAME_LISTS.has(unit.keyword)) {
      // One entry for each name, none of which says which: all are said at the first.
      const place = `${unit.instanceLocation} ${unit.keywordLocation}`
      if (!said.has(place)) this.#missing(entry, findings, base)
      said.add(place)
    } else this.#add(entry, keywordFault(unit.keyword, at.owner, value), findings, base)
  }

  #add({ at, steps, value }: Entry, fault: KeywordFault, findings: Findings, base: number): void {
    const { kind, problem, expected } = fault
    const violation = (): Violation => {
      const path = stepsText(this.#root, at.isName ? steps.slice(0, -1) : steps)
      const what = at.isName ? `${path}: the property name ${received(value)}` : path
      return { path, message: `${what} ${problem}` }
    }
    findings.add({ kind, depth: steps.length - base, ...(expected !== undefined && { expected }), violation })
  }

  #missing(entry: Entry, findings: Findings, base: number): void {
    for (const [name, by] of missingNames(entry)) {
      const steps = [...entry.steps, name]
      const violation = (): Violation => {
        const path = stepsText(this.#root, steps)
        const message = `missing required property ${path}`
        if (by === undefined) return { path, message }
        return { path, message: `${message}, needed beside ${stepsText(this.#root, [...entry.steps, by])}` }
      }
      findings.add({ kind: 'other', depth: steps.length - base, violation } satisfies Fault)
    }
  }

  #union(
    keyword: 'anyOf' | 'oneOf',
    entry: Entry,
    units: readonly OutputUnit[],
    findings: Findings,
    base: number,
  ): void {
    const branches = entry.at.owner[keyword] as readonly unknown[]
    const tried = branches.map((_, i) => {
      const branch = new Findings(BRANCH_FINDINGS)
      this.read(unitsOfBranch(units, `${entry.unit.keywordLocation}/${i}`), branch, entry.steps.length)
      return branch
    })
    this.#add(entry, unionFault(keyword, tried, entry.value), findings, base)
  }
}

// A value of the wrong type that is none of the allowed ones either: the allowed ones say it all.
function isSaidBetter(units: readonly OutputUnit[], index: number): boolean {
  const unit = units[index]
  const next = units[index + 1]
  if (unit?.keyword !== 'type' || (next?.keyword !== 'enum' && next?.keyword !== 'const')) return false
  return unit.keywordLocation.slice(0, -'type'.length) === next.keywordLocation.slice(0, -next.keyword.length)
}

const isUnder = (location: string, unit: OutputUnit): boolean =>
  unit.keywordLocation === location || unit.keywordLocation.startsWith(`${location}/`)

function endOfUnion(units: readonly OutputUnit[], from: number, { keywordLocation }: OutputUnit): number {
  let end = from
  for (; end < units.length; end++) {
    const unit = units[end] as OutputUnit
    if (unit.keyword !== 'false' && !unit.keywordLocation.startsWith(`${keywordLocation}/`)) break
  }
  return end
}

// A `false` schema belongs to what comes before it.
function unitsOfBranch(units: readonly OutputUnit[], location: string): OutputUnit[] {
  let inside = false
  return units.filter(unit => {
    if (unit.keyword !== 'false') inside = isUnder(location, unit)
    return inside
  })
}

/** The interpreter's output in words, at most `limit` of them. Every entry of the output is about this schema and value. */
export function explainErrors(
  schema: MutableSchema,
  value: JsonValue,
  root: string,
  units: readonly OutputUnit[],
  limit: number,
  countMore: number,
): readonly Violation[] {
  const findings = new Findings(limit, limit + countMore)
  new ErrorReader(root, schema, value).read(units, findings, 0)
  return findings.summary(root)
}
