import { type CodeChecker, renderToolsSdk } from 'toolgate'
import { typescriptChecker } from 'toolgate/typecheck'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import { honestTools } from './support/honest-tools.js'
import { faultyPrograms, honestPrograms } from './support/program-files.js'

const closed = (properties: object, required: readonly string[] = Object.keys(properties)): object => ({
  type: 'object',
  properties,
  required,
  additionalProperties: false,
})
const items = { type: 'array', items: closed({ id: { type: 'number' } }) }
const declarations = renderToolsSdk([
  {
    name: 'read',
    description: 'Reads.',
    parameters: closed({ path: { type: 'string' }, limit: { type: 'integer' } }, ['path']),
    output: closed({ text: { type: 'string' }, items }),
  },
  { name: 'json', description: 'Anything.', parameters: { type: 'object' }, output: {} },
  {
    name: 'flag',
    description: 'True or false.',
    parameters: { type: 'object' },
    output: { type: 'boolean' },
  },
  { name: 'count', description: 'A number.', parameters: { type: 'object' }, output: { type: 'number' } },
  {
    name: 'names',
    description: 'Names.',
    parameters: { type: 'object' },
    output: { type: 'array', items: { type: 'string' } },
  },
  { name: 'text', description: 'Text.', parameters: { type: 'object' } },
] as never)

const honestDeclarations = renderToolsSdk(honestTools())

/** Programs that run well, as models write them. */
const FINE = [
  'const counts = {}; for (const w of ["a"]) counts[w] = (counts[w] ?? 0) + 1; return counts',
  'const o = {}; o.a = 1; return o.a',
  'const o = { a: 1 }; o.b = 2; return o.b',
  'const m = {}; m["k"] ||= []; m["k"].push(1); return m',
  'return [1, 2].reduce((all, x) => { all[x] = 1; return all }, {})',
  'class A { x = 1 }; const a = new A(); a.y = 2; return a.y',
  'const xs = [1]; xs.total = 5; return xs.length',
  'const r = await tools.json({}); return r.foo.bar[0]',
  'const r = await tools.json({}); const { a, b: [c] } = r; return [a, c]',
  'const rows = []; for (const x of await tools.names({})) rows.push(x); return rows[0].length',
  'let x; x = await tools.count({}); return x + 1',
  'try { await tools.count({}) } catch (e) { return e.message + e.code + e.toolName }',
  'function f(a, b) { return a } return f(1)',
  'const t = JSON.parse("{}"); return t.x.y',
  'return Object.groupBy((await tools.read({ path: "a" })).items, i => i.id)',
  'return JSON.parse(await tools.text({})).x',
  'const all = await Promise.all(["a"].map(path => tools.read({ path }))); return all.map(a => a.text)',
  'const settled = await Promise.allSettled([tools.count({})]); return settled.map(x => x.value)',
  'const args = { path: "a" }; args.limit = 5; return await tools.read(args)',
  'const name = "re" + "ad"; return await tools[name]({ path: "a" })',
  'for (const n of ["count", "flag"]) await tools[n]({}); return 1',
  'return (await catalog.search("x"))[0]?.name',
  'return await catalog.describe("read")',
  'return new URL("http://a").host + new TextEncoder().encode("x").length + crypto.randomUUID()',
  'return (await tools.names({})).at(-1).length',
  'return await tools.read({ path: "a", limit: undefined })',
  'const go = async () => { const r = await tools.read({ path: "a" }); return r.text }; return go()',
  'const options: any = {}; return await tools.read(options)',
  'return [new Set([1]).union(new Set([2])).size, [3, 1].toSorted(), Math.max(...[1, 2])]',
  'return new Intl.NumberFormat("en-US").format(1) + (5).toLocaleString() + structuredClone({ a: 1 }).a',
  'const p = tools.flag({}); if (await p) return 1',
  'const n: string = 5 as any; const s: number = "x"; return s',
  'return tools.count({})',
  'const { read } = tools; return (await read({ path: "a" })).text',
  'setTimeout(() => {}, 1); console.log(performance.now()); return atob(btoa("a"))',
]

