import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { type Static as Static0, Type as Type0 } from '@sinclair/typebox'
import { Value as Value0 } from '@sinclair/typebox/value'
import { toStandardJsonSchema } from '@valibot/to-json-schema'
import { type } from 'arktype'
import * as Effect from 'effect/Effect'
import * as Schema from 'effect/Schema'
import {
  createToolRegistry,
  defineTool,
  jsonSchema,
  type ToolDefinition,
  type ToolExecutionResult,
} from 'toolgate'
import { type Static, Type } from 'typebox'
import * as Value from 'typebox/value'
import * as v from 'valibot'
import { describe, expect, test } from 'vitest'
import * as z from 'zod'
import * as z3 from 'zod-3/v3'
import * as z4 from 'zod-3/v4'
import { countedTool, gate } from '../support/tools.js'

// One tool in many languages: `count` comes as text and is a number in the body, `unit` has a default.
interface Parsed {
  readonly count: number
  readonly unit: string
}

const input = {
  type: 'object',
  properties: { count: { type: 'string' }, unit: { type: 'string' } },
  required: ['count'],
}

const digits = /^\d+$/
const valibot = v.object({
  count: v.pipe(v.string(), v.regex(digits), v.transform(Number)),
  unit: v.optional(v.string(), 'cm'),
})
const arktype = type({ count: /^\d+$/, unit: 'string = "cm"' }).pipe(({ count, unit }) => ({
  count: Number(count),
  unit,
}))
const effect = Schema.Struct({
  count: Schema.FiniteFromString,
  unit: Schema.String.pipe(Schema.withDecodingDefaultKey(Effect.succeed('cm'))),
})

/** A TypeBox schema as a Standard Schema, as its users write it. */
function checking<T>(
  check: (value: unknown) => readonly { readonly path: string; readonly message: string }[],
  parse: (value: any) => T,
) {
  return {
    '~standard': {
      version: 1 as const,
      vendor: 'typebox',
      validate: (value: unknown) => {
        const issues = check(value).map(({ path, message }) => ({ message, path: path.split('/').slice(1) }))
        return issues.length > 0 ? { issues } : { value: parse(value) }
      },
    },
  }
}
const shape = Type.Object({ count: Type.String({ pattern: '^\\d+$' }), unit: Type.Optional(Type.String()) })
const shape0 = Type0.Object({
  count: Type0.String({ pattern: '^\\d+$' }),
  unit: Type0.Optional(Type0.String()),
})
const parseShape = ({ count, unit = 'cm' }: Static<typeof shape> | Static0<typeof shape0>): Parsed => ({
  count: Number(count),
  unit,
})

const zodShape = <Z extends typeof z | typeof z4 | typeof z3>(zod: Z) =>
  (zod as typeof z).object({
    count: (zod as typeof z).string().regex(digits).transform(Number),
    unit: (zod as typeof z).string().default('cm'),
  })

const LIBRARIES: readonly (readonly [library: string, parameters: unknown])[] = [
  ['zod 4', zodShape(z)],
  [
    'zod 4 of another copy, by a pair',
    { schema: zodShape(z4), jsonSchema: z4.toJSONSchema(zodShape(z4) as never, { io: 'input' }) },
  ],
  ['zod 3, by a pair', { schema: zodShape(z3), jsonSchema: input }],
  ['Valibot, by a pair', { schema: valibot, jsonSchema: input }],
  ['Valibot with its printer', toStandardJsonSchema(valibot)],
  ['ArkType, by a pair', { schema: arktype, jsonSchema: input }],
  ['ArkType', type({ count: type(/^\d+$/).pipe(digits => Number(digits)), unit: 'string = "cm"' })],
  [
    'TypeBox, by a pair',
    { schema: checking(value => issuesOf(Value.Errors(shape, value)), parseShape), jsonSchema: shape },
  ],
  [
    'TypeBox 0.34, by a pair',
    { schema: checking(value => [...Value0.Errors(shape0, value)], parseShape), jsonSchema: shape0 },
  ],
  ['Effect', Schema.toStandardJSONSchemaV1(Schema.toStandardSchemaV1(effect))],
  ['Effect, by a pair', { schema: Schema.toStandardSchemaV1(effect), jsonSchema: input }],
]

