import type { CodeLog } from '../../sandbox/code-runtime.js'
import { expectEqual, expectMatch, expectRows, expectThat } from '../expect.js'
import { gate } from '../gate.js'
import type { BenchCase } from './bench.js'

const ACCEPTED: readonly (readonly [string, string, unknown])[] = [
  ['a body with return', 'return 1', 1],
  ['await at the top, and types', 'const n: number = await Promise.resolve(2)\nreturn n as number', 2],
  ['a fenced block', '```ts\nconst a: number = 3\nreturn a\n```', 3],
  ['one arrow function', 'async () => {\n  return await Promise.resolve(4)\n}', 4],
  ['one function', 'async function main(): Promise<number> { return 5 }', 5],
  ['one default export', 'export default async function () { return 6 }', 6],
  ['an enum', 'enum Level { Low = 1, High }\nreturn Level.High', 2],
  ['a parameter property', 'class P { constructor(readonly x: number) {} }\nreturn new P(3).x', 3],
  ['strict code', 'return (function () { return this === undefined })()', true],
  ['text with backticks', 'return `\n\\`\\`\\`\n`', '\n```\n'],
]

const REFUSED: readonly (readonly [string, string])[] = [
  ['empty text', '  \n'],
  ['JSON', '{ "path": "a" }'],
  ['a shell command', 'ls -la src'],
  ['an import', "import fs from 'fs'\nreturn fs"],
  ['text that does not parse', 'const a = 1\nconst b = ;'],
  ['a way out of the wrapper', '}); (async function () { return 1'],
  ['what is declared twice', 'let a = 1\nlet a = 2\nreturn a'],
]

const PLACES: readonly (readonly [string, string, string])[] = [
  ['after types', 'interface A { x: number }\nconst a = 1 as number\nthrow new Error("x")', '3'],
  ['after an enum', 'enum E {\n  A,\n  B,\n}\nthrow new Error("x")', '5'],
  ['in a fence', '```ts\n\nthrow new Error("x")\n```', '3'],
  ['in an arrow', 'async () => {\n  throw new Error("x")\n}', '2'],
  ['after a wait', 'const f = async () => {\n  await null\n  throw new Error("x")\n}\nawait f()', '3'],
]

const UNREACHABLE = [
  'process.env',
  'require("fs")',
  'await import("fs")',
  'await fetch("http://localhost")',
  'new WebSocket("ws://localhost")',
  'new Worker("x")',
  'Deno.env',
  'Bun.file("x")',
  'document.body',
  'localStorage',
]