/** Programs that fail or lie, and what is said of them. */
const FAULTY: readonly (readonly [string, RegExp])[] = [
  ['if (tools.flag({})) return 1', /Put await in front of the call\. \(1:5\)/],
  ['return tools.flag({}) && 1', /Put await/],
  ['while (!tools.flag({})) {}', /always false.*Put await.*\(1:9\)/],
  ['const n = tools.count({}); return n + 1', /Operator '\+'.*Put await/],
  ['return tools.count({}) > 3', /Put await/],
  ['for (const x of tools.names({})) console.log(x)', /Put await/],
  ['return [...tools.names({})]', /Put await/],
  ['const { text } = tools.read({ path: "a" }); return text', /'text'.*Put await/],
  ['return tools.names({}).map(x => x)', /'map'.*Put await.*\(1:24\)/],
  ['return ["a"].map(path => tools.read({ path }))[0].text', /'text'.*Put await/],
  ['return tools.read({ path: tools.text({}) })', /'Promise<string>' is not assignable to type 'string'/],
  ['return (await tools.read({ path: "a" })).items.map(i => i.name)', /'name' does not exist/],
  ['const { txt } = await tools.read({ path: "a" }); return txt', /'txt' does not exist/],
  ['return (await tools.read({ path: "a" }))["size"]', /'size' does not exist|"size"/],
  ['return await tools.read({ path: 1 })', /'number' is not assignable to type 'string'/],
  ['return await tools.read({ file: "a" })', /'file' does not exist/],
  ['return await tools.read("a")', /Argument of type 'string'/],
  ['return await tools.read({ path: "a" }, 2)', /Expected 1 arguments, but got 2/],
  ['return await tools.raed({ path: "a" })', /'raed' does not exist|Did you mean 'read'/],
  ['return await tools["no-such"]({})', /no-such/],
  ['return (await tools.names({})).lenght', /Did you mean 'length'/],
  ['return (await tools.names({})).contains("x")', /'contains' does not exist/],
  ['return (await tools.text({})).data', /'data' does not exist on type 'string'/],
  ['return await catalog.describe(5)', /'number' is not assignable/],
  ['return await catalog.list()', /'list' does not exist/],
  ['console.tabel([1])', /'tabel' does not exist/],
]

async function checkerOf(version: string): Promise<CodeChecker> {
  if (version.startsWith('5.9')) vi.doMock('typescript', () => import('typescript-5.9'))
  else vi.doUnmock('typescript')
  vi.resetModules()
  const { typescriptChecker: make } = await import('toolgate/typecheck')
  const ts = (await import('typescript')).default
  expect(ts.version.startsWith(version)).toBe(true)
  return make()
}

describe.each(['6.', '5.9'])('with TypeScript %s', version => {
  let made: CodeChecker
  beforeAll(async () => {
    made = await checkerOf(version)
  })

  it.each(FINE)('%s is let through', async program => {
    expect(await made.check({ program, declarations })).toBeUndefined()
  })

  it.each(FAULTY)('%s is refused', async (program, told) => {
    const text = (await made.check({ program, declarations })) ?? ''
    expect(text).toMatch(told)
    expect(text).toMatch(/\(\d+:\d+\)\n\n(?:.*\n)?> 1 \| /)
  })

  it.each(honestPrograms)('%s is let through', async program => {
    expect(await made.check({ program, declarations: honestDeclarations })).toBeUndefined()
  })

  it.each(faultyPrograms)('%s is refused', async (program, told, place) => {
    const [problem = ''] =
      (await made.check({ program, declarations: honestDeclarations }))?.split('\n') ?? []
    expect(problem).toContain(told)
    expect(problem.endsWith(place)).toBe(true)
  })

  it('what does not parse is let through, for the runtime to say', async () => {
    expect(await made.check({ program: 'return (', declarations })).toBeUndefined()
    expect(await made.check({ program: '{"a": 1}', declarations })).toBeUndefined()
  })

  it.each([
    ['async () => {\n  return tools.raed({})\n}', '2:16'],
    ['export default async () => tools.raed({})', '1:34'],
    ['```ts\r\nreturn tools.raed({})\r\n```', '2:14'],
    ['\uFEFFreturn tools.raed({})', '1:15'],
    ['const 名 = "😀"; return tools.raed({})', '1:30'],
    ['\t\tif (true) {\r\n\t\t\treturn tools.raed({})\r\n\t\t}', '2:17'],
  ])('the place of %j is %s', async (program, place) => {
    expect(await made.check({ program, declarations })).toContain(`(${place})`)
  })
})

describe('a peer that cannot check', () => {
  const refusal = expect.objectContaining({ code: 'INVALID_OPTIONS' })
  const broken = async (change: (ts: typeof import('typescript')) => object): Promise<() => unknown> => {
    vi.resetModules()
    vi.doMock('typescript', async importOriginal => {
      const { default: ts } = await importOriginal<{ default: typeof import('typescript') }>()
      return { default: { ...ts, ...change(ts) } }
    })
    const { typescriptChecker: make } = await import('toolgate/typecheck')
    vi.doUnmock('typescript')
    vi.resetModules()
    return () => make()
  }

  it.each<[string, (ts: typeof import('typescript')) => object]>([
    ['is too old', () => ({ version: '5.8.3' })],
    ['has no language service', () => ({ createLanguageService: undefined })],
    ['has no file system', () => ({ sys: undefined })],
    ['has lost its library', ts => ({ sys: { ...ts.sys, readFile: () => undefined } })],
    ['says nothing of its version', () => ({ version: undefined })],
  ])('is refused at construction when it %s', async (_what, change) => {
    const make = await broken(change)
    let thrown: unknown
    try {
      make()
    } catch (error) {
      thrown = error
    }
    expect(thrown).toEqual(refusal)
  })
})

it('reads each program once and the declarations only when they change', async () => {
  const checker = typescriptChecker()
  const other = renderToolsSdk([{ name: 'write', description: 'Writes.', parameters: { type: 'object' } }])
  const program = 'return (await tools.read({ path: "a" })).text'
  expect(await checker.check({ program, declarations })).toBeUndefined()
  expect(await checker.check({ program, declarations: other })).toMatch(/'read' does not exist/)
  expect(await checker.check({ program, declarations })).toBeUndefined()
})
