import type { BatchOptions } from '../../schedule/execute-batch.js'
import type { ToolExecutionInput } from '../../tools/tool-call.js'
import type { ToolDefinition } from '../../tools/tool-definition.js'
import { expectEqual, expectThat } from '../expect.js'
import { type BatchResult, expectBatch } from '../expect-batch.js'
import { type FakeTool, fakeTool } from '../fake-tool.js'

/** What runs batches: a registry, a scope, or what stands in front of one. */
export interface BatchRunner {
  executeAll(inputs: readonly ToolExecutionInput[], options?: BatchOptions): Promise<readonly BatchResult[]>
  /** Where there is one, it is held to the same. */
  executeEach?(inputs: readonly ToolExecutionInput[], options?: BatchOptions): AsyncIterable<BatchResult>
}

/** Makes a runner of these tools, without policies that refuse or repeat calls. */
export type BatchRunnerFactory = (tools: readonly ToolDefinition[]) => BatchRunner | Promise<BatchRunner>

export type BatchCase = readonly [name: string, check: (create: BatchRunnerFactory) => Promise<void>]

export const SAFE = { isConcurrencySafe: () => true }
/** A body that waits for others must end too, with a runner that does not overlap, or does not hand an abort on. */
const PATIENCE_MS = 2000

/** True if what was waited for came in time. */
export const inTime = (awaited: Promise<unknown> | undefined): Promise<boolean> =>
  new Promise(resolve => {
    const timer = setTimeout(() => resolve(false), PATIENCE_MS)
    void awaited?.then(() => {
      clearTimeout(timer)
      resolve(true)
    })
  })

/** Long enough for all that could begin now to begin. */
export const turn = (): Promise<void> => new Promise(resolve => setTimeout(resolve, 2))

export const call = (name: string, n: number, rest: object = {}): ToolExecutionInput =>
  ({ callId: `c${n}`, name, arguments: { n }, ...rest }) as ToolExecutionInput

export const numbersTo = (length: number): number[] => Array.from({ length }, (_, n) => n)

export interface World {
  readonly safe: FakeTool
  readonly alone: FakeTool
  readonly broken: FakeTool
  readonly runner: BatchRunner
}

export async function createWorld(create: BatchRunnerFactory): Promise<World> {
  const answer = (args: { n?: number }): number | null => args.n ?? null
  const safe = fakeTool('safe', answer, SAFE)
  const alone = fakeTool('alone', answer)
  const fail = (): never => {
    throw new Error('broken')
  }
  const broken = fakeTool('broken', fail, SAFE)
  return { safe, alone, broken, runner: await create([safe, alone, broken]) }
}

/** One result for each input, in order, each the call's own, and failures where they are expected. */
export function expectResults(
  inputs: readonly ToolExecutionInput[],
  results: readonly BatchResult[],
  failures: readonly boolean[],
): void {
  expectBatch(inputs, results)
  expectEqual(
    results.map(result => result.isError),
    failures,
    'failures',
  )
  for (const [i, result] of results.entries()) {
    // What stands in front may have values of another kind, but not another call's.
    const { value } = result as { readonly value?: unknown }
    const { n } = (inputs[i]?.arguments ?? {}) as { readonly n?: number }
    if (typeof value === 'number' && n !== undefined) expectEqual(value, n, `value of result ${i}`)
  }
}

/** The body ran once for each of these calls, and for no other. */
export function expectRuns(tool: FakeTool, numbers: readonly number[]): void {
  const ran = tool.calls.map(made => (made.arguments as { n: number }).n).toSorted((a, b) => a - b)
  expectEqual(ran, numbers, `calls of ${tool.name} that ran`)
}

/** Bodies that tell who runs beside whom. */
export interface Watch {
  readonly tools: readonly FakeTool[]
  readonly began: number[]
  readonly ended: number[]
  /** The most bodies at once. */
  readonly most: () => number
  readonly running: () => number
}

export function watchBodies(): Watch {
  const began: number[] = []
  const ended: number[] = []
  let most = 0
  const body = async ({ n }: { n: number }): Promise<number> => {
    began.push(n)
    most = Math.max(most, began.length - ended.length)
    await turn()
    ended.push(n)
    return n
  }
  const tools = [fakeTool('safe', body, SAFE), fakeTool('alone', body)]
  return { tools, began, ended, most: () => most, running: () => began.length - ended.length }
}

/** The results of an iterable, which a runner with `executeEach` has. */
export async function collect(results: AsyncIterable<BatchResult> | undefined): Promise<BatchResult[]> {
  const all: BatchResult[] = []
  expectThat(results !== undefined, 'executeEach gave nothing to iterate')
  for await (const result of results as AsyncIterable<BatchResult>) all.push(result)
  return all
}
