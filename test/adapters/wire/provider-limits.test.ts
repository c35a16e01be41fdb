import { readFileSync } from 'node:fs'
import { preflight } from 'toolgate/openai'
import { describe, expect, it } from 'vitest'
import { PROVIDER_LIMITS } from '../../../src/adapters/wire/provider-limits.js'
import { WIRES } from './dialects.js'

type Json = any
const { openai, anthropic, google } = PROVIDER_LIMITS
const read = (path: string): string =>
  readFileSync(new URL(`../../../node_modules/${path}`, import.meta.url), 'utf8').replace(
    /\s*\n\s*\*?\s*/g,
    ' ',
  )
const words = (text: string | undefined): string[] =>
  [...(text ?? '').matchAll(/`([\w$]+)`/g)].map(([, word = '']) => word)
const open = (wire: string, parameters: Json) =>
  WIRES[wire]?.([{ name: 'tool', description: '', parameters }]) as Json
const inside = (a: Json): Json => ({
  type: 'object',
  properties: { a },
  required: ['a'],
  additionalProperties: false,
})

/** Every rule in a value: what says how it is known. */
function* rules(value: unknown): Generator<Json> {
  if (typeof value !== 'object' || value === null || value instanceof RegExp || value instanceof Set) return
  if ('source' in value) yield value
  for (const child of Object.values(value)) yield* rules(child)
}

describe('the table of limits', () => {
  it('says of every rule where it is from, when that was read and how surely it is known', () => {
    const all = [...rules(PROVIDER_LIMITS)]
    expect(all.length).toBeGreaterThan(40)
    for (const { known, source, asOf } of all) {
      expect(['said', 'seen', 'assumed']).toContain(known)
      expect(source).toMatch(/\S{3}/)
      expect(asOf).toMatch(/^20\d\d-\d\d-\d\d$/)
    }
    for (const { names, media, sources } of Object.values(PROVIDER_LIMITS))
      for (const list of [names.sources, media.sources, sources]) expect(list.length).toBeGreaterThan(0)
  })

  it('names the versions of the SDKs that are installed', () => {
    const named = new Set(
      [...rules(PROVIDER_LIMITS)].flatMap(({ source }) => source.match(/^@?[\w/-]+ \d+\.\d+\.\d+/) ?? []),
    )
    expect(named.size).toBe(3)
    for (const each of named) {
      const [name, version] = each.split(' ')
      expect({ name, version: JSON.parse(read(`${name}/package.json`)).version }).toEqual({ name, version })
    }
  })
})

