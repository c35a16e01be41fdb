import type { BatchOptions } from '../schedule/execute-batch.js'
import type { ToolExecutionInput } from '../tools/tool-call.js'
import type { ToolDefinition } from '../tools/tool-definition.js'
import type { ConformanceCase } from './code-runtime/bench.js'
import { expectEqual, expectThat } from './expect.js'
import { type BatchResult, expectBatch } from './expect-batch.js'
import { type FakeTool, fakeTool } from './fake-tool.js'
import { gate } from './gate.js'

/** What runs batches: a registry, a scope, or what stands in front of one. */
export interface BatchRunner {
  executeAll(inputs: readonly ToolExecutionInput[], options?: BatchOptions): Promise<readonly BatchResult[]>
  /** Where there is one, it is held to the same. */
  executeEach?(inputs: readonly ToolExecutionInput[], options?: BatchOptions): AsyncIterable<BatchResult>
}

/** Makes a runner of these tools, without policies that refuse or repeat calls. */
export type BatchRunnerFactory = (tools: readonly ToolDefinition[]) => BatchRunner | Promise<BatchRunner>

const SAFE = { isConcurrencySafe: () => true }
const MANY = 1000
/** A runner that does not overlap, or does not hand an abort on, must end too. */
const PATIENCE_MS = 2000

const inTime = (awaited: Promise<unknown> | undefined): Promise<unknown> =>
  Promise.race([awaited, new Promise(done => setTimeout(done, PATIENCE_MS))])

interface World {
  readonly safe: FakeTool
  readonly alone: FakeTool
  readonly broken: FakeTool
  readonly tools: readonly FakeTool[]
}

function createWorld(): World {
  const safe = fakeTool('safe', (args: { n?: number }) => args.n ?? null, SAFE)
  const alone = fakeTool('alone', (args: { n?: number }) => args.n ?? null)
  const fail = (): never => {
    throw new Error('broken')
  }
  const broken = fakeTool('broken', fail, SAFE)
  return { safe, alone, broken, tools: [safe, alone, broken] }
}

const call = (name: string, n: number, rest: object = {}): ToolExecutionInput =>
  ({ callId: `c${n}`, name, arguments: { n }, ...rest }) as ToolExecutionInput

const failures = (results: readonly BatchResult[]): readonly boolean[] =>
  results.map(result => result.isError)

/** The body ran once for each of these calls, and for no other. */
function expectRuns(tool: FakeTool, numbers: readonly number[]): void {
  const ran = tool.calls.map(made => (made.arguments as { n: number }).n).toSorted((a, b) => a - b)
  expectEqual(ran, numbers, `calls of ${tool.name} that ran`)
}

type Check = (runner: BatchRunner, world: World) => Promise<void>

