import type { CodeCall, CodeNamespace, CodeRunOutcome, CodeRunRequest, CodeRuntime } from 'toolgate'
import { quickJsRuntime } from 'toolgate/quickjs'
import { quickJsWorkerRuntime } from 'toolgate/quickjs-worker'
import { type CodeRuntimeLimits, codeRuntimeConformance } from 'toolgate/testing'
import { describe, expect, test } from 'vitest'
import { expectCaught, failuresOf } from './mutants.js'
import { vmRuntime } from './vm-runtime.js'

type Run = CodeRuntime['run']
type Change = (request: CodeRunRequest, run: Run) => Promise<CodeRunOutcome>
type Reply = Awaited<ReturnType<CodeNamespace['call']>>

/** Changes what namespaces are. */
const namespaced =
  (change: (namespace: CodeNamespace) => CodeNamespace): Change =>
  (request, run) =>
    run({ ...request, namespaces: request.namespaces.map(change) })

/** Changes what calls are. */
const calls = (change: (call: CodeCall, make: CodeNamespace['call']) => Promise<Reply>): Change =>
  namespaced(namespace => ({ ...namespace, call: call => change(call, made => namespace.call(made)) }))

/** Changes replies. */
const replies = (change: (reply: Reply) => Reply): Change =>
  calls(async (call, make) => change(await make(call)))

/** Changes outcomes. */
const outcomes =
  (change: (outcome: CodeRunOutcome) => CodeRunOutcome | Promise<CodeRunOutcome>): Change =>
  async (request, run) =>
    change(await run(request))

/** Changes lines of outcomes. */
const lines = (change: (logs: readonly string[]) => readonly string[]): Change =>
  outcomes(outcome => ({ ...outcome, logs: change(outcome.logs) }))

/** Changes failures. */
const failures = (change: (error: NonNullable<CodeRunOutcome['error']>) => CodeRunOutcome['error']): Change =>
  outcomes(({ error, ...outcome }) => {
    const changed = error && change(error)
    return { ...outcome, ...(changed && { error: changed }) }
  })

const cut = (value: any, most: number): any => {
  if (typeof value === 'string') return value.slice(0, most)
  if (Array.isArray(value)) return value.map(item => cut(item, most))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, cut(item, most)]))
}
const sorted = (value: any): any => {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1))
  return Object.fromEntries(entries.map(([key, item]) => [key, sorted(item)]))
}
const onValue = (change: (value: any) => any): Change =>
  outcomes(outcome => ('value' in outcome ? { ...outcome, value: change(outcome.value) } : outcome))

