import { createToolRegistry, type Stages } from 'toolgate'
import { describe, expect, it } from 'vitest'
import { countedTool, settle } from '../support/tools.js'

const boom = (): never => {
  throw new Error('boom')
}
const like = (over: PropertyDescriptorMap): AbortSignal =>
  Object.defineProperties(
    { aborted: false, reason: 1, addEventListener() {}, removeEventListener() {} },
    over,
  ) as never
const throwingFrom = (n: number) => {
  let reads = 0
  return { get: () => (++reads >= n ? boom() : false) }
}
const SIGNALS: readonly (readonly [string, () => AbortSignal])[] = [
  ['an object with the prototype of one', () => Object.create(AbortSignal.prototype)],
  ['one whose aborted throws at the second reading', () => like({ aborted: throwingFrom(2) })],
  ['one whose aborted throws at the third reading', () => like({ aborted: throwingFrom(3) })],
  ['one whose aborted throws at the fourth reading', () => like({ aborted: throwingFrom(4) })],
  ['one whose addEventListener throws', () => like({ addEventListener: { value: boom } })],
  ['one whose removeEventListener throws', () => like({ removeEventListener: { value: boom } })],
  ['an aborted one whose reason throws', () => like({ aborted: { value: true }, reason: { get: boom } })],
]
const ask: Stages = { preExecute: (_call, next) => next().then(() => ({ kind: 'ask' })) }
const around: Stages = { execute: (call, next) => (call.signal.aborted, next()) }

describe.each(SIGNALS)('a signal that breaks: %s', (_what, signal) => {
  it.each([
    ['alone', []],
    ['under a stage', [around]],
    ['under an ask', [ask]],
  ])('%s: the call has its one result, and the registry can be disposed', async (_way, stages) => {
    const tool = countedTool('work', async (_args, call) => String(call.signal.aborted))
    const registry = createToolRegistry({
      tools: [tool],
      stages,
      approve: () => 'allowed-once',
      abortGraceMs: 1,
    })
    let heard = 0
    registry.on('result', () => heard++)
    const input = { callId: '1', name: 'work', signal: signal() }
    const results = [
      await registry.execute(input),
      ...(await registry.executeAll([{ ...input, signal: signal() }])),
    ]
    expect([results.length, heard]).toEqual([2, 2])
    await settle()
    await registry.dispose()
  })
})
