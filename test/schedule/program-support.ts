import {
  type CodeCallReply,
  type CodeRuntime,
  createToolRegistry,
  type Stages,
  type SubcallEndEvent,
  type ToolDefinition,
  type ToolExecutionResult,
  type ToolRegistry,
} from 'toolgate'
import { call, codeOf, type Gated, gated, SAFE } from './support.js'

export type Tools = (name: string, args?: object) => Promise<CodeCallReply>

/** A runtime whose program is a function of the test. */
const runtimeOf = (program: (tools: Tools) => unknown, drainMs = 1_000): CodeRuntime => ({
  drainMs,
  async run({ namespaces, signal }) {
    const tools = namespaces.find(({ global }) => global === 'tools')
    const aborted = signal ?? new AbortController().signal
    const value = await program((name, args = {}) =>
      (tools as NonNullable<typeof tools>).call({
        name,
        args: [args as never],
        signal: aborted,
        pauseWallClock: () => () => {},
      }),
    )
    return { logs: [], ...(value !== undefined && { value: value as never }) }
  },
})

interface ProgramSetup {
  readonly registry: ToolRegistry
  readonly bodies: Gated
  /** Starts and ends of sub-calls, as events tell them. */
  readonly log: string[]
  readonly ends: SubcallEndEvent[]
  run(signal?: AbortSignal): Promise<ToolExecutionResult>
}

/** A registry in which `run_code` runs a function of the test. */
export function setupProgram(
  program: (tools: Tools) => unknown,
  options: {
    tools?: readonly ToolDefinition[]
    stages?: readonly Stages[]
    parallel?: number
    drainMs?: number
    abortGraceMs?: number
  } = {},
): ProgramSetup {
  const bodies = gated()
  const registry = createToolRegistry({
    tools: [bodies.tool('read', SAFE), bodies.tool('write'), ...(options.tools ?? [])],
    stages: options.stages ?? [],
    codeRuntime: runtimeOf(program, options.drainMs),
    mode: 'code',
    ...(options.parallel !== undefined && { codeMode: { maxParallelSubCalls: options.parallel } }),
    ...(options.abortGraceMs !== undefined && { abortGraceMs: options.abortGraceMs }),
  })
  const log: string[] = []
  registry.on('subcall:start', ({ callId }) => log.push(`start ${callId}`))
  registry.on('subcall:end', ({ callId, result }) => log.push(`end ${callId} ${codeOf(result)}`))
  const ends: SubcallEndEvent[] = []
  registry.on('subcall:end', event => ends.push(event))
  const run = (signal?: AbortSignal) =>
    registry.execute({ ...call('p', 'run_code', { code: 'x', description: 'x' }), signal })
  return { registry, bodies, log, ends, run }
}
