// Types are checked by `npm run typecheck`, which reads these tests too; that values keep to them is checked as they run.
import {
  defineTool,
  type InferArgs,
  type InferValue,
  type JsonValue,
  type SchemaSpec,
  type ValueSpec,
  validateArgs,
} from 'toolgate'
import { describe, expect, expectTypeOf, it } from 'vitest'
import type { Innermost, Nest } from '../support/nested-schema.js'

const argsOf = <const P extends SchemaSpec>(spec: P, args: InferArgs<P>): InferArgs<P> => {
  expect(validateArgs(spec, args)).toEqual([])
  return args
}
const checked = <const S extends ValueSpec>(spec: S, value: InferValue<S>): InferValue<S> => {
  expect(validateArgs({ x: spec } as SchemaSpec, { x: value })).toEqual([])
  return value
}

describe('the types of values', () => {
  it('follow their specs (DSL-20)', () => {
    const args = argsOf(
      {
        path: { type: 'string', required: true },
        limit: { type: 'integer' },
        mode: { type: 'string', enum: ['read', 'write'], required: true },
        version: { type: 'integer', const: 2, enum: [1, 2], required: true },
        any: { type: 'json' },
      },
      { path: 'a', mode: 'read', version: 2 },
    )
    expectTypeOf(args).toEqualTypeOf<{
      path: string
      limit?: number
      mode: 'read' | 'write'
      version: 2
      any?: JsonValue
    }>()
    expectTypeOf(checked({ type: 'array' }, [1, 'a'])).toEqualTypeOf<JsonValue[]>()
    expectTypeOf(checked({ type: 'array', items: { type: 'null' } }, [null])).toEqualTypeOf<null[]>()
    const open = {
      type: 'object',
      additionalProperties: true,
      properties: { a: { type: 'string', required: true } },
    } as const
    expectTypeOf(checked(open, { a: 'x', b: [1] })).toEqualTypeOf<{ a: string } & Record<string, JsonValue>>()
    const closed = { type: 'object', additionalProperties: false } as const
    expectTypeOf(checked(closed, {})).toEqualTypeOf<Record<string, never>>()
    const union = {
      oneOf: [
        { type: 'string', const: 'all' },
        { type: 'array', items: { type: 'boolean' } },
      ],
    } as const
    expectTypeOf(checked(union, [true])).toEqualTypeOf<'all' | boolean[]>()
  })

  it('are exact to 16 levels of containers, then JsonValue (DSL-21)', () => {
    expectTypeOf<Innermost<InferValue<Nest<16>>>>().toEqualTypeOf<string>()
    expectTypeOf<Innermost<InferValue<Nest<17>>>>().toEqualTypeOf<JsonValue>()
    // What is checked goes on where the type ends.
    const nest = (depth: number): ValueSpec =>
      depth === 0 ? { type: 'string' } : { type: 'array', items: nest(depth - 1) }
    const deep = (depth: number, value: JsonValue): JsonValue =>
      depth === 0 ? value : [deep(depth - 1, value)]
    const spec = { x: nest(20) } as SchemaSpec
    expect(validateArgs(spec, { x: deep(20, 'a') })).toEqual([])
    expect(validateArgs(spec, { x: deep(20, 1) })).toHaveLength(1)
  })

  it('come from what is written in place, and hold the body and render to it (DSL-22)', () => {
    const tool = defineTool({
      name: 'tool',
      description: 'A tool.',
      parameters: { unit: { type: 'string', enum: ['m', 'cm'], required: true } },
      output: {
        schema: {
          type: 'object',
          additionalProperties: false,
          properties: { sum: { type: 'number', required: true } },
        },
        render: (args, value) => {
          expectTypeOf(args).toEqualTypeOf<{ unit: 'm' | 'cm' }>()
          expectTypeOf(value).toEqualTypeOf<{ sum: number }>()
          return []
        },
        presentationMeta: (args, value) => {
          expectTypeOf(args).toEqualTypeOf<{ unit: 'm' | 'cm' }>()
          expectTypeOf(value).toEqualTypeOf<{ sum: number }>()
          return { unit: args.unit }
        },
      },
      execute: args => {
        expectTypeOf(args).toEqualTypeOf<{ unit: 'm' | 'cm' }>()
        return { sum: 1 }
      },
    })
    expect(tool.parameters).toMatchObject({ properties: { unit: { enum: ['m', 'cm'] } } })
    const wrong = defineTool({
      name: 'wrong',
      description: 'A tool.',
      parameters: {},
      output: { schema: { type: 'number' }, render: () => [] },
      // @ts-expect-error: the body does not return what the output says, and that does not change by it
      execute: () => 'text',
    })
    expect(wrong.output?.schema).toEqual({ type: 'number' })
  })
})