function issuesOf(errors: readonly { readonly instancePath: string; readonly message: string }[]) {
  return errors.map(({ instancePath, message }) => ({ path: instancePath, message }))
}

function counted(
  definition: Omit<ToolDefinition, 'execute' | 'name' | 'description'>,
  body: (args: any) => unknown,
) {
  const seen: unknown[] = []
  const registry = createToolRegistry()
  registry.register(
    defineTool({
      ...(definition as object),
      name: 'tool',
      description: 'A tool.',
      execute: (args: unknown) => {
        seen.push(args)
        return body(args)
      },
    } as never),
  )
  const call = (args: unknown) => registry.execute({ callId: '1', name: 'tool', arguments: args })
  return { registry, call, seen }
}

describe.each(LIBRARIES)('parameters in %s', (_, parameters) => {
  const tool = () => counted({ parameters } as never, ({ count, unit }: Parsed) => `${count} ${unit}`)

  test('show the model what they take', () => {
    const [schema] = tool().registry.schemas()
    expect(schema?.parameters).toMatchObject({
      type: 'object',
      properties: { count: { type: 'string' }, unit: { type: 'string' } },
      required: ['count'],
    })
    expect(schema?.parameters).not.toHaveProperty('$schema')
  })

  test('give the body what they parse', async () => {
    const { call, seen } = tool()
    expect(await call({ count: '5' })).toMatchObject({ isError: false, value: '5 cm' })
    expect(await call({ count: '7', unit: 'm' })).toMatchObject({ isError: false, value: '7 m' })
    expect(seen).toEqual([
      { count: 5, unit: 'cm' },
      { count: 7, unit: 'm' },
    ])
  })

  test('say where arguments are wrong, and the body does not run', async () => {
    const { call, seen } = tool()
    const result = await call({ count: 5 })
    expect(result).toMatchObject({ isError: true, error: { code: 'INVALID_ARGS' } })
    expect(result).toMatchObject({
      error: {
        message: expect.stringMatching(/^Invalid arguments for tool "tool": count/),
        details: { violations: [{ path: 'count', message: expect.stringMatching(/^count/) }] },
      },
    })
    expect(seen).toEqual([])
  })
})

describe('raw JSON Schema that TypeBox makes', () => {
  test.each([
    ['1', shape],
    ['0.34', shape0],
  ])('of version %s is taken with its marks, and checked by the registry', async (_, made) => {
    const { registry, call, seen } = counted(
      { parameters: jsonSchema<any>(made) } as never,
      args => args.count,
    )
    expect(registry.schemas()[0]?.parameters).toEqual(JSON.parse(JSON.stringify(made)))
    expect(await call({ count: '5' })).toMatchObject({ value: '5' })
    expect(await call({ count: 'x' })).toMatchObject({
      error: { message: 'Invalid arguments for tool "tool": count must match the pattern ^\\d+$, got "x"' },
    })
    expect(seen).toEqual([{ count: '5' }])
  })
})

