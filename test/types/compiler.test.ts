import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import ts from 'typescript'
import { describe, expect, it } from 'vitest'

const root = fileURLToPath(new URL('../..', import.meta.url)).replace(/[\\/]$/, '')
const FILE = `${root}/test/types/written-by-a-user.ts`

const OPTIONS: ts.CompilerOptions = {
  noEmit: true,
  strict: true,
  exactOptionalPropertyTypes: true,
  skipLibCheck: true,
  target: ts.ScriptTarget.ES2022,
  module: ts.ModuleKind.NodeNext,
  moduleResolution: ts.ModuleResolutionKind.NodeNext,
  lib: ['lib.es2023.d.ts', 'lib.esnext.disposable.d.ts', 'lib.dom.d.ts'],
  types: [],
  paths: { toolgate: [`${root}/src/index.ts`] },
}

/** An editor in which a user has written that text. */
function editor(text: string): ts.LanguageService {
  const { sys } = ts
  return ts.createLanguageService({
    getCompilationSettings: () => OPTIONS,
    getScriptFileNames: () => [FILE],
    getScriptVersion: () => '1',
    getScriptSnapshot: name => {
      const content = name === FILE ? text : sys.readFile(name)
      return content === undefined ? undefined : ts.ScriptSnapshot.fromString(content)
    },
    getCurrentDirectory: () => root,
    getDefaultLibFileName: options => ts.getDefaultLibFilePath(options),
    fileExists: name => name === FILE || sys.fileExists(name),
    readFile: name => (name === FILE ? text : sys.readFile(name)),
    readDirectory: sys.readDirectory,
    directoryExists: sys.directoryExists,
  })
}

const withTool = (parameters: string, rest = "execute: () => ''"): string =>
  `defineTool({ name: 'a', description: 'A tool', parameters: ${parameters}, ${rest} })\n`

describe('the compiler', () => {
  it('names the field of a schema that is wrong, and what may stand there', { timeout: 120_000 }, () => {
    const output = (schema: string, body: string): string =>
      withTool('{}', `output: { schema: ${schema}, render: () => [] }, execute: ${body}`)
    const mistakes: readonly (readonly [mistake: string, at: string, message: RegExp])[] = [
      [withTool("{ a: { type: 'strin' } }"), 'type', /"strin".*"integer".*Did you mean '"string"'/],
      [withTool("{ a: { type: 'object' } }"), 'a', /'additionalProperties' is missing/],
      [
        withTool("{ a: { type: 'string', required: false } }"),
        'required',
        /'false' is not assignable to type 'true'/,
      ],
      [
        withTool("{ a: { type: 'string', enum: ['b', 1] } }"),
        '1',
        /'number' is not assignable to type 'string'/,
      ],
      [withTool("{ a: { oneOf: [{ type: 'string' }] } }"), 'oneOf', /1 element\(s\) but target requires 2/],
      [
        withTool("{ a: { type: 'array', items: { type: 'array', items: { type: 'nul' } } } }"),
        'type',
        /"nul".*Did you mean '"null"'/,
      ],
      [withTool('{}', "execute: () => '', timeout: 5"), 'timeout', /Did you mean to write 'timeoutMs'/],
      [withTool('{}', 'execute: () => 5'), '5', /'number' is not assignable to type 'ContentToolReturn /],
      [
        withTool('{ path: {type: "string"} }', "execute: args => args.pth ?? ''"),
        'pth',
        /type '{ path\?: string; }'/,
      ],
      [output("{ type: 'numbr' }", '() => 5'), 'schema', /"numbr".*Did you mean '"number"'/],
      [
        output("{ type: 'number' }", "() => '5'"),
        "'5'",
        /'string' is not assignable to type 'number \| Promise<number>'/,
      ],
      [
        output("{ type: 'array', items: { type: 'string', enum: ['on'] } }", "_ => ['off']"),
        "'off'",
        /"off"' is not assignable to type '"on"'/,
      ],
    ]
    const head = "import { defineTool } from 'toolgate'\n"
    const text = head + mistakes.map(([mistake]) => mistake).join('')
    const found = editor(text)
      .getSemanticDiagnostics(FILE)
      .map(({ start = 0, length, messageText }) => ({
        line: text.slice(0, start).split('\n').length - 2,
        at: text.slice(start, start + (length ?? 0)),
        message: ts.flattenDiagnosticMessageText(messageText, ' '),
      }))
    expect(found).toEqual(
      mistakes.map(([, at, message], line) => ({ line, at, message: expect.stringMatching(message) })),
    )
    for (const { message } of found) expect(message).not.toMatch(/RawJsonSchema|overload/)
  })

  it('shows plain types where one hovers', { timeout: 120_000 }, () => {
    const text = `import { defineTool } from 'toolgate'
defineTool({
  name: 'a',
  description: 'A tool',
  parameters: {
    path: { type: 'string', required: true, description: 'The file' },
    mode: { type: 'string', enum: ['r', 'w'] },
    edits: { type: 'array', items: { type: 'object', additionalProperties: false, properties: { line: { type: 'integer' } } } },
  },
  output: { schema: { oneOf: [{ type: 'number' }, { type: 'null' }] }, render: (args, value) => [] },
  execute: given => null,
})`
    const service = editor(text)
    const shown = (name: string): string =>
      ts
        .displayPartsToString(service.getQuickInfoAtPosition(FILE, text.indexOf(name))?.displayParts)
        .replace(/\s+/g, ' ')
    const args = '{ path: string; mode?: "r" | "w"; edits?: { line?: number; }[]; }'
    expect(shown('given')).toBe(`(parameter) given: ${args}`)
    expect(shown('args')).toBe(`(parameter) args: ${args}`)
    expect(shown('value)')).toBe('(parameter) value: number | null')
  })
})

describe('what tools cost the compiler', () => {
  const node = (...args: string[]): Promise<{ stdout: string; stderr: string }> =>
    promisify(execFile)(process.execPath, args, { cwd: root })

  it('is no more than with a plain generic function', { timeout: 120_000 }, async () => {
    const { stdout } = await node('bench/types/measure.mjs', 'src/index.ts', '--brief')
    expect(stdout).toMatch(/schema language \| toolgate \| [1-9]\d+ instantiations/)
  })

  it('is refused where it is more', { timeout: 120_000 }, async () => {
    const costly = node('bench/types/measure.mjs', 'test/types/fixtures/costly.ts', '--brief')
    await expect(costly).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringMatching(
        /^100 tools cost \d+ instantiations, with a plain generic function \d+\n$/,
      ),
    })
  })

  it('fits into a heap of 1 GiB for 200 zod tools', { timeout: 120_000 }, async () => {
    const child = 'bench/types/compile-child.mjs'
    const { stdout } = await node('--max-old-space-size=1024', child, 'toolgateZod', '200', 'src/index.ts')
    expect(JSON.parse(stdout)).toMatchObject({ instantiations: expect.any(Number) })
  })
})
