import { readFileSync } from 'node:fs'
import { createToolRegistry, defineTool } from 'toolgate'
import { describe, expect, it } from 'vitest'
import {
  renderToolDeclaration,
  renderToolsSdk,
  type SdkTool,
} from '../../../src/code-mode/declarations/render-tools-sdk.js'
import type { JsonObject } from '../../../src/json/json-value.js'
import { compile, judge, literal } from './compile.js'

const object = (properties: JsonObject, rest: JsonObject = {}): JsonObject => ({
  type: 'object',
  properties,
  ...rest,
})

const NODE: JsonObject = object(
  { next: { $ref: '#/$defs/Node' } },
  { required: ['next'], additionalProperties: false },
)
const LIST: JsonObject = object({ head: { $ref: '#/$defs/Node' } }, { $defs: { Node: NODE } })

function toolNamed(
  name: string,
  parameters: JsonObject = object({ q: { type: 'string' } }),
  output?: JsonObject,
): SdkTool {
  return output ? { name, parameters, output } : { name, parameters }
}

const ODD_NAMES = [
  'get-weather',
  'a.b',
  'a-b',
  'a_b',
  'a b',
  '200',
  '_200',
  'class',
  'new',
  'get',
  'set',
  'readonly',
  'then',
  'constructor',
  'prototype',
  '__proto__',
  'toString',
  'hasOwnProperty',
  '天気',
  'Погода',
  '🌦️',
  'q"uote',
  "it's",
  'back`tick',
  'line\nbreak',
  '*/',
  '\u2028',
  '\ud800',
  '$',
  '_',
  '',
  'x'.repeat(128),
  'x'.repeat(127),
]