describe('a plain tool with JSON Schema that TypeBox makes', () => {
  test.each([
    ['1', shape],
    ['0.34', shape0],
  ])('of version %s is registered without its marks, as parameters and as an output', async (_, made) => {
    const tool = countedTool('plain', args => args, {
      parameters: made,
      validateArguments: true,
      output: { schema: made, render: () => [] },
    })
    const registry = createToolRegistry({ tools: [tool] })
    expect(registry.schemas()[0]?.parameters).toEqual(JSON.parse(JSON.stringify(made)))
    const call = (args: object): Promise<ToolExecutionResult> =>
      registry.execute({ callId: 'c', name: 'plain', arguments: args })
    expect(await call({ count: '5' })).toMatchObject({ value: { count: '5' } })
    expect(await call({ count: 'x' })).toMatchObject({ error: { code: 'INVALID_ARGS' } })
    expect(tool.runs()).toBe(1)
  })

  test.each([
    ['a class instance', new Date(0)],
    ['a function', () => true],
    [
      'a getter that throws',
      Object.defineProperty({}, 'x', {
        enumerable: true,
        get: () => {
          throw new Error('no')
        },
      }),
    ],
    ['what is not there', undefined],
  ])('is refused with %s in its schema', (_, held) => {
    const tool = countedTool('plain', undefined, {
      parameters: { type: 'object', properties: { a: { [Symbol('kind')]: 'a', default: held } } },
    })
    expect(() => createToolRegistry({ tools: [tool] })).toThrow('Tool "plain" cannot be registered')
  })
})

const OUTPUTS: readonly (readonly [library: string, schema: unknown, printed: object])[] = [
  ['zod 4', z.string().pipe(z.transform(Number)).pipe(z.number()), { type: 'number' }],
  [
    'Valibot with its printer',
    toStandardJsonSchema(v.pipe(v.string(), v.transform(Number), v.number())),
    { type: 'number' },
  ],
  [
    'Valibot, by a pair',
    { schema: v.pipe(v.string(), v.transform(Number)), jsonSchema: { type: 'number' } },
    { type: 'number' },
  ],
  ['ArkType', type('string.numeric.parse'), { type: 'number' }],
  [
    'Effect',
    Schema.toStandardJSONSchemaV1(Schema.toStandardSchemaV1(Schema.FiniteFromString)),
    { type: 'number' },
  ],
]

describe.each(OUTPUTS)('an output in %s', (_, schema, printed) => {
  const tool = (body: () => unknown) =>
    counted(
      {
        parameters: {},
        output: {
          schema,
          render: (_args: unknown, value: unknown) => [{ type: 'text', text: `is ${value}` }],
        },
      } as never,
      body,
    )

  test('shows what it gives, parses what the body returns and renders that', async () => {
    const { registry, call } = tool(() => '5')
    expect(registry.get('tool')?.output?.schema).toMatchObject(printed)
    expect(await call({})).toMatchObject({
      isError: false,
      value: 5,
      content: [{ type: 'text', text: 'is 5' }],
    })
  })

  test('refuses what does not match', async () => {
    expect(await tool(() => true).call({})).toMatchObject({
      error: {
        code: 'INVALID_TOOL_OUTPUT',
        message: expect.stringMatching(/^Tool "tool" returned an invalid result: value/),
      },
    })
  })
})

test('validation may take its time: the body waits for it, and is not run for what is refused', async () => {
  const asked = gate()
  const parameters = z.object({
    id: z.string().refine(async id => {
      await asked.promise
      return id !== 'taken'
    }, 'is taken'),
  })
  const { call, seen } = counted({ parameters } as never, ({ id }) => id)
  const calls = [call({ id: 'free' }), call({ id: 'taken' })]
  expect(seen).toEqual([])
  asked.open()
  expect(await Promise.all(calls)).toMatchObject([
    { value: 'free' },
    { error: { code: 'INVALID_ARGS', message: 'Invalid arguments for tool "tool": id: is taken' } },
  ])
  expect(seen).toEqual([{ id: 'free' }])
})

test('the package itself knows none of these libraries', () => {
  const sources = fileURLToPath(new URL('../../src/', import.meta.url))
  const imports = readdirSync(sources, { recursive: true, encoding: 'utf8' })
    .filter(path => path.endsWith('.ts'))
    .flatMap(path => [...readFileSync(`${sources}${path}`, 'utf8').matchAll(/\bfrom '([^'.][^']*)'/g)])
    .map(([, name]) => name as string)
  const libraries = /^(zod|valibot|@valibot|arktype|typebox|@sinclair|effect|@standard-schema)/
  expect(imports).toContain('ajv')
  expect(imports.filter(name => libraries.test(name))).toEqual([])
})
