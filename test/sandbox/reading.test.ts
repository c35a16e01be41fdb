import { describe, expect, test } from 'vitest'
import { loadTypeStripper } from '../../src/sandbox/quickjs/program/load-type-stripper.js'
import { run } from './support/run-code.js'

const LONG = 256 * 1024
const filled = (part: string, open = '', close = ''): string =>
  open + part.repeat(Math.floor((LONG - open.length - close.length) / part.length)) + close
const nested = (open: string, close: string, levels: number): string =>
  `return ${open.repeat(levels)}1${close.repeat(levels)}`

const cpuMsOf = async (work: () => unknown): Promise<number> => {
  const before = process.cpuUsage()
  await work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}

const stripper = await loadTypeStripper()
const plain = filled('a;')
for (let i = 0; i < 3; i++) stripper.strip(plain)
/** What a plain text of the same length takes here and now. */
const plainMs = Math.min(
  await cpuMsOf(() => stripper.strip(plain)),
  await cpuMsOf(() => stripper.strip(plain)),
)

describe('256 KiB are read in the time of a plain text a few times over', () => {
  test.each([
    ['class fields', filled('a=1;', 'class A{', '}')],
    ['classes', filled('class A{constructor(private a){}}')],
    ['parameters that are properties', filled('private a,', 'class A{constructor(', 'a){}}')],
    ['enums', filled('a=b,', 'enum A{', '}')],
    ['members of an enum', filled('a,', 'enum A{', '}')],
    ['members of an enum with a long name', filled('a,', `enum ${'A'.repeat(LONG / 4)}{`, '}')],
    ['a default export beside a name as long', filled('_', 'export default 1\n//exported')],
    ['overloads', filled('function f();', '', 'function f(){}')],
    ['overloads with type parameters', filled('function f<T>(a:T);', '', 'function f(){}')],
    ['declarations', filled('declare function f();')],
    ['constructors', filled('constructor(private a){}', 'class A{', '}')],
    ['conditions with arrows', filled('a?(b):c=>(d)?(e):f=>g;')],
    ['conditions in the middle of conditions', filled('a?(a?(a?(b):c=>d):c=>d):c=>d;')],
    ['calls that could be arrows in conditions', filled('a?async(b):c=>d;')],
    ['loops that wait', filled('for await(a of b)c;')],
    ['loops that wait beside a long name', filled('for await(a of b)c;', `$loop${'_'.repeat(LONG / 2)};`)],
    [
      'parameters and functions beside a long name',
      filled('(x,g=()=>x)=>x++;', `$rest${'0'.repeat(LONG / 2)};`),
    ],
    ['type assertions', filled('<a>{};')],
    ['comparisons that could be type arguments', filled('a<b;')],
    ['comparisons in comparisons', filled('a<a<a<a<a<a;')],
    ['arrows in default values, side by side', filled('(a=(a=(a=1)=>1)=>1)=>1;')],
    ['assertions in assertions, side by side', filled('<T>(<T>(<T>(<T>(1))));')],
    ['conditions that could be arrows', filled('a?(b):c;')],
    ['calls that could be arrows', filled('async(async(async(a)));')],
    ['the word import', filled('a;', 'x.import;')],
    ['a default export', filled('a;\n', 'export default 1;')],
    ['namespaces of types', filled('namespace A{}')],
    ['one type', filled('a:b;', 'type a={', '}')],
    ['comments that do not end', filled('/*')],
    ['blanks', filled(' ', 'a', 'b')],
    ['calls of super', filled('super();', 'class A extends B{constructor(private a){', '}}')],
    [
      'calls of super in place of many parameters',
      filled('super();', `class A extends B{constructor(${'private a,'.repeat(3000)}b){`, '}}'),
    ],
  ])('%s', async (_what, text) => {
    // What is refused is refused no later. Twice, for what else the machine does meanwhile.
    const once = await cpuMsOf(() => stripper.strip(text))
    const took = once < 5 * plainMs ? once : await cpuMsOf(() => stripper.strip(text))
    expect(took).toBeLessThan(10 * Math.max(plainMs, 50))
  })
})

describe('what lies in one another around a long text is read in the time of that text', () => {
  const around = (
    levels: number,
    open: string,
    close: string,
    lead: string,
    end: string,
    part: string,
  ): string => {
    const rest = LONG - lead.length - end.length - levels * (open.length + close.length) - 2
    return `${lead}${open.repeat(levels)}[${part.repeat(rest / part.length)}]${close.repeat(levels)}${end}`
  }
  test.each([
    ['calls before super', 'f(()=>{', '})\nsuper();', 'class A extends B{constructor(private a){', '}}'],
    ['names that are computed', '({[', '](a,b=()=>a){a=1}})', 'x=1;', ''],
    ['namespaces', 'namespace a{', '}', '', ''],
    ['enums in arrows', 'enum A{a=()=>{', '}}', '', ''],
    ['enums in functions in brackets', 'enum A{a=(function(){', '})}', '', ''],
    ['enums in classes', 'enum A{a=class{static{', '}}}', '', ''],
    ['enums that use constants', 'const a=()=>{enum A{b=a,c=b}', '}', '', ''],
    ['functions whose defaults see what they assign', '(a,b=()=>a)=>{a=1;', '}', '', ''],
    ['classes whose defaults see what they assign', 'x=class{constructor(private a=', '){}}', '', ''],
    ['loops that wait', 'for await(a of b){', '}', '', ''],
    ['loops with labels', 'a:b:for(;;){', 'continue a;}', '', ''],
    ['fields that are only declared', 'class A{declare a:1;b=', '}', '', ''],
    ['overloads', '(class{m(a=', '){}})', '', '', 'a|'],
    ['a name with escapes', '(class{constructor(private a=', '){}})', '', '', '\\u{61}'],
  ])('%s', async (_what, open, close, lead, end, part = ',') => {
    const msOf = async (levels: number): Promise<number> => {
      const text = around(levels, open, close, lead, end, part)
      return Math.min(await cpuMsOf(() => stripper.strip(text)), await cpuMsOf(() => stripper.strip(text)))
    }
    expect(await msOf(200)).toBeLessThan(4 * Math.max(await msOf(1), 50))
  })
})

test.each([
  ['classes in fields', nested('class{a=', '}', 150)],
  ['classes in static fields', nested('class{static a=', '}', 150)],
  ['classes in fields after types', nested('class{a:b=', '}', 150)],
  ['thousands of class fields', `return ${filled('a=1;', 'class A{', '}').slice(0, 60_000)}}`],
])('%s are read once, and run', async (_what, program) => {
  const { error } = await run(program)
  // A class is nothing that comes out.
  expect(error?.kind).toBe('invalid-output')
})

test('a failure in a text of many lines is told in the time of another', async () => {
  const text = (end: string): string =>
    `/*${'\n'.repeat(LONG - 300)}*/const f = n => n > 0 ? f(n - 1) + 1 : ${end}; return f(40)`
  const least = async (end: string): Promise<number> =>
    Math.min(await cpuMsOf(() => run(text(end))), await cpuMsOf(() => run(text(end))))
  const plainMs = await least('1')
  expect(await least('null.x')).toBeLessThan(plainMs + 100)
  expect((await run(text('null.x'))).error?.message).toContain(`at f (${LONG - 299}:`)
})
