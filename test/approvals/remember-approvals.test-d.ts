import {
  type ApprovalRequest,
  type Approver,
  createToolRegistry,
  type RememberingApprover,
  rememberApprovals,
} from 'toolgate'
import { expectTypeOf } from 'vitest'

declare const dialog: (title: string) => Promise<boolean>
declare const plain: Approver

// The request and the literals of the answers need no annotation.
const approve = rememberApprovals(async request => {
  expectTypeOf(request).toEqualTypeOf<ApprovalRequest>()
  if (request.scope === 'sandbox') return { outcome: 'rejected-for-session', reason: 'no tools here' }
  return (await dialog(request.card?.title ?? request.toolName)) ? 'allowed-for-session' : 'rejected'
})
expectTypeOf(approve).toEqualTypeOf<RememberingApprover>()
expectTypeOf(approve.forget({ toolName: 'write', caller: {} })).toEqualTypeOf<number>()
expectTypeOf(approve.size).toEqualTypeOf<number>()

// Nor does one constant answer, of whichever function.
rememberApprovals(() => 'allowed-for-session')
rememberApprovals(async () => 'allowed-for-session')
rememberApprovals(async () => ({ outcome: 'rejected', reason: 'never' }))
rememberApprovals(async ({ toolName }) => {
  if (toolName === 'read') return 'allowed-once'
  return { outcome: 'rejected-for-session' }
})

// A registry takes the wrapper; the wrapper takes any approver.
createToolRegistry({ approve, scopes: [{ id: 'a', approve: rememberApprovals(plain, { maxEntries: 10 }) }] })
expectTypeOf(approve).toExtend<Approver>()

// @ts-expect-error: an approver of a registry knows no answers for the session
createToolRegistry({ approve: () => 'allowed-for-session' })
// @ts-expect-error: there is no such outcome
rememberApprovals(() => 'allowed-forever')
// @ts-expect-error: nor this one, later
rememberApprovals(async () => 'allowed-forever')
