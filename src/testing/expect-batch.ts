import type { ToolExecutionInput } from '../tools/tool-call.js'
import { expectEqual, expectThat } from './expect.js'

/** What a batch must say of each call, whatever else it says. */
export interface BatchResult {
  readonly callId: string
  readonly name: string
  readonly isError: boolean
}

/** Throws unless there is one result for each input, in order and under its id. An input without an id gets one of its own. */
export function expectBatch(
  inputs: readonly Pick<ToolExecutionInput, 'callId' | 'name'>[],
  results: readonly BatchResult[],
): void {
  expectThat(Array.isArray(results), 'the results must be a list')
  expectEqual(results.length, inputs.length, 'number of results')
  const made = new Set<string>()
  for (const [i, result] of results.entries()) {
    const { callId, name } = inputs[i] ?? {}
    expectThat(typeof result === 'object' && result !== null, `result ${i} is no result`)
    expectEqual(result.name, name, `name of result ${i}`)
    expectThat(typeof result.isError === 'boolean', `result ${i} does not say whether it is a failure`)
    if (callId !== undefined) expectEqual(result.callId, callId, `id of result ${i}`)
    else {
      expectThat(typeof result.callId === 'string' && result.callId !== '', `result ${i} has no id`)
      expectThat(!made.has(result.callId), `result ${i} has the id of another`)
      made.add(result.callId)
    }
  }
}
