import type { JsonObject, JsonValue } from '../../json/json-value.js'
import { quoted } from '../quoted.js'
import { isList, isRecord, own, sameJson, setOwn } from '../wire/json.js'
import type { GooglePart } from './google-types.js'
import { type PathStep, readJsonPath } from './read-json-path.js'

/** What became of the pieces of a call. */
export interface AssembledArguments {
  /** All that could be put together; not what the model meant where there is a problem. */
  readonly args: JsonObject
  /** Why these are not the arguments of the call. */
  readonly problem?: string
}

type Children = Map<PathStep, Node>
type Node = { /** The path that it came with. */ readonly path: string } & (
  | { readonly kind: 'object' | 'array'; readonly children: Children }
  | { readonly kind: 'value'; value: JsonValue | undefined; isOpen: boolean }
)

interface Piece {
  readonly path: string
  readonly steps: readonly PathStep[]
  /** Undefined where the piece only says that its value is to come, or has come. */
  readonly value: JsonValue | undefined
  readonly goesOn: boolean
}

const MAX_STEPS = 1_000

class DoesNotFit extends Error {}
const refuse = (why: string): never => {
  throw new DoesNotFit(why)
}

const VALUES: { readonly [key: string]: (value: JsonValue) => boolean } = {
  stringValue: value => typeof value === 'string',
  numberValue: value => typeof value === 'number' && Number.isFinite(value),
  boolValue: value => typeof value === 'boolean',
  // The wire writes it as null, the types of the SDK as a word.
  nullValue: value => value === null || value === 'NULL_VALUE',
}

function readPiece(given: JsonValue): Piece {
  const path = isRecord(given) ? own(given, 'jsonPath') : undefined
  if (!isRecord(given) || typeof path !== 'string') return refuse('a piece has no jsonPath')
  const steps = readJsonPath(path) ?? refuse(`${quoted(path)} is no path to one value`)
  if (steps.length > MAX_STEPS) refuse(`${quoted(path)} has more than ${MAX_STEPS} steps`)
  const has = (key: string): boolean =>
    key === 'nullValue' ? Object.hasOwn(given, key) : (own(given, key) ?? null) !== null
  const keys = Object.keys(VALUES).filter(has)
  if (keys.length > 1) refuse(`the piece for ${quoted(path)} has several values`)
  const [key] = keys
  const goesOn = own(given, 'willContinue') === true
  if (key === undefined) return { path, steps, value: undefined, goesOn }
  const value = given[key] as JsonValue
  if (!VALUES[key]?.(value)) refuse(`the ${key} for ${quoted(path)} is none`)
  return { path, steps, value: key === 'nullValue' ? null : value, goesOn }
}

/** The node that has the last step as a child; made on the way where there is none yet. */
function parentOf(root: Children, path: string, steps: readonly PathStep[]): Children {
  let children = root
  for (const [i, step] of steps.entries()) {
    if (i === steps.length - 1) break
    const kind = typeof steps[i + 1] === 'number' ? 'array' : 'object'
    let child = children.get(step)
    if (child === undefined) {
      child = { path, kind, children: new Map() }
      children.set(step, child)
    }
    if (child.kind === 'value' || child.kind !== kind)
      return refuse(`${quoted(path)} leads through what is no ${kind}`)
    children = child.children
  }
  return children
}

function add(root: Children, { path, steps, value, goesOn }: Piece): void {
  if (steps.length === 0 || typeof steps[0] === 'number')
    refuse(`the arguments are an object, which ${quoted(path)} is not in`)
  const parent = parentOf(root, path, steps)
  const last = steps.at(-1) as PathStep
  const known = parent.get(last)
  if (known === undefined) {
    if (value === undefined && !goesOn) refuse(`the piece for ${quoted(path)} has no value`)
    parent.set(last, { path, kind: 'value', value, isOpen: goesOn })
    return
  }
  if (known.kind !== 'value' || !known.isOpen) throw new DoesNotFit(`${quoted(path)} is given twice`)
  known.isOpen = goesOn
  if (value === undefined) {
    if (known.value === undefined && !goesOn) refuse(`the piece for ${quoted(path)} has no value`)
  } else if (known.value === undefined) known.value = value
  else if (typeof value === 'string' && typeof known.value === 'string') known.value += value
  else if (value !== known.value) refuse(`${quoted(path)} has two values`)
}

interface Built {
  readonly value: JsonValue
  readonly problem?: string | undefined
}

/** A node as JSON. A text that is still being written is in it as far as it goes. */
function built(node: Node): Built {
  if (node.kind === 'value') {
    const { value = null, isOpen, path } = node
    return { value, problem: isOpen ? `${quoted(path)} never came to its end` : undefined }
  }
  const isArray = node.kind === 'array'
  const out: JsonValue[] | { [key: string]: JsonValue } = isArray ? [] : {}
  let problem: string | undefined
  const steps = [...node.children.keys()]
  // The order in which items come is not that in which they stand.
  if (isArray) steps.sort((a, b) => Number(a) - Number(b))
  for (const [i, step] of steps.entries()) {
    if (isArray && step !== i) {
      problem ??= `there is an item ${step}, but no item ${i} in the array of ${quoted(node.path)}`
      break
    }
    const child = built(node.children.get(step) as Node)
    problem ??= child.problem
    if (Array.isArray(out)) out.push(child.value)
    else setOwn(out, String(step), child.value)
  }
  return { value: out as JsonValue, problem }
}

/**
 * Puts the arguments of a streamed call together: its pieces in their order, and what was given whole beside them. Only what
 * fits together without a rest are the arguments of the call.
 */
export function assembleArguments(call: NonNullable<GooglePart['functionCall']>): AssembledArguments {
  const root: Children = new Map()
  let problem: string | undefined
  try {
    const pieces: unknown = call.partialArgs ?? []
    if (!isList(pieces)) refuse('partialArgs is no list')
    for (const piece of pieces as readonly JsonValue[]) add(root, readPiece(piece))
  } catch (error) {
    if (!(error instanceof DoesNotFit)) throw error
    problem = error.message
  }
  const outcome = built({ path: '$', kind: 'object', children: root })
  const args = outcome.value as { [key: string]: JsonValue }
  problem ??= outcome.problem
  const whole = call.args ?? {}
  if (!isRecord(whole)) problem ??= 'args is no object'
  else
    for (const [key, value] of Object.entries(whole)) {
      if (!Object.hasOwn(args, key)) setOwn(args, key, value as JsonValue)
      else if (!sameJson(args[key] as JsonValue, value as JsonValue))
        problem ??= `${quoted(`$.${key}`)} has two values`
    }
  if (call.willContinue === true) problem ??= 'the call never came to its end'
  return problem === undefined ? { args } : { args, problem }
}
