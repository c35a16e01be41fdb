import { expectEqual, expectThat } from '../expect.js'
import { fakeTool } from '../fake-tool.js'
import { gate } from '../gate.js'
import {
  type BatchCase,
  call,
  collect,
  expectResults,
  inTime,
  numbersTo,
  SAFE,
  watchBodies,
} from './batch-world.js'

/** Who runs beside whom, and what an early end leaves undone. */
export const OVERLAP_CASES: readonly BatchCase[] = [
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
      expectResults(inputs, await runner.executeAll(inputs), [false, false, false])
    },
  ],
  [
    'a call that must be alone runs beside none: after all before it, and before all after it',
    async create => {
      const { tools, began, ended } = watchBodies()
      const wrong: string[] = []
      const isAlone = (n: number): boolean => n % 3 === 2
      const watched = tools.map(tool => ({
        ...tool,
        execute(args: never, context: never): unknown {
          const { n } = args as { readonly n: number }
          for (let before = 0; before < n; before++)
            if ((isAlone(n) || isAlone(before)) && !ended.includes(before))
              wrong.push(`call ${n} began before call ${before} had ended`)
          return tool.execute(args, context)
        },
      }))
      const runner = await create(watched)
      const inputs = numbersTo(9).map(n => call(isAlone(n) ? 'alone' : 'safe', n))
      expectResults(inputs, await runner.executeAll(inputs), Array(9).fill(false))
      expectEqual(began.toSorted(), numbersTo(9), 'calls that ran')
      expectThat(wrong.length === 0, wrong.join('; '))
    },
  ],
  [
    'no more bodies run at a time than maxParallel says',
    async create => {
      const { tools, most } = watchBodies()
      const runner = await create(tools)
      const inputs = numbersTo(6).map(n => call('safe', n))
      const results = await runner.executeAll(inputs, { maxParallel: 2 })
      expectResults(inputs, results, Array(6).fill(false))
      expectThat(most() <= 2, `${most()} bodies ran at a time, and 2 may`)
    },
  ],
  [
    'a batch that is aborted still has one result for each call, and starts nothing more',
    async create => {
      for (const method of ['executeAll', 'executeEach'] as const) {
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
        if (runner[method] === undefined) continue
        const inputs = [call('hang', 0), call('after', 1), call('after', 2)]
        const options = { signal: controller.signal }
        const results =
          method === 'executeAll'
            ? await runner.executeAll(inputs, options)
            : await collect(runner.executeEach?.(inputs, options))
        expectResults(inputs, results, [true, true, true])
        expectThat(after.runs() === 0, `${method}: a call began after the abort`)
      }
    },
  ],
  [
    'a batch that is aborted before it begins starts nothing',
    async create => {
      const { tools, began } = watchBodies()
      const runner = await create(tools)
      const inputs = ['safe', 'alone', 'safe'].map(call)
      const results = await runner.executeAll(inputs, { signal: AbortSignal.abort() })
      expectResults(inputs, results, [true, true, true])
      expectEqual(began, [], 'calls that ran')
    },
  ],
  [
    'executeEach yields a result when its call has ended, not when all have',
    async create => {
      const seen = gate()
      let isSeen = false
      const first = fakeTool('first')
      const second = fakeTool('second', async () => {
        isSeen = await inTime(seen.opened)
        return 'done'
      })
      const runner = await create([first, second])
      const results = runner.executeEach?.([call('first', 0), call('second', 1)])
      if (results === undefined) return
      for await (const _result of results) seen.open()
      expectThat(isSeen, 'the first result came only when the second body had ended')
    },
  ],
  [
    'a consumer of executeEach who leaves has what runs waited for, and the rest not begun',
    async create => {
      const { tools, began, running } = watchBodies()
      const runner = await create(tools)
      const results = runner.executeEach?.(numbersTo(5).map(n => call('alone', n)))
      if (results === undefined) return
      for await (const _first of results) break
      expectEqual(running(), 0, 'bodies that still run')
      // The one that follows may have begun while the consumer was making up its mind.
      expectThat(began.length <= 2, `${began.length} of 5 calls ran, though the consumer left at the first`)
    },
  ],
]
