import type { JsonObject, JsonValue } from '../../json/json-value.js'
import { isList, isRecord, setOwn } from './json.js'

/**
 * How arguments that were written to a lowered schema become arguments of the tool. A graph, as schemas are: it may lead
 * back to itself.
 */
export interface DecodePlan {
  /** The arguments stand under this property. */
  unwrap?: string
  /** Properties whose null means that they are left out. */
  readonly absent: Set<string>
  /** The other properties that the schema declares. */
  readonly kept: Set<string>
  /** Property names on the wire, and the tool's own. */
  readonly names: Map<string, string>
  /** By names on the wire. */
  readonly properties: Map<string, DecodePlan>
  rest?: DecodePlan
  items?: DecodePlan
  /** Other schemas that the same value may be written to. */
  readonly also: DecodePlan[]
}

export const newPlan = (): DecodePlan => ({
  absent: new Set(),
  kept: new Set(),
  names: new Map(),
  properties: new Map(),
  also: [],
})

function allPlans(plan: DecodePlan): Set<DecodePlan> {
  const seen = new Set<DecodePlan>()
  const waiting = [plan]
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (seen.has(next)) continue
    seen.add(next)
    waiting.push(...next.properties.values(), ...next.also)
    if (next.rest) waiting.push(next.rest)
    if (next.items) waiting.push(next.items)
  }
  return seen
}

/** Whether following the plan could ever change anything. */
export const changesAnything = (plan: DecodePlan): boolean =>
  [...allPlans(plan)].some(
    ({ unwrap, absent, names }) => unwrap !== undefined || absent.size > 0 || names.size > 0,
  )

/** A property whose null means two things, by the schemas that one value may be written to. */
export function ambiguousProperty(plan: DecodePlan): string | undefined {
  for (const each of allPlans(plan)) {
    if (each.also.length === 0) continue
    const beside = together([each])
    for (const { absent } of beside)
      for (const key of absent) if (beside.some(({ kept }) => kept.has(key))) return key
  }
  return undefined
}

/** The plan and all others that hold for the same value. */
function together(plans: Iterable<DecodePlan | undefined>): DecodePlan[] {
  const found = new Set<DecodePlan>()
  const waiting = [...plans]
  while (waiting.length > 0) {
    const plan = waiting.pop()
    if (plan === undefined || found.has(plan)) continue
    found.add(plan)
    waiting.push(...plan.also)
  }
  return [...found]
}

type Container = JsonValue[] | { [key: string]: JsonValue }
interface Task {
  readonly source: JsonObject | readonly JsonValue[]
  readonly target: Container
  readonly plans: readonly DecodePlan[]
}

const emptyLike = (source: object): Container => (Array.isArray(source) ? [] : {})

function belowKey(plans: readonly DecodePlan[], key: string): DecodePlan[] {
  return together(plans.map(plan => plan.properties.get(key) ?? plan.rest))
}

/** A value as the tool means it, in a copy. Iterative; what no plan speaks of is the same object. */
export function decodeValue(value: JsonValue, plan: DecodePlan): JsonValue {
  const inner = plan.unwrap !== undefined && isRecord(value) ? value[plan.unwrap] : value
  if (inner === undefined || typeof inner !== 'object' || inner === null) return inner ?? null
  const root = emptyLike(inner)
  const stack: Task[] = [{ source: inner, target: root, plans: together([plan]) }]
  const copy = (child: JsonValue, plans: readonly DecodePlan[]): JsonValue => {
    if (typeof child !== 'object' || child === null || plans.length === 0) return child
    const target = emptyLike(child)
    stack.push({ source: child as Task['source'], target, plans })
    return target
  }
  for (let task = stack.pop(); task !== undefined; task = stack.pop()) {
    const { source, target, plans } = task
    if (isList(source)) {
      const items = together(plans.map(({ items }) => items))
      for (const item of source) (target as JsonValue[]).push(copy(item, items))
      continue
    }
    for (const [key, child] of Object.entries(source as JsonObject)) {
      if (child === null && plans.some(({ absent }) => absent.has(key))) continue
      const name = plans.find(({ names }) => names.has(key))?.names.get(key) ?? key
      setOwn(target as { [key: string]: JsonValue }, name, copy(child, belowKey(plans, key)))
    }
  }
  return root
}

const MAX_DECODED_CHARS = 16 * 1024 * 1024

/** The model's arguments, text or value, as the tool means them. Text that is not JSON stays as it is, for the pipeline to judge. */
export function decodeArguments(given: unknown, plan: DecodePlan | undefined): unknown {
  if (plan === undefined || given === undefined || given === null) return given
  if (typeof given !== 'string') {
    const value = isRecord(given) || isList(given) ? decodeValue(given as JsonValue, plan) : given
    // A text would be read as JSON.
    return typeof value === 'string' ? JSON.stringify(value) : value
  }
  if (given.length > MAX_DECODED_CHARS || given.trim() === '') return given
  try {
    let isWritable = true
    const value = JSON.parse(given, (_key, item) => {
      // A number past what there is, such as 1e999, would be written as null.
      if (typeof item === 'number' && !Number.isFinite(item)) isWritable = false
      return item
    }) as JsonValue
    return isWritable ? JSON.stringify(decodeValue(value, plan)) : given
  } catch {
    return given
  }
}
