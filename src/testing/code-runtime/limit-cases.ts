import type { CodeCall, CodeFailureKind } from '../../sandbox/code-runtime.js'
import { expectEqual, expectRows, expectThat } from '../expect.js'
import { gate } from '../gate.js'
import { type Bench, type BenchCase, soon } from './bench.js'

const MIB = 1024 * 1024
const FORCED_WAIT_MS = 150

/** Each program ends with the kind, says something, and leaves the runtime well. */
async function allEnd(
  bench: Bench,
  kind: CodeFailureKind,
  programs: readonly (readonly [string, string])[],
): Promise<void> {
  await expectRows(programs, async ([, program]) => {
    const { value, error } = await bench.run(program, { functions: { ping: () => 1 } })
    expectEqual([value, error?.kind], [undefined, kind], 'value and kind')
    expectThat((error?.message.length ?? 0) > 20, 'the message says too little')
    expectEqual(await bench.returned('return 7'), 7, 'the next program')
  })
}

const ENDLESS: readonly (readonly [string, string])[] = [
  ['a loop', 'for (;;) {}'],
  ['a loop behind catch and finally', 'for (;;) try { for (;;) {} } catch {} finally { continue }'],
  ['a loop in an executor behind a catch', 'return await new Promise(() => { for (;;) {} }).catch(() => 1)'],
  ['promise jobs without end', 'for (;;) await null'],
  ['jobs that make jobs', 'const again = () => Promise.resolve().then(again); await again()'],
  ['a getter of the result', 'return { get a() { for (;;) {} } }'],
  ['an argument of console', 'console.log({ get a() { for (;;) {} } })'],
  ['a builtin over the greatest length', 'return Array.prototype.indexOf.call({ length: 2 ** 53 - 1 }, 1)'],
  ['a regular expression that backtracks', 'return /^(a+)+$/.test("a".repeat(60) + "b")'],
  ['short stretches between calls', 'for (;;) { for (let i = 0; i < 1e5; i++); await tools.ping() }'],
]

const GREEDY: readonly (readonly [string, string])[] = [
  ['texts', 'const a = []; for (;;) a.push("x".repeat(1e5) + a.length)'],
  ['objects', 'const a = []; for (;;) a.push({ a: 1, b: 2 })'],
  ['buffers', 'const a = []; for (;;) a.push(new Uint8Array(1e6))'],
  ['a map', 'const m = new Map(); for (let i = 0; ; i++) m.set(i, [i])'],
  ['after a wait', 'await tools.ping(); const a = []; for (;;) a.push([a.length])'],
]

const DEEP: readonly (readonly [string, string])[] = [
  ['recursion', 'const f = n => f(n + 1) + 1; return f(0)'],
  ['recursion of async functions', 'const f = async n => await f(n + 1); await f(0)'],
  ['recursion through getters', 'const o = { get a() { return this.a } }; return o.a'],
  ['deep source', `return ${'('.repeat(50_000)}1${')'.repeat(50_000)}`],
]

/** Cannot be told from a real failure by its text. */
const FORGED: readonly (readonly [string, string])[] = [
  ['out of memory', 'throw new RangeError("out of memory")'],
  ['stack overflow', 'throw new RangeError("Maximum call stack size exceeded")'],
  ['a deadline', 'throw new Error("timeout-cpu: interrupted")'],
  ['an abort', 'const e = new Error("The run was aborted."); e.name = "AbortError"; throw e'],
  ['a call too many', 'const e = new ToolCallError("x"); e.code = "LIMIT_EXCEEDED"; throw e'],
]

const jsonBytes = (logs: readonly string[], value: unknown): number =>
  new TextEncoder().encode(JSON.stringify(logs) + JSON.stringify(value)).length

const OUTPUT_LINES = ['a', 'b"c', '😀', '\ud800']
const OUTPUT_VALUE = { a: 'é"\n\u0001' }
const OUTPUT_PROGRAM = `for (const line of ${JSON.stringify(OUTPUT_LINES)}) console.log(line)
return ${JSON.stringify(OUTPUT_VALUE)}`
const OUTPUT_BYTES = jsonBytes(OUTPUT_LINES, OUTPUT_VALUE)

const SOURCE = 'return "é"'
const SOURCE_BYTES = 11

