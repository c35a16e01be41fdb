import { describeError } from '../errors/describe-error.js'
import { ToolgateError } from '../errors/toolgate-error.js'
import { jsonBytes } from './json-bytes.js'
import { DEFAULT_JSON_LIMITS, type JsonLimits, resolveLimits } from './json-limits.js'
import { joinPath } from './json-path.js'
import type { JsonValue } from './json-value.js'
import { type KnownJson, knownJson, LARGE_NODES } from './known-json.js'
import { isPlainArray, isPlainObject } from './plain-object.js'
import { lossy, pastLimit, Refusal } from './refusal.js'

/** How a snapshot is taken. */
export interface SnapshotOptions {
  readonly limits?: Partial<JsonLimits>
  /** What messages call the value; default `value`. */
  readonly root?: string
}

export type SnapshotOutcome =
  | { readonly ok: true; readonly value: JsonValue }
  | {
      readonly ok: false
      readonly code: 'ARGUMENTS_NOT_JSON' | 'LIMIT_EXCEEDED'
      readonly path: string
      readonly message: string
      /** What a getter or a proxy threw, boxed. */
      readonly thrown?: { readonly error: unknown }
    }

/** One container to copy. Its target already stands in the parent's, so that no container is visited twice. */
interface Task {
  readonly source: object
  readonly target: JsonValue[] | Record<string, JsonValue>
  readonly depth: number
  readonly parent: Task | undefined
  readonly key: string | number
  /** The container to copy after this one. */
  readonly after: Task | undefined
}

const { getOwnPropertyNames, getOwnPropertySymbols } = Object

const NO_KEY = ''
/** No refusal, but the end of a walk that is not needed. */
const KNOWN = new Refusal('LIMIT_EXCEEDED', 'known')
const FIRST_CYCLE_SEARCH = 1_024

function scalarFault(value: unknown): Refusal | undefined {
  switch (typeof value) {
    case 'string':
    case 'boolean':
      return undefined
    case 'number':
      if (Number.isFinite(value) && !Object.is(value, -0)) return undefined
      return lossy(Object.is(value, -0) ? '-0' : String(value))
    case 'bigint':
      return lossy('a BigInt')
    case 'undefined':
      return lossy('undefined')
    default:
      return lossy(`a ${typeof value}`)
  }
}

function containerFault(source: object, keyCount: number): Refusal | undefined {
  if (Array.isArray(source)) {
    if (!isPlainArray(source)) return lossy('an instance of a class that extends Array')
    if (Reflect.ownKeys(source).length !== keyCount + 1)
      return lossy('an array with holes or extra properties')
    return undefined
  }
  if (!isPlainObject(source)) return lossy('not a plain object (a class instance, Date, Map or the like)')
  // Two lists that engines keep at hand; Reflect.ownKeys, the same in one, takes them longer than both.
  if (getOwnPropertyNames(source).length !== keyCount || getOwnPropertySymbols(source).length > 0)
    return lossy('an object with symbol or hidden properties')
  return undefined
}

function pathOf(root: string, task: Task | undefined, key: string | number | undefined): string {
  const steps: (string | number)[] = key === undefined ? [] : [key]
  for (let t = task; t?.parent !== undefined; t = t.parent) steps.push(t.key)
  const shown = steps.length > 40 ? [...steps.slice(0, 10), '…', ...steps.slice(-20)] : steps
  return shown.reverse().reduce<string>(joinPath, root)
}

// A cycle is not looked for at every step: the chain is searched for one where a limit is met, and each time the depth has
// doubled, so that high limits do not let it run on.
function isCircular(task: Task | undefined): boolean {
  const seen = new Set<object>()
  for (let t = task; t !== undefined; t = t.parent) {
    if (seen.has(t.source)) return true
    seen.add(t.source)
  }
  return false
}

function setOwn(target: Record<string, JsonValue>, key: string, value: JsonValue): void {
  Object.defineProperty(target, key, { value, writable: true, enumerable: true, configurable: true })
}

