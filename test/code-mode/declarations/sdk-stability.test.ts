import fc from 'fast-check'
import { type JsonObject, renderToolsSdk, type SdkTool } from 'toolgate'
import { describe, expect, it } from 'vitest'
import { compile } from './compile.js'

const TREE: JsonObject = {
  type: 'object',
  properties: { root: { $ref: '#/$defs/Node' } },
  $defs: {
    Node: { type: 'object', properties: { below: { type: 'array', items: { $ref: '#/$defs/Node' } } } },
  },
}
const PLAIN: JsonObject = { type: 'object', properties: { q: { type: 'string' } } }

// Rewritten into an identifier, many of these are alike.
const NAMES = [
  'a-b',
  'a.b',
  'a b',
  'a_b',
  'a_b_2',
  'a',
  '200',
  '_200',
  '200$1',
  'tool',
  '天気',
  '🌦️',
  '',
  '$',
  'b',
]

const toolNamed = (name: string, index: number): SdkTool => ({
  name,
  description: `The tool ${index}.`,
  parameters: index % 3 === 0 ? PLAIN : TREE,
  ...(index % 2 === 0 && { output: TREE }),
})
const ALL = NAMES.map(toolNamed)

const someTools = fc.shuffledSubarray(ALL, { minLength: 1 })

describe('the declarations of tools', () => {
  it('are the same bytes in whatever order the tools come', () => {
    fc.assert(
      fc.property(someTools, tools => {
        const sorted = [...tools].sort((a, b) => (a.name < b.name ? -1 : 1))
        expect(renderToolsSdk(tools)).toBe(renderToolsSdk(sorted))
      }),
    )
  })

  it('change with one more tool from its place on, so that a prompt cache keeps the text before (TS-10)', () => {
    fc.assert(
      fc.property(someTools, tools => {
        const [added, ...others] = tools
        const before = renderToolsSdk(others)
        const after = renderToolsSdk(tools)
        const place = after.indexOf(`  /** ${added?.description} */\n`)
        expect(place).toBeGreaterThan(0)
        if (others.length > 0) expect(before.slice(0, place)).toBe(after.slice(0, place))
      }),
    )
  })

  it('compile together whatever their names come to', () => {
    const texts = fc.sample(someTools, 40).map(renderToolsSdk)
    expect(compile([renderToolsSdk(ALL), ...texts]).flat()).toEqual([])
  })

  it('spend a line on a property that has something to say, and nothing on one that has not (TS-07)', () => {
    const search: SdkTool = {
      name: 'search_code',
      description: 'Searches the code of a repository.',
      parameters: {
        type: 'object',
        properties: {
          query: { type: 'string', description: 'What to look for.', minLength: 1 },
          perPage: { type: 'integer', minimum: 1, maximum: 100, default: 30, title: 'Per Page' },
          order: { type: 'string', enum: ['asc', 'desc'] },
          range: { type: 'object', properties: { from: { type: 'number' } }, additionalProperties: false },
        },
        required: ['query'],
        additionalProperties: false,
      },
      output: { type: 'array', items: { type: 'string', format: 'uri' } },
    }
    const [, declaration] = renderToolsSdk([search]).split(/(?=declare const tools)/)
    expect(declaration).toBe(`declare const tools: {
  /** Searches the code of a repository. */
  search_code(args: {
    /** What to look for. (length >= 1) */
    query: string;
    /** integer, >= 1, <= 100, default 30 */
    perPage?: number;
    order?: "asc" | "desc";
    range?: { from?: number };
  }): Promise</* items: format uri */ string[]>;
}`)
  })

  it('leave out what a library spells out and nobody reads: the pattern of a format, the bounds of safe integers', () => {
    const pattern = `^(?:${'[0-9a-f]{4}-'.repeat(20)})$`
    const most = Number.MAX_SAFE_INTEGER
    const tool: SdkTool = {
      name: 'at',
      parameters: {
        type: 'object',
        properties: {
          id: { type: 'string', format: 'uuid', pattern },
          own: { type: 'string', pattern },
          short: { type: 'string', format: 'uuid', pattern: '^a' },
          count: { type: 'integer', minimum: -most, maximum: most },
          few: { type: 'integer', exclusiveMinimum: 0, maximum: most },
        },
        additionalProperties: false,
      },
    }
    const [, declaration] = renderToolsSdk([tool]).split(/(?=declare const tools)/)
    expect(declaration).toBe(`declare const tools: {
  at(args?: {
    /** format uuid */
    id?: string;
    /** pattern ${pattern.slice(0, 80)}… */
    own?: string;
    /** format uuid, pattern ^a */
    short?: string;
    count?: number;
    /** integer, > 0 */
    few?: number;
  }): Promise<string>;
}`)
  })
})
