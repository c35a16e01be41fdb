import type { CodeCall } from '../../sandbox/code-runtime.js'
import { expectEqual, expectMatch, expectRows, expectThat } from '../expect.js'
import { gate } from '../gate.js'
import { type BenchCase, soon } from './bench.js'

const STUCK: readonly (readonly [string, string])[] = [
  ['a promise nobody settles', 'await new Promise(() => {})'],
  ['one after a call', 'await tools.ping(); await new Promise(() => {})'],
  ['a thenable that never answers', 'return { then() {} }'],
  [
    'two that wait for each other',
    'let a, b; a = (async () => { await null; await b })(); b = (async () => { await a })(); await b',
  ],
]

/** A call that never answers, and its signal once it was made. */
function hanging(): { readonly made: Promise<AbortSignal>; readonly hang: (call: CodeCall) => unknown } {
  const { opened, open } = gate<AbortSignal>()
  return {
    made: opened,
    hang({ signal }) {
      open(signal)
      return new Promise(() => {})
    },
  }
}

/** A signal that counts its listeners. */
function countedSignal(): { readonly signal: AbortSignal; readonly listeners: () => number } {
  const { signal } = new AbortController()
  let listeners = 0
  const count = (name: 'addEventListener' | 'removeEventListener', by: number): void => {
    const original = signal[name].bind(signal) as (...args: unknown[]) => void
    const value = (...args: unknown[]): void => {
      listeners += by
      original(...args)
    }
    Object.defineProperty(signal, name, { value })
  }
  count('addEventListener', 1)
  count('removeEventListener', -1)
  return { signal, listeners: () => listeners }
}

/** How runs end: by themselves, stuck, aborted, with the runtime. */
export const ENDING_CASES: readonly BenchCase[] = [
  [
    'a program that nothing can wake is a deadlock, at once',
    async ({ run }) => {
      await expectRows(STUCK, async ([, program]) => {
        const { error } = await run(program, { functions: { ping: () => 1 } })
        expectEqual(error?.kind, 'deadlock', 'kind')
      })
    },
  ],
  [
    'a program is no deadlock while a call is under way',
    async ({ returned }) => {
      const slow = (): Promise<number> => new Promise(done => setTimeout(() => done(3), 50))
      const program = 'return await Promise.race([new Promise(() => {}), tools.slow()])'
      expectEqual(await returned(program, { slow }), 3, 'value')
    },
  ],
  [
    'an exception is told by its name and message, with its place and line',
    async ({ run }) => {
      const program = 'interface A { x: number }\nconst n: number = 1\nthrow new RangeError("too far")'
      const { error } = await run(program)
      expectEqual(error?.kind, 'exception', 'kind')
      expectMatch(error?.message, /^RangeError: too far\n/, 'beginning')
      expectMatch(error?.message, /3 \| throw new RangeError/, 'frame')
      expectMatch(error?.message, /\b3:\d+/, 'place')
    },
  ],
  [
    'whatever is thrown is an exception with a message',
    async ({ run }) => {
      const thrown = [
        "'no'",
        'undefined',
        'null',
        '{ a: 1 }',
        'Symbol("s")',
        '10n',
        '() => {}',
        'new (class extends Error { get message() { throw 1 } })()',
      ]
      for (const value of thrown) {
        const { error } = await run(`throw ${value}`)
        expectEqual(error?.kind, 'exception', `kind of throw ${value}`)
        expectThat(error?.message !== '', `throw ${value} has no message`)
      }
    },
  ],
  [
    'an abort before the start starts nothing',
    async ({ run }) => {
      let calls = 0
      const request = { functions: { ping: () => ++calls }, signal: AbortSignal.abort('enough') }
      const { error, logs } = await run('console.log(1); await tools.ping()', request)
      expectEqual([error?.kind, logs, calls], ['abort', [], 0], 'kind, lines and calls')
      expectMatch(error?.message, /enough/, 'message')
    },
  ],
  [
    'an abort while a call is under way ends the run, tells the call, and keeps the lines',
    async ({ run }) => {
      const controller = new AbortController()
      const { made, hang } = hanging()
      const request = { functions: { hang }, signal: controller.signal }
      const running = run('console.log("a"); await tools.hang()', request)
      const signal = await soon(made, 'the call had not been made')
      expectEqual(signal.aborted, false, 'aborted before')
      controller.abort(new Error('the user left'))
      const { error, logs } = await running
      expectEqual([error?.kind, logs, signal.aborted], ['abort', ['a'], true], 'kind, lines and signal')
      expectMatch(error?.message, /the user left/, 'message')
    },
  ],
  [
    'an abort reaches a program that never waits for the host',
    async ({ run, returned }) => {
      const controller = new AbortController()
      setTimeout(() => controller.abort(), 50)
      const { error } = await run('for (;;) await null', { signal: controller.signal })
      expectEqual(error?.kind, 'abort', 'kind')
      expectEqual(await returned('return 7'), 7, 'the next program')
    },
  ],
  [
    'no listener is left on the signal, however a run ends',
    async ({ run }) => {
      const { signal, listeners } = countedSignal()
      for (const program of ['return 1', 'throw 1', 'let a = ', 'await new Promise(() => {})'])
        await run(program, { signal })
      expectEqual(listeners(), 0, 'listeners')
    },
  ],
  [
    'the end comes once, does not wait for calls under way, and what comes after it is discarded',
    async ({ run, returned }) => {
      const late = gate<number>()
      const program = 'tools.late().then(v => console.log(v)); await tools.ping(); return 1'
      const { value, logs } = await run(program, { functions: { late: () => late.opened, ping: () => 1 } })
      expectEqual([value, logs], [1, []], 'value and lines')
      late.open(5)
      expectEqual(await returned('return 2'), 2, 'the next program')
      await new Promise(done => setTimeout(done, 10))
      expectEqual(logs, [], 'lines afterwards')
    },
  ],
  [
    'dispose ends what runs as aborted, refuses what comes, and may be called again',
    async ({ runtime, run }) => {
      if (runtime.dispose === undefined) return
      const { made, hang } = hanging()
      const running = run('await tools.hang()', { functions: { hang } })
      const signal = await soon(made, 'the call had not been made')
      await runtime.dispose()
      const { error } = await running
      expectEqual([error?.kind, signal.aborted], ['abort', true], 'kind and signal')
      await runtime.dispose()
      const refused = await run('return 1').then(
        () => 'ran',
        () => 'refused',
      )
      expectEqual(refused, 'refused', 'a run afterwards')
    },
  ],
]
