import type { ToolExecutionInput } from '../../tools/tool-call.js'
import { expectEqual } from '../expect.js'
import { expectBatch } from '../expect-batch.js'
import {
  type BatchCase,
  call,
  collect,
  createWorld,
  expectResults,
  expectRuns,
  numbersTo,
  type World,
} from './batch-world.js'

const MANY = 1000

/** What comes back, for calls that end by themselves. */
const CASES: readonly (readonly [name: string, check: (world: World) => Promise<void>])[] = [
  [
    'an empty batch has no results',
    async ({ runner }) => {
      expectEqual(await runner.executeAll([]), [], 'results')
    },
  ],
  [
    'each call has one result, in order, whatever its tool says of overlap',
    async ({ runner, safe, alone }) => {
      const inputs = numbersTo(20).map(n => call(n % 3 === 0 ? 'alone' : 'safe', n))
      expectResults(inputs, await runner.executeAll(inputs), Array(20).fill(false))
      expectRuns(alone, [0, 3, 6, 9, 12, 15, 18])
      expectRuns(safe, [1, 2, 4, 5, 7, 8, 10, 11, 13, 14, 16, 17, 19])
    },
  ],
  [
    'a call that fails is one result, and those beside it are not concerned',
    async ({ runner, safe, broken }) => {
      const names = ['broken', 'safe', 'nowhere', 'broken', 'safe']
      const inputs = names.map(call)
      expectResults(inputs, await runner.executeAll(inputs), [true, false, true, true, false])
      expectRuns(safe, [1, 4])
      expectRuns(broken, [0, 3])
    },
  ],
  [
    'of two calls of one id the second fails and does not run',
    async ({ runner, safe }) => {
      const inputs = [call('safe', 0), call('safe', 1, { callId: 'c0' }), call('safe', 2)]
      expectResults(inputs, await runner.executeAll(inputs), [false, true, false])
      expectRuns(safe, [0, 2])
    },
  ],
  [
    'calls without ids get one each',
    async ({ runner, safe }) => {
      const inputs = [0, 1, 2].map(n => call('safe', n, { callId: undefined }))
      expectResults(inputs, await runner.executeAll(inputs), [false, false, false])
      expectRuns(safe, [0, 1, 2])
    },
  ],
  [
    'what is no call is a failure in its place',
    async ({ runner, safe }) => {
      const wrong = [null, 5, {}, { callId: 'w', name: 7 }, { callId: 'x', name: 'safe', arguments: '{"n":' }]
      const inputs = [call('safe', 0), ...wrong, call('safe', 1)] as ToolExecutionInput[]
      const results = await runner.executeAll(inputs)
      expectEqual(
        results.map(result => result.isError),
        [false, true, true, true, true, true, false],
        'failures',
      )
      expectEqual([results[0]?.callId, results.at(-1)?.callId], ['c0', 'c1'], 'ids')
      expectRuns(safe, [0, 1])
    },
  ],
  [
    'a large batch has as many results',
    async ({ runner, safe }) => {
      const inputs = numbersTo(MANY).map(n => call('safe', n))
      expectResults(inputs, await runner.executeAll(inputs), Array(MANY).fill(false))
      expectRuns(safe, numbersTo(MANY))
    },
  ],
  [
    'two batches at once have their own results, though their ids are the same',
    async ({ runner, safe, broken }) => {
      const one = [call('safe', 0), call('broken', 1), call('safe', 2)]
      const two = [10, 11, 12].map(n => call('safe', n, { callId: `c${n - 10}` }))
      const [first, second] = await Promise.all([runner.executeAll(one), runner.executeAll(two)])
      expectResults(one, first, [false, true, false])
      expectResults(two, second, [false, false, false])
      expectRuns(safe, [0, 2, 10, 11, 12])
      expectRuns(broken, [1])
    },
  ],
  [
    'executeEach yields the same, in order',
    async ({ runner, safe }) => {
      if (runner.executeEach === undefined) return
      const inputs = ['safe', 'broken', 'alone', 'safe'].map(call)
      const results = await collect(runner.executeEach(inputs))
      expectBatch(inputs, results)
      expectResults(inputs, results, [false, true, false, false])
      expectRuns(safe, [0, 3])
    },
  ],
]

export const RESULT_CASES: readonly BatchCase[] = CASES.map(([name, check]) => [
  name,
  async create => check(await createWorld(create)),
])
