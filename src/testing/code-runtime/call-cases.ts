import type { CodeCall } from '../../sandbox/code-runtime.js'
import { expectEqual, expectMatch, expectRows } from '../expect.js'
import { gate } from '../gate.js'
import { type BenchCase, type Functions, soon, toolsOf } from './bench.js'

const ODD_NAMES = [
  'list-rows',
  'list_rows',
  '200',
  'class',
  '',
  'a b',
  '__proto__',
  'constructor',
  'toString',
  'then',
]

const NO_CALL: readonly (readonly [string, string])[] = [
  ['await', 'await tools; return 1'],
  ['return from an async function', 'await (async () => tools)(); return 1'],
  ['Promise.race', 'await Promise.race([Promise.resolve(tools), tools]); return 1'],
  ['JSON.stringify', 'return JSON.stringify({ tools: [tools] })'],
  ['console', 'console.log(tools, [tools]); return 1'],
  ['spread', 'return Object.keys({ ...tools }).length'],
  ['for in', 'let n = 0; for (const k in tools) n++; return n'],
  ['text', 'try { return String(tools) } catch (e) { return e.name }'],
]

const CAUGHT = (what: string): string => `try { await ${what}; return 'passed' } catch (e) {
  return [e instanceof Error, typeof ToolCallError === 'function' && e instanceof ToolCallError, e.name, e.message, e.code ?? null]
}`

const rejected = (message: string, code?: string): unknown => [
  true,
  true,
  'ToolCallError',
  message,
  code ?? null,
]