class Walk {
  readonly #limits: JsonLimits
  readonly #root: string
  #value: unknown
  #isLarge = false
  // What is still to be copied, the last found first.
  #next: Task | undefined
  #task: Task | undefined
  #key: string | number | undefined
  #nodes = 1
  #depth = 0
  #leastBytes = 0
  #mostBytes = 0
  #searchAtDepth = FIRST_CYCLE_SEARCH

  constructor(limits: JsonLimits, root: string) {
    this.#limits = limits
    this.#root = root
  }

  run(value: unknown): SnapshotOutcome {
    this.#value = value
    try {
      const copied = this.#child(value, NO_KEY)
      if (copied instanceof Refusal) return this.#refuse(copied)
      for (let task = this.#next; task !== undefined; task = this.#next) {
        this.#next = task.after
        const fault = this.#fill(task)
        if (fault === KNOWN) return this.#again(value as JsonValue)
        if (fault !== undefined) return this.#refuse(fault)
      }
      if (this.#isPastBytes(copied)) return this.#refuse(this.#pastBytes())
      if (this.#isLarge)
        knownJson.set(copied as object, {
          depth: this.#depth,
          nodes: this.#nodes,
          mostBytes: this.#mostBytes,
        })
      return { ok: true, value: copied }
    } catch (error) {
      const refusal = new Refusal('ARGUMENTS_NOT_JSON', `could not be read: ${describeError(error)}`)
      return { ...this.#refuse(refusal), thrown: { error } }
    }
  }

  /** The value is frozen JSON that has been walked before: it is its own copy. */
  #again(value: JsonValue): SnapshotOutcome {
    const { depth, nodes, mostBytes } = knownJson.get(value as object) as KnownJson
    this.#nodes = nodes
    this.#mostBytes = mostBytes
    const fault = this.#overLimit(depth) ?? (this.#isPastBytes(value) ? this.#pastBytes() : undefined)
    this.#task = undefined
    return fault === undefined ? { ok: true, value } : this.#refuse(fault)
  }

  #isPastBytes(copied: JsonValue): boolean {
    const { maxBytes } = this.#limits
    return this.#mostBytes > maxBytes && jsonBytes(copied, maxBytes) > maxBytes
  }

  #pastBytes(): Refusal {
    return pastLimit(`${this.#limits.maxBytes} bytes`)
  }

