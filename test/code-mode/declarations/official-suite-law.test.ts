/**
 * The law for the schemas of the official suite: a value that is accepted compiles as a literal of the printed type. A
 * schema with keywords of one kind and no `type` accepts every value of another kind, and its type does not, on purpose:
 * the values tried are those that are accepted with these kinds spelled out.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { jsonSchemaToTs, renderToolsSdk } from 'toolgate'
import { describe, expect, it } from 'vitest'
import { acceptedValues, raw } from './accepted-values.js'
import { compile, JSON_VALUE, judge, literal } from './compile.js'

const ROOT = new URL('../../data/json-schema-test-suite/', import.meta.url)
const DRAFTS = [
  { draft: 'draft7', dialect: 'http://json-schema.org/draft-07/schema#', atLeast: 520 },
  { draft: 'draft2020-12', dialect: 'https://json-schema.org/draft/2020-12/schema', atLeast: 740 },
]

interface Schema {
  readonly [keyword: string]: unknown
}

interface Group {
  readonly description: string
  readonly schema: Schema | boolean
  readonly tests: readonly { readonly data: unknown }[]
}

interface Case {
  readonly name: string
  readonly schema: Schema
  readonly values: readonly unknown[]
}

function casesOf(draft: string, dialect: string): Case[] {
  const folder = new URL(`${draft}/`, ROOT)
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(path =>
    path.endsWith('.json'),
  )
  return files.sort().flatMap(file => {
    const groups = JSON.parse(readFileSync(new URL(file, folder), 'utf8')) as Group[]
    return groups.map(({ description, schema, tests }) => ({
      name: `${file}: ${description}`,
      schema: { $schema: dialect, ...(typeof schema === 'boolean' ? { allOf: [schema] } : schema) },
      values: tests.map(({ data }) => data),
    }))
  })
}

const words = (text: string): ReadonlySet<string> => new Set(text.split(' '))
const OF_OBJECTS = words(
  'properties required additionalProperties patternProperties unevaluatedProperties propertyNames minProperties ' +
    'maxProperties dependentRequired dependentSchemas',
)
const OF_ARRAYS = words(
  'items prefixItems additionalItems unevaluatedItems minItems maxItems uniqueItems contains minContains maxContains',
)
const PARTS = words('items additionalProperties additionalItems unevaluatedProperties unevaluatedItems')
const LISTS = words('allOf anyOf oneOf prefixItems items')
const MAPS = words('properties patternProperties $defs definitions')

const isSchema = (value: unknown): value is Schema =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The schema with the kinds that its keywords are about in the place of a missing `type`. */
function withKinds(schema: unknown): unknown {
  if (!isSchema(schema)) return schema
  const kinds = [
    ...(Object.keys(schema).some(key => OF_OBJECTS.has(key)) ? ['object'] : []),
    ...(Object.keys(schema).some(key => OF_ARRAYS.has(key)) ? ['array'] : []),
  ]
  const entries = Object.entries(schema).map(([key, value]): [string, unknown] => {
    if (LISTS.has(key) && Array.isArray(value)) return [key, value.map(withKinds)]
    if (PARTS.has(key)) return [key, withKinds(value)]
    if (!MAPS.has(key) || !isSchema(value)) return [key, value]
    return [key, Object.fromEntries(Object.entries(value).map(([name, part]) => [name, withKinds(part)]))]
  })
  const type = kinds.length === 0 || Object.hasOwn(schema, 'type') ? [] : [['type', kinds] as const]
  return Object.fromEntries([...entries, ...type])
}

describe.each(DRAFTS)('the schemas of the official suite, $draft,', ({ draft, dialect, atLeast }) => {
  const cases = casesOf(draft, dialect)

  it('print types that what they accept compiles against', async () => {
    const accepted = await acceptedValues(
      cases.map(({ schema, values }) => ({ schema: raw(schema), values })),
    )
    const meant = await acceptedValues(
      cases.map(({ schema, values }) => ({ schema: raw(withKinds(schema) as Schema), values })),
    )
    const verdicts = judge(
      cases.map(({ schema, values }) => ({
        prelude: `${JSON_VALUE}\ntype T = ${jsonSchemaToTs(schema)}`,
        statements: values.map((value, at) => `const v${at}: T = ${literal(value)}`),
      })),
    )
    expect(cases.filter((_, i) => verdicts[i]?.broken.length !== 0).map(({ name }) => name)).toEqual([])
    const tried = cases.flatMap(({ name, values }, i) =>
      values.flatMap((value, at) =>
        accepted[i]?.[at] && meant[i]?.[at]
          ? [{ name, value: literal(value), complaint: verdicts[i]?.statements[at] }]
          : [],
      ),
    )
    expect(tried.filter(({ complaint }) => complaint !== undefined)).toEqual([])
    expect(tried.length).toBeGreaterThan(atLeast)
  })

  it('print and compile as parameters and results of tools, all together', () => {
    const tools = cases.map(({ name, schema }, i) => ({
      name: `${i}`,
      description: name,
      parameters: schema as never,
      output: schema as never,
    }))
    expect(compile([renderToolsSdk(tools)])).toEqual([[]])
  })
})
