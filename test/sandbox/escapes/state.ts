import type { Escape } from './escape.js'

/** Something that a program leaves behind, and what the next one finds of it. */
export interface Trace {
  readonly what: string
  readonly leave: string
  readonly find: string
  readonly found: unknown
}

/** Ways to leave something for the next program of the same runtime, which gets the same instance. */
export const STATE: readonly Trace[] = [
  { what: 'a global', leave: 'globalThis.left = 1', find: 'return typeof left', found: 'undefined' },
  {
    what: 'a declaration by eval',
    leave: '(0, eval)("var left = 1; let left2 = 2")',
    find: 'return [typeof left, typeof left2]',
    found: ['undefined', 'undefined'],
  },
  {
    what: 'a registered symbol',
    leave: 'globalThis.s = Symbol.for("x"); Symbol.for("x").description',
    find: 'return [typeof s, Symbol.keyFor(Symbol.for("x"))]',
    found: ['undefined', 'x'],
  },
  {
    what: 'a changed prototype',
    leave: 'Array.prototype.map = () => "left"; Object.prototype.left = 1',
    find: 'return [[1].map(x => x + 1), typeof {}.left]',
    found: [[2], 'undefined'],
  },
  {
    what: 'a frozen prototype',
    leave: 'Object.freeze(Object.prototype); Object.freeze(Array.prototype); Object.freeze(globalThis)',
    find: 'globalThis.x = 1; return [x, Object.isFrozen(Object.prototype)]',
    found: [1, false],
  },
  {
    what: 'a removed global',
    leave: 'delete globalThis.JSON; delete globalThis.Promise; delete globalThis.tools',
    find: 'return [typeof JSON, typeof Promise, typeof tools]',
    found: ['object', 'function', 'object'],
  },
  {
    what: 'a property of a host function',
    leave: 'tools.echo.left = 1; console.log.left = 1; setTimeout.left = 1',
    find: 'return [tools.echo, console.log, setTimeout].map(f => typeof f.left)',
    found: ['undefined', 'undefined', 'undefined'],
  },
  {
    what: 'a pending promise',
    leave: 'globalThis.p = new Promise(() => {}); p.then(() => { globalThis.left = 1 })',
    find: 'await null; return typeof left',
    found: 'undefined',
  },
  {
    what: 'a chain of jobs',
    leave: 'const again = () => { globalThis.left = 1; return Promise.resolve().then(again) }; again()',
    find: 'for (let i = 0; i < 50; i++) await null; return typeof left',
    found: 'undefined',
  },
  {
    what: 'a timer',
    leave: 'setTimeout(() => { globalThis.left = 1 }, 0)',
    find: 'await new Promise(done => setTimeout(done, 20)); return typeof left',
    found: 'undefined',
  },
  {
    what: 'a call under way',
    leave: 'tools.slow().then(() => { globalThis.left = 1 })',
    find: 'await tools.slow(); await null; return typeof left',
    found: 'undefined',
  },
  {
    what: 'many calls',
    leave: 'for (let i = 0; i < 20; i++) tools.echo(i)',
    find: 'const a = tools.echo("first"); return await a',
    found: 'first',
  },
  {
    what: 'timers up to the limit',
    leave: 'for (let i = 0; i < 1000; i++) setTimeout(() => {}, 1e6)',
    find: 'return await new Promise(done => setTimeout(done, 1, "fired"))',
    found: 'fired',
  },
  {
    what: 'a finalizer',
    leave: 'new FinalizationRegistry(() => { globalThis.left = 1 }).register({}, 1)',
    find: 'for (let i = 0; i < 1000; i++) ({ i }); await null; return typeof left',
    found: 'undefined',
  },
  {
    what: 'text in memory',
    leave: 'globalThis.k = "secret-".repeat(1e5); const b = new Uint8Array(1e6).fill(7)',
    find: 'return [new Uint8Array(1e5).every(x => x === 0), "x".repeat(3)]',
    found: [true, 'xxx'],
  },
  {
    what: 'a recursion that was stopped by the stack',
    leave: 'const f = () => f(); f()',
    find: 'const f = n => n === 0 ? 0 : 1 + f(n - 1); return f(200)',
    found: 200,
  },
  {
    what: 'a loop that was stopped',
    leave: 'globalThis.left = 1; for (;;) {}',
    find: 'return typeof left',
    found: 'undefined',
  },
  {
    what: 'a builtin that was stopped',
    leave: 'globalThis.left = 1; [].indexOf.call({ length: 2 ** 53 - 1 }, 1)',
    find: 'return typeof left',
    found: 'undefined',
  },
  {
    what: 'memory that was used up',
    leave: 'globalThis.left = []; for (;;) left.push({ left })',
    find: 'const a = []; for (let i = 0; i < 1e4; i++) a.push({ i }); return [typeof left, a.length]',
    found: ['undefined', 10_000],
  },
  {
    what: 'output that was used up',
    leave: 'for (;;) console.log("x".repeat(1e4))',
    find: 'console.log("x"); return 1',
    found: 1,
  },
  {
    what: 'calls that were used up',
    leave: 'for (let i = 0; i < 60; i++) await tools.echo(i)',
    find: 'for (let i = 0; i < 40; i++) await tools.echo(i); return 1',
    found: 1,
  },
  {
    what: 'an error class that was changed',
    leave: 'ToolCallError.prototype.name = "left"; ToolCallError.left = 1',
    find: 'try { await tools.fail() } catch (e) { return [e.name, typeof ToolCallError.left] }',
    found: ['ToolCallError', 'undefined'],
  },
  {
    what: 'the state of Math.random',
    leave: 'for (let i = 0; i < 100; i++) Math.random(); Math.random = () => 0',
    find: 'return [Math.random() > 0, Math.random() !== Math.random()]',
    found: [true, true],
  },
  {
    what: 'the last match of a pattern',
    leave: '/(secret)/.exec("secret"); RegExp.left = 1',
    find: 'return [RegExp.$1 ?? null, RegExp.lastMatch ?? null, typeof RegExp.left]',
    found: [null, null, 'undefined'],
  },
]

/** What an escape may not have changed for whoever comes next. */
export const UNTOUCHED: Pick<Escape, 'program'> = {
  program: `const seen = new Set(), lines = []
const walk = (o, path) => {
  if ((typeof o !== 'object' && typeof o !== 'function') || o === null || seen.has(o) || path.split('.').length > 6) return
  seen.add(o)
  lines.push(path + ':' + Reflect.ownKeys(o).map(String).join() + ':' + Object.isFrozen(o))
  walk(Object.getPrototypeOf(o), path + '.__proto__')
  for (const k of Reflect.ownKeys(o)) { const d = Object.getOwnPropertyDescriptor(o, k); for (const v of [d.value, d.get, d.set]) walk(v, path + '.' + String(k)) }
}
walk(globalThis, '')
return lines.join('\\n')`,
}
