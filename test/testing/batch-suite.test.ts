import { createToolRegistry, type ToolExecutionInput, type ToolRegistry } from 'toolgate'
import { type BatchRunner, batchConformance } from 'toolgate/testing'
import { describe, expect, test } from 'vitest'
import { expectCaught } from './mutants.js'

type Result = Awaited<ReturnType<ToolRegistry['execute']>>
type Options = Parameters<ToolRegistry['executeAll']>[1]

describe('a registry keeps the invariants of batches', () => {
  const passThrough = { name: 'through', execute: (_call: unknown, next: () => Promise<never>) => next() }
  for (const { name, run } of batchConformance(tools => createToolRegistry({ tools }))) test(name, run)
  for (const { name, run } of batchConformance(tools =>
    createToolRegistry({ tools, stages: [passThrough] }).createScope({ id: 'child' }),
  ))
    test(`in a scope with a stage: ${name}`, run)
  const oneByOne = batchConformance(tools => createToolRegistry({ tools, maxParallelCalls: 1 }))
  for (const { name, run } of oneByOne) test(`one call at a time: ${name}`, run)
})

const idOf = (input: ToolExecutionInput, at: number): string => input?.callId ?? `made-${at}`

/** A wrong way to run a batch, what it is, and what the suite says of it. */
type Mutant = readonly [
  what: string,
  rule: RegExp,
  executeAll: (
    registry: ToolRegistry,
    inputs: readonly ToolExecutionInput[],
    options: Options,
  ) => Promise<unknown>,
]

const MUTANTS: readonly Mutant[] = [
  ['loses the last result', /number of results/, async (r, i, o) => (await r.executeAll(i, o)).slice(0, -1)],
  [
    'loses failures',
    /a call that fails is one result/,
    async (r, i, o) => (await r.executeAll(i, o)).filter(x => !x.isError),
  ],
  [
    'turns the order',
    /in order.*(name|id) of result 0/,
    async (r, i, o) => (await r.executeAll(i, o)).toReversed(),
  ],
  [
    'puts failures last',
    /a call that fails is one result/,
    async (r, i, o) => {
      const results = await r.executeAll(i, o)
      return [...results.filter(x => !x.isError), ...results.filter(x => x.isError)]
    },
  ],
  [
    'gives one result twice',
    /id of result 1/,
    async (r, i, o) => {
      const results = await r.executeAll(i, o)
      return results.map((result, at) => (at === 1 ? results[0] : result))
    },
  ],
  [
    'gives calls the results of others, under their own ids',
    /value of result/,
    async (r, i, o) => {
      const results = await r.executeAll(i, o)
      if (results.some(x => x.isError)) return results
      return results.map(({ callId, name }, at) => ({ ...results[results.length - 1 - at], callId, name }))
    },
  ],
  [
    'runs a call twice',
    /calls of alone that ran/,
    async (r, i, o) => {
      await r.executeAll(i.slice(0, 1))
      return r.executeAll(i, o)
    },
  ],
  [
    'runs failed calls again',
    /calls of broken that ran/,
    async (r, i, o) => {
      const results = await r.executeAll(i, o)
      for (const [at, result] of results.entries())
        if (result.isError && i[at]?.name === 'broken')
          await r.execute({ ...(i[at] as ToolExecutionInput), callId: `again-${at}` })
      return results
    },
  ],
  [
    'stops at the first failure',
    /number of results: expected 5/,
    async (r, i, o) => {
      const done: Result[] = []
      for (const input of i) {
        done.push(...(await r.executeAll([input], o)))
        if (done.at(-1)?.isError) break
      }
      return done
    },
  ],
  [
    'runs all at once',
    /a call that must be alone runs beside none/,
    (r, i, { signal } = {}) =>
      Promise.all(i.map(input => r.execute(signal && input ? { ...input, signal } : input))),
  ],
  [
    'begins at the end',
    /a call that must be alone runs beside none.*began before call/,
    async (r, i, o) => (await r.executeAll(i.toReversed(), o)).toReversed(),
  ],
  [
    'runs safe calls first',
    /began before call/,
    async (r, i, o) => {
      const first = i.filter(input => input?.name === 'safe')
      const rest = i.filter(input => input?.name !== 'safe')
      const results = [...(await r.executeAll(first, o)), ...(await r.executeAll(rest, o))]
      return i.map(input => results[[...first, ...rest].indexOf(input)])
    },
  ],
  [
    'takes calls of one id for one',
    /of two calls of one id/,
    async (r, i, o) => {
      const seen = new Map<string, Promise<Result>>()
      return Promise.all(
        i.map((input, at) => {
          const id = idOf(input, at)
          const running = seen.get(id) ?? r.executeAll([input], o).then(([result]) => result as Result)
          seen.set(id, running)
          return running
        }),
      )
    },
  ],
  [
    'lets both calls of one id run',
    /of two calls of one id/,
    async (r, i, o) => {
      const done: Result[] = []
      for (const input of i) done.push(...(await r.executeAll([input], o)))
      return done
    },
  ],
  [
    'gives all calls without ids the same one',
    /calls without ids get one each.*has the id of another/,
    async (r, i, o) =>
      (await r.executeAll(i, o)).map((result, at) =>
        i[at]?.callId === undefined ? { ...result, callId: 'none' } : result,
      ),
  ],
  [
    'leaves out what is no call',
    /what is no call is a failure in its place/,
    (r, i, o) =>
      r.executeAll(
        i.filter(input => typeof input?.name === 'string'),
        o,
      ),
  ],
  [
    'throws for what is no call',
    /what is no call is a failure in its place/,
    async (r, i, o) => {
      for (const input of i) if (typeof input?.name !== 'string') throw new TypeError('it has no name')
      return r.executeAll(i, o)
    },
  ],
  [
    'takes a hundred calls at the most',
    /a large batch.*expected 1000, got 100/,
    (r, i, o) => r.executeAll(i.slice(0, 100), o),
  ],
  [
    'hears no abort',
    /a batch that is aborted.*failures/,
    (r, i, { signal: _none, ...o } = {}) => r.executeAll(i, o),
  ],
  [
    'rejects when it is aborted',
    /a batch that is aborted/,
    async (r, i, o) => {
      const results = await r.executeAll(i, o)
      o?.signal?.throwIfAborted()
      return results
    },
  ],
  [
    'leaves out what an abort kept from running',
    /a batch that is aborted.*number of results/,
    async (r, i, o) =>
      (await r.executeAll(i, o)).filter(x => !(x.isError && x.error.code === 'ABORTED_BEFORE_DISPATCH')),
  ],
  [
    'begins though it was aborted before',
    /aborted before it begins/,
    (r, i, o) => r.executeAll(i, o?.signal?.aborted ? {} : o),
  ],
  [
    'knows no maxParallel',
    /no more bodies run at a time/,
    (r, i, { maxParallel: _none, ...o } = {}) => r.executeAll(i, o),
  ],
  [
    'says nothing of failures',
    /does not say whether it is a failure/,
    async (r, i, o) => (await r.executeAll(i, o)).map(({ isError: _none, ...rest }) => rest),
  ],
  ['resolves to nothing', /results must be a list/, async () => undefined],
]

