import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'
import { describe, expect, it } from 'vitest'

// How many lines each section has. A section is checked once it is here; add it with its document in docs/behaviours.
const SECTIONS: Readonly<Record<string, number>> = {
  REG: 22,
  SCP: 13,
  RES: 13,
  VIEW: 9,
  GRD: 10,
  PIPE: 25,
  JSON: 21,
  TOK: 6,
  SIG: 17,
  MAT: 12,
  ERR: 13,
  DEC: 12,
  APR: 13,
  CTX: 6,
  CARD: 9,
  TS: 12,
  RPT: 9,
  TMO: 11,
  SCH: 14,
  DSL: 23,
  SUB: 13,
}

const root = fileURLToPath(new URL('../', import.meta.url))
const read = (path: string): string => readFileSync(`${root}${path}`, 'utf8')

interface Line {
  readonly id: string
  readonly section: string
  readonly text: string
  readonly decided: boolean
}

interface TestFile {
  readonly path: string
  /** The ids in the titles of its tests. */
  readonly shown: readonly string[]
  /** The comment at its head. */
  readonly head: string
}

const LINE = /^- ([A-Z]+)-(\d{2}) — (.+)$/
const IDS = /\b[A-Z]+-\d{2}\b/g

function readLines(): Line[] {
  const documents = readdirSync(`${root}docs/behaviours`).filter(name => name.endsWith('.md'))
  return documents.flatMap(name =>
    read(`docs/behaviours/${name}`)
      .split('\n')
      .filter(line => line.startsWith('- '))
      .map(line => {
        const [, section = '', number = '', text = ''] = LINE.exec(line) ?? []
        return {
          id: `${section}-${number}`,
          section,
          text: text || line,
          decided: text.includes(' · decided: '),
        }
      }),
  )
}

// Titles as they are written: the string or template that a call of `it`, `test` or one of their `each` begins with.
function titlesIn(file: ts.SourceFile): string[] {
  const titles: string[] = []
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node)) {
      const [first] = node.arguments
      const callee = /^(it|test)\b/.test(node.expression.getText(file))
      if (callee && first !== undefined && (ts.isStringLiteralLike(first) || ts.isTemplateExpression(first)))
        titles.push(first.getText(file))
    }
    ts.forEachChild(node, visit)
  }
  visit(file)
  return titles
}

function readTests(): TestFile[] {
  const paths = readdirSync(`${root}test`, { recursive: true, encoding: 'utf8' })
    .map(path => path.replaceAll('\\', '/'))
    .filter(path => path.endsWith('.test.ts') && !path.includes('node_modules'))
  return paths.map(path => {
    const text = read(`test/${path}`)
    const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest)
    const shown = titlesIn(file).flatMap(title => title.match(IDS) ?? [])
    return { path, shown, head: /^\s*\/\*\*.*?\*\//s.exec(text)?.[0] ?? '' }
  })
}

const lines = readLines()
const tests = readTests()
const listed = lines.filter(({ section }) => section in SECTIONS)

describe('the behaviours', () => {
  it('are documented line by line, each with an id of its own', () => {
    const malformed = lines.filter(({ id, text }) => id === '-' || text.trim() === '').map(({ text }) => text)
    expect(malformed).toEqual([])
    const ids = lines.map(({ id }) => id)
    expect(ids.filter((id, i) => ids.indexOf(id) !== i)).toEqual([])
  })

  it.each(Object.entries(SECTIONS))('of %s are %i, numbered without a gap', (section, count) => {
    const ids = lines.filter(line => line.section === section).map(({ id }) => id)
    const expected = Array.from({ length: count }, (_, i) => `${section}-${String(i + 1).padStart(2, '0')}`)
    expect(ids).toEqual(expected)
  })

  it('are each shown by a test, or decided away at the head of one', () => {
    const shown = new Set(tests.flatMap(test => test.shown))
    const heads = tests.map(test => test.head).join('\n')
    const missing = listed.filter(({ id, decided }) => !shown.has(id) && !(decided && heads.includes(id)))
    expect(missing.map(({ id }) => id)).toEqual([])
  })

  it('that were decided are named at the head of a test file', () => {
    const heads = tests.map(test => test.head).join('\n')
    expect(listed.filter(({ id, decided }) => decided && !heads.includes(id)).map(({ id }) => id)).toEqual([])
  })

  it('that a title or a head names are documented', () => {
    const known = new Set(lines.map(({ id }) => id))
    const strangers = tests.flatMap(({ path, shown, head }) =>
      [...shown, ...(head.match(IDS) ?? [])]
        .filter(id => id.slice(0, id.indexOf('-')) in SECTIONS && !known.has(id))
        .map(id => `${path}: ${id}`),
    )
    expect(strangers).toEqual([])
  })

  it('are read from titles of all kinds, and from nothing else', () => {
    const source = `
      // REG-01
      it('shows (REG-02, REG-03)', () => note('REG-04'))
      it.each([['REG-05']])('%s shows (REG-06)', () => {})
      test(\`shows \${1} (REG-07)\`, () => {})
      describe('REG-08', () => {})
      submit('REG-09')
    `
    const file = ts.createSourceFile('x.test.ts', source, ts.ScriptTarget.Latest)
    expect(titlesIn(file).flatMap(title => title.match(IDS) ?? [])).toEqual([
      'REG-02',
      'REG-03',
      'REG-06',
      'REG-07',
    ])
  })
})
