import type { ApprovalAnswer, ApprovalRequest, Approver } from '../../index.js'
import { beginning } from '../well-formed.js'
import { isRecord, messageOf, textOf } from './read-field.js'
import { writtenOut } from './unseen.js'

/** Sends `elicitation/create` on behalf of a call. */
export type Elicit = (request: ApprovalRequest, params: object) => Promise<unknown>

const SHOWN_CHARS = 10_000

const ALLOW = 'Allow once'
const REFUSE = 'Refuse'

/** The question, with the arguments that will run. */
function question({ toolName, arguments: args, reason }: ApprovalRequest): string {
  const text = writtenOut(JSON.stringify(args, undefined, 2))
  const cut = text.length > SHOWN_CHARS
  const shown = cut
    ? `${beginning(text, SHOWN_CHARS)}…\n(${text.length - SHOWN_CHARS} more characters are not shown)`
    : text
  const why = reason === undefined ? '' : `\nReason: ${writtenOut(reason)}`
  return `Allow this call of the tool ${writtenOut(JSON.stringify(toolName))}?${why}\n\n${shown}`
}

const FORM = {
  type: 'object',
  properties: {
    decision: { type: 'string', title: 'Decision', enum: [ALLOW, REFUSE] },
    reason: { type: 'string', title: 'Reason', description: 'Told to the model. Optional.' },
  },
  required: ['decision'],
} as const

function answerOf(given: unknown): ApprovalAnswer {
  if (!isRecord(given)) return { outcome: 'unavailable', reason: 'the client gave no usable answer' }
  const { action, content } = given
  const { decision, reason: said } = isRecord(content) ? content : {}
  const reason = textOf(said)
  const because = reason === undefined ? {} : { reason }
  if (action === 'cancel') return { outcome: 'cancelled', ...because }
  if (action === 'decline') return { outcome: 'rejected', ...because }
  if (action === 'accept' && decision === ALLOW) return 'allowed-once'
  if (action === 'accept' && decision === REFUSE) return { outcome: 'rejected', ...because }
  return { outcome: 'unavailable', reason: 'the client gave no usable answer' }
}

/** Asks the user at the other end of the connection. Nothing but a clear yes allows a call. */
export function elicitedApprover(elicit: Elicit): Approver {
  return async request => {
    try {
      return answerOf(await elicit(request, { message: question(request), requestedSchema: FORM }))
    } catch (error) {
      return { outcome: 'unavailable', reason: `the client could not be asked: ${messageOf(error)}` }
    }
  }
}

/** True for clients that show forms to their users; those that show pages only do not. */
export function canElicit(capabilities: { readonly elicitation?: object | undefined } | undefined): boolean {
  const elicitation = capabilities?.elicitation as { form?: unknown; url?: unknown } | undefined
  if (elicitation === undefined || elicitation === null) return false
  return elicitation.form !== undefined || elicitation.url === undefined
}
