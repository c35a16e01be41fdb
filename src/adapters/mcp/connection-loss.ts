import { codeOf, messageOf } from './read-field.js'

const NEVER_SENT = 'Not connected'
const CLOSED: readonly unknown[] = [
  'CONNECTION_CLOSED',
  'NOT_CONNECTED',
  'SEND_FAILED',
  'EPIPE',
  'ERR_STREAM_DESTROYED',
]
/** v1 of the SDK has a number that servers use for errors of their own too. */
const V1_CLOSED = { code: -32000, message: 'Connection closed' }

/** True for what a client rejects with when its connection is gone, in either version of the SDK. */
export function isConnectionLoss(error: unknown): boolean {
  const code = codeOf(error)
  const message = messageOf(error)
  return (
    CLOSED.includes(code) ||
    message === NEVER_SENT ||
    (code === V1_CLOSED.code && message.endsWith(V1_CLOSED.message))
  )
}

/** Of a lost connection: whether the request may have reached the server. */
export const mayHaveArrived = (error: unknown): boolean =>
  messageOf(error) !== NEVER_SENT && codeOf(error) !== 'NOT_CONNECTED'
