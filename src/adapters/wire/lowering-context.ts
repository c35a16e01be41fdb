import type { JsonObject, JsonValue } from '../../json/json-value.js'
import { ambiguousProperty, type DecodePlan, newPlan } from './decode-plan.js'
import type { Dialect } from './dialect.js'
import { follow, hasKey, setOwn } from './json.js'
import { typeOfValue } from './normalize-node.js'
import { type ToolPlace, ToolPlaces } from './tool-places.js'
import type { WireRule } from './wire-finding.js'

/** Something that was written in another way than the tool has it. */
export interface LoweringNote {
  readonly path: string
  readonly rule: WireRule
  /** False where what is sent says less than the schema does. */
  readonly exact: boolean
  readonly message: string
}

/** Where in a schema a node stands: in the tool as it was registered, and in what is made of it. */
export interface Place extends ToolPlace {
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
  readonly place: ToolPlace
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
  readonly #places: ToolPlaces
  readonly #definitions = new Map<JsonValue, Definition>()
  readonly #names = new Set<string>()
  readonly #waiting: Definition[] = []
  #current: Definition | undefined
  #nodes = 0

  constructor(root: JsonObject, dialect: Dialect) {
    this.root = root
    this.dialect = dialect
    this.countsItems = hasKey(root, 'unevaluatedItems')
    this.#places = new ToolPlaces(root)
  }

  get rootPlace(): Place {
    return { ...this.#places.root, level: 0, trail: [] }
  }

  takes(keyword: string): boolean {
    const { keywords } = this.dialect
    return keywords === 'all' || keywords.has(keyword)
  }

  note(place: ToolPlace, rule: WireRule, exact: boolean, message: string): void {
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

  /** The place of a schema that stands so many steps below another one. */
  inside(place: Place, schema: JsonValue, ...steps: readonly (string | number)[]): Place {
    return { ...place, ...this.#places.find(schema, place, steps), level: place.level + 1 }
  }

  isOfType(value: JsonValue, type: string): boolean {
    const is = typeOfValue(value)
    return is === type || (is === 'integer' && type === 'number')
  }

  /** The definition of what a reference leads to; it is written later, once. */
  define(reference: string, target: JsonValue, from: ToolPlace): Definition {
    const known = this.#definitions.get(target)
    const definition = known ?? this.#newDefinition(reference, target, from)
    this.#current?.uses.add(definition)
    return definition
  }

  /** All definitions that came up, and those that came up in them. */
  lowerDefinitions(lowerNode: LowerNode): { [name: string]: JsonValue } {
    const defs: { [name: string]: JsonValue } = {}
    for (let next = this.#waiting.shift(); next !== undefined; next = this.#waiting.shift()) {
      this.#current = next
      const place: Place = { ...next.place, level: 0, trail: [] }
      setOwn(defs, next.name, lowerNode(next.target, place, next.plan, this))
    }
    if (!this.dialect.recursion && this.#isCircular())
      this.note(this.#places.root, 'recursion', false, 'the schema contains itself')
    return defs
  }

  /** Notes where arguments could not be read back for certain. */
  checkPlan(plan: DecodePlan): void {
    const key = ambiguousProperty(plan)
    if (key === undefined) return
    const message = `a null for "${key}" means two things, by which alternative it stands in`
    this.note(this.#places.root, 'required', false, message)
  }

  #newDefinition(reference: string, target: JsonValue, from: ToolPlace): Definition {
    const last =
      reference
        .split('/')
        .at(-1)
        ?.replace(/[^A-Za-z0-9_]+/g, '_') || 'root'
    const base = last === '#' || last === '_' ? 'root' : last.slice(0, 40)
    let name = base
    for (let n = 2; this.#names.has(name); n++) name = `${base}${n}`
    this.#names.add(name)
    const place = this.#places.find(target, from, [])
    const definition = { name, target, place, plan: newPlan(), uses: new Set<Definition>() }
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
