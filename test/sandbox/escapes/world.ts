import { type Escape, fails, gives } from './escape.js'

// Names by which programs find a host, in Node, browsers, Workers, Deno, Bun, other engines and QuickJS' own shell.
const HOST_NAMES =
  'global window self document Deno Bun navigator WebAssembly SharedArrayBuffer Atomics Worker std os bjson print ' +
  'scriptArgs __loadScript loadScript gc load read quit __filename __dirname module exports ' +
  'importScripts postMessage Java Packages __toolgate post main'

const constructorsOf = [
  'tools',
  'tools.echo',
  'tools.echo()',
  'console',
  'console.log',
  'catalog',
  'setTimeout',
  'ToolCallError',
  'new ToolCallError("x")',
  'Error',
  '(async () => {})',
  '(function* () {})',
  '(async function* () {})',
  'Promise.resolve()',
  'globalThis',
  'Reflect.ownKeys',
  'new Proxy(tools, {})',
]

/** Ways to the world outside. */
export const WORLD: readonly Escape[] = [
  gives(
    'names of the host',
    `return ${JSON.stringify(HOST_NAMES)}.split(' ').filter(n => { try { return (0, eval)('typeof ' + n) !== 'undefined' } catch { return false } })`,
    [],
  ),
  ...constructorsOf.map(expression =>
    gives(
      `the constructor of the constructor of ${expression}`,
      `const names = ${JSON.stringify(HOST_NAMES)}.split(' ')
let o; try { o = ${expression} } catch {}
const got = []
for (let step = 0; step < 6 && o !== null && o !== undefined; step++) {
  for (const f of [o.constructor, Object.getPrototypeOf(o)?.constructor]) {
    for (const name of names) {
      let type = 'undefined'
      try { type = f('return typeof ' + name)() } catch {}
      if (typeof type === 'object') try { type = await type } catch { type = 'undefined' }
      if (typeof type === 'string' && type !== 'undefined' && !type.startsWith('return')) got.push([name, type])
    }
  }
  o = Object.getPrototypeOf(o)
}
return got`,
      [],
    ),
  ),
  gives(
    'the global object of sloppy code is the guest’s own',
    'return [new Function("return this")() === globalThis, (0, eval)("this") === globalThis]',
    [true, true],
  ),
  gives(
    'callers and arguments of functions that call the program',
    `const seen = []
const look = function () { for (const f of [look, console.log, tools.echo, setTimeout]) for (const k of ['caller', 'arguments'])
  try { seen.push(f[k] === undefined || f[k] === null ? 'none' : typeof f[k]) } catch (e) { seen.push(e.name) } return 'x' }
console.log({ get a() { return look() } })
return [...new Set(seen)].filter(s => s !== 'none' && s !== 'TypeError')`,
    [],
  ),
  gives(
    'callers of sloppy functions',
    `const spy = new Function('try { return String(arguments.callee.caller) } catch (e) { return e.name }')
let got
console.log({ get a() { got = spy(); return 1 } })
return ['null', 'undefined', 'TypeError'].includes(got)`,
    true,
  ),
  gives(
    'stacks of errors name no file of the host',
    `const stacks = []
try { null.x } catch (e) { stacks.push(e.stack) }
try { JSON.parse('{') } catch (e) { stacks.push(e.stack) }
try { await tools.fail() } catch (e) { stacks.push(e.stack) }
console.log({ get a() { stacks.push(new Error().stack) } })
return stacks.join('\\n').match(/\\.(m?js|wasm|cjs)|node:|file:|\\/(home|work|tmp|usr)/g)`,
    null,
    ['fail'],
  ),
  gives(
    'hooks on stacks of errors',
    `const got = []
Error.prepareStackTrace = (e, sites) => { got.push(sites); return sites }
Error.stackTraceLimit = Infinity
Object.defineProperty(Error.prototype, 'stack', { get() { return got }, set(v) { got.push(v) }, configurable: true })
console.log(new Error('x'))
try { await tools.fail() } catch (e) { e.stack }
const sites = got.flat().filter(s => typeof s === 'object' && s !== null)
return sites.flatMap(s => ['getThis', 'getFunction'].map(k => { try { return s[k]?.() } catch {} })).filter(Boolean).length`,
    0,
    ['fail'],
  ),
  fails('modules by import()', 'await import("node:fs")', 'exception', /there are no modules/),
  fails(
    'modules by an address of data',
    'await import("data:text/javascript,export default 1")',
    'exception',
    /no modules/,
  ),
  fails('modules by an empty name', 'await import("")', 'exception', /no modules/),
  gives(
    'modules by names that break out of text',
    `const got = []
for (const name of ['"); globalThis.broken = 1; ("', "\\\\", "\\n", "\${1}", "\\u2028", "\\0x"])
  try { await import(name); got.push(name) } catch {}
return [got, typeof broken]`,
    [[], 'undefined'],
  ),
  fails('static modules', 'import fs from "fs"\nreturn fs', 'syntax'),
  fails('import.meta', 'return import.meta', 'syntax'),
  fails(
    'a way out of the function that the program is',
    '})(); globalThis.out = 1; (async function () { return 1',
    'syntax',
  ),
  fails('a way out by a comment', 'return 1 /*', 'syntax'),
  fails('a way out by a template', 'return `', 'syntax'),
  gives('a return that ends the script early', 'if (true) { return "inside" } globalThis.x = 1', 'inside'),
  gives(
    'the clock is the injected one, whoever asks',
    'return [Date.now(), new Date().getTime(), new Date(Date()).getTime(), typeof performance === "undefined" || performance.now() < 1e9]',
    [86_400_000, 86_400_000, 86_400_000, true],
  ),
  gives('the zone is UTC', 'return [new Date(0).getTimezoneOffset(), new Date(0).getHours()]', [0, 0]),
  gives(
    'the environment, by the usual ways',
    `const got = []
for (const f of [() => process.env, () => process.binding('fs'), () => require('child_process'), () => process.mainModule.require('fs'), () => globalThis.constructor.constructor('return process')().env])
  try { got.push(f()) } catch (e) { if (!/does not exist|undefined|not a function/.test(e.message)) got.push(e.message) }
return got`,
    [],
  ),
  gives(
    'fetch, by its prototype',
    'try { await fetch.call(null, "http://127.0.0.1") } catch (e) { return /does not exist/.test(e.message) }',
    true,
  ),
]
