import { createToolRegistry, defineTool } from 'toolgate'
import { quickJsRuntime } from 'toolgate/quickjs'
import { typescriptChecker } from 'toolgate/typecheck'
import { describe, expect, it } from 'vitest'
import { countedTool } from '../support/tools.js'

const readFile = defineTool({
  name: 'read_file',
  description: 'Reads a file.',
  parameters: { path: { type: 'string', required: true }, limit: { type: 'integer' } },
  output: {
    schema: {
      type: 'object',
      additionalProperties: false,
      properties: {
        text: { type: 'string', required: true },
        more: {
          oneOf: [
            {
              type: 'object',
              additionalProperties: false,
              properties: { next: { type: 'integer', required: true } },
            },
            { type: 'null' },
          ],
        },
      },
    },
    render: (_args, { text }) => [{ type: 'text', text }],
  },
  execute: ({ path }) => ({ text: `text of ${path}`, more: null }),
})

const setup = () => {
  const counted = countedTool('delete-all')
  const registry = createToolRegistry({
    mode: 'code',
    tools: [readFile, counted],
    codeRuntime: quickJsRuntime(),
    codeMode: { check: typescriptChecker() },
  })
  const run = (code: string) =>
    registry.execute({ callId: '1', name: 'run_code', arguments: { code, description: 'Does it' } })
  return { run, counted }
}

describe('a program that the checker refuses', () => {
  const { run, counted } = setup()

  it.each<[string, string, RegExp, string]>([
    [
      'an unknown tool',
      'await tools["delete-all"]({})\nreturn tools.read_fil({ path: "a" })',
      /read_fil.*Did you mean 'read_file'\?/,
      '2:14',
    ],
    [
      'an unknown tool in brackets',
      'await tools["delete-all"]({})\nreturn tools["nope-nope"]({})',
      /nope-nope/,
      '2:8',
    ],
    [
      'a wrong argument',
      'await tools["delete-all"]({})\nreturn tools.read_file({ path: 5 })',
      /'number' is not assignable to type 'string'/,
      '2:26',
    ],
    ['a missing argument', 'await tools["delete-all"]({})\nreturn tools.read_file({})', /path/, '2:24'],
    [
      'no arguments where some are needed',
      'await tools["delete-all"]({})\nreturn tools.read_file()',
      /Expected 1 argument/,
      '2:14',
    ],
    [
      'an unknown member of a result',
      'await tools["delete-all"]({})\nconst file = await tools.read_file({ path: "a" })\nreturn file.texts',
      /'texts'.*Did you mean 'text'/,
      '3:13',
    ],
    [
      'a forgotten await',
      'await tools["delete-all"]({})\nconst file = tools.read_file({ path: "a" })\nreturn file.text',
      /'text' does not exist.*Put await in front of the call/,
      '3:13',
    ],
    [
      'a fault in a fenced arrow function',
      '```ts\nasync () => {\n  await tools["delete-all"]({})\n  return (await tools.read_file({ path: "a" })).size\n}\n```',
      /'size'/,
      '4:49',
    ],
    [
      'a fault in a default export',
      'export default async function main() {\n  await tools["delete-all"]({})\n  return catalog.find("x")\n}',
      /'find'/,
      '3:18',
    ],
    [
      'a fault on the first line',
      'const all = await tools.read_file({ path: "a" }); return [all.lines, await tools["delete-all"]({})]',
      /'lines'/,
      '1:63',
    ],
  ])('%s: nothing has run, and the place is told', async (_what, code, message, place) => {
    const result = await run(code)
    expect(result).toMatchObject({
      isError: true,
      error: { code: 'CODE_RUN_FAILED', details: { kind: 'type-error' } },
    })
    const text = result.isError ? result.error.message : ''
    expect(text).toMatch(message)
    expect(text).toContain(`(${place})`)
    expect(text).toMatch(/^> \d+ \|/m)
    expect(counted.runs()).toBe(0)
  })
})

describe('a program that the checker lets run', () => {
  const { run } = setup()

  it.each<[string, string, unknown]>([
    [
      'annotations of its own are advice',
      'const n: number = "text" as any; const s: string = 5; return s',
      5,
    ],
    [
      'a member that one branch of a union has',
      'const f = await tools.read_file({ path: "a" }); const m = f.more; return m?.next ?? "none"',
      'none',
    ],
    [
      'promises awaited together',
      'const [a, b] = await Promise.all([tools.read_file({ path: "a" }), tools.read_file({ path: "b", limit: 1 })]); return a.text + b.text',
      'text of atext of b',
    ],
    ['implicit any', 'const twice = x => x + x; return twice("a")', 'aa'],
    ['what is narrowed at run time', 'const x = JSON.parse("{\\"a\\":1}"); return x.a', 1],
    ['the catalogue', 'return (await catalog.search("file"))[0].name', 'read_file'],
    ['sets and maps', 'return [...new Set([1, 1, 2])].length + new Map([[1, 2]]).size', 3],
    [
      'catching a failed call',
      'try { await tools["delete-all"]({}) } catch (error) { return error.code } return "ran"',
      'ran',
    ],
  ])('%s', async (_what, code, value) => {
    expect(await run(code)).toMatchObject({ isError: false, value: { result: value } })
  })

  it('what does not parse is the runtime’s to say', async () => {
    expect(await run('return (')).toMatchObject({ error: { details: { kind: 'syntax' } } })
  })
})

it('tells the first five problems and counts the rest', async () => {
  const { run } = setup()
  const result = await run(Array.from({ length: 8 }, (_, i) => `tools.nothing${i}({})`).join('\n'))
  const text = result.isError ? result.error.message : ''
  expect(text.match(/nothing\d' does not exist/g)).toHaveLength(5)
  expect(text).toMatch(/and 3 more$/)
})

it('refuses what is no checker, and no number of problems', () => {
  const coded = expect.objectContaining({ code: 'INVALID_OPTIONS' })
  const codeRuntime = quickJsRuntime()
  expect(() => createToolRegistry({ codeRuntime, codeMode: { check: {} as never } })).toThrow(coded)
  expect(() => createToolRegistry({ codeRuntime, codeMode: { check: null as never } })).toThrow(coded)
  expect(() => typescriptChecker({ maxProblems: 0 })).toThrow(coded)
})

describe('a program too deep for the compiler', () => {
  it.each([
    ['a long sum', `return 1${'+1'.repeat(6000)}`, 6001],
    ['a long chain', `return [1]${'.map(x => x)'.repeat(1500)}`, [1]],
  ])('runs unchecked: %s', async (_what, code, value) => {
    const registry = createToolRegistry({
      mode: 'code',
      tools: [readFile],
      codeRuntime: quickJsRuntime(),
      codeMode: { check: typescriptChecker() },
    })
    const run = (text: string) =>
      registry.execute({ callId: 'c', name: 'run_code', arguments: { code: text, description: 'Count' } })
    expect(await run(code)).toMatchObject({ isError: false, value: { result: value } })
    // The next one is checked as ever.
    expect(await run('return await tools.nothing({})')).toMatchObject({
      error: { details: { kind: 'type-error' } },
    })
  })
})
