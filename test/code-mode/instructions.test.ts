import { createToolRegistry, defineTool } from 'toolgate'
import { quickJsRuntime } from 'toolgate/quickjs'
import { typescriptChecker } from 'toolgate/typecheck'
import { describe, expect, it } from 'vitest'
import { countedTool, gate, settle } from '../support/tools.js'

const codeRuntime = quickJsRuntime()
const sum = defineTool({
  name: 'sum',
  description: 'Adds.',
  parameters: { a: { type: 'number', required: true }, b: { type: 'number', required: true } },
  output: { schema: { type: 'number' }, render: (_args, value) => [{ type: 'text', text: String(value) }] },
  execute: ({ a, b }) => a + b,
})
const picture = countedTool('picture', () => [{ type: 'image', data: 'AAAA', mimeType: 'image/png' }])
const odd = countedTool('odd-name', () => 'odd')
const bad = countedTool('bad', () => {
  throw new Error('it broke')
})
const registry = createToolRegistry({ tools: [sum, picture, odd, bad], mode: 'code', codeRuntime })

const call = (code: string, on = registry) =>
  on.execute({ callId: 'c', name: 'run_code', arguments: { code, description: 'Try it out now' } })
async function value(code: string): Promise<unknown> {
  const result = await call(code)
  if (result.isError) throw new Error(result.error.message)
  return (result.value as { result?: unknown }).result
}
const text = (on = registry): string =>
  on
    .present()
    .sections.map(section => section.text)
    .join('\n')

/** Each rule of the instructions, word for word, with what shows that it holds. */
const rules: readonly (readonly [rule: string, holds: () => Promise<void>])[] = [
  [
    'Types are for you: they are removed, not checked.',
    async () =>
      expect(await value('const n: string = 5 as any; let m: number = "x"; return [n, m]')).toEqual([5, 'x']),
  ],
  [
    'Call a tool with one object: `await tools.name({ ... })`',
    async () => {
      expect(await value('return await tools.sum({ a: 1, b: 2 })')).toBe(3)
      expect(await value('try { await tools.sum(1, 2) } catch (e) { return e.code }')).toBe('INVALID_ARGS')
    },
  ],
  [
    'quote odd names: `await tools["odd-name"]({ ... })`',
    async () => expect(await value('return await tools["odd-name"]({})')).toBe('odd'),
  ],
  [
    'Arguments and results are JSON: no undefined, NaN, functions, Dates or Maps.',
    async () => {
      for (const lossy of ['[undefined]', 'NaN', '() => 1', 'new Date()', 'new Map()']) {
        expect(await call(`return { a: ${lossy} }`)).toMatchObject({
          error: { details: { kind: 'invalid-output' } },
        })
        expect(
          await value(`try { await tools.sum({ a: ${lossy}, b: 1 }) } catch (e) { return e.code }`),
        ).toBe('INVALID_ARGS')
      }
    },
  ],
  [
    'A failed call rejects with `ToolCallError` (`toolName`, `code`, `message`); catch it to go on.',
    async () =>
      expect(
        await value(
          'try { await tools.bad({}) } catch (e) { return [e instanceof ToolCallError, e.toolName, e.code, e.message, await tools.sum({ a: 1, b: 1 })] }',
        ),
      ).toEqual([true, 'bad', 'TOOL_FAILED', expect.stringContaining('it broke'), 2]),
  ],
  [
    'Independent reads may overlap with `Promise.all`; calls that change something run alone, in order.',
    async () => {
      const open = gate()
      const running: string[] = []
      const body = (name: string) => async () => {
        running.push(name)
        await open.promise
        return name
      }
      const safe = { isConcurrencySafe: () => true }
      const overlapping = createToolRegistry({
        mode: 'code',
        codeRuntime,
        tools: [
          countedTool('read', body('read'), safe),
          countedTool('peek', body('peek'), safe),
          countedTool('write', body('write')),
        ],
      })
      const ended = call(
        'return await Promise.all([tools.read({}), tools.peek({}), tools.write({})])',
        overlapping,
      )
      while (running.length < 2) await settle()
      await settle()
      expect(running).toEqual(['read', 'peek'])
      open.open()
      expect(await ended).toMatchObject({ value: { result: ['read', 'peek', 'write'] } })
    },
  ],
  [
    'Await every call.',
    async () =>
      expect(await call('tools.sum({ a: 1, b: 1 }); return 1')).toMatchObject({
        value: { notAwaited: ['sum'] },
      }),
  ],
  [
    'Only what you `return` or `console.log` comes back.',
    async () => {
      const result = await call('await tools.sum({ a: 20, b: 3 }); console.log("said"); return "told"')
      expect(result.content).toEqual([{ type: 'text', text: 'said\ntold' }])
    },
  ],
  [
    'Images that tools return are attached for you afterwards.',
    async () => {
      const result = await call('await tools.picture({}); return 1')
      expect(JSON.stringify(result.additionalContexts)).toContain('image/png')
    },
  ],
  [
    'Beside the language there are `setTimeout`, `URL`, `TextEncoder`, `TextDecoder`, `structuredClone`, `atob`, `btoa`, `crypto.randomUUID` and `Intl` for en-US',
    async () =>
      expect(
        await value(
          `await new Promise(done => setTimeout(done, 1))
return [new URL('http://a/b').pathname, new TextDecoder().decode(new TextEncoder().encode('é')), structuredClone([1]), atob(btoa('x')), crypto.randomUUID().length, new Intl.NumberFormat('en-US').format(1e6)]`,
        ),
      ).toEqual(['/b', 'é', [1], 'x', 36, '1,000,000']),
  ],
  [
    'the time zone is UTC',
    async () =>
      expect(
        await value('return [new Date(2020, 0).toISOString(), new Date(0).toLocaleTimeString()]'),
      ).toEqual(['2020-01-01T00:00:00.000Z', '12:00:00 AM']),
  ],
  [
    'There is no fetch, file system, import or require',
    async () => {
      for (const use of ['fetch("x")', 'require("fs")', 'await import("fs")', 'fs.readFileSync("x")'])
        expect(await call(`return ${use}`)).toMatchObject({
          error: { message: expect.stringMatching(/What exists: tools/) },
        })
      expect(await call('import fs from "fs"\nreturn fs')).toMatchObject({
        error: { details: { kind: 'syntax' } },
      })
    },
  ],
]