describe('what the SDKs say in their declarations', () => {
  it('of the names and the number of functions, of OpenAI', () => {
    expect(read('openai/resources/shared.d.ts')).toContain(
      'Must be a-z, A-Z, 0-9, or contain underscores and dashes, with a maximum length of 64.',
    )
    expect(read('openai/resources/evals/runs/runs.d.ts')).toContain(
      `A max of ${openai.maxTools?.value} functions`,
    )
  })

  it('of sounds, of OpenAI', () => {
    const [, formats = ''] =
      read('openai/resources/chat/completions/completions.d.ts').match(
        /Currently supports ("wav" and "mp3")/,
      ) ?? []
    for (const format of new Set(Object.values(openai.media.audio))) expect(formats).toContain(`"${format}"`)
  })

  it('of images and files, of Anthropic', () => {
    const text = read('@anthropic-ai/sdk/resources/messages/messages.d.ts')
    const [, images = ''] = text.match(/interface Base64ImageSource \{.*?media_type: ([^;]+);/) ?? []
    expect(images.match(/[\w/]+/g)?.toSorted()).toEqual(anthropic.media.images.toSorted())
    const [, file] = text.match(/interface Base64PDFSource \{.*?media_type: '([^']+)';/) ?? []
    expect(anthropic.media.files).toEqual([file])
  })

  it('of formats in strict tools, of Anthropic', () => {
    const text = read('@anthropic-ai/sdk/lib/transform-json-schema.js')
    const [, formats = ''] = text.match(/SUPPORTED_STRING_FORMATS = new Set\(\[(.*?)\]\)/) ?? []
    expect(anthropic.strict?.dialect.formats?.string?.toSorted()).toEqual(
      formats.match(/[\w-]+/g)?.toSorted(),
    )
  })

  it('of the keywords of both schemas, names and the number of functions, of Google', () => {
    const text = read('@google/genai/dist/genai.d.ts')
    const [, fields = ''] = text.match(/export declare interface Schema \{(.*?) \}/) ?? []
    const known = [...fields.matchAll(/(\w+)\?:/g)].map(([, key]) => key)
    expect(known).toEqual(
      expect.arrayContaining([...(google.dialect.keywords as Set<string>), 'nullable', 'propertyOrdering']),
    )
    const [, list = ''] =
      text.match(/only the following properties are supported: (.*?) The non-standard/) ?? []
    const taken = PROVIDER_LIMITS['google-json-schema'].dialect.keywords as Set<string>
    expect(words(list)).toEqual(expect.arrayContaining([...taken]))
    expect(list).toContain('`enum` (for strings and numbers)')
    expect(text).toContain(`Maximum ${google.maxTools?.value} function declarations can be provided`)
    const [, letters] =
      text.match(
        /(Must start with a letter or an underscore\. Must be a-z, A-Z, 0-9, or contain underscores, dots, colons and dashes)/,
      ) ?? []
    expect(letters).toBeDefined()
    for (const name of ['a', '_a.b-c', 'a'.repeat(64)]) expect(google.names.accepts.test(name)).toBe(true)
  })
})

describe('rules that only some values meet', () => {
  const enumOf = (count: number, length: number) =>
    inside({ enum: Array.from({ length: count }, (_, i) => String(i).padStart(length, 'x')) })

  it('a strict enum of OpenAI with more than 250 texts has 15 000 characters at most', () => {
    expect(open('openai, strict', enumOf(250, 100)).strict).toBe(true)
    expect(open('openai, strict', enumOf(300, 50)).strict).toBe(true)
    expect(open('openai, strict', enumOf(301, 50)).strict).toBe(false)
    const tools = [{ name: 'tool', description: '', parameters: enumOf(301, 50) }]
    expect(preflight(tools, 'openai', { strict: true })).toMatchObject([
      { rule: 'size', outcome: 'not-strict', message: expect.stringContaining('15000') },
    ])
  })

  it.each([
    ['^a{2,100}$', true],
    ['^a{101}$', false],
    ['^a{2,101}$', false],
    ['^a{101,}$', false],
  ])('a strict pattern of Anthropic counts to 100 at most: %s', (pattern, strict) => {
    expect(open('anthropic, strict', inside({ type: 'string', pattern })).strict).toBe(strict)
    expect(open('openai, strict', inside({ type: 'string', pattern })).strict).toBe(true)
  })

  it.each<[Json, Json]>([
    [{ enum: ['a', 1] }, { enum: ['a', 1] }],
    [{ const: 1 }, { enum: [1] }],
    [{ enum: [true, false] }, { description: '(enum [true,false])' }],
    [
      { type: 'boolean', const: true },
      { type: 'boolean', description: '(const true)' },
    ],
    [
      { type: ['string', 'null'], enum: ['a', null], description: 'An a.' },
      { description: 'An a.', anyOf: [{ type: 'string', enum: ['a'] }, { type: 'null' }] },
    ],
    [
      { type: 'string', nullable: true, enum: ['a'] },
      { anyOf: [{ type: 'string', enum: ['a'] }, { type: 'null' }] },
    ],
    [{ const: null }, { type: 'null' }],
    [{ enum: [null, 1.5] }, { anyOf: [{ enum: [1.5] }, { type: 'null' }] }],
  ])('JSON Schema of Google lists texts and numbers, and nothing else: %j', (schema, expected) => {
    expect(open('google, json-schema', inside(schema)).schema.properties.a).toEqual(expected)
  })
})

describe('a schema that contains itself, as JSON Schema of Google', () => {
  const node = (children: Json, required: string[]) => ({
    ...inside({ $ref: '#/$defs/node' }),
    $defs: { node: { type: 'object', properties: { name: { type: 'string' }, children }, required } },
  })
  const list = { type: 'array', items: { $ref: '#/$defs/node' } }

  it('does so in a property that need not be there', () => {
    const { schema, findings } = open('google, json-schema', node(list, ['name']))
    expect(schema.$defs.node.required).toEqual(['name'])
    expect(findings).toEqual([])
  })

  it.each([list, { anyOf: [{ $ref: '#/$defs/node' }, { type: 'null' }] }, { $ref: '#/$defs/node' }])(
    'is told that a property is required where it must not be: %j',
    children => {
      const { schema, findings } = open('google, json-schema', node(children, ['name', 'children']))
      expect(schema.$defs.node).toMatchObject({ required: ['name'], description: '(required ["children"])' })
      expect(findings).toMatchObject([
        {
          rule: 'recursion',
          outcome: 'adapted',
          exact: false,
          message: expect.stringContaining('"children"'),
        },
      ])
    },
  )

  it('ends somewhere, through others and where no property is on the way', () => {
    const parameters = {
      ...inside({ $ref: '#/$defs/a' }),
      $defs: {
        a: { type: 'object', properties: { b: { $ref: '#/$defs/b' } }, required: ['b'] },
        b: { type: 'array', items: { $ref: '#/$defs/a' } },
        c: { type: 'array', items: { $ref: '#/$defs/c' } },
      },
      properties: { a: { $ref: '#/$defs/a' }, c: { $ref: '#/$defs/c' } },
    }
    const { schema, findings } = open('google, json-schema', parameters)
    expect(schema.$defs.c).toEqual({ type: 'array', items: {} })
    expect(findings.map(({ rule }: Json) => rule)).toEqual(['recursion', 'recursion'])
    expect(schema.$defs.a.required).toBeUndefined()
    expect(schema.$defs.b).toEqual({ type: 'array', items: { $ref: '#/$defs/a' } })
  })
})
