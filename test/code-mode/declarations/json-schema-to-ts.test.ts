import { jsonSchemaToTs } from 'toolgate'
import { describe, expect, it } from 'vitest'
import { compile, JSON_VALUE, judge, literal } from './compile.js'
import { SCHEMA_CASES } from './schema-cases.js'

const verdicts = judge(
  SCHEMA_CASES.map(({ schema, accepts, refuses }) => ({
    prelude: `${JSON_VALUE}\ntype T = ${jsonSchemaToTs(schema)}\ndeclare const t: T`,
    statements: [...accepts, ...refuses].map((value, index) => `const v${index}: T = ${literal(value)}`),
  })),
)

describe('the type printed for a schema', () => {
  it.each(SCHEMA_CASES.map((entry, index) => ({ ...entry, index })))(
    'is right for $name (TS-07, TS-12)',
    entry => {
      const verdict = verdicts[entry.index]
      expect(verdict?.broken).toEqual([])
      const answers = verdict?.statements ?? []
      const wronglyRefused = entry.accepts.filter((_, index) => answers[index] !== undefined)
      const wronglyAccepted = entry.refuses.filter((_, index) => !answers[entry.accepts.length + index])
      expect({ wronglyRefused, wronglyAccepted }).toEqual({ wronglyRefused: [], wronglyAccepted: [] })
      const text = jsonSchemaToTs(entry.schema)
      for (const part of entry.says ?? []) expect(text).toContain(part)
    },
  )

  it('also compiles without exactOptionalPropertyTypes', () => {
    const sources = SCHEMA_CASES.map(
      ({ schema }) => `${JSON_VALUE}\ntype T = ${jsonSchemaToTs(schema)}\nexport declare const t: T`,
    )
    expect(compile(sources, { exactOptionalPropertyTypes: false }).flat()).toEqual([])
  })

  it('keeps an explicit undefined out of an optional property', () => {
    const texts = [
      { type: 'object', properties: { a: { type: 'string' } } },
      { type: 'object', properties: { a: { type: 'string' } }, additionalProperties: false },
      { type: 'object', properties: { a: { type: 'string' } }, additionalProperties: { type: 'number' } },
    ].map(jsonSchemaToTs)
    const [verdict] = judge([
      {
        prelude: [JSON_VALUE, ...texts.map((text, index) => `type T${index} = ${text}`)].join('\n'),
        statements: texts.map((_, index) => `const v${index}: T${index} = { a: undefined }`),
      },
    ])
    expect(verdict?.broken).toEqual([])
    expect(verdict?.statements.every(Boolean)).toBe(true)
  })

  it('lets named keys be read with their own types', () => {
    const schema = {
      type: 'object',
      properties: { a: { type: 'number' }, b: { type: 'string' } },
      required: ['a'],
    }
    const texts = [
      {},
      { additionalProperties: { type: 'boolean' } },
      { patternProperties: { x$: true } },
    ].map(rest => jsonSchemaToTs({ ...schema, ...rest }))
    const sources = texts.map(
      text =>
        `${JSON_VALUE}\ndeclare const t: ${text}\nexport const a: number = t.a\nexport const b: string | undefined = t.b`,
    )
    expect(compile(sources).flat()).toEqual([])
  })

  it('prints one expression unless the schema is recursive', () => {
    const point = { type: 'object', properties: { x: { type: 'number' } }, additionalProperties: false }
    const schema = {
      type: 'object',
      properties: { from: { $ref: '#/$defs/P' }, to: { $ref: '#/$defs/P' } },
      additionalProperties: false,
      $defs: { P: point },
    }
    expect(jsonSchemaToTs(schema)).toBe('{ from?: { x?: number }; to?: { x?: number } }')
    expect(
      jsonSchemaToTs({ type: 'object', properties: { next: { $ref: '#' } }, additionalProperties: false }),
    ).toBe('Schema$Root\ntype Schema$Root = { next?: Schema$Root }')
  })
})
