import { type Approver, createToolRegistry, rememberApprovals, type Stages } from 'toolgate'
import { approverConformance, batchConformance, type ConformanceCase } from 'toolgate/testing'

// In a test file: for (const { name, run } of cases) test(name, run)
async function check(what: string, cases: readonly ConformanceCase[]) {
  const failed: string[] = []
  for (const { name, run } of cases) await run().catch(() => failed.push(name))
  console.log(failed.length === 0 ? `${what}: ok` : `${what}:\n  ${failed.join('\n  ')}`)
}

// A stage of your own must not lose, repeat or reorder calls, whatever else it does.
const counted: Stages = { name: 'counted', execute: (_call, next) => next() }
const impatient: Stages = {
  name: 'impatient',
  async execute(_call, next) {
    await next()
    return next()
  },
}
for (const stage of [counted, impatient])
  await check(
    `batches with ${stage.name}`,
    batchConformance(tools => createToolRegistry({ tools, stages: [stage] })),
  )

// What stands in front of an approver must not allow what nobody allowed.
await check('rememberApprovals', approverConformance(rememberApprovals))
const trusting =
  (inner: Approver): Approver =>
  async request => {
    try {
      return await inner(request)
    } catch {
      return 'allowed-once'
    }
  }
await check('an approver that trusts', approverConformance(trusting))
