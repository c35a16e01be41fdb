import type { JsonObject, JsonValue } from '../../json/json-value.js'
import { ambiguousProperty, type DecodePlan, newPlan } from './decode-plan.js'
import type { Dialect } from './dialect.js'
import { follow, hasKey, setOwn } from './json.js'
import { typeOfValue } from './normalize-node.js'
import type { WireRule } from './wire-finding.js'

/** Something that was written in another way than the tool has it. */
export interface LoweringNote {
  readonly path: string
  readonly rule: WireRule
  /** False where what is sent says less than the schema does. */
  readonly exact: boolean
  readonly message: string
}

/** Where in a schema a node stands. */
export interface Place {
  readonly path: string
  readonly level: number
  /** What references on the way here have led to. */
  readonly trail: readonly JsonValue[]
}

/** Lowers one node. */
export type LowerNode = (
  given: JsonValue,
  place: Place,
  plan: DecodePlan,
  context: LoweringContext,
) => JsonObject

interface Definition {
  readonly name: string
  readonly target: JsonValue
  readonly plan: DecodePlan
  readonly uses: Set<Definition>
}

const MAX_NODES = 10_000
const MAX_NOTES = 200

/** What one lowering knows beside the node it is at. */
export class LoweringContext {
  readonly root: JsonObject
  readonly dialect: Dialect
  readonly notes: LoweringNote[] = []
  /** Whether it matters somewhere that no schema has spoken of an item. */
  readonly countsItems: boolean
  readonly #definitions = new Map<JsonValue, Definition>()
  readonly #names = new Set<string>()
  readonly #waiting: Definition[] = []
  #current: Definition | undefined
  #nodes = 0

  constructor(root: JsonObject, dialect: Dialect) {
    this.root = root
    this.dialect = dialect
    this.countsItems = hasKey(root, 'unevaluatedItems')
  }

  takes(keyword: string): boolean {
    const { keywords } = this.dialect
    return keywords === 'all' || keywords.has(keyword)
  }

  note(place: Place, rule: WireRule, exact: boolean, message: string): void {
    // One that says that something is lost must be heard, however many others there are.
    if (this.notes.length < MAX_NOTES || (!exact && this.notes.every(note => note.exact)))
      this.notes.push({ path: place.path, rule, exact, message })
  }

  /** False once there are too many nodes: references can make few into very many. */
  spend(): boolean {
    return ++this.#nodes <= MAX_NODES
  }

  follow(reference: string): JsonValue | undefined {
    return follow(this.root, reference)
  }

  inside(place: Place, ...steps: readonly (string | number)[]): Place {
    const path = steps.reduce<string>(
      (at, step) => `${at}/${String(step).replaceAll('~', '~0').replaceAll('/', '~1')}`,
      place.path,
    )
    return { ...place, path, level: place.level + 1 }
  }

  isOfType(value: JsonValue, type: string): boolean {
    const is = typeOfValue(value)
    return is === type || (is === 'integer' && type === 'number')
  }

  /** The definition of what a reference leads to; it is written later, once. */
  define(reference: string, target: JsonValue): Definition {
    const known = this.#definitions.get(target)
    const definition = known ?? this.#newDefinition(reference, target)
    this.#current?.uses.add(definition)
    return definition
  }

  /** All definitions that came up, and those that came up in them. */
  lowerDefinitions(lowerNode: LowerNode): { [name: string]: JsonValue } {
    const defs: { [name: string]: JsonValue } = {}
    for (let next = this.#waiting.shift(); next !== undefined; next = this.#waiting.shift()) {
      this.#current = next
      const place: Place = { path: `#/parameters/$defs/${next.name}`, level: 0, trail: [] }
      setOwn(defs, next.name, lowerNode(next.target, place, next.plan, this))
    }
    if (!this.dialect.recursion && this.#isCircular())
      this.note(
        { path: '#/parameters', level: 0, trail: [] },
        'recursion',
        false,
        'the schema contains itself',
      )
    return defs
  }

  /** Notes where arguments could not be read back for certain. */
  checkPlan(plan: DecodePlan): void {
    const key = ambiguousProperty(plan)
    if (key === undefined) return
    const message = `a null for "${key}" means two things, by which alternative it stands in`
    this.note({ path: '#/parameters', level: 0, trail: [] }, 'required', false, message)
  }

  #newDefinition(reference: string, target: JsonValue): Definition {
    const last =
      reference
        .split('/')
        .at(-1)
        ?.replace(/[^A-Za-z0-9_]+/g, '_') || 'root'
    const base = last === '#' || last === '_' ? 'root' : last.slice(0, 40)
    let name = base
    for (let n = 2; this.#names.has(name); n++) name = `${base}${n}`
    this.#names.add(name)
    const definition = { name, target, plan: newPlan(), uses: new Set<Definition>() }
    this.#definitions.set(target, definition)
    this.#waiting.push(definition)
    return definition
  }

  // Takes away what uses nothing that is left; a circle is what stays.
  #isCircular(): boolean {
    const left = new Set(this.#definitions.values())
    for (let before = -1; before !== left.size; ) {
      before = left.size
      for (const definition of left)
        if (![...definition.uses].some(used => left.has(used))) left.delete(definition)
    }
    return left.size > 0
  }
}
