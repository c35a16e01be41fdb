import { describeError } from '../errors/describe-error.js'
import type { Violation } from '../errors/violation.js'
import { DEFAULT_JSON_LIMITS } from '../json/json-limits.js'
import { isPlainObject } from '../json/plain-object.js'
import { type Fault, Findings } from './findings.js'
import { notDeclared } from './keyword-text.js'
import type { ArrayPlan, ObjectPlan, OneOfPlan, ScalarPlan, SchemaPlan } from './schema-plan.js'
import { BRANCH_FINDINGS, unionFault } from './union-text.js'
import { pathText, type ValuePath } from './value-path.js'
import { aType, oneOfThese, received } from './value-text.js'

/** One comparison under way. What it yields is compared before it goes on; nothing recurses on the stack. */
type Comparison = Generator<Comparison, void>

interface Place {
  readonly root: string
  readonly path: ValuePath | undefined
  /** Steps below the value that `findings` are about. */
  readonly depth: number
  readonly findings: Findings
}

// A proxy may claim any length and have an item at every index.
const MAX_ITEMS = DEFAULT_JSON_LIMITS.maxNodes

const CARRIED = new Set(['string', 'number', 'boolean', 'object'])

const below = (place: Place, key: string | number): Place => ({
  ...place,
  path: { parent: place.path, key },
  depth: place.depth + 1,
})

function report(place: Place, kind: Fault['kind'], problem: string, expected?: string): void {
  const { findings, root, path, depth } = place
  const violation = (): Violation => {
    const text = pathText(root, path)
    return { path: text, message: `${text} ${problem}` }
  }
  findings.add({ kind, depth, ...(expected !== undefined && { expected }), violation })
}

const mustBe = (place: Place, kind: Fault['kind'], expected: string, value: unknown): void =>
  report(place, kind, `must be ${expected}, got ${received(value)}`, expected)

const isLossyNumber = (value: unknown): boolean =>
  typeof value === 'number' && (!Number.isFinite(value) || Object.is(value, -0))

function isOfType(kind: ScalarPlan['kind'], value: unknown): boolean {
  if (kind === 'null') return value === null
  return kind === 'integer' ? Number.isInteger(value) : typeof value === kind
}

function compareScalar({ kind, allowed }: ScalarPlan, value: unknown, place: Place): void {
  if (allowed !== undefined) {
    const matches = (allowed as readonly unknown[]).includes(value) && !isLossyNumber(value)
    if (!matches) mustBe(place, isOfType(kind, value) ? 'tag' : 'type', oneOfThese(allowed), value)
  } else if (!isOfType(kind, value) && !(kind === 'integer' && isLossyNumber(value)))
    mustBe(place, 'type', aType(kind), value)
  else if (isLossyNumber(value)) mustBe(place, 'type', 'a finite JSON number', value)
}

function* compareItems({ items }: ArrayPlan, value: readonly unknown[], place: Place): Comparison {
  if (items === undefined || items.kind === 'any') return
  if (value.length > MAX_ITEMS) return report(place, 'other', `must have at most ${MAX_ITEMS} items`)
  for (let i = 0; i < value.length && !place.findings.isFull; i++)
    yield compare(items, value[i], below(place, i))
}

function* compareFields({ fields, closed }: ObjectPlan, value: object, place: Place): Comparison {
  const present: [SchemaPlan, unknown, Place][] = []
  for (const { name, required, plan } of fields) {
    const at = below(place, name)
    let held: unknown
    try {
      held = Object.hasOwn(value, name) ? (value as Record<string, unknown>)[name] : undefined
    } catch (error) {
      report(at, 'other', `could not be read: ${describeError(error)}`)
      continue
    }
    if (held !== undefined) present.push([plan, held, at])
    else if (required)
      place.findings.add({
        kind: 'other',
        depth: at.depth,
        violation: () => {
          const path = pathText(at.root, at.path)
          return { path, message: `missing required property ${path}` }
        },
      })
  }
  for (const [plan, held, at] of present) yield compare(plan, held, at)
  if (!closed) return
  const declared = new Set(fields.map(field => field.name))
  let problem: string | undefined
  for (const key of Object.keys(value)) {
    if (place.findings.isFull) return
    if (declared.has(key)) continue
    problem ??= notDeclared([...declared])
    report(below(place, key), 'other', problem)
  }
}

function* compareBranches({ branches }: OneOfPlan, value: unknown, place: Place): Comparison {
  const tried: Findings[] = []
  for (const branch of branches) {
    const findings = new Findings(BRANCH_FINDINGS)
    tried.push(findings)
    yield compare(branch, value, { ...place, depth: 0, findings })
  }
  if (tried.filter(findings => findings.count === 0).length === 1) return
  const { kind, problem, expected } = unionFault('oneOf', tried, value)
  report(place, kind, problem, expected)
}

// Whatever a value throws when it is looked at is said about the place where it stands.
function* compare(plan: SchemaPlan, value: unknown, place: Place): Comparison {
  try {
    switch (plan.kind) {
      case 'any':
        if (!CARRIED.has(typeof value) || isLossyNumber(value)) mustBe(place, 'type', 'lossless JSON', value)
        return
      case 'array':
        if (!Array.isArray(value)) return mustBe(place, 'type', 'an array', value)
        return yield* compareItems(plan, value, place)
      case 'object':
        if (typeof value !== 'object' || value === null || Array.isArray(value))
          return mustBe(place, 'type', 'an object', value)
        if (!isPlainObject(value)) return report(place, 'type', 'must be a plain object, got another kind')
        return yield* compareFields(plan, value, place)
      case 'oneOf':
        return yield* compareBranches(plan, value, place)
      default:
        return compareScalar(plan, value, place)
    }
  } catch (error) {
    report(place, 'other', `could not be read: ${describeError(error)}`)
  }
}

/**
 * All that is wrong with any value at all, in order: missing properties, then declared ones as declared, then undeclared
 * ones. At most `limit` are kept; the last then says how many more there are. Total: never throws.
 */
export function explainValue(
  plan: SchemaPlan,
  value: unknown,
  root: string,
  limit: number,
  countMore: number,
): readonly Violation[] {
  const findings = new Findings(limit, limit + countMore)
  const running: Comparison[] = [compare(plan, value, { root, path: undefined, depth: 0, findings })]
  for (let top = running.at(-1); top !== undefined; top = running.at(-1)) {
    const step = top.next()
    if (step.done) running.pop()
    else running.push(step.value)
  }
  return findings.summary(root)
}