const MUTANTS: readonly (readonly [what: string, rule: RegExp, change: Change])[] = [
  [
    'loses the lines of a program that fails',
    /lines are kept in order/,
    outcomes(o => (o.error ? { ...o, logs: [] } : o)),
  ],
  ['turns the order of lines', /lines are kept in order/, lines(logs => logs.toReversed())],
  [
    'does not mark warnings',
    /lines are kept in order/,
    lines(logs => logs.map(line => line.replace(/^\[\w+\] /, ''))),
  ],
  ['keeps the last lines only', /lines are kept/, lines(logs => logs.slice(-3))],
  ['trims lines', /lines are kept whole/, lines(logs => logs.map(line => line.trim()))],
  ['leaves out empty lines', /lines are kept whole/, lines(logs => logs.filter(line => line !== ''))],
  ['keeps equal lines once', /lines are kept whole/, lines(logs => [...new Set(logs)])],
  ['cuts long lines', /lines are kept whole/, lines(logs => logs.map(line => line.slice(0, 10_000)))],
  [
    'prints when all is over',
    /streamed/,
    async ({ onLog, ...request }, run) => {
      const outcome = await run(request)
      for (const text of outcome.logs) onLog?.({ level: 'log', text })
      return outcome
    },
  ],
  [
    'streams lines twice',
    /streamed/,
    ({ onLog, ...request }, run) => {
      const twice: CodeRunRequest['onLog'] = log => {
        try {
          onLog?.(log)
        } finally {
          onLog?.(log)
        }
      }
      return run({ ...request, onLog: twice })
    },
  ],
  [
    'fails with an observer that throws',
    /an observer that throws changes nothing/,
    async ({ onLog, ...request }, run) => {
      let thrown: { readonly error: unknown } | undefined
      const watch: CodeRunRequest['onLog'] = log => {
        try {
          onLog?.(log)
        } catch (error) {
          thrown = { error }
        }
      }
      const outcome = await run({ ...request, onLog: watch })
      if (thrown !== undefined) throw thrown.error
      return outcome
    },
  ],
  [
    'adds to the lines after the end',
    /the end comes once.*lines afterwards/,
    outcomes(outcome => {
      const logs = [...outcome.logs]
      setTimeout(() => logs.push('late'), 1)
      return { ...outcome, logs }
    }),
  ],
  [
    'drops large texts of results',
    /whatever JSON can carry: a long text/,
    onValue(value => cut(value, 65_536)),
  ],
  [
    'drops large texts of arguments',
    /arguments and answers arrive.*a long text/,
    calls((call, make) => make({ ...call, args: cut(call.args, 65_536) })),
  ],
  [
    'drops large texts of answers',
    /arguments and answers arrive.*a long text/,
    replies(reply => (reply.ok && 'value' in reply ? { ...reply, value: cut(reply.value, 65_536) } : reply)),
  ],
  ['sorts keys', /keys in the order in which they were made/, onValue(sorted)],
  [
    'rounds numbers',
    /a number alone/,
    onValue(value => (typeof value === 'number' ? Math.fround(value) : value)),
  ],
  [
    'makes null of nothing',
    /undefined is no value/,
    outcomes(o => ('value' in o || o.error ? o : { ...o, value: null })),
  ],
  [
    'makes nothing of null',
    /null is one/,
    outcomes(({ value, ...o }) => (value === null || value === undefined ? o : { ...o, value })),
  ],
  [
    'answers null where there is no answer',
    /undefined is no value/,
    replies(reply => (reply.ok ? { value: null, ...reply } : reply)),
  ],
  [
    'makes null of arguments that are left out',
    /undefined arguments at the end/,
    calls((call, make) => make({ ...call, args: [...call.args, null] })),
  ],
  [
    'calls the host twice',
    /arguments and answers arrive/,
    calls(async (call, make) => (await make(call), make(call))),
  ],
  [
    'answers calls one after the other',
    /overlap/,
    (request, run) => {
      let last: Promise<unknown> = Promise.resolve()
      return calls((call, make) => {
        const mine = last.then(() => make(call))
        last = mine.catch(() => {})
        return mine
      })({ ...request, signal: AbortSignal.timeout(2000) }, run)
    },
  ],
  [
    'makes calls in another order',
    /order of submission/,
    calls(async (call, make) => {
      await new Promise(done => setTimeout(done, 10 - 3 * Number(call.args[0])))
      return make(call)
    }),
  ],
  [
    'loses the codes of failed calls',
    /message and its properties/,
    replies(reply => (reply.ok ? reply : { ok: false, message: reply.message })),
  ],
  [
    'loses the messages of failed calls',
    /message and its properties/,
    replies(reply => (reply.ok ? reply : { ...reply, message: 'failed' })),
  ],
  [
    'takes failed calls for answered ones',
    /message and its properties/,
    replies(reply => (reply.ok ? reply : { ok: true, value: null })),
  ],
  [
    'has no error classes',
    /rejects with the error class/,
    namespaced(({ errorClass: _none, ...namespace }) => namespace),
  ],
  [
    'closes what is open',
    /closed namespace has nothing else/,
    namespaced(namespace => ({ ...namespace, open: false })),
  ],
  [
    'opens what is closed',
    /closed namespace has nothing else/,
    namespaced(namespace => ({ ...namespace, open: true })),
  ],
  [
    'takes calls of any size',
    /larger than its namespace allows/,
    namespaced(({ maxCallBytes: _none, ...namespace }) => namespace),
  ],
  [
    'tells a call that is too large of another limit',
    /larger than its namespace allows.*the limit that the message names/,
    namespaced(({ maxArgumentBytes: _none, ...namespace }) => namespace),
  ],
  [
    'never tells that an answer was taken',
    /an answer that reaches the program is told as taken/,
    calls((call, make) => make({ ...call, onTaken: () => {} })),
  ],
  [
    'tells twice that an answer was taken',
    /an answer that reaches the program is told as taken/,
    calls((call, make) => {
      const twice = (listener: () => void): void => {
        call.onTaken?.(() => {
          listener()
          listener()
        })
      }
      return make({ ...call, onTaken: twice })
    }),
  ],
  [
    'tells of answers that reach the program when the run is over',
    /an answer that reaches the program is told as taken/,
    calls((call, make) =>
      make({ ...call, onTaken: listener => call.onTaken?.(() => setTimeout(listener, 50)) }),
    ),
  ],
  [
    'takes an answer that was given for one that was taken',
    /an answer that the program ended without/,
    calls(async (call, make) => {
      let taken = (): void => {}
      const onTaken = (listener: () => void): void => {
        taken = listener
      }
      const reply = await make({ ...call, onTaken })
      taken()
      return reply
    }),
  ],
  [
    'lets calls wait beyond the end of the run',
    /what a call waits for settles at the end/,
    calls((call, make) => make({ ...call, untilTaken: () => new Promise(() => {}) })),
  ],
  [
    'rejects what calls wait for',
    /what a call waits for settles at the end/,
    calls((call, make) => make({ ...call, untilTaken: () => Promise.reject(new Error('no room')) })),
  ],
  [
    'does not tell a call of the end',
    /signal of the run.*signal had not fired|does not end/,
    calls((call, make) => make({ ...call, signal: new AbortController().signal })),
  ],
  [
    'tells a call of the end at once',
    /signal of the run|tells the call/,
    calls((call, make) => make({ ...call, signal: AbortSignal.abort() })),
  ],
  [
    'names calls that were not awaited once',
    /never awaited are named.*not each name/,
    outcomes(o => (o.notAwaited ? { ...o, notAwaited: [...new Set(o.notAwaited)] } : o)),
  ],
  [
    'names calls that were not awaited in another order',
    /never awaited are named/,
    outcomes(o => (o.notAwaited ? { ...o, notAwaited: o.notAwaited.toReversed() } : o)),
  ],
  [
    'does not name calls that were not awaited',
    /never awaited are named/,
    outcomes(({ notAwaited: _none, ...o }) => o),
  ],
  [
    'names no calls of a program that failed',
    /never awaited are named/,
    outcomes(({ notAwaited, ...o }) => (o.error || !notAwaited ? o : { ...o, notAwaited })),
  ],
  [
    'waits for calls under way',
    /the end comes once/,
    async (request, run) => {
      const open: Promise<unknown>[] = []
      const outcome = await calls((call, make) => {
        const made = make(call)
        open.push(made.catch(() => {}))
        return made
      })(request, run)
      await Promise.all(open)
      return outcome
    },
  ],
  [
    'counts the time that a human takes',
    /pauseWallClock/,
    calls((call, make) => make({ ...call, pauseWallClock: () => () => {} })),
  ],
  [
    'goes on when the first of several holds ends',
    /wall clock goes on after it was held/,
    calls((call, make) => {
      const ends: (() => void)[] = []
      const pauseWallClock = (): (() => void) => {
        ends.push(call.pauseWallClock())
        return () => {
          for (const end of ends) end()
        }
      }
      return make({ ...call, pauseWallClock })
    }),
  ],
  [
    'judges memory by what a program says',
    /cannot forge/,
    failures(e => (/out of memory/.test(e.message) ? { ...e, kind: 'memory' } : e)),
  ],
  [
    'judges the stack by what a program says',
    /cannot forge/,
    failures(e => (/call stack/.test(e.message) ? { ...e, kind: 'stack' } : e)),
  ],
  [
    'judges aborts by what a program says',
    /cannot forge/,
    failures(e => (/was aborted/.test(e.message) ? { ...e, kind: 'abort' } : e)),
  ],
  ['calls every failure an exception', /deadlock, at once/, failures(e => ({ ...e, kind: 'exception' }))],
  ['says too little', /cpuMs is timeout-cpu/, failures(e => ({ ...e, message: 'failed' }))],
  [
    'does not say where',
    /placed in the text/,
    failures(e => ({ ...e, message: e.message.split('\n')[0] ?? '' })),
  ],
  [
    'has a value beside a failure',
    /JSON cannot carry is invalid-output/,
    outcomes(o => (o.error ? { ...o, value: null } : o)),
  ],
  [
    'rejects for failures',
    /whatever is thrown is an exception/,
    outcomes(o => {
      if (o.error) throw new Error(o.error.message)
      return o
    }),
  ],
  [
    'takes misuse for a failure',
    /run rejects for a request/,
    async (request, run) => {
      try {
        return await run(request)
      } catch {
        return { logs: [], error: { kind: 'exception', message: 'This is no request that could be run' } }
      }
    },
  ],
  [
    'hears no abort',
    /an abort while a call is under way/,
    ({ signal: _none, ...request }, run) => run(request),
  ],
  [
    'starts though it was aborted',
    /an abort before the start/,
    ({ signal, ...request }, run) => run({ ...request, ...(signal?.aborted ? {} : { signal }) }),
  ],
  [
    'does not say why it was aborted',
    /an abort before the start.*enough/,
    failures(e => (e.kind === 'abort' ? { ...e, message: 'The run was aborted.' } : e)),
  ],
  [
    'leaves a listener on the signal',
    /no listener is left/,
    (request, run) => {
      request.signal?.addEventListener?.('abort', () => {})
      return run(request)
    },
  ],
  [
    'never settles when nothing can wake the program',
    /deadlock, at once: it does not end/,
    outcomes(o => (o.error?.kind === 'deadlock' ? new Promise(() => {}) : o)),
  ],
]