/** Namespaces and the calls of their functions. */
export const CALL_CASES: readonly BenchCase[] = [
  [
    'a namespace has its functions as own properties by exact name',
    async ({ run }) => {
      const namespace = toolsOf(
        {},
        { functions: ODD_NAMES, call: async ({ name }) => ({ ok: true, value: name }) },
      )
      const program = `const names = ${JSON.stringify(ODD_NAMES)}
return [Object.keys(tools).sort(), await Promise.all(names.map(name => tools[name]()))]`
      const { value } = await run(program, { namespaces: [namespace] })
      expectEqual(value, [ODD_NAMES.toSorted(), ODD_NAMES], 'names')
    },
  ],
  [
    'a closed namespace has nothing else, an open one has any name that no object inherits',
    async ({ run }) => {
      const program = `return [typeof tools.nope, "nope" in tools, ...['then', 'toJSON', 'constructor', 'valueOf', '__proto__'].map(n => typeof tools[n])]`
      const nothing = Array(5).fill('undefined')
      const closed = await run(program, { functions: { a: () => 1 } })
      expectEqual(closed.value, ['undefined', false, ...nothing], 'a closed one')
      const open = await run(program, { namespaces: [toolsOf({ a: () => 1 }, { open: true })] })
      expectEqual(open.value, ['function', false, ...nothing], 'an open one')
      const asked = await run(CAUGHT('tools.nope()'), { namespaces: [toolsOf({}, { open: true })] })
      expectEqual(asked.value, rejected('there is no nope', 'UNKNOWN'), 'a name that call does not know')
    },
  ],
  [
    'what the language looks up by itself makes no call',
    async ({ run }) => {
      await expectRows(NO_CALL, async ([, program]) => {
        const calls: string[] = []
        const call = async ({ name }: CodeCall) => {
          calls.push(name)
          return { ok: true as const }
        }
        const namespaces = [
          toolsOf({}, { functions: ['echo', 'then', 'toJSON', 'toString'], open: true, call }),
        ]
        const { error } = await run(program, { namespaces })
        expectEqual([error, calls], [undefined, []], 'failure and calls')
      })
    },
  ],
  [
    'several namespaces stand side by side',
    async ({ run }) => {
      const one = toolsOf({ name: () => 'one' }, { global: 'one', errorClass: 'OneError' })
      const two = toolsOf({ name: () => 'two' }, { global: 'two', errorClass: 'OneError' })
      const program = 'return [await one.name(), await two.name(), typeof OneError, typeof tools]'
      const { value } = await run(program, { namespaces: [one, two] })
      expectEqual(value, ['one', 'two', 'function', 'undefined'], 'value')
      expectEqual((await run('return 1', { namespaces: [] })).value, 1, 'no namespace at all')
    },
  ],
  [
    'calls start in the order of submission and overlap, and answers may come in any order',
    async ({ returned }) => {
      const started: unknown[] = []
      const gates = [1, 2, 3].map(() => gate<number>())
      const slow = ({ args }: CodeCall): unknown => {
        started.push(args[0])
        // All three are under way before any of them is answered, the last one first.
        if (started.length === 3) for (const [i, each] of gates.entries()) each.open(i + 1)
        return gates[Number(args[0]) - 1]?.opened
      }
      const program = 'return await Promise.all([1, 2, 3].map(n => tools.slow(n)))'
      expectEqual(await returned(program, { slow }), [1, 2, 3], 'answers')
      expectEqual(started, [1, 2, 3], 'order')
    },
  ],
  [
    'four hundred calls may be under way at once',
    async ({ returned }) => {
      const program =
        'return (await Promise.all(Array.from({ length: 400 }, (_, i) => tools.echo(i)))).length'
      expectEqual(await returned(program, { echo: ({ args }) => args[0] }), 400, 'answers')
    },
  ],
  [
    'a call that fails rejects with the error class, its message and its properties',
    async ({ run }) => {
      const properties = { code: 'BUSY', toolName: 'a b', details: { after: [1] } }
      const call = async () => ({ ok: false as const, message: 'not now', properties })
      const namespaces = [toolsOf({}, { functions: ['x'], call })]
      const { value } = await run(CAUGHT('tools.x()'), { namespaces })
      expectEqual(value, rejected('not now', 'BUSY'), 'the error')
      const own = await run('try { await tools.x() } catch (e) { return [e.toolName, e.details] }', {
        namespaces,
      })
      expectEqual(own.value, ['a b', { after: [1] }], 'properties')
    },
  ],
  [
    'without an error class a call that fails rejects with a plain Error',
    async ({ run }) => {
      const { errorClass: _none, ...namespace } = toolsOf({}, { functions: ['x'] })
      const program = 'try { await tools.x() } catch (e) { return [e.name, e instanceof Error, e.code] }'
      expectEqual(
        (await run(program, { namespaces: [namespace] })).value,
        ['Error', true, 'UNKNOWN'],
        'the error',
      )
    },
  ],
  [
    'a host function that throws or rejects, with whatever it may be, rejects its call',
    async ({ run }) => {
      const unreadable = Object.defineProperty(new Error('x'), 'message', {
        get() {
          throw new Error('y')
        },
      })
      const thrown: readonly (readonly [string, unknown, RegExp])[] = [
        ['an error', new Error('broken'), /^broken$/],
        ['a text', 'no', /^no$/],
        ['undefined', undefined, /./],
        ['null', null, /./],
        ['an error that cannot be read', unreadable, /./],
        ['an object', Object.freeze({ message: 'frozen' }), /^frozen$/],
      ]
      await expectRows(thrown, async ([, error, message]) => {
        for (const call of [
          () => Promise.reject(error),
          () => {
            throw error
          },
        ]) {
          const namespaces = [toolsOf({}, { functions: ['x'], call })]
          const { value } = await run(CAUGHT('tools.x()'), { namespaces })
          const [isError, isClass, name, text] = value as [boolean, boolean, string, string]
          expectEqual([isError, isClass, name], [true, true, 'ToolCallError'], 'the error')
          expectMatch(text, message, 'its message')
        }
      })
    },
  ],
  [
    'an error of a call that nobody catches ends the program, at the place of the call',
    async ({ run }) => {
      const functions: Functions = {
        bad: () => {
          throw new Error('it is broken')
        },
      }
      const { error } = await run('const a: number = 1\nawait null\nawait tools.bad()', { functions })
      expectEqual(error?.kind, 'exception', 'kind')
      expectMatch(error?.message, /^ToolCallError: it is broken\n/, 'message')
      expectMatch(error?.message, /3 \| await tools\.bad\(\)/, 'frame')
    },
  ],
  [
    'a call larger than its namespace allows rejects before the host hears of it',
    async ({ run }) => {
      let calls = 0
      const namespaces = [toolsOf({ count: () => ++calls }, { maxCallBytes: 10_000 })]
      const program = `const code = await tools.count('x'.repeat(20_000)).catch(e => e.code)
return [code, await tools.count('x'.repeat(9_000))]`
      expectEqual(
        (await run(program, { namespaces })).value,
        ['LIMIT_EXCEEDED', 1],
        'code, and the call after it',
      )
      const stricter = [toolsOf({}, { functions: ['x'], maxCallBytes: 10_000, maxArgumentBytes: 8_123 })]
      const { value } = await run(CAUGHT("tools.x('x'.repeat(20_000))"), { namespaces: stricter })
      expectMatch((value as readonly string[])[3], /\b8[_,. ]?123\b/, 'the limit that the message names')
    },
  ],
  [
    'a call has the signal of the run, which fires when the run ends, whatever ends it',
    async ({ run }) => {
      const endings = [
        ['a return', 'tools.wait(); await tools.ping(); return 1'],
        ['a throw', 'tools.wait(); await tools.ping(); throw 1'],
        ['a deadline', 'tools.wait(); await tools.ping(); for (;;) {}'],
      ] as const
      await expectRows(endings, async ([, program]) => {
        const fired = gate<boolean>()
        const wait = ({ signal }: CodeCall): unknown => {
          const before = signal.aborted
          signal.addEventListener('abort', () => fired.open(before))
          return new Promise(() => {})
        }
        await run(program, { functions: { wait, ping: () => 1 } })
        const before = await soon(fired.opened, 'the signal had not fired')
        expectEqual(before, false, 'aborted before the end')
      })
    },
    { cpuMs: 1000 },
  ],
  [
    'calls that were never awaited are named, in order',
    async ({ run }) => {
      const functions = { a: () => 1, b: () => 2, c: () => 3 }
      const program = `tools.a(); await tools.b(); const p = tools.c(); tools.c().catch(() => {})
await Promise.all([tools.a()]); return 1`
      expectEqual((await run(program, { functions })).notAwaited, ['a', 'c'], 'after a return')
      const twice = await run('tools.a(); tools.b(); tools.a(); return 1', { functions })
      expectEqual(twice.notAwaited, ['a', 'b', 'a'], 'each call, not each name')
      expectEqual((await run('tools.a(); throw 1', { functions })).notAwaited, ['a'], 'after a throw')
      expectEqual((await run('return tools.a()', { functions })).notAwaited, undefined, 'when it is returned')
    },
  ],
  [
    'each call of a program that ends has begun or is named as one that did not run',
    async ({ run }) => {
      const begun: string[] = []
      const note = ({ name }: CodeCall): unknown => begun.push(name)
      const functions = { a: note, b: note, c: note }
      const endings = [
        ['by return', 'return 1'],
        ['by an error', 'throw 1'],
        ['after a wait', 'await null; return 1'],
      ] as const
      await expectRows(endings, async ([, ending]) => {
        begun.length = 0
        const program = `;['a', 'b'].forEach(async name => { await tools[name]() }); tools.c().catch(() => {}); ${ending}`
        const { notRun = [] } = await run(program, { functions })
        expectEqual([...begun, ...notRun], ['a', 'b', 'c'], 'begun, then not run')
      })
    },
  ],
]