/** The program's text, what it prints, and the world it does not reach. */
export const PROGRAM_CASES: readonly BenchCase[] = [
  [
    'a program may be a body, one fenced block, one function or one default export, in TypeScript',
    async ({ returned }) => {
      await expectRows(ACCEPTED, async ([, program, value]) => {
        expectEqual(await returned(program), value, 'value')
      })
    },
  ],
  [
    'what is no program is refused as syntax, with what to write instead',
    async ({ run }) => {
      await expectRows(REFUSED, async ([, program]) => {
        const { error } = await run(program)
        expectEqual(error?.kind, 'syntax', 'kind')
        expectThat((error?.message.length ?? 0) > 10, 'the message says too little')
      })
    },
  ],
  [
    'a failure is placed in the text as it was submitted',
    async ({ run }) => {
      await expectRows(PLACES, async ([, program, line]) => {
        const { error } = await run(program)
        expectMatch(error?.message, new RegExp(`\\b${line}:\\d+`), 'place')
        const text = program.split('\n')[Number(line) - 1]?.trim() ?? ''
        expectThat(error?.message.includes(text) === true, `the frame does not show ${text}`)
      })
    },
  ],
  [
    'lines are kept in order, warnings and errors marked, also when the program fails',
    async ({ run }) => {
      const program = `console.log('a', 1); console.info('b'); console.warn('c'); console.error('d'); console.debug('e')
throw new Error('x')`
      const { logs, error } = await run(program)
      expectEqual([logs, error?.kind], [['a 1', 'b', '[warn] c', '[error] d', 'e'], 'exception'], 'lines')
    },
  ],
  [
    'lines are kept whole: spaces, empty ones, long ones, and the same twice',
    async ({ run }) => {
      const lines = ['', '  a  ', 'same', 'same', 'é'.repeat(50_000), '[warn] no', 'b\nc']
      const seen: string[] = []
      const program = `for (const line of ${JSON.stringify(lines)}) console.log(line)`
      const onLog = ({ text }: CodeLog): number => seen.push(text)
      const { logs } = await run(program, { onLog })
      expectEqual(logs, lines, 'lines')
      expectEqual(seen, lines, 'lines that were streamed')
    },
  ],
  [
    'console prints objects readably, and whatever it is given',
    async ({ run }) => {
      const { logs } = await run('console.log({ a: [1, "x"], b: { c: null } })')
      for (const part of ['a', '1', 'x', 'c', 'null'])
        expectThat(logs[0]?.includes(part) === true, `no ${part} in ${logs[0]}`)
      const program = `const { proxy, revoke } = Proxy.revocable({}, {}); revoke()
const cycle = {}; cycle.cycle = cycle
for (const value of [undefined, null, Symbol('s'), 1n, () => 1, new Map([[1, 2]]), new Error('e'), cycle, proxy, { get a() { throw 1 } }]) console.log(value)
return 1`
      const { value, logs: lines } = await run(program)
      expectEqual([value, lines.length], [1, 10], 'value and number of lines')
    },
  ],
  [
    'lines are streamed while the program runs, and an observer that throws changes nothing',
    async ({ run }) => {
      const printed = gate()
      const seen: CodeLog[] = []
      const onLog = (log: CodeLog): void => {
        seen.push(log)
        printed.open()
        throw new Error('an observer')
      }
      // The call is answered only when the line has come.
      const wait = (): Promise<void> => printed.opened
      const { value, logs } = await run('console.warn("here"); await tools.wait(); return 1', {
        onLog,
        functions: { wait },
      })
      expectEqual(
        [value, logs, seen],
        [1, ['[warn] here'], [{ level: 'warn', text: 'here' }]],
        'value and lines',
      )
    },
  ],
  [
    'nothing of one run is left for the next',
    async ({ run, returned }) => {
      await run(
        'globalThis.left = 1; Array.prototype.left = 2; JSON.left = 3; Object.prototype.left = 4; return 1',
      )
      const program = 'return [typeof left, typeof [].left, typeof JSON.left, typeof ({}).left]'
      expectEqual(await returned(program), Array(4).fill('undefined'), 'what is left')
    },
  ],
  [
    'runs that overlap share nothing',
    async ({ returned }) => {
      const all = gate()
      let waiting = 0
      const meet = (): Promise<void> => {
        waiting += 1
        if (waiting === 3) all.open()
        return all.opened
      }
      const program = (n: number): string => `globalThis.mine = ${n}; await tools.meet(); return mine`
      const values = await Promise.all([1, 2, 3].map(n => returned(program(n), { meet })))
      expectEqual(values, [1, 2, 3], 'values')
    },
  ],
  [
    'a program that runs inside a call of another is a run of its own',
    async ({ returned }) => {
      const inner = (): Promise<unknown> => returned('return 20')
      expectEqual(await returned('return await tools.inner() + 1', { inner }), 21, 'value')
    },
  ],
  [
    'the world outside is not there, by name or by constructor',
    async ({ run, returned }) => {
      await expectRows(
        UNREACHABLE.map(expression => [expression] as const),
        async ([expression]) => {
          expectEqual((await run(`return String(${expression})`)).error?.kind, 'exception', 'kind')
        },
      )
      const program = `const seen = []
for (const f of [tools.echo, console.log, (async () => {}).constructor, setTimeout])
  for (const outside of ['process.env', 'global.process', 'window.document', 'self.postMessage', 'WebAssembly.Memory', 'Deno.env', 'Bun.file'])
    try { seen.push(f.constructor('return typeof ' + outside)()) } catch { seen.push('threw') }
return [...new Set((await Promise.allSettled(seen)).map(s => s.value ?? 'threw'))].filter(s => s !== 'undefined' && s !== 'threw')`
      expectEqual(await returned(program, { echo: () => 1 }), [], 'types found')
    },
  ],
  [
    'every run has a randomness of its own',
    async ({ returned }) => {
      const values = [await returned('return Math.random()'), await returned('return Math.random()')]
      expectThat(values[0] !== values[1], `twice ${values[0]}`)
    },
  ],
]
