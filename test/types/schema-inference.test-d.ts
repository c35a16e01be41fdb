import { type } from 'arktype'
import * as v from 'valibot'
import { expectTypeOf } from 'vitest'
import * as z from 'zod'
import type { JsonObject, JsonValue } from '../../src/json/json-value.js'
import { compileParameters } from '../../src/schema/compile-parameters.js'
import { jsonSchema } from '../../src/schema/json-schema.js'
import type {
  ArraySpec,
  InferArgs,
  InferInput,
  InferValue,
  PropertySpec,
  SchemaSpec,
  StringSpec,
  ValueSpec,
} from '../../src/schema/schema-spec.js'
import { defineTool } from '../../src/tools/define-tool.js'
import type { Innermost, Nest } from '../support/nested-schema.js'

declare function argsOf<const P extends SchemaSpec>(spec: P): InferArgs<P>
declare function inferred<const S extends ValueSpec>(spec: S): InferValue<S>

// Required and optional properties, and literals without `as const`.
expectTypeOf(
  argsOf({
    path: { type: 'string', required: true },
    limit: { type: 'integer' },
    mode: { type: 'string', enum: ['read', 'write'], required: true },
    level: { type: 'number', enum: [1, 2, 3] },
    version: { type: 'integer', const: 2, enum: [1, 2], required: true },
    flag: { type: 'boolean' },
    nothing: { type: 'null' },
    any: { type: 'json', required: true },
  }),
).toEqualTypeOf<{
  path: string
  limit?: number
  mode: 'read' | 'write'
  level?: 1 | 2 | 3
  version: 2
  flag?: boolean
  nothing?: null
  any: JsonValue
}>()
expectTypeOf<InferArgs<Record<never, never>>>().toEqualTypeOf<Record<never, never>>()

// Containers.
expectTypeOf(inferred({ type: 'array' })).toEqualTypeOf<JsonValue[]>()
expectTypeOf(inferred({ type: 'array', items: { type: 'string' } })).toEqualTypeOf<string[]>()
expectTypeOf(inferred({ type: 'object', additionalProperties: true })).toEqualTypeOf<
  Record<string, JsonValue>
>()
expectTypeOf(inferred({ type: 'object', additionalProperties: false })).toEqualTypeOf<Record<string, never>>()
expectTypeOf(inferred({ type: 'object', additionalProperties: false, properties: {} })).toEqualTypeOf<
  Record<string, never>
>()
expectTypeOf(
  inferred({
    type: 'object',
    additionalProperties: false,
    properties: { a: { type: 'string', required: true } },
  }),
).toEqualTypeOf<{ a: string }>()
expectTypeOf(
  inferred({
    type: 'object',
    additionalProperties: true,
    properties: { a: { type: 'string', required: true } },
  }),
).toEqualTypeOf<{ a: string } & Record<string, JsonValue>>()

// Unions.
const union = inferred({
  oneOf: [
    {
      type: 'object',
      additionalProperties: false,
      properties: {
        kind: { type: 'string', const: 'circle', required: true },
        radius: { type: 'number', required: true },
      },
    },
    { type: 'array', items: { oneOf: [{ type: 'string' }, { type: 'null' }] } },
    { type: 'boolean', const: false },
  ],
})
expectTypeOf(union).toEqualTypeOf<{ kind: 'circle'; radius: number } | (string | null)[] | false>()

// Exact to 16 container levels, JsonValue below; schemas that are not known in detail end in JsonValue too.
expectTypeOf<Innermost<InferValue<Nest<16>>>>().toEqualTypeOf<string>()
expectTypeOf<Innermost<InferValue<Nest<17>>>>().toEqualTypeOf<JsonValue>()
expectTypeOf<InferValue<ValueSpec>>().toEqualTypeOf<JsonValue>()
expectTypeOf<InferArgs<SchemaSpec>>().toEqualTypeOf<JsonObject>()
expectTypeOf<InferValue<{ readonly type: 'array'; readonly items: ValueSpec }>>().toEqualTypeOf<JsonValue[]>()

// Nodes whose types are wider than one node, one by one and as properties.
type String1 = { readonly type: 'string'; readonly const: 'a' }
type Number1 = { readonly type: 'number' }
expectTypeOf<InferValue<String1 | Number1>>().toEqualTypeOf<'a' | number>()
expectTypeOf<InferValue<StringSpec | ArraySpec>>().toEqualTypeOf<string | JsonValue[]>()
expectTypeOf<InferValue<{ readonly type: 'string' | 'array' }>>().toEqualTypeOf<string | JsonValue[]>()
expectTypeOf<
  InferValue<{ readonly type: 'string'; readonly enum: readonly string[] }>
