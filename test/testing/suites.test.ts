import {
  type Approver,
  type CodeRunOutcome,
  type CodeRunRequest,
  type CodeRuntime,
  createToolRegistry,
  rememberApprovals,
} from 'toolgate'
import { quickJsRuntime } from 'toolgate/quickjs'
import {
  approverConformance,
  type BatchRunner,
  batchConformance,
  type ConformanceCase,
  codeRuntimeConformance,
} from 'toolgate/testing'
import { describe, expect, test } from 'vitest'

/** The names of the cases that fail. */
async function failing(cases: readonly ConformanceCase[]): Promise<string[]> {
  const names: string[] = []
  for (const { name, run } of cases) await run().catch(() => names.push(name))
  return names
}

describe('a registry keeps the invariants of batches', () => {
  const passThrough = { name: 'through', execute: (_call: unknown, next: () => Promise<never>) => next() }
  for (const { name, run } of batchConformance(tools => createToolRegistry({ tools }))) test(name, run)
  for (const { name, run } of batchConformance(tools =>
    createToolRegistry({ tools, stages: [passThrough] }).createScope({ id: 'child' }),
  ))
    test(`in a scope with a stage: ${name}`, run)
})

describe('the batch suite fails a runner that', () => {
  type Change = (registry: BatchRunner) => BatchRunner['executeAll']
  const changes: readonly (readonly [string, Change])[] = [
    ['drops a result', registry => async inputs => (await registry.executeAll(inputs)).slice(1)],
    ['turns the order', registry => async inputs => (await registry.executeAll(inputs)).toReversed()],
    [
      'runs a call twice',
      registry => async (inputs, options) => {
        await registry.executeAll(inputs.slice(0, 1))
        return registry.executeAll(inputs, options)
      },
    ],
    [
      'stops at the first failure',
      registry => async inputs => {
        const done: Awaited<ReturnType<BatchRunner['executeAll']>>[number][] = []
        for (const input of inputs) {
          const [result] = await registry.executeAll([input])
          if (result !== undefined) done.push(result)
          if (result?.isError === true) break
        }
        return done
      },
    ],
  ]
  test.each(changes)('%s', async (_what, change) => {
    const names = await failing(
      batchConformance(tools => {
        const registry = createToolRegistry({ tools })
        return { executeAll: change(registry) }
      }),
    )
    expect(names).not.toEqual([])
  })
})

describe('approvers in front of approvers', () => {
  for (const { name, run } of approverConformance(rememberApprovals)) test(`rememberApprovals: ${name}`, run)
  for (const { name, run } of approverConformance(inner => request => inner(request)))
    test(`one that hands on: ${name}`, run)
})

describe('the approver suite fails one that', () => {
  const wrong: readonly (readonly [string, (inner: Approver) => Approver])[] = [
    [
      'allows what broke',
      inner => async request => (await (async () => inner(request))().catch(() => 'allowed-once')) as never,
    ],
    [
      'drops the reason',
      inner => async request => {
        const answer = await inner(request)
        return typeof answer === 'string' ? answer : answer.outcome
      },
    ],
    ['asks twice', inner => async request => (await inner(request), inner(request))],
    ['changes the question', inner => request => inner({ ...request, arguments: {} })],
    [
      'remembers by the tool alone',
      inner => {
        const known = new Map<string, ReturnType<Approver>>()
        return request => {
          const answer = known.get(request.toolName) ?? inner(request)
          known.set(request.toolName, answer)
          return answer
        }
      },
    ],
  ]
  test.each(wrong)('%s', async (_what, wrap) => {
    expect(await failing(approverConformance(wrap))).not.toEqual([])
  })
})

describe('the suite of code runtimes fails a runtime that', () => {
  type Change = (request: CodeRunRequest, run: CodeRuntime['run']) => Promise<CodeRunOutcome>
  const changes: readonly (readonly [string, RegExp, Change])[] = [
    [
      'loses the lines of a program that fails',
      /lines are kept/,
      async (request, run) => {
        const outcome = await run(request)
        return outcome.error === undefined ? outcome : { ...outcome, logs: [] }
      },
    ],
    [
      'calls every failure an exception',
      /timeout-cpu/,
      async (request, run) => {
        const outcome = await run(request)
        return outcome.error === undefined
          ? outcome
          : { ...outcome, error: { ...outcome.error, kind: 'exception' } }
      },
    ],
    [
      'counts the time that a human takes',
      /pauseWallClock/,
      (request, run) =>
        run({
          ...request,
          namespaces: request.namespaces.map(namespace => ({
            ...namespace,
            call: call => namespace.call({ ...call, pauseWallClock: () => () => {} }),
          })),
        }),
    ],
    [
      'does not tell a call of the end',
      /signal of the run/,
      (request, run) =>
        run({
          ...request,
          namespaces: request.namespaces.map(namespace => ({
            ...namespace,
            call: call => namespace.call({ ...call, signal: new AbortController().signal }),
          })),
        }),
    ],
    [
      'loses the codes of failed calls',
      /properties/,
      (request, run) =>
        run({
          ...request,
          namespaces: request.namespaces.map(namespace => ({
            ...namespace,
            call: async call => {
              const reply = await namespace.call(call)
              return reply.ok ? reply : { ok: false, message: reply.message }
            },
          })),
        }),
    ],
    ['prints when all is over', /streamed/, ({ onLog: _none, ...request }, run) => run(request)],
    ['hears no abort', /abort/, ({ signal: _none, ...request }, run) => run(request)],
    [
      'says that null is nothing',
      /null is one/,
      async (request, run) => {
        const { value, ...rest } = await run(request)
        return value === null || value === undefined ? rest : { ...rest, value }
      },
    ],
    [
      'answers calls one after the other',
      /overlap/,
      (request, run) => {
        let last: Promise<unknown> = Promise.resolve()
        const namespaces = request.namespaces.map(namespace => ({
          ...namespace,
          call: (call: Parameters<typeof namespace.call>[0]) => {
            const mine = last.then(() => namespace.call(call))
            last = mine.catch(() => {})
            return mine
          },
        }))
        return run({ ...request, namespaces, signal: AbortSignal.timeout(2000) })
      },
    ],
  ]
  test.each(changes)('%s', async (_what, about, change) => {
    const createRuntime = (limits: object): CodeRuntime => {
      const runtime = quickJsRuntime({ limits })
      const run = runtime.run.bind(runtime)
      return { ...runtime, run: request => change(request, run) }
    }
    const cases = codeRuntimeConformance(createRuntime).filter(({ name }) => about.test(name))
    // A case may rightly never end on such a runtime.
    const inTime = cases.map(({ name, run }) => ({
      name,
      run: () =>
        Promise.race([
          run(),
          new Promise<void>((_resolve, reject) => {
            setTimeout(() => reject(new Error('it does not end')), 4000).unref()
          }),
        ]),
    }))
    expect(cases.length).toBeGreaterThan(0)
    expect(await failing(inTime)).not.toEqual([])
  })
})
