import { randomFrom } from './random.mjs'

const NAMES = ['a', 'b', 'c', 'd', 'o', 'f', 'x', 'y']
const KEYS = [
  'a',
  'b',
  'length',
  '0',
  '1',
  'constructor',
  'prototype',
  '__proto__',
  'then',
  'toJSON',
  'valueOf',
  'toString',
  'name',
  'message',
  'stack',
  'size',
  'next',
  'buffer',
]
const NUMBERS = [
  '0',
  '1',
  '-1',
  '2',
  '7',
  '100',
  '-0',
  '0.5',
  'NaN',
  'Infinity',
  '-Infinity',
  '2 ** 31',
  '2 ** 32 - 1',
  '2 ** 53 - 1',
  '1e300',
  '3n',
  '-1n',
  '2n ** 200n',
]
const TEXTS = [
  '""',
  '"a"',
  '"abc"',
  '"\\0"',
  '"\\ud800"',
  '"😀"',
  '"x".repeat(1e5)',
  '"a,b,c"',
  '"[1,2]"',
  '"D0:1"',
  '"\\u2028"',
  '"__proto__"',
]
const CLASSES = [
  'Object',
  'Array',
  'Function',
  'String',
  'Number',
  'Boolean',
  'Symbol',
  'Promise',
  'Proxy',
  'RegExp',
  'Date',
  'Error',
  'TypeError',
  'Map',
  'Set',
  'WeakMap',
  'WeakRef',
  'BigInt',
  'ArrayBuffer',
  'Uint8Array',
  'Float64Array',
  'DataView',
  'Iterator',
  'ToolCallError',
  'URL',
  'TextEncoder',
]
const GLOBALS = [
  ...CLASSES,
  'globalThis',
  'Math',
  'JSON',
  'Reflect',
  'tools',
  'catalog',
  'console',
  'setTimeout',
  'queueMicrotask',
  'undefined',
  'null',
  'true',
  'eval',
  'atob',
  'structuredClone',
  'Intl',
  'crypto',
]
const METHODS = [
  'push',
  'pop',
  'shift',
  'splice',
  'slice',
  'concat',
  'map',
  'filter',
  'reduce',
  'sort',
  'indexOf',
  'join',
  'fill',
  'flat',
  'flatMap',
  'includes',
  'reverse',
  'copyWithin',
  'at',
  'with',
  'keys',
  'values',
  'entries',
  'forEach',
  'toString',
  'valueOf',
  'replace',
  'replaceAll',
  'split',
  'match',
  'matchAll',
  'padEnd',
  'repeat',
  'normalize',
  'then',
  'catch',
  'finally',
  'call',
  'apply',
  'bind',
  'get',
  'set',
  'has',
  'add',
  'delete',
  'clear',
  'next',
  'return',
  'throw',
  'exec',
  'test',
  'resize',
  'transfer',
  'subarray',
  'toISOString',
  'toLocaleString',
  'union',
  'take',
  'drop',
  'deref',
]
const STATICS = [
  'Object.keys',
  'Object.assign',
  'Object.freeze',
  'Object.create',
  'Object.entries',
  'Object.fromEntries',
  'Object.setPrototypeOf',
  'Object.getOwnPropertyDescriptors',
  'Object.groupBy',
  'Array.from',
  'Array.of',
  'Promise.all',
  'Promise.race',
  'Promise.any',
  'Promise.resolve',
  'Promise.reject',
  'Promise.try',
  'JSON.parse',
  'JSON.stringify',
  'Reflect.ownKeys',
  'Reflect.construct',
  'Reflect.apply',
  'Math.max',
  'Math.random',
  'String.raw',
  'String.fromCodePoint',
  'BigInt.asUintN',
  'Symbol.for',
  'structuredClone',
  'queueMicrotask',
  'setTimeout',
  'console.log',
  'console.error',
  'atob',
  'btoa',
  'parseInt',
  'Iterator.from',
]
const OPERATORS = [
  '+',
  '-',
  '*',
  '/',
  '%',
  '**',
  '<',
  '>',
  '<=',
  '==',
  '===',
  '!=',
  '&&',
  '||',
  '??',
  '&',
  '|',
  '^',
  '<<',
  '>>',
  '>>>',
  'in',
  'instanceof',
  ',',
]
const PATTERNS = [
  '/a/g',
  '/(a+)+$/',
  '/./u',
  '/(?<=a)b/',
  '/[^]*?x/y',
  '/(?<n>a)|b/dg',
  '/\\p{L}/v',
  '/(?:)/',
]
const TOOLS = ['echo', 'fail', 'odd-name', 'then', 'nope', 'slow', '__proto__', 'toJSON']