/** Every limit, its failure kind, and both sides of it. */
export const LIMIT_CASES: readonly BenchCase[] = [
  [
    'sourceBytes counts UTF-8 bytes, and as many as it says are allowed',
    async ({ run }) => {
      expectEqual((await run(SOURCE)).value, 'é', 'at the limit')
      expectEqual((await run(`${SOURCE} `)).error?.kind, 'source-limit', 'one byte over it')
    },
    { sourceBytes: SOURCE_BYTES },
  ],
  [
    'computing longer than cpuMs is timeout-cpu, wherever the program computes',
    bench => allEnd(bench, 'timeout-cpu', ENDLESS),
    { cpuMs: 200, maxCalls: 1_000_000 },
  ],
  [
    'waiting does not count as computing',
    async ({ returned }) => {
      const slow = (): Promise<number> => new Promise(done => setTimeout(() => done(1), 1500))
      expectEqual(await returned('return await tools.slow()', { slow }), 1, 'value')
    },
    { cpuMs: 1000 },
  ],
  [
    'taking longer than wallMs is timeout-wall, and the call under way hears of it',
    async ({ run }) => {
      const fired = gate()
      const wait = ({ signal }: CodeCall): unknown => {
        signal.addEventListener('abort', () => fired.open())
        return new Promise(() => {})
      }
      const { error } = await run('await tools.wait()', { functions: { wait } })
      expectEqual(error?.kind, 'timeout-wall', 'kind')
      await soon(fired.opened, 'the call had not heard of the end')
    },
    { wallMs: FORCED_WAIT_MS },
  ],
  [
    'time held by pauseWallClock does not count, and holding ends once',
    async ({ run }) => {
      const human = async ({ pauseWallClock }: CodeCall): Promise<number> => {
        const resume = pauseWallClock()
        await new Promise(done => setTimeout(done, 6 * FORCED_WAIT_MS))
        resume()
        resume()
        return 5
      }
      expectEqual((await run('return await tools.human()', { functions: { human } })).value, 5, 'value')
    },
    { wallMs: 3 * FORCED_WAIT_MS },
  ],
  [
    'the wall clock goes on after it was held, and stands still until the last hold ends',
    async ({ run }) => {
      const human = ({ pauseWallClock }: CodeCall): unknown => {
        const [first, second] = [pauseWallClock(), pauseWallClock()]
        first()
        setTimeout(second, 2 * FORCED_WAIT_MS)
        return new Promise(() => {})
      }
      const began = performance.now()
      const { error } = await run('await tools.human()', { functions: { human } })
      expectEqual(error?.kind, 'timeout-wall', 'kind')
      expectThat(performance.now() - began >= 2 * FORCED_WAIT_MS, 'the clock ran while it was held')
    },
    { wallMs: FORCED_WAIT_MS },
  ],
  [
    'needing more than memoryBytes is memory',
    bench => allEnd(bench, 'memory', GREEDY),
    { memoryBytes: 12 * MIB },
  ],
  [
    'as much memory as memoryBytes says is there',
    async ({ returned }) => {
      const program =
        'const a = []; for (let i = 0; i < 28; i++) a.push(new Uint8Array(1e6)); return a.length'
      expectEqual(await returned(program), 28, 'megabytes')
    },
    { memoryBytes: 32 * MIB },
  ],
  [
    'an answer that does not fit into the memory ends as memory, or rejects its call',
    async ({ run, returned }) => {
      const program = 'try { return (await tools.big()).length } catch { return "rejected" }'
      const { value, error } = await run(program, { functions: { big: () => 'x'.repeat(2e7) } })
      expectThat(error?.kind === 'memory' || value === 'rejected', `got ${error?.kind ?? value}`)
      expectEqual(await returned('return 7'), 7, 'the next program')
    },
    { memoryBytes: 4 * MIB },
  ],
  ['nesting too deeply is stack', bench => allEnd(bench, 'stack', DEEP)],
  [
    'the end of the stack may be caught, and recursion that fits is no failure',
    async ({ returned }) => {
      const caught = 'const f = () => f() + 1; try { f() } catch { return "caught" }'
      expectEqual(await returned(caught), 'caught', 'caught')
      expectEqual(await returned('const f = n => n ? f(n - 1) + 1 : 0; return f(200)'), 200, 'recursion')
    },
  ],
  [
    'a call over maxCalls is not made and rejects; uncaught it is call-limit',
    async ({ run }) => {
      let calls = 0
      const functions = { ping: () => ++calls }
      const program = `const all = await Promise.allSettled(Array.from({ length: 5 }, () => tools.ping()))
return all.map(r => r.status === 'fulfilled' ? r.value : [r.reason.name, r.reason.code])`
      const over = ['ToolCallError', 'LIMIT_EXCEEDED']
      expectEqual((await run(program, { functions })).value, [1, 2, 3, over, over], 'answers')
      const { error } = await run('for (;;) await tools.ping()', { functions })
      expectEqual([error?.kind, calls], ['call-limit', 6], 'kind, and calls of both programs')
    },
    { maxCalls: 3 },
  ],
  [
    'as many bytes of output as outputBytes says fit, lines and value together',
    async ({ run }) => {
      const { value, logs, error } = await run(OUTPUT_PROGRAM)
      expectEqual([value, logs, error], [OUTPUT_VALUE, OUTPUT_LINES, undefined], 'output')
    },
    { outputBytes: OUTPUT_BYTES },
  ],
  [
    'one byte of output more is output-limit',
    async ({ run }) => {
      const { value, error } = await run(OUTPUT_PROGRAM)
      expectEqual([value, error?.kind], [undefined, 'output-limit'], 'value and kind')
    },
    { outputBytes: OUTPUT_BYTES - 1 },
  ],
  [
    'a program that prints without end is output-limit, and what fits is kept',
    async ({ run }) => {
      const { error, logs } = await run('for (;;) console.log("é😀")')
      expectEqual(error?.kind, 'output-limit', 'kind')
      const bytes = jsonBytes(logs, '') - 2
      expectThat(bytes > 40 && bytes <= 64, `${bytes} of 64 bytes are kept`)
    },
    { outputBytes: 64 },
  ],
  [
    'a program cannot forge the kind of its failure',
    async ({ run }) => {
      await expectRows(FORGED, async ([, program]) => {
        expectEqual((await run(program)).error?.kind, 'exception', 'kind')
      })
    },
  ],
]
