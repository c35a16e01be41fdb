import { ToolgateError } from '../errors/toolgate-error.js'
import type { ToolCall } from '../tools/tool-call.js'
import { refuseOption } from './checked-options.js'
import { dropRejection } from './drop-rejection.js'

/** What a policy counts together: calls with the same text, or the same object. `undefined` leaves a call out. */
export type PolicyKey = string | object | undefined

/** Says what a call is counted with. Synchronous; what it throws fails the call, and the tool does not run. */
export type PolicyKeyOf = (call: ToolCall) => PolicyKey

function checkKey(policy: string, key: unknown): PolicyKey {
  if (key === undefined || typeof key === 'string' || typeof key === 'function') return key
  const isObject = typeof key === 'object' && key !== null
  if (isObject && typeof (key as { then?: unknown }).then !== 'function') return key
  dropRejection(key)
  const message = `key of ${policy} must answer a string, an object or undefined, and at once; the tool did not run`
  throw new ToolgateError('INVALID_DECISION', message)
}

/** The key of each call, by default its tool's name. Calls of tools that are not there have none: they run nothing. */
export function callKey(policy: string, given: unknown): PolicyKeyOf {
  if (given !== undefined && typeof given !== 'function')
    return refuseOption(`${policy}: key must be a function of the call`)
  return call => {
    if (call.tool === undefined) return undefined
    return given === undefined ? call.name : checkKey(policy, given(call))
  }
}
