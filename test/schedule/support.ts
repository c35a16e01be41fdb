import {
  createToolRegistry,
  type Stages,
  type ToolContext,
  type ToolDefinition,
  type ToolExecutionInput,
  type ToolExecutionResult,
  type ToolRegistry,
} from 'toolgate'
import { countedTool, type Gate, gate, settle } from '../support/tools.js'

/** Bodies that end when the test says so, and a log of what began and ended. */
export interface Gated {
  readonly log: string[]
  tool(name: string, rest?: Partial<ToolDefinition>): ToolDefinition
  /** Lets bodies end, one after the other, each with all that follows from it. */
  open(...callIds: string[]): Promise<void>
  /** The calls whose bodies run. */
  running(): string[]
}

export function gated(): Gated {
  const gates = new Map<string, Gate>()
  const log: string[] = []
  const body = async (_args: unknown, { callId }: ToolContext): Promise<string> => {
    log.push(`start ${callId}`)
    const own = gate()
    gates.set(callId, own)
    await own.promise
    gates.delete(callId)
    log.push(`end ${callId}`)
    return callId
  }
  return {
    log,
    tool: (name, rest) => countedTool(name, body, rest),
    running: () => [...gates.keys()],
    async open(...callIds) {
      for (const id of callIds) {
        const own = gates.get(id)
        if (own === undefined) throw new Error(`${id} does not run`)
        own.open()
        await settle()
      }
    },
  }
}

export const SAFE: Partial<ToolDefinition> = { isConcurrencySafe: () => true }
export const KEYED: Partial<ToolDefinition> = { resourceKeys: ({ keys }) => keys }

/** A registry with a tool that may overlap, one that may not, and what the test adds. */
export function setup(
  options: { max?: number; stages?: readonly Stages[]; tools?: readonly ToolDefinition[] } = {},
): Gated & { readonly registry: ToolRegistry } {
  const bodies = gated()
  const registry = createToolRegistry({
    tools: [bodies.tool('read', SAFE), bodies.tool('write'), ...(options.tools ?? [])],
    stages: options.stages ?? [],
    ...(options.max !== undefined && { maxParallelCalls: options.max }),
  })
  return { registry, ...bodies }
}

export const call = (callId: string, name: string, args: unknown = {}): ToolExecutionInput => ({
  callId,
  name,
  arguments: args,
})

export const codeOf = (result: ToolExecutionResult | undefined): string =>
  result === undefined ? 'none' : result.isError ? result.error.code : 'ok'