  #fill(task: Task): Refusal | undefined {
    this.#task = task
    this.#key = undefined
    const { source, target } = task
    const fault = Array.isArray(target)
      ? this.#fillArray(source as unknown[], target)
      : this.#fillObject(source as Record<string, unknown>, target)
    if (fault !== undefined) return fault
    Object.freeze(target)
    return this.#overLimit()
  }

  // Every key is checked before any is read, and read once: what is validated is what is copied.
  #enter(source: object, count: number): Refusal | undefined {
    this.#nodes += count
    this.#leastBytes += count + 1
    this.#mostBytes += count + 2
    if (!this.#isLarge && this.#nodes >= LARGE_NODES) {
      this.#isLarge = true
      if (knownJson.has(this.#value as object)) return KNOWN
    }
    const fault = containerFault(source, count) ?? this.#overLimit()
    if (fault !== undefined) return fault
    const task = this.#task as Task
    if (task.depth < this.#searchAtDepth) return undefined
    this.#searchAtDepth *= 2
    return isCircular(task) ? new Refusal('LIMIT_EXCEEDED', 'is circular') : undefined
  }

  #fillObject(source: Record<string, unknown>, target: Record<string, JsonValue>): Refusal | undefined {
    const keys = Object.keys(source)
    const fault = this.#enter(source, keys.length)
    if (fault !== undefined) return fault
    for (const key of keys) {
      this.#key = key
      const copied = this.#child(source[key], key)
      if (copied instanceof Refusal) return copied
      this.#leastBytes += key.length
      this.#mostBytes += 6 * key.length + 3
      if (key !== '__proto__') target[key] = copied
      else setOwn(target, key, copied)
    }
    this.#key = undefined
    return undefined
  }

  #fillArray(source: unknown[], target: JsonValue[]): Refusal | undefined {
    const count = source.length
    const fault = this.#enter(source, count)
    if (fault !== undefined) return fault
    for (let i = 0; i < count; i++) {
      this.#key = i
      if (!Object.hasOwn(source, i)) return lossy('a hole in an array')
      const copied = this.#child(source[i], i)
      if (copied instanceof Refusal) return copied
      target[i] = copied
    }
    this.#key = undefined
    return source.length === count ? undefined : lossy('an array that changed while it was read')
  }

  #child(value: unknown, key: string | number): JsonValue | Refusal {
    this.#mostBytes += 26
    if (typeof value === 'string') {
      this.#leastBytes += value.length
      this.#mostBytes += 6 * value.length
      return value
    }
    if (typeof value !== 'object') return scalarFault(value) ?? (value as JsonValue)
    if (value === null) return null
    const parent = this.#task
    const target = Array.isArray(value) ? [] : {}
    const depth = parent === undefined ? 1 : parent.depth + 1
    if (depth > this.#depth) this.#depth = depth
    this.#next = { source: value, target, depth, parent, key, after: this.#next }
    return target
  }

  #overLimit(depth: number = this.#task?.depth ?? 0): Refusal | undefined {
    const { maxNodes, maxBytes, maxDepth } = this.#limits
    if (this.#nodes > maxNodes) return pastLimit(`${maxNodes} values`)
    if (this.#leastBytes > maxBytes) return this.#pastBytes()
    if (depth > maxDepth)
      return new Refusal('LIMIT_EXCEEDED', `is nested deeper than the limit of ${maxDepth} levels`)
    return undefined
  }

  #refuse({ code, what, isOfAll }: Refusal): Extract<SnapshotOutcome, { ok: false }> {
    const circular = code === 'LIMIT_EXCEEDED' && isCircular(this.#task)
    const path = circular || isOfAll ? this.#root : pathOf(this.#root, this.#task, this.#key)
    if (circular) return { ok: false, code: 'ARGUMENTS_NOT_JSON', path, message: `${path} is circular` }
    return { ok: false, code, path, message: `${path} ${what}` }
  }
}

/**
 * Copies a value as frozen lossless JSON, or says why that cannot be done. Total: whatever a getter or a proxy throws
 * becomes a refusal. Getters are read once, `toJSON` is never called, and nothing recurses on the stack.
 */
export function trySnapshot(value: unknown, limits: JsonLimits, root: string): SnapshotOutcome {
  return isSmallScalar(value, limits) ? { ok: true, value } : new Walk(limits, root).run(value)
}

// Nearly all that a tool returns without an output schema, and no reason to set out on a walk.
function isSmallScalar(value: unknown, { maxBytes, maxNodes }: JsonLimits): value is JsonValue {
  if (maxNodes < 1) return false
  if (typeof value === 'string') return 6 * value.length + 2 <= maxBytes
  return (value === null || typeof value === 'boolean') && maxBytes >= 'false'.length
}

/**
 * A frozen, detached copy of a value that is lossless JSON.
 * @throws ToolgateError `ARGUMENTS_NOT_JSON` or `LIMIT_EXCEEDED`, naming the path; `INVALID_OPTIONS` for a limit that is none.
 */
export function snapshotJson(value: unknown, options: SnapshotOptions = {}): JsonValue {
  const outcome = trySnapshot(value, resolveLimits(options.limits), options.root ?? 'value')
  if (outcome.ok) return outcome.value
  throw new ToolgateError(outcome.code, outcome.message, { details: { path: outcome.path } })
}

/** True if JSON can carry the value without loss, within the default limits. Total: never throws. */
export function isLosslessJson(value: unknown): value is JsonValue {
  return trySnapshot(value, DEFAULT_JSON_LIMITS, 'value').ok
}
