import { type Approver, createToolRegistry, type Stages, type ToolRegistry } from 'toolgate'
import { type CountedTool, countedTool } from '../support/tools.js'

/** A stage that asks about every call. */
export const ask = (reason?: string): Stages => ({
  name: 'ask',
  preExecute: () => (reason === undefined ? { kind: 'ask' } : { kind: 'ask', reason }),
})

export interface Asking {
  readonly registry: ToolRegistry
  readonly tool: CountedTool
  readonly events: readonly string[]
  call(more?: object): Promise<{ code: string; message: string; details: unknown; runs: number }>
}

/** A registry with one tool, which is asked about, and the events of the asks. */
export function setup(approve?: Approver, stages: readonly Stages[] = [ask()]): Asking {
  const tool = countedTool('write', () => 'written', {
    presentCall: ({ path }) => ({ card: 'diff', title: `Write ${path}`, diffs: [] }),
  })
  const registry = createToolRegistry({ tools: [tool], stages, ...(approve && { approve }) })
  const events: string[] = []
  registry.on('approval:asked', ({ id, callId }) => events.push(`asked ${id} ${callId}`))
  registry.on('approval:decided', ({ id, callId, outcome }) =>
    events.push(`decided ${id} ${callId} ${outcome}`),
  )
  const call: Asking['call'] = async (more = {}) => {
    const given = { callId: '1', name: 'write', arguments: { path: 'a' }, ...more }
    const result = await registry.execute(given)
    const { code = 'ok', message = '', details } = result.isError ? result.error : {}
    return { code, message, details, runs: tool.runs() }
  }
  return { registry, tool, events, call }
}
