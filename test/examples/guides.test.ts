import { spawn } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { ERROR_CODES } from '../../src/errors/error-codes.js'

const root = fileURLToPath(new URL('../..', import.meta.url))
const read = (path: string): string => readFileSync(`${root}/${path}`, 'utf8')

// A link to the file, its text, and what it prints.
const EXAMPLE =
  /^\[(examples\/guides\/[\w-]+\.ts)\]\(\.\.\/\.\.\/(.+)\):\n\n```ts\n([\s\S]*?)^```\n\nIt prints:\n\n```text\n([\s\S]*?)^```$/gm

const guides = readdirSync(`${root}/docs/guides`).map(file => {
  const text = read(`docs/guides/${file}`)
  const examples = [...text.matchAll(EXAMPLE)].map(([, path = '', link = '', code = '', output = '']) => ({
    path,
    link,
    code,
    output,
  }))
  return { file, text, examples }
})
const examples = guides.flatMap(guide => guide.examples)

function run(path: string): Promise<{ code: number | null; output: string; errors: string }> {
  const env = { ...process.env, CI: 'true', NO_COLOR: '1', FORCE_COLOR: undefined }
  const child = spawn(process.execPath, ['--import', 'tsx', path], {
    cwd: root,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  let errors = ''
  child.stdout.on('data', chunk => (output += chunk))
  child.stderr.on('data', chunk => (errors += chunk))
  return new Promise(resolve => child.on('close', code => resolve({ code, output, errors })))
}

describe('the guides', () => {
  it('are those that the README links', () => {
    const linked = [...read('README.md').matchAll(/^- \[docs\/guides\/(.+)\]\(docs\/guides\/(.+)\): .+/gm)]
    expect(linked.map(([, name]) => name).toSorted()).toEqual(guides.map(({ file }) => file).toSorted())
    for (const [, name, target] of linked) expect(target).toBe(name)
  })

  it.each(guides)('show every block of code in $file as an example that runs', ({ text, examples }) => {
    expect(examples.length).toBeGreaterThan(0)
    expect(text.match(/^```/gm)?.length).toBe(examples.length * 4)
  })

  it('show each example in one place', () => {
    const files = readdirSync(`${root}/examples/guides`).map(file => `examples/guides/${file}`)
    expect(examples.map(({ path }) => path).toSorted()).toEqual(files.toSorted())
  })

  it.each(guides)('link from $file only to what is there', ({ text }) => {
    for (const [, target = ''] of text.matchAll(/\]\(([^)#]+)[^)]*\)/g))
      expect(() => read(`docs/guides/${target}`)).not.toThrow()
  })
})

describe('the example of a guide', () => {
  it.each(examples)('$path is the file, letter by letter', ({ path, link, code }) => {
    expect(link).toBe(path)
    expect(code).toBe(read(path))
  })

  it.each(examples)('$path prints what the guide says', async ({ path, output }) => {
    const { code, output: printed, errors } = await run(path)
    expect({ code, printed, errors: code === 0 ? '' : errors }).toEqual({
      code: 0,
      printed: output,
      errors: '',
    })
  })
})

describe('the table of codes', () => {
  const ROW = /^\| `(\w+)` \| (.+?) \| (.+?) \| (.+?) \|$/

  it('ends the guide to errors and has every code, with the words of the code itself', () => {
    const { text = '' } = guides.find(({ file }) => file === 'errors.md') ?? {}
    const [, table = ''] = text.split('\n## All codes\n')
    const rows = table.trim().split('\n').slice(2)
    const codes = rows.map(row => {
      const [, code = row, where, what] = ROW.exec(row) ?? []
      return [code, `${where}: ${what}`] as const
    })
    expect(Object.fromEntries(codes)).toEqual(ERROR_CODES)
    expect(rows.length).toBe(Object.keys(ERROR_CODES).length)
  })
})