/** The cases that a mutant is about: all of them would take a minute each. */
const about = (rule: RegExp, create: (limits: CodeRuntimeLimits) => CodeRuntime) => {
  const [, words = ''] = /^\/?([^.:|\\]*)/.exec(rule.source) ?? []
  const all = codeRuntimeConformance(create)
  const chosen = all.filter(({ name }) => name.includes(words))
  return chosen.length > 0 ? chosen : all
}

describe('the suite of code runtimes fails a runtime that', () => {
  test.each(MUTANTS)('%s', async (_what, rule, change) => {
    const create = (limits: CodeRuntimeLimits): CodeRuntime => {
      const runtime = quickJsRuntime({ limits })
      const run: Run = request => runtime.run(request)
      return { ...runtime, run: request => (request === undefined ? run(request) : change(request, run)) }
    }
    await expectCaught(about(rule, create), rule)
  })

  type Limit = keyof CodeRuntimeLimits
  const limits: readonly (readonly [Limit, RegExp])[] = [
    ['sourceBytes', /sourceBytes counts UTF-8 bytes/],
    ['wallMs', /longer than wallMs is timeout-wall/],
    ['maxCalls', /a call over maxCalls/],
    ['outputBytes', /one byte of output more/],
    ['memoryBytes', /an answer that does not fit/],
  ]
  test.each(limits)('ignores %s', async (limit, rule) => {
    const create = ({ [limit]: _none, ...rest }: CodeRuntimeLimits): CodeRuntime =>
      quickJsRuntime({ limits: rest })
    await expectCaught(about(rule, create), rule)
  })

  const ignored: readonly (readonly ['onTaken' | 'untilTaken', RegExp])[] = [
    ['onTaken', /an answer that the program ended without/],
    ['untilTaken', /answers that the program does not take fill/],
  ]
  test.each(ignored)('has threads of its own and no %s', async (name, rule) => {
    const create = (limits: CodeRuntimeLimits): CodeRuntime => {
      const runtime = quickJsWorkerRuntime({ limits })
      const without = calls(({ [name]: _none, ...call }, make) => make(call as CodeCall))
      return { ...runtime, run: request => without(request, request => runtime.run(request)) }
    }
    await expectCaught(about(rule, create), rule)
  })

  test('gives less memory than it says', async () => {
    const create = ({ memoryBytes, ...rest }: CodeRuntimeLimits): CodeRuntime =>
      quickJsRuntime({ limits: { ...rest, ...(memoryBytes && { memoryBytes: memoryBytes * 0.75 }) } })
    await expectCaught(about(/as much memory/, create), /as much memory/)
  })

  test('runs one program at a time', async () => {
    const create = (limits: CodeRuntimeLimits): CodeRuntime => {
      const runtime = quickJsRuntime({ limits: { ...limits, wallMs: 2000 } })
      let last: Promise<unknown> = Promise.resolve()
      const run: Run = request => {
        const mine = last.then(() => runtime.run(request))
        last = mine.catch(() => {})
        return mine
      }
      return { run }
    }
    await expectCaught(about(/runs that overlap/, create), /runs that overlap share nothing/)
  })

  test('has the same randomness in every run', async () => {
    const create = (limits: CodeRuntimeLimits): CodeRuntime => quickJsRuntime({ limits, random: () => 0.5 })
    await expectCaught(about(/every run/, create), /a randomness of its own: twice/)
  })

  const disposals: readonly (readonly [string, (runtime: CodeRuntime) => CodeRuntime])[] = [
    ['nothing', ({ run }) => ({ run, dispose: async () => {} })],
    [
      'no end of what runs',
      ({ run }) => {
        let isOver = false
        return {
          run: request => (isOver ? Promise.reject(new Error('it is over')) : run(request)),
          dispose: async () => {
            isOver = true
          },
        }
      },
    ],
    [
      'a rejection the second time',
      ({ run, dispose }) => {
        let isOver = false
        return {
          run,
          async dispose() {
            if (isOver) throw new Error('it is over')
            isOver = true
            await dispose?.()
          },
        }
      },
    ],
  ]
  test.each(disposals)('makes of dispose %s', async (_what, change) => {
    const create = (limits: CodeRuntimeLimits): CodeRuntime => change(quickJsRuntime({ limits }))
    await expectCaught(about(/dispose ends/, create), /dispose ends what runs/)
  })

  test.each([
    ['leaves something of one run for the next', { sharesRealm: true }, /nothing of one run/],
    ['passes references across', { passesReferences: true }, /answers and arguments are copies/],
  ] as const)('%s', async (_what, faults, rule) => {
    // The same runtime without the fault passes.
    expect(await failuresOf(about(rule, () => vmRuntime()))).toEqual([])
    await expectCaught(
      about(rule, () => vmRuntime(faults)),
      rule,
    )
  })
})

describe('misuse of the suite of code runtimes is told', () => {
  test('where no function makes a runtime, or what it makes is none', async () => {
    expect(() => codeRuntimeConformance(quickJsRuntime() as never)).toThrow(
      'codeRuntimeConformance takes a function',
    )
    const [first] = codeRuntimeConformance(() => ({}) as never)
    await expect(first?.run()).rejects.toThrow('a runtime must have run, a function, not undefined')
  })
})