describe('the declarations of many tools', () => {
  it('compile on their own, under plain strict settings too', () => {
    const text = renderToolsSdk(ODD_NAMES.map(name => toolNamed(name, LIST, LIST)))
    expect(compile([text]).flat()).toEqual([])
    expect(
      compile([text], { exactOptionalPropertyTypes: false, noUncheckedIndexedAccess: true }).flat(),
    ).toEqual([])
    expect(compile([renderToolsSdk([])]).flat()).toEqual([])
  })

  it('are those of what a scope sees, and of tools that are not registered', () => {
    const parameters = { at: { type: 'string', required: true } } as const
    const output = { schema: { type: 'array', items: { type: 'integer' } }, render: () => [] } as const
    const tools = [
      defineTool({ name: 'counts', description: 'Counts.', parameters, output, execute: () => [1] }),
      defineTool({ name: 'text', description: 'Says.', parameters, execute: () => 'a' }),
    ]
    const registry = createToolRegistry({ tools })
    const text = renderToolsSdk(registry.visible())
    expect(text).toContain('counts(args: { at: string } & Open): Promise<number[]>;')
    expect(text).toContain('text(args: { at: string } & Open): Promise<string>;')
    expect(renderToolsSdk(tools)).toBe(text)
    const counts = registry.get('counts')
    expect(counts && renderToolsSdk([counts])).toContain('Promise<number[]>')
    // A schema may use any word, `schema` and `render` included.
    const odd = { name: 'odd', parameters: {}, output: { type: 'string', schema: {}, render: true } }
    expect(renderToolsSdk([odd])).toContain('Promise</* schema {}, render true */ string>')
  })

  it('keep every name callable exactly, each with its own types (TS-01, TS-08)', () => {
    const tools = ODD_NAMES.map((name, index) =>
      toolNamed(name, object({ tag: { const: index } }, { required: ['tag'] })),
    )
    const [verdict] = judge([
      {
        prelude: renderToolsSdk(tools),
        statements: ODD_NAMES.flatMap((name, index) => [
          `const good${index}: Promise<string> = tools[${literal(name)}]({ tag: ${index} })`,
          `const bad${index} = tools[${literal(name)}]({ tag: ${index + 1} })`,
        ]),
      },
    ])
    expect(verdict?.broken).toEqual([])
    verdict?.statements.forEach((complaint, index) => {
      expect([ODD_NAMES[index >> 1], complaint === undefined]).toEqual([
        ODD_NAMES[index >> 1],
        index % 2 === 0,
      ])
    })
  })

  it('are the same bytes for any order, in that of code units (TS-10)', () => {
    const tools = ODD_NAMES.map(name => toolNamed(name, LIST))
    const text = renderToolsSdk(tools)
    expect(renderToolsSdk([...tools].reverse())).toBe(text)
    expect(renderToolsSdk([...tools.slice(9), ...tools.slice(0, 9)])).toBe(text)
    const names = [...text.matchAll(/^ {2}([\w$]+|"(?:[^"\\]|\\.)*")\(args/gm)].map(match => match[1] ?? '')
    const plain = names.map(name => (name.startsWith('"') ? (JSON.parse(name) as string) : name))
    expect(plain).toEqual([...ODD_NAMES].sort())
  })

  it('name recursive types per tool, without collisions', () => {
    const tools = ['a-b', 'a_b', 'a.b', 'a', 'a_b_2'].map(name => toolNamed(name, LIST, LIST))
    const text = renderToolsSdk(tools)
    const aliases = [...text.matchAll(/^type (\S+) = /gm)].map(match => match[1])
    expect(new Set(aliases).size).toBe(aliases.length)
    expect(aliases).toContain('a_b$Node')
    expect(compile([text]).flat()).toEqual([])
    // A tool whose name is an identifier does not depend on its neighbours.
    expect(renderToolDeclaration(toolNamed('a_b', LIST))).toContain('type a_b$Node = { next: a_b$Node }')
  })

  it('let a call omit arguments exactly when an empty object would do', () => {
    const optional: JsonObject[] = [
      object({}),
      object({ a: { type: 'string' } }),
      { type: 'object' },
      object({ a: { type: 'string' } }, { anyOf: [{ required: ['a'] }, {}] }),
      { $ref: '#/$defs/A', $defs: { A: object({ a: { type: 'string' } }) } },
    ]
    const required: JsonObject[] = [
      object({ a: {} }, { required: ['a'] }),
      object({ a: {}, b: {} }, { anyOf: [{ required: ['a'] }, { required: ['b'] }] }),
      object({}, { minProperties: 1 }),
      object({}, { allOf: [{ required: ['x'] }] }),
      object({}, { not: { maxProperties: 0, type: 'object' } }),
      { $ref: '#/$defs/A', $defs: { A: object({ a: {} }, { required: ['a'] }) } },
      { enum: [{ a: 1 }] },
    ]
    for (const schema of optional)
      expect(renderToolDeclaration(toolNamed('t', schema))).toContain('t(args?: ')
    for (const schema of required) expect(renderToolDeclaration(toolNamed('t', schema))).toContain('t(args: ')
  })

  it('type what a program may touch, and nothing else (TS-01)', () => {
    const text = renderToolsSdk([
      {
        name: 'count',
        description: 'Counts */ things.\nAll of them.',
        parameters: object({ what: { type: 'string' } }),
        output: object({ n: { type: 'integer' } }, { required: ['n'], additionalProperties: false }),
      },
    ])
    const run = (body: string): string => `async () => { ${body} }`
    const good = [
      'const r = await tools.count({ what: "x" }); const n: number = r.n; return n',
      'try { await tools.count() } catch (e) { if (e instanceof ToolCallError) console.error(e.toolName, e.code, e.message) }',
      'const found = await catalog.search("x", { limit: 3 }); console.log(found[0]?.name, await catalog.describe("count"))',
      'const all = await catalog.search("x"); return all.map(tool => tool.description)',
      'return Promise.all([1, 2].map(n => tools.count({ what: String(n) })))',
    ]
    const bad = [
      'await tools.count({ what: 1 })',
      'await tools.count({ what: undefined })',
      'const r = await tools.count(); r.m',
      'await tools.counts()',
      'await catalog.find("x")',
      'tools.count = tools.count; tools.x = 1',
    ]
    const [verdict] = judge([
      { prelude: text, statements: [...good, ...bad].map((body, index) => `const f${index} = ${run(body)}`) },
    ])
    expect(verdict?.broken).toEqual([])
    expect(verdict?.statements.map(complaint => complaint === undefined)).toEqual([
      ...good.map(() => true),
      ...bad.map(() => false),
    ])
    expect(text).toContain('/** Counts *\\/ things. All of them. */')
  })

  it('degrade one broken tool and leave the others exact (TS-09)', () => {
    const tools = ['a', 'b', 'c', 'd', 'e'].map(name =>
      toolNamed(
        name,
        object(
          { x: name === 'c' ? { $ref: '#/nowhere' } : { type: 'number' }, y: { type: 'string' } },
          { additionalProperties: false },
        ),
      ),
    )
    const text = renderToolsSdk(tools)
    expect(text.match(/unresolved \$ref/g)).toHaveLength(1)
    const [verdict] = judge([
      {
        prelude: text,
        statements: [
          'tools.a({ x: "n" })',
          'tools.c({ x: "n", y: "s" })',
          'tools.c({ y: 1 })',
          'tools.e({ x: 1, y: "s" })',
        ],
      },
    ])
    expect(verdict?.statements.map(complaint => complaint === undefined)).toEqual([false, true, false, true])
  })

  it('print 10 000 tools', () => {
    const tools = Array.from({ length: 10_000 }, (_, n) => ({
      name: n % 2 ? `tool-${n}` : `tool_${n}`,
      description: `Does ${n}`,
      parameters: object({ path: { type: 'string' }, limit: { type: 'integer' } }, { required: ['path'] }),
    }))
    const text = renderToolsSdk(tools)
    expect(text.match(/\(args: /g)).toHaveLength(10_000)
    expect(compile([text]).flat()).toEqual([])
  })
})

describe('the declaration of one tool', () => {
  it('stands alone with the types it needs', () => {
    const tools = [
      toolNamed('plain', object({ q: { type: 'string' } }, { additionalProperties: false })),
      ...ODD_NAMES.map(name => toolNamed(name, LIST, LIST)),
    ]
    const texts = tools.map(renderToolDeclaration)
    expect(compile(texts.map(text => `${text}\nexport type T = typeof tools`)).flat()).toEqual([])
    expect(texts[0]).toBe('declare const tools: {\n  plain(args?: { q?: string }): Promise<string>;\n}')
  })
})

describe('the tools of a real server', () => {
  const file = new URL('../../data/github-tools.json', import.meta.url)
  const { tools } = JSON.parse(readFileSync(file, 'utf8')) as {
    tools: { name: string; description: string; inputSchema: JsonObject }[]
  }
  const sdk = tools.map(({ name, description, inputSchema }) => ({
    name,
    description,
    parameters: inputSchema,
  }))

  it('print and compile, together and one by one', () => {
    expect(sdk).toHaveLength(59)
    const text = renderToolsSdk(sdk)
    expect(compile([text, ...sdk.map(renderToolDeclaration)]).flat()).toEqual([])
    for (const { name } of sdk) expect(text).toContain(`  ${name}(args`)
    expect(text).not.toMatch(/unreadable schema|unresolved \$ref/)
  })
})
