import type { JsonValue } from '../../../json/json-value.js'
import type { CodeNamespace } from '../../code-runtime.js'
import { ForeignMessage } from './foreign-message.js'

/** A call as the guest writes it; its third part says what reading it costs. */
type Message = readonly [
  id: number,
  namespace: number,
  weight: number,
  name: string,
  args: readonly JsonValue[],
  ways: readonly (readonly (string | number)[])[],
]

export interface ReadCall {
  readonly id: number
  readonly namespace: CodeNamespace
  readonly name: string
  readonly args: readonly JsonValue[]
  readonly ways: readonly (readonly (string | number)[])[]
}

/** A namespace by the number that the guest has for it. @throws ForeignMessage if there is none */
export function namespaceAt(namespaces: readonly CodeNamespace[], index: number): CodeNamespace {
  const namespace = Number.isSafeInteger(index) ? namespaces[index] : undefined
  if (namespace === undefined) throw new ForeignMessage()
  return namespace
}

/** Reads a call. @throws ForeignMessage for what the prelude would not write */
export function readCall(message: string, namespaces: readonly CodeNamespace[]): ReadCall {
  const [id, index, , name, args, ways] = JSON.parse(message) as Message
  const namespace = namespaceAt(namespaces, index)
  const isWhole =
    Number.isSafeInteger(id) && typeof name === 'string' && Array.isArray(args) && Array.isArray(ways)
  if (!isWhole || !(namespace.open === true || namespace.functions.includes(name))) throw new ForeignMessage()
  return { id, namespace, name, args, ways }
}
