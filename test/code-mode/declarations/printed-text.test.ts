/**
 * Decided otherwise; docs/decisions/declarations.md says why:
 * - TS-01 one object with a method for each exact name; values have their types, not only texts.
 * - TS-03 parentheses where the item needs them and nowhere else; tuples and small counts are spelled out.
 * - TS-04 short objects stand on one line; what takes undeclared keys says so by an alias.
 * - TS-06 each type of a union once.
 * - TS-07 comments carry all that a type cannot say, for items and branches too.
 * - TS-08 names that would mean something else are quoted; those that every object inherits may be left out.
 * - TS-09 what cannot be read costs one node, not the schema.
 * - TS-10 types that tools need stand behind all tools.
 * - TS-11 any depth, for all keywords, and compiled.
 * - TS-12 all of JSON Schema, not a subset.
 */
import { type JsonObject, jsonSchemaToTs, renderToolsSdk } from 'toolgate'
import { describe, expect, it } from 'vitest'

const string = { type: 'string' }
const number = { type: 'number' }
const closed = (properties: JsonObject, rest: JsonObject = {}): JsonObject => ({
  type: 'object',
  properties,
  additionalProperties: false,
  ...rest,
})

type Row = readonly [schema: unknown, text: string]

const prints = (rows: readonly Row[]): void =>
  expect(rows.map(([schema]) => jsonSchemaToTs(schema))).toEqual(rows.map(([, text]) => text))

describe('the text printed', () => {
  it('for scalars, enums and constants is the shortest type (TS-02)', () => {
    prints([
      [string, 'string'],
      [number, 'number'],
      [{ type: 'integer' }, 'number'],
      [{ type: 'boolean' }, 'boolean'],
      [{ type: 'null' }, 'null'],
      [{ enum: ['a', 'b', 1, null] }, '"a" | "b" | 1 | null'],
      [{ const: 'a', enum: ['a', 'b'] }, '"a"'],
      [{}, 'JsonValue'],
      [true, 'JsonValue'],
      [{ description: 'Anything.' }, '/* Anything. */ JsonValue'],
    ])
  })

  it('for arrays has parentheses where the item needs them, and spells small counts (TS-03)', () => {
    prints([
      [{ type: 'array', items: string }, 'string[]'],
      [{ type: 'array' }, 'JsonValue[]'],
      [{ type: 'array', items: { type: ['string', 'null'] } }, '(string | null)[]'],
      [{ type: 'array', items: { const: 'a | b & c' } }, '"a | b & c"[]'],
      [{ type: 'array', items: closed({ a: { type: ['string', 'null'] } }) }, '{ a?: string | null }[]'],
      [
        { type: 'array', items: { type: 'object', properties: { a: string } } },
        '({ a?: string } & Record<string, JsonValue>)[]',
      ],
      [{ type: 'array', items: { oneOf: [{ ...string, description: 'A.' }] } }, '(/* A. */ string)[]'],
      [{ type: 'array', items: { type: 'array', items: number } }, 'number[][]'],
      [{ type: 'array', items: string, minItems: 1, maxItems: 2 }, '[string, string?]'],
      [{ type: 'array', prefixItems: [string], items: number }, '[string?, ...number[]]'],
    ])
  })

  it('for objects stands on one line while it is short, else indented by two spaces (TS-04)', () => {
    const point = closed({ x: number, y: number }, { required: ['x'] })
    prints([
      [point, '{ x: number; y?: number }'],
      [{ type: 'object', properties: { x: number } }, '{ x?: number } & Record<string, JsonValue>'],
      [
        closed({ from: closed({ at: point, description: { ...string, description: 'Where.' } }), to: point }),
        [
          '{',
          '  from?: {',
          '    at?: { x: number; y?: number };',
          '    /** Where. */',
          '    description?: string;',
          '  };',
          '  to?: { x: number; y?: number };',
          '}',
        ].join('\n'),
      ],
    ])
    const parameters: JsonObject = { type: 'object', properties: { x: number } }
    expect(renderToolsSdk([{ name: 't', parameters }])).toContain(
      '  t(args?: { x?: number } & Open): Promise<string>;',
    )
  })

  it('for objects without properties is a record (TS-05)', () => {
    prints([
      [{ type: 'object' }, 'Record<string, JsonValue>'],
      [{ type: 'object', properties: {} }, 'Record<string, JsonValue>'],
      [{ type: 'object', additionalProperties: false }, 'Record<string, never>'],
      [closed({}), 'Record<string, never>'],
    ])
  })

  it('for choices names each type once (TS-06)', () => {
    prints([
      [{ oneOf: [string, number] }, 'string | number'],
      [{ anyOf: [string, { type: ['string', 'null'] }] }, 'string | null'],
      [{ oneOf: [{ const: true }, { const: false }] }, 'boolean'],
      [{ oneOf: [string, {}] }, 'JsonValue'],
      [{ oneOf: [{ type: 'array', items: string }, closed({ a: string })] }, 'string[] | { a?: string }'],
    ])
  })

  it('for keys is bare where they are ASCII identifiers, else quoted exactly (TS-08)', () => {
    const keys = ['plain', '$_9', 'class', 'new', '__proto__', 'a-b', '9', 'é', 'q"', 'l\nn']
    expect(jsonSchemaToTs(closed(Object.fromEntries(keys.map(key => [key, true]))))).toBe(
      [
        '{',
        ...['plain', '$_9', 'class', '"new"', '"__proto__"', '"a-b"', '"é"', '"q\\""', '"l\\nn"'].map(
          key => `  ${key}?: JsonValue;`,
        ),
        '}',
      ]
        .join('\n')
        // Keys that are indices come first in any object.
        .replace('{\n', '{\n  "9"?: JsonValue;\n'),
    )
    expect(jsonSchemaToTs(closed({ toString: string }))).toBe('{ toString?: string | Object["toString"] }')
    expect(jsonSchemaToTs(closed({ toString: string }, { required: ['toString'] }))).toBe(
      '{ toString: string }',
    )
  })

  it('without tools is an empty object beside what else there is (TS-10)', () => {
    expect(renderToolsSdk([])).toMatch(/\ndeclare const tools: \{\}$/)
  })
})