const CASES: readonly (readonly [name: string, check: Check])[] = [
  [
    'an empty batch has no results',
    async runner => {
      expectEqual(await runner.executeAll([]), [], 'results')
    },
  ],
  [
    'each call has one result, in order, whatever its tool says of overlap',
    async (runner, { safe, alone }) => {
      const inputs = Array.from({ length: 20 }, (_, n) => call(n % 3 === 0 ? 'alone' : 'safe', n))
      const results = await runner.executeAll(inputs)
      expectBatch(inputs, results)
      expectEqual(failures(results), Array(20).fill(false), 'failures')
      expectRuns(alone, [0, 3, 6, 9, 12, 15, 18])
      expectRuns(safe, [1, 2, 4, 5, 7, 8, 10, 11, 13, 14, 16, 17, 19])
    },
  ],
  [
    'a call that fails is one result, and those beside it are not concerned',
    async (runner, { safe, broken }) => {
      const inputs = [
        call('broken', 0),
        call('safe', 1),
        call('nowhere', 2),
        call('broken', 3),
        call('safe', 4),
      ]
      const results = await runner.executeAll(inputs)
      expectBatch(inputs, results)
      expectEqual(failures(results), [true, false, true, true, false], 'failures')
      expectRuns(safe, [1, 4])
      expectRuns(broken, [0, 3])
    },
  ],
  [
    'of two calls of one id the second fails and does not run',
    async (runner, { safe }) => {
      const inputs = [call('safe', 0), call('safe', 1, { callId: 'c0' }), call('safe', 2)]
      const results = await runner.executeAll(inputs)
      expectBatch(inputs, results)
      expectEqual(failures(results), [false, true, false], 'failures')
      expectRuns(safe, [0, 2])
    },
  ],
  [
    'calls without ids get one each',
    async (runner, { safe }) => {
      const inputs = [0, 1, 2].map(n => call('safe', n, { callId: undefined }))
      expectBatch(inputs, await runner.executeAll(inputs))
      expectRuns(safe, [0, 1, 2])
    },
  ],
  [
    'what is no call is a failure in its place',
    async (runner, { safe }) => {
      const wrong = [null, 5, {}, { callId: 'w', name: 7 }, { callId: 'x', name: 'safe', arguments: '{"n":' }]
      const inputs = [call('safe', 0), ...wrong, call('safe', 1)] as ToolExecutionInput[]
      const results = await runner.executeAll(inputs)
      expectEqual(failures(results), [false, true, true, true, true, true, false], 'failures')
      expectEqual([results[0]?.callId, results.at(-1)?.callId], ['c0', 'c1'], 'ids')
      expectRuns(safe, [0, 1])
    },
  ],
  [
    'a large batch has as many results',
    async (runner, { safe }) => {
      const inputs = Array.from({ length: MANY }, (_, n) => call('safe', n))
      expectBatch(inputs, await runner.executeAll(inputs))
      expectRuns(
        safe,
        inputs.map((_, n) => n),
      )
    },
  ],
  [
    'executeEach yields the same, in order',
    async (runner, { safe }) => {
      if (runner.executeEach === undefined) return
      const inputs = [call('safe', 0), call('broken', 1), call('alone', 2), call('safe', 3)]
      const results: BatchResult[] = []
      for await (const result of runner.executeEach(inputs)) results.push(result)
      expectBatch(inputs, results)
      expectEqual(failures(results), [false, true, false, false], 'failures')
      expectRuns(safe, [0, 3])
    },
  ],
]

/** Bodies that end in another order than they began, and a batch that is cut short. */
const GATED: readonly (readonly [name: string, run: (create: BatchRunnerFactory) => Promise<void>])[] = [
  [
    'results keep their order when bodies end in another',
    async create => {
      const gates = [0, 1, 2].map(() => gate())
      let started = 0
      const slow = fakeTool(
        'slow',
        async ({ n }: { n: number }) => {
          started += 1
          // The last one lets the one before it go on, and so forth: they end in reverse.
          if (started === 3) gates[2]?.open()
          await inTime(gates[n]?.opened)
          gates[n - 1]?.open()
          return n
        },
        SAFE,
      )
      const runner = await create([slow])
      const inputs = [0, 1, 2].map(n => call('slow', n))
      const results = await runner.executeAll(inputs)
      expectBatch(inputs, results)
      expectEqual(failures(results), [false, false, false], 'failures')
    },
  ],
  [
    'a batch that is aborted still has one result for each call, and starts nothing more',
    async create => {
      const controller = new AbortController()
      const hang = fakeTool('hang', (_args, { signal }) => {
        controller.abort()
        const stopped = gate()
        if (signal.aborted) stopped.open()
        else signal.addEventListener('abort', () => stopped.open())
        return inTime(stopped.opened).then(() => 'ended')
      })
      const after = fakeTool('after')
      const runner = await create([hang, after])
      const inputs = [call('hang', 0), call('after', 1), call('after', 2)]
      const results = await runner.executeAll(inputs, { signal: controller.signal })
      expectBatch(inputs, results)
      expectEqual(failures(results), [true, true, true], 'failures')
      expectThat(after.runs() === 0, 'a call began after the abort')
    },
  ],
]

/**
 * What every batch must keep, as cases for any test framework: N calls in, N results out, in order, each call once. For a
 * registry with stages of your own, a scope, or what you put in front of them.
 */
export function batchConformance(createRunner: BatchRunnerFactory): readonly ConformanceCase[] {
  const plain = CASES.map(([name, check]) => ({
    name,
    run: async () => {
      const world = createWorld()
      await check(await createRunner(world.tools), world)
    },
  }))
  return [...plain, ...GATED.map(([name, run]) => ({ name, run: () => run(createRunner) }))]
}