describe('the instructions', () => {
  it.each(rules)('say "%s", and it is so', async (rule, holds) => {
    expect(text()).toContain(rule)
    await holds()
  })

  it('have no rule without a test', () => {
    const [, list = ''] = text().split('\n\n- ')
    let left = `Types are for you: they are removed, not checked. ${list.split('\n\n```')[0]}`
    for (const [rule] of rules) left = left.replace(rule, '')
    left = left
      .replace('It resolves to the value declared below.', '')
      .replace(': all else comes from tools', '')
      .replace(/[\s.;:-]+/g, '')
    expect(left).toBe('')
  })

  it('are short', () => {
    const [rulesText = ''] = text().split('```ts')
    expect(rulesText.length).toBeLessThan(1900)
  })

  it('say that a program is checked exactly where it is', async () => {
    const checked = createToolRegistry({
      tools: [sum],
      mode: 'code',
      codeRuntime,
      codeMode: { check: typescriptChecker() },
    })
    expect(text(checked)).toContain(
      'checked against the declarations below before any of it runs; your own types are removed',
    )
    expect(text(checked)).not.toContain('not checked')
    expect(await call('return tools.sum({ a: "x", b: 1 })', checked)).toMatchObject({
      error: { details: { kind: 'type-error' } },
    })
    expect(await call('const n: string = 5; return n', checked)).toMatchObject({ value: { result: 5 } })
  })

  it('say how to find tools where only names are listed, and it works so', async () => {
    const many = createToolRegistry({ tools: [sum], mode: 'code', codeRuntime, codeMode: { sdk: 'search' } })
    expect(text(many)).toContain(
      'Only names are listed here. Find tools with `await catalog.search(query)` and read a declaration with `await catalog.describe(name)`',
    )
    expect(
      await call('const [t] = await catalog.search("adds"); return await catalog.describe(t.name)', many),
    ).toMatchObject({
      value: { result: expect.stringContaining('sum(args: { a: number; b: number }') },
    })
  })

  it('say what the only tool is where it is the only one', async () => {
    expect(text()).toContain(
      '`run_code` is the only tool you can call directly; a direct call to any other fails',
    )
    const before = odd.runs()
    expect(await registry.execute({ callId: 'd', name: 'odd-name', arguments: {} })).toMatchObject({
      error: { code: 'UNKNOWN_TOOL' },
    })
    expect(odd.runs()).toBe(before)
  })
})

