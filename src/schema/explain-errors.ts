import type { Violation } from '../errors/violation.js'
import type { JsonObject, JsonValue } from '../json/json-value.js'
import type { OutputUnit } from './cfworker-validator.js'
import { type DeclaredNames, namesInPlace, ownNames } from './declared-names.js'
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
  readonly #names = new Map<object, DeclaredNames>()
  readonly #closed = new Map<object, string>()

  constructor(root: string, schema: MutableSchema, value: JsonValue) {
    this.#root = root
    this.#schema = schema
    this.#value = value
  }

  /** What the units from one index to another say. */
  read(units: readonly OutputUnit[], from: number, to: number, findings: Findings, base: number): void {
    const said = new Set<string>()
    const derived: Entry[] = []
    const before = findings.count
    let next = from
    while (next < to && !findings.isFull) {
      if (next + 1 < to && isSaidBetter(units, next)) next++
      const { keyword } = units[next] as OutputUnit
      if (CONTAINERS.has(keyword)) {
        next++
        continue
      }
      const entry = this.#entry(units, next++)
      if (keyword === 'anyOf' || keyword === 'oneOf') {
        const end = endOfUnion(units, next, to, entry.unit)
        if (!entry.at.isCounted) this.#union(keyword, entry, units, next, end, findings, base)
        next = end
      } else if (entry.at.isCounted) continue
      else if (keyword === 'false' && DERIVED.has(entry.cause)) derived.push(entry)
      else this.#say(entry, findings, base, said)
    }
    for (const entry of derived) {
      if (findings.isFull) return
      if (!this.#isDeclared(entry)) this.#say(entry, findings, base, said)
    }
    if (findings.count > before) return
    const deepest = derived.reduce((depth, { steps }) => Math.max(depth, steps.length), 0)
    for (const entry of derived) {
      if (findings.isFull) return
      if (entry.steps.length === deepest) this.#say(entry, findings, base, said)
    }
  }

  #isDeclared({ at, cause, steps }: Entry): boolean {
    return cause === 'unevaluatedItems' || this.#declared(at.owner).has(String(steps.at(-1)))
  }

  #declared(owner: LocatedKeyword['owner']): DeclaredNames {
    const names = this.#names.get(owner) ?? namesInPlace(owner, this.#schema)
    this.#names.set(owner, names)
    return names
  }

  // Only what is left open or closed by a boolean meets a `false` schema.
  #forbidden({ at, cause }: Entry): KeywordFault {
    const { owner } = at
    if (cause === 'additionalProperties' || cause === 'unevaluatedProperties') {
      const isOwn = cause === 'additionalProperties'
      const problem =
        this.#closed.get(owner) ?? notDeclared(isOwn ? ownNames(owner) : this.#declared(owner).names)
      this.#closed.set(owner, problem)
      return { kind: 'other', problem }
    }
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
    from: number,
    to: number,
    findings: Findings,
    base: number,
  ): void {
    const branches = entry.at.owner[keyword] as readonly unknown[]
    let end = from
    const tried = branches.map((_, i) => {
      const start = end
      end = endOfBranch(units, start, to, `${entry.unit.keywordLocation}/${i}`)
      const branch = new Findings(BRANCH_FINDINGS)
      this.read(units, start, end, branch, entry.steps.length)
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

// What branches say stands branch by branch. A `false` schema belongs to what comes before it.
function endOfBranch(units: readonly OutputUnit[], from: number, to: number, location: string): number {
  let end = from
  for (; end < to; end++) {
    const { keyword, keywordLocation } = units[end] as OutputUnit
    if (keyword === 'false' || keywordLocation === location) continue
    if (!keywordLocation.startsWith(location) || keywordLocation[location.length] !== '/') break
  }
  return end
}

function endOfUnion(
  units: readonly OutputUnit[],
  from: number,
  to: number,
  { keywordLocation }: OutputUnit,
): number {
  const inside = `${keywordLocation}/`
  let end = from
  for (; end < to; end++) {
    const unit = units[end] as OutputUnit
    if (unit.keyword !== 'false' && !unit.keywordLocation.startsWith(inside)) break
  }
  return end
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
  new ErrorReader(root, schema, value).read(units, 0, units.length, findings, 0)
  return findings.summary(root)
}
