import type { Static as Static0, TSchema as TSchema0 } from '@sinclair/typebox'
import { Type as Type0 } from '@sinclair/typebox'
import { toStandardJsonSchema } from '@valibot/to-json-schema'
import * as Schema from 'effect/Schema'
import { defineTool, type InferArgs, type InferValue, jsonSchema } from 'toolgate'
import { type Static, Type } from 'typebox'
import * as v from 'valibot'
import { expectTypeOf } from 'vitest'
import * as z from 'zod'
import * as z3 from 'zod-3'
import * as z4 from 'zod-3/v4'

// Two copies of Zod in one program, and the old one: each tool has the types of its own.
const newest = z.object({ n: z.string().transform(Number), unit: z.string().default('cm') })
const other = z4.object({ n: z4.string().transform(Number), unit: z4.string().default('cm') })
const old = z3.object({ n: z3.string().transform(Number), unit: z3.string().default('cm') })
expectTypeOf<InferArgs<typeof newest>>().toEqualTypeOf<{ n: number; unit: string }>()
expectTypeOf<InferArgs<typeof other>>().toEqualTypeOf<{ n: number; unit: string }>()
expectTypeOf<InferArgs<typeof old>>().toEqualTypeOf<{ n: number; unit: string }>()

defineTool({
  name: 'newest',
  description: 'Of one copy, its output of the other',
  parameters: newest,
  output: {
    schema: z4.string().transform(text => text.length),
    render: (_, length) => (expectTypeOf(length).toEqualTypeOf<number>(), []),
  },
  execute: ({ n, unit }) => {
    expectTypeOf(n).toEqualTypeOf<number>()
    return unit
  },
})
for (const schema of [other, old] as const)
  defineTool({
    name: 'pair',
    description: 'By a pair',
    parameters: { schema, jsonSchema: { type: 'object' } },
    execute: ({ n, unit }) => {
      expectTypeOf(n).toEqualTypeOf<number>()
      return unit
    },
  })

// The others.
const printed = toStandardJsonSchema(v.object({ n: v.pipe(v.string(), v.transform(Number)) }))
expectTypeOf<InferArgs<typeof printed>>().toEqualTypeOf<{ n: number }>()
const effect = Schema.toStandardJSONSchemaV1(
  Schema.toStandardSchemaV1(Schema.Struct({ n: Schema.FiniteFromString })),
)
expectTypeOf<InferArgs<typeof effect>>().toEqualTypeOf<{ readonly n: number }>()
expectTypeOf<InferValue<typeof effect>>().toEqualTypeOf<{ readonly n: number }>()

const box = Type.Object({ n: Type.Number(), unit: Type.Optional(Type.String()) })
const raw = jsonSchema<Static<typeof box>>(box)
expectTypeOf<InferArgs<typeof raw>>().toEqualTypeOf<{ n: number; unit?: string }>()
const box0 = Type0.Object({ n: Type0.Number() })
const ofBox = <S extends TSchema0>(schema: S) => jsonSchema<Static0<S>>(schema)
defineTool({
  name: 'box',
  description: 'Made by a library that does not validate itself',
  parameters: ofBox(box0),
  execute: ({ n }) => n.toFixed(),
})
