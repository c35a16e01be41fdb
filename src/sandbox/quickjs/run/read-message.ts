import type { JsonValue } from '../../../json/json-value.js'
import type { CodeLog } from '../../code-runtime.js'

// The guest writes these messages and not the program. Should the engine once let a program into the guest's own memory, what
// arrives here is the program's, so that nothing is believed.

/** A message that the guest does not write. It ends the run as a fault of the engine. */
export class ForgedMessage extends Error {
  override readonly name: string = 'ForgedMessage'
}

export type Ways = readonly (readonly (string | number)[])[]

/** A call: its number, its namespace, its name, what it is called with, and the ways to texts sent ahead of it. */
export interface CallMessage {
  readonly id: number
  readonly namespace: number
  readonly name: string
  readonly args: readonly JsonValue[]
  readonly ways: Ways
}

/** Throws unless something holds of a message. */
export function believe(holds: boolean): asserts holds {
  if (!holds) throw new ForgedMessage('the guest sent what it does not send')
}

const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0
const isStep = (value: unknown): value is string | number => typeof value === 'string' || isCount(value)

export function readWays(value: unknown): Ways {
  believe(Array.isArray(value) && value.every(way => Array.isArray(way) && way.every(isStep)))
  return value
}

export function readCallMessage(text: string, namespaces: number): CallMessage {
  const told = JSON.parse(text) as unknown
  believe(Array.isArray(told))
  const [id, namespace, , name, args, ways] = told as unknown[]
  believe(isCount(id) && isCount(namespace) && namespace < namespaces)
  believe(typeof name === 'string' && Array.isArray(args))
  return { id, namespace, name, args: args as JsonValue[], ways: readWays(ways) }
}

const MAX_HEAD_NAME = 201
// Without what an escape at the cut has lost.
const CALL_HEAD = /^\[(\d+),(\d+),\d+,"((?:[^"\\]|\\u[\da-f]{4}|\\[^u])*)/i

/** The same of the beginning of its message, which may end anywhere; a long name is the beginning of one. */
export function readCallHead(
  head: string,
  namespaces: number,
): Pick<CallMessage, 'id' | 'namespace' | 'name'> {
  const [, id, index, quoted] = CALL_HEAD.exec(head) ?? []
  believe(quoted !== undefined && Number(index) < namespaces)
  const name = JSON.parse(`"${quoted}"`) as string
  return { id: Number(id), namespace: Number(index), name: name.slice(0, MAX_HEAD_NAME) }
}

/** A call that the guest could not make. */
export function readUnmadeCall(text: string): Pick<CallMessage, 'id' | 'name'> {
  const told = JSON.parse(text) as unknown
  believe(Array.isArray(told))
  const [id, name] = told as unknown[]
  believe(isCount(id) && typeof name === 'string' && name.length <= MAX_HEAD_NAME)
  return { id, name }
}

/** Numbers of a message about a timer. */
export function readNumbers(text: string): readonly number[] {
  const told = JSON.parse(text) as unknown
  believe(Array.isArray(told) && told.every(Number.isFinite))
  return told
}

/** Names of calls, and how many there are in all. */
export function readCountedNames(text: string): readonly [names: readonly string[], count: number] {
  const told = JSON.parse(text) as unknown
  believe(Array.isArray(told) && Array.isArray(told[0]) && isCount(told[1]))
  const [names, count] = told as [unknown[], number]
  believe(names.every(name => typeof name === 'string'))
  return [names as string[], count]
}

const MAX_RANDOM_BYTES = 65_536

export function readByteCount(text: string): number {
  const count = Number(text)
  believe(isCount(count) && count <= MAX_RANDOM_BYTES)
  return count
}

export function readText(text: string): string {
  const told = JSON.parse(text) as unknown
  believe(typeof told === 'string')
  return told
}

const LEVELS: readonly CodeLog['level'][] = ['log', 'info', 'warn', 'error', 'debug']

/** The level of a line, by its digit. */
export function levelOf(digit: string | undefined): CodeLog['level'] {
  const level = LEVELS[Number(digit)]
  believe(level !== undefined)
  return level
}