describe('places are those of the text as it was submitted', () => {
  // Each throws where it says `null.x`, or `o.b.c`: at the dot.
  const thrown: readonly (readonly [what: string, code: string])[] = [
    ['LF', 'const a = 1\nnull.x'],
    ['CRLF', 'const a = 1\r\nconst b = 2\r\nnull.x'],
    ['a lone CR', 'const a = 1\rnull.x'],
    ['lone CRs and CRLF', 'const a = 1\rconst b = 2\r\nconst c = 3\n\r\nnull.x'],
    ['tabs', '\tif (true) {\n\t\tnull.x\n\t}'],
    ['a byte order mark', '\uFEFFnull.x'],
    ['wide characters before it', 'const 名 = "😀😀"; null.x'],
    ['types before it', 'const a: Map<string, Array<number>> = new Map(); null.x'],
    ['a generic call before it', 'const f = <T,>(x: T): T => x; f<{ a: string }>({ a: "" }); null.x'],
    ['as and satisfies', 'const o = { a: 1 } satisfies object as any as Record<string, any>; o.b.c'],
    ['an interface of many lines', 'interface A {\n  a: string\n}\ntype B = A |\n  null\nnull.x'],
    ['a fenced block', '```ts\nconst a: number = 1\nnull.x\n```'],
    ['a fenced block after blank lines, CRLF', '\r\n\r\n```typescript\r\nnull.x\r\n```\r\n'],
    ['an arrow function', 'async (): Promise<void> => {\n  null.x\n}'],
    ['an arrow function after a comment', '/* why */ async (): Promise<void> => { null.x }'],
    ['a default export', 'export default async function main(): Promise<void> {\n  null.x\n}'],
    ['an enum before it', 'enum E { A = 1, B }\nconst b: E = E.B; null.x'],
    [
      'parameter properties before it',
      'class P { constructor(private readonly x: number) {} }\nnew P(1); null.x',
    ],
    ['a template of several lines', 'const t = `a\n$' + '{1}\nb`; null.x'],
    ['a line separator in a text', 'const s = "\u2028"; null.x'],
    ['a line separator in a template', 'const s = `\u2028`;\nnull.x'],
    ['a line separator between statements', 'const s = 1\u2028null.x'],
  ]
  it.each(thrown)('%s', async (_what, code) => {
    const result = await call(code)
    const message = result.isError ? result.error.message : ''
    expect(result).toMatchObject({ isError: true, error: { details: { kind: 'exception' } } })
    const dot = code.includes('null.x') ? code.indexOf('null.x') + 4 : code.indexOf('o.b.c') + 3
    const before = code.slice(0, dot).split(/\r\n|[\n\r\u2028\u2029]/)
    const last = before.at(-1) as string
    expect(message).toMatch(new RegExp(`at (?:main \\()?${before.length}:${last.length + 1}\\)?$`, 'm'))
    const shown = message.split('\n').find(line => line.startsWith('>')) ?? ''
    expect(shown).toMatch(/null\.x|o\.b\.c/)
    expect(shown).toContain(`> ${before.length} |`)
  })

  it('in what does not parse too', async () => {
    const result = await call('const a = 1\rconst b = 2\r\n\tconst c = ;')
    expect(result.isError ? result.error.message : '').toMatch(/\(3:12\)\n\n {2}2 \| const b = 2\n> 3 \|/)
  })

  it('frames are the own ones, three lines around the first, and nothing of the sandbox', async () => {
    const code =
      'const a = 1\nconst inner = () => { throw new TypeError("x") }\nconst outer = () => [1].map(inner)\nouter()\nreturn a'
    const result = await call(code)
    const message = result.isError ? result.error.message : ''
    expect(message).toMatch(
      /^exception: TypeError: x\n\n {2}1 \| const a = 1\n> 2 \| .*\n {4}\| +\^\n {2}3 \| .*\n\n/,
    )
    expect(message).toContain('at inner (2:')
    expect(message).toContain('at outer (3:')
    expect(message).not.toMatch(/toolgate|native|eval|program\.ts/)
  })

  it('what a part of the sandbox throws is placed where the program used it', async () => {
    for (const use of [
      'new URL("bad")',
      'structuredClone(() => 1)',
      '(1).toLocaleString("x_y")',
      'JSON.parse("{")',
    ]) {
      const result = await call(`const a = 1\nconst b = ${use}`)
      const message = result.isError ? result.error.message : ''
      expect(message).toMatch(/\n> 2 \| const b/)
      expect(message.match(/^ {4}at /gm)).toHaveLength(1)
    }
  })
})