describe('the batch suite fails a runner that', () => {
  test.each(MUTANTS)('%s', async (_what, rule, executeAll) => {
    const cases = batchConformance(tools => {
      const registry = createToolRegistry({ tools })
      return { executeAll: (inputs, options) => executeAll(registry, inputs, options) as never }
    })
    await expectCaught(cases, rule)
  })

  test('keeps results of batches by the ids of their calls', async () => {
    const cases = batchConformance(tools => {
      const registry = createToolRegistry({ tools })
      const kept = new Map<string, Result>()
      return {
        async executeAll(inputs, options) {
          for (const result of await registry.executeAll(inputs, options)) kept.set(result.callId, result)
          await undefined
          return inputs.map((input, at) => kept.get(idOf(input, at)) as Result)
        },
      }
    })
    await expectCaught(cases, /two batches at once/)
  })

  type Each = (
    registry: ToolRegistry,
    inputs: readonly ToolExecutionInput[],
    options: Options,
  ) => AsyncIterable<Result>
  const each: readonly (readonly [string, RegExp, Each])[] = [
    [
      'yields all at the end',
      /when its call has ended.*only when the second body had ended/,
      async function* (r, i, o) {
        yield* await r.executeAll(i, o)
      },
    ],
    [
      'yields as bodies end, not in order',
      /executeEach yields the same, in order/,
      async function* (r, i, o) {
        const results = await r.executeAll(i, o)
        yield* results.toSorted((a, b) => Number(a.isError) - Number(b.isError))
      },
    ],
    [
      'yields the last result twice',
      /executeEach yields the same.*number of results/,
      async function* (r, i, o) {
        let last: Result | undefined
        for await (const result of r.executeEach(i, o)) {
          last = result
          yield result
        }
        if (last) yield last
      },
    ],
    [
      'ends at the first failure',
      /executeEach yields the same.*number of results/,
      async function* (r, i, o) {
        for await (const result of r.executeEach(i, o)) {
          yield result
          if (result.isError) return
        }
      },
    ],
    ['hears no abort', /executeEach: a call began|failures/, (r, i) => r.executeEach(i)],
    [
      'goes on when its consumer has left',
      /a consumer of executeEach who leaves/,
      (r, i, o) => {
        const all = r.executeAll(i, o)
        return (async function* () {
          yield* await all
        })()
      },
    ],
    [
      'does not wait for what runs when its consumer has left',
      /a consumer of executeEach who leaves/,
      (r, i, o) => {
        const iterator = r.executeEach(i, o)[Symbol.asyncIterator]()
        return {
          [Symbol.asyncIterator]: () => ({
            next: async () => {
              const next = await iterator.next()
              void iterator.next()
              await new Promise(resolve => setImmediate(resolve))
              return next
            },
            return: async () => ({ done: true as const, value: undefined }),
          }),
        }
      },
    ],
  ]
  test.each(each)('by executeEach %s', async (_what, rule, executeEach) => {
    const cases = batchConformance(tools => {
      const registry = createToolRegistry({ tools })
      return {
        executeAll: (inputs, options) => registry.executeAll(inputs, options),
        executeEach: (inputs, options) => executeEach(registry, inputs, options),
      }
    })
    await expectCaught(cases, rule)
  })
})

describe('misuse of the batch suite is told', () => {
  test('where no function makes a runner', () => {
    expect(() => batchConformance(undefined as never)).toThrow(
      'batchConformance takes a function that makes a runner',
    )
    expect(() => batchConformance({} as never)).toThrow('not object')
  })

  test('where what it makes is no runner', async () => {
    const [first] = batchConformance(() => ({}) as BatchRunner)
    await expect(first?.run()).rejects.toThrow('a runner must have executeAll, a function, not undefined')
    const [second] = batchConformance(() => undefined as never)
    await expect(second?.run()).rejects.toThrow('a runner must have executeAll')
  })
})