>().toEqualTypeOf<string>()
expectTypeOf<InferValue<any>>().toEqualTypeOf<JsonValue>()
expectTypeOf<InferArgs<{ readonly a: PropertySpec; readonly b: any }>>().toEqualTypeOf<{
  a?: JsonValue
  b: JsonValue
}>()
expectTypeOf<InferArgs<{ readonly a: String1 | Number1; readonly b: StringSpec }>>().toEqualTypeOf<{
  a?: 'a' | number
  b?: string
}>()
expectTypeOf<
  InferArgs<{ readonly a: { readonly type: 'string'; readonly required?: true } }>
>().toEqualTypeOf<{
  a?: string
}>()
expectTypeOf<
  InferArgs<{ readonly a: Number1 } | { readonly b: Number1 & { readonly required: true } }>
>().toEqualTypeOf<{ a?: number } | { b: number }>()
expectTypeOf<InferArgs<Record<string, StringSpec>>>().toEqualTypeOf<JsonObject>()
expectTypeOf<
  InferValue<{
    readonly type: 'object'
    readonly additionalProperties: false
    readonly properties: { readonly a: Number1 } | { readonly b: String1 }
  }>
>().toEqualTypeOf<{ a?: number } | { b?: 'a' }>()

// Raw JSON Schema.
expectTypeOf<InferArgs<{ readonly type: 'object' }>>().toEqualTypeOf<JsonObject>()
const raw = jsonSchema<{ a: number }>({ type: 'object' })
expectTypeOf<InferArgs<typeof raw>>().toEqualTypeOf<{ a: number }>()
expectTypeOf<InferValue<typeof raw>>().toEqualTypeOf<{ a: number }>()
expectTypeOf<InferInput<typeof raw>>().toEqualTypeOf<{ a: number }>()

// Standard Schema: the body gets what the schema gives, and returns what it takes.
const zod = z.object({ n: z.string().transform(Number), unit: z.string().default('cm') })
expectTypeOf<InferArgs<typeof zod>>().toEqualTypeOf<{ n: number; unit: string }>()
expectTypeOf<InferValue<typeof zod>>().toEqualTypeOf<{ n: number; unit: string }>()
expectTypeOf<InferInput<typeof zod>>().toEqualTypeOf<{ n: string; unit?: string | undefined }>()
const valibot = { schema: v.object({ a: v.pipe(v.string(), v.transform(Number)) }), jsonSchema: {} }
expectTypeOf<InferArgs<typeof valibot>>().toEqualTypeOf<{ a: number }>()
expectTypeOf<InferInput<typeof valibot>>().toEqualTypeOf<{ a: string }>()
const ark = type({ name: 'string', 'age?': 'number' })
expectTypeOf<InferArgs<typeof ark>>().toEqualTypeOf<{ name: string; age?: number }>()

// What the schema language refuses.
compileParameters({ a: { type: 'string' }, type: { type: 'string' } })
// @ts-expect-error: an object says whether it is open
compileParameters({ a: { type: 'object' } })
// @ts-expect-error: no such type
compileParameters({ a: { type: 'strin' } })
// @ts-expect-error: a property is required or says nothing
compileParameters({ a: { type: 'string', required: false } })
// @ts-expect-error: only properties are required
compileParameters({ a: { type: 'array', items: { type: 'string', required: true } } })
// @ts-expect-error: an enum holds values of its type
compileParameters({ a: { type: 'string', enum: [1] } })
// @ts-expect-error: a union has two branches or more
compileParameters({ a: { oneOf: [{ type: 'string' }] } })
// A tool.
defineTool({
  name: 'sum',
  description: 'Adds',
  parameters: {
    terms: { type: 'array', items: { type: 'number' }, required: true },
    unit: { type: 'string', enum: ['m', 'cm'] },
  },
  output: {
    schema: {
      type: 'object',
      additionalProperties: false,
      properties: { sum: { type: 'number', required: true } },
    },
    render: (args, value) => {
      expectTypeOf(args).toEqualTypeOf<{ terms: number[]; unit?: 'm' | 'cm' }>()
      expectTypeOf(value).toEqualTypeOf<{ sum: number }>()
      return []
    },
  },
  execute: args => {
    expectTypeOf(args).toEqualTypeOf<{ terms: number[]; unit?: 'm' | 'cm' }>()
    return { sum: args.terms.length }
  },
})
defineTool({
  name: 'wrong',
  description: 'Returns something else than it says',
  parameters: {},
  output: { schema: { type: 'number' }, render: () => [] },
  // @ts-expect-error: the body does not return a number
  execute: () => 'text',
})
defineTool({
  name: 'zod',
  description: 'Takes text, gets a number',
  parameters: zod,
  output: {
    schema: z.string().transform(text => text.length),
    render: (_, length) => (expectTypeOf(length).toEqualTypeOf<number>(), []),
  },
  execute: ({ n }) => n.toFixed(),
})
