import { jsonSchemaToTs, renderToolsSdk, type SdkTool } from 'toolgate'
import { describe, expect, it } from 'vitest'

/** Counts how often something looks into an object, or into one below it. */
function counting<T extends object>(root: T): { readonly value: T; readonly reads: () => number } {
  let reads = 0
  const proxies = new Map<object, object>()
  const wrap = (target: object): object => {
    const proxy =
      proxies.get(target) ??
      new Proxy(target, {
        get(from, key) {
          reads++
          const value: unknown = Reflect.get(from, key)
          return typeof value === 'object' && value !== null ? wrap(value) : value
        },
        getOwnPropertyDescriptor(from, key) {
          reads++
          return Reflect.getOwnPropertyDescriptor(from, key)
        },
        ownKeys(from) {
          const keys = Reflect.ownKeys(from)
          reads += keys.length
          return keys
        },
      })
    proxies.set(target, proxy)
    return proxy
  }
  return { value: wrap(root) as T, reads: () => reads }
}

type Schema = { [keyword: string]: unknown }

const numbers = (count: number): number[] => Array.from({ length: count }, (_, index) => index)
const mapped = (count: number, make: (index: number) => unknown): Schema =>
  Object.fromEntries(numbers(count).map(index => [`d${index}`, make(index)]))
const ref = (index: number): Schema => ({ $ref: `#/$defs/d${index}` })
const object = (properties: Schema, rest: Schema = {}): Schema => ({ type: 'object', properties, ...rest })
const nested = (count: number, wrap: (inner: Schema, index: number) => Schema): Schema =>
  numbers(count).reduce(wrap, object({ a: { type: 'string' } }))

const SHAPES: { readonly [name: string]: (count: number) => Schema } = {
  'many properties': n =>
    object(
      mapped(n, () => ({ type: 'string' })),
      { required: numbers(n).map(i => `d${i}`) },
    ),
  'many values of an enum': n => ({ enum: numbers(n) }),
  'many branches beside properties': n =>
    object({ a: {} }, { anyOf: numbers(n).map(i => object({ [`k${i}`]: {} })) }),
  'many parts of an allOf': n => ({ allOf: numbers(n).map(i => object({ [`k${i}`]: {} })) }),
  'many closed parts of an allOf': n => ({
    allOf: numbers(n).map(i => object({ a: {}, [`k${i}`]: {} }, { additionalProperties: false })),
  }),
  'many patterns': n => ({ type: 'object', patternProperties: mapped(n, () => ({ type: 'number' })) }),
  'nested properties': n => nested(n, (inner, i) => object({ [`p${i}`]: inner })),
  'nested items': n => nested(n, items => ({ type: 'array', items })),
  'nested allOf': n => nested(n, (inner, i) => ({ allOf: [inner, object({ [`p${i}`]: {} })] })),
  'nested anyOf': n => nested(n, (inner, i) => ({ anyOf: [inner, { const: i }] })),
  'nested choices under unevaluatedProperties': n =>
    nested(n, inner =>
      object({ a: {} }, { anyOf: [inner, object({ b: {} })], unevaluatedProperties: false }),
    ),
  'a chain of references': n => ({
    ...ref(0),
    $defs: mapped(n, i => (i + 1 < n ? ref(i + 1) : { type: 'null' })),
  }),
  'a chain of closed compositions': n => ({
    ...ref(0),
    $defs: mapped(n, i =>
      i + 1 < n ? { allOf: [ref(i + 1), object({})] } : object({}, { additionalProperties: false }),
    ),
  }),
  'rings of references': n => ({
    ...ref(0),
    $defs: mapped(n, i => ({ anyOf: [ref((i + 1) % n), { const: i }, ref(0), ref((i * 7) % n)] })),
  }),
  'references to references, many ways': n => ({
    ...ref(0),
    $defs: mapped(n, i => (i + 8 < n ? { allOf: numbers(8).map(j => ref(i + 1 + j)) } : object({ a: {} }))),
  }),
  'objects that refer to each other': n =>
    object(
      { start: ref(0) },
      { $defs: mapped(n, i => object({ next: ref((i + 1) % n), far: ref((i * 31 + 7) % n) })) },
    ),
}

const toolFrom = (parameters: Schema): SdkTool => ({
  name: 'tool',
  parameters: parameters as SdkTool['parameters'],
})

describe('printing', () => {
  it.each(Object.entries(SHAPES))('takes a look for each part of a schema with %s', (_, make) => {
    const measure = (count: number): { reads: number; bytes: number } => {
      const { value, reads } = counting(make(count))
      const text = jsonSchemaToTs(value) + renderToolsSdk([toolFrom(value)])
      return { reads: reads(), bytes: text.length }
    }
    const [small, large] = [measure(200), measure(800)]
    expect(small.reads).toBeGreaterThan(200)
    // Four times the schema: numbers grow by a digit, and an alias begins every so many levels.
    expect(large.reads / small.reads).toBeLessThan(4.4)
    expect(large.bytes / small.bytes).toBeLessThan(5.5)
  })

  it('looks at each of two thousand tools as often as at each of ten', () => {
    const perTool = (count: number): { reads: number; bytes: number } => {
      const parameters = object(
        { path: { type: 'string', description: 'The path.' }, node: ref(0) },
        { required: ['path'], $defs: mapped(2, i => object({ next: ref(1 - i) })) },
      )
      const { value, reads } = counting(numbers(count).map(() => structuredClone(parameters)))
      const tools = numbers(count).map(n => ({ ...toolFrom(value[n] as Schema), name: `tool-${10_000 + n}` }))
      const text = renderToolsSdk(tools)
      return { reads: reads() / count, bytes: text.length / count }
    }
    const [few, many] = [perTool(10), perTool(2_000)]
    expect(many.reads).toBe(few.reads)
    expect(many.bytes).toBeLessThan(few.bytes)
  })
})