/** A program that a seed decides: mostly sound syntax, in which anything may meet anything. */
export function randomProgram(seed) {
  const random = randomFrom(seed)
  const below = n => Math.floor(random() * n)
  const one = list => list[below(list.length)]
  const some = (most, make, between = ', ') => Array.from({ length: below(most + 1) }, make).join(between)
  const chance = p => random() < p

  const name = () => one(NAMES)
  const key = () =>
    chance(0.15) ? `[${chance(0.5) ? 'Symbol.iterator' : 'Symbol.toPrimitive'}]` : JSON.stringify(one(KEYS))
  const member = () => (chance(0.3) ? `[${expression(1)}]` : `[${JSON.stringify(one(KEYS))}]`)

  // `await` stands only where it parses.
  let mayAwait = true
  const wait = p => (mayAwait && chance(p) ? 'await ' : '')
  const inside = (isAsync, make) => {
    const outer = mayAwait
    mayAwait = isAsync
    const made = make()
    mayAwait = outer
    return made
  }

  const leaf = () => {
    switch (below(8)) {
      case 0:
      case 1:
        return one(NUMBERS)
      case 2:
        return one(TEXTS)
      case 3:
        return one(PATTERNS)
      case 4:
        return one(GLOBALS)
      default:
        return name()
    }
  }

  const method = depth => {
    switch (below(4)) {
      case 0:
        return `get ${key()}() { ${inside(false, () => body(depth))} }`
      case 1:
        return `set ${key()}(v) { ${inside(false, () => body(depth))} }`
      case 2: {
        const kind = one(['', 'async ', '*', 'async *'])
        return `${kind}${key()}(${parameters()}) { ${inside(kind.startsWith('async'), () => body(depth))} }`
      }
      default:
        return `${key()}: ${expression(depth)}`
    }
  }

  const parameters = () => some(2, (_, i) => `p${i} = ${leaf()}`)

  const fn = depth => {
    const head = one(['function', 'function*', 'async function', 'async function*', 'arrow', 'async arrow'])
    const isAsync = head.startsWith('async')
    const inner = inside(isAsync, () => body(depth))
    if (head.endsWith('arrow')) return `(${isAsync ? 'async ' : ''}(...x) => { ${inner} })`
    return `(${head} (${parameters()}) { ${inner} })`
  }

  const call = depth => {
    const args = some(3, () => (chance(0.1) ? `...${expression(depth)}` : expression(depth)))
    switch (below(6)) {
      case 0:
        return `${one(STATICS)}(${args})`
      case 1:
        return `new ${one(CLASSES)}(${args})`
      case 2:
        return `${wait(0.7)}tools[${JSON.stringify(one(TOOLS))}](${args})`
      case 3:
        return `${wait(0.5)}catalog.search(${args})`
      default:
        return `(${expression(depth)})${chance(0.3) ? '?.' : '.'}${one(METHODS)}(${args})`
    }
  }

  function expression(depth) {
    if (depth <= 0) return leaf()
    const next = depth - 1
    switch (below(16)) {
      case 0:
        return `[${some(4, () => (chance(0.1) ? '' : expression(next)))}]`
      case 1:
        return `({ ${some(3, () => method(next))} })`
      case 2:
        return fn(next)
      case 3:
      case 4:
      case 5:
      case 6:
        return call(next)
      case 7:
        return `((${expression(next)}) ${one(OPERATORS)} (${expression(next)}))`
      case 8:
        return `(${expression(next)})${member()}`
      case 9:
        return `(${one(['typeof', 'void', '!', '-', '~', mayAwait ? 'await' : '!'])} (${expression(next)}))`
      case 10:
        return `(${expression(next)} ? ${expression(next)} : ${expression(next)})`
      case 11:
        return `new Proxy(${chance(0.5) ? 'function () {}' : '{ a: 1 }'}, { ${one(['get', 'has', 'ownKeys', 'apply', 'construct', 'getPrototypeOf', 'defineProperty', 'getOwnPropertyDescriptor'])}(...x) { ${inside(false, () => body(next))} } })`
      case 12:
        return `(class extends (${chance(0.5) ? one(CLASSES) : 'Object'}) { #p = ${leaf()}; static f = ${fn(next)} })`
      case 13:
        return `\`${one(['', 'a', '\\0'])}\${${expression(next)}}\``
      case 14:
        return `eval(${JSON.stringify(inside(false, () => expression(next)))})`
      default:
        return leaf()
    }
  }

  function body(depth) {
    return `${some(2, () => statement(depth - 1), ' ')} ${chance(0.6) ? `return ${expression(depth - 1)}` : ''}`
  }

  function statement(depth) {
    const next = depth - 1
    if (depth <= 0) return `${name()} = ${leaf()};`
    switch (below(16)) {
      case 0:
        return `try { ${statement(next)} ${statement(next)} } catch (e) { ${chance(0.5) ? statement(next) : ''} }${chance(0.3) ? ` finally { ${statement(next)} }` : ''}`
      case 1:
        return `for (let i = 0; i < ${one(['3', '20', '300', '2e4', '1e9'])}; i++) { ${statement(next)} }`
      case 2:
        return `for (const k of ${expression(next)}) { ${statement(next)} if (${chance(0.9)}) break }`
      case 3:
        return `for (const k in ${expression(next)}) { ${statement(next)} }`
      case 4:
        return `if (${expression(next)}) { ${statement(next)} } else { ${statement(next)} }`
      case 5:
        return `(${expression(next)})${member()} = ${expression(next)};`
      case 6:
        return `delete (${expression(next)})${member()};`
      case 7:
        return `Object.defineProperty(${chance(0.3) ? `${one(CLASSES)}.prototype` : expression(next)}, ${JSON.stringify(one(KEYS))}, { configurable: true, ${chance(0.5) ? `value: ${expression(next)}` : `get() { ${inside(false, () => body(next))} }`} });`
      case 8:
        return `console.${one(['log', 'warn', 'error'])}(${some(3, () => expression(next))});`
      case 9:
        return `setTimeout(${fn(next)}, ${one(['0', '1', '5', 'NaN', '1e9'])});`
      case 10:
        return chance(0.2) ? `throw ${expression(next)};` : `${name()} = ${expression(next)};`
      case 11:
        return `var { a: p${below(9)} = ${expression(next)} } = ${expression(next)} ?? {};`
      case 12:
        return `l${below(99)}: for (;;) { ${statement(next)} break }`
      case 13:
        return `switch (${expression(next)}) { case ${expression(next)}: ${statement(next)} default: ${statement(next)} }`
      default:
        return `${name()} = ${expression(depth)};`
    }
  }

  const lines = Array.from({ length: 2 + below(10) }, () => statement(4))
  const guarded = chance(0.7) ? lines.map(line => `try { ${line} } catch (e) { a = e }`) : lines
  return `let ${NAMES.map((n, i) => `${n} = ${[`{ a: ${i} }`, `[${i}]`, `${i}`, 'undefined'][below(4)]}`).join(', ')}\n${guarded.join('\n')}\nreturn ${chance(0.5) ? name() : expression(2)}`
}
