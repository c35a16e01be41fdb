import fc from 'fast-check'
import { jsonSchema, schemaSpecToJsonSchema, type Violation, validateArgs } from 'toolgate'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { acceptedValues } from '../code-mode/declarations/accepted-values.js'
import { instanceOf, seededDraw } from '../code-mode/declarations/instance.js'
import { lawSpec } from '../code-mode/declarations/law-specs.js'
import { mutate } from '../code-mode/declarations/mutate.js'
import { hostileValues } from './hostile-values.js'

const SAMPLES = 120
const WARM_UP = 600

type Schema = { readonly [keyword: string]: unknown }

const freeze = <T>(value: T): T => {
  if (typeof value !== 'object' || value === null) return value
  for (const part of Object.values(value)) freeze(part)
  return Object.freeze(value)
}

const check = (spec: object, args: unknown): Violation[] => validateArgs(spec as never, args)

/** Checks often enough for code of its own. */
async function warmUp(spec: object, args: unknown): Promise<void> {
  for (let i = 0; i < WARM_UP; i++) check(spec, args)
  await vi.dynamicImportSettled()
}

/** Counts the functions made from text, or refuses to make them. */
function watchCode(allowed = true): () => number {
  let made = 0
  const watched = new Proxy(Function, {
    construct(target, args) {
      made++
      if (!allowed) throw new EvalError('Code generation from strings disallowed for this context')
      return Reflect.construct(target, args) as object
    },
  })
  vi.stubGlobal('Function', watched)
  return () => made
}

function valuesFor(spec: object, seed: number): Schema[] {
  const draw = seededDraw(seed)
  const schema = schemaSpecToJsonSchema(spec as never) as Schema
  const instances = Array.from({ length: 6 }, () => instanceOf(schema, schema, draw))
  return [...instances, ...instances.map(value => mutate(value, draw))] as Schema[]
}

const ODD_NAMES = [
  '__proto__',
  'constructor',
  'hasOwnProperty',
  'x"y',
  "'",
  '`$' + '{attacked()}`',
  '\u2028',
  '*/',
  '"] + attacked() + x["',
  '\\',
  '1',
  '',
]

afterEach(() => {
  vi.unstubAllGlobals()
})

describe('a schema that is used often', () => {
  it('says of every value what it said before, and what JSON Schema says', async () => {
    const made = watchCode()
    const specs = fc.sample(
      fc.tuple(lawSpec({ overlap: true }), fc.integer({ min: 1, max: 0x7fffffff })),
      SAMPLES,
    )
    const cases = specs.map(([v, seed]) => {
      const spec = freeze({ v: { ...v, required: true } })
      return { spec, values: valuesFor(spec, seed) }
    })
    const before = cases.map(({ spec, values }) => values.map(value => check(spec, value)))
    for (const { spec, values } of cases) await warmUp(spec, values[0])
    expect(made()).toBeGreaterThan(SAMPLES / 2)
    expect(cases.map(({ spec, values }) => values.map(value => check(spec, value)))).toEqual(before)

    const schemas = cases.map(({ spec, values }) => ({
      schema: jsonSchema(schemaSpecToJsonSchema(spec as never)),
      values,
    }))
    const verdicts = before.map(list => list.map(violations => violations.length === 0))
    expect(verdicts).toEqual(await acceptedValues(schemas))
    const flat = verdicts.flat()
    expect(flat.filter(accepted => accepted).length).toBeGreaterThan(SAMPLES * 2)
    expect(flat.filter(accepted => !accepted).length).toBeGreaterThan(SAMPLES * 2)
  })

  it('takes names and values for what they are, not for code', async () => {
    const made = watchCode()
    const attacked = vi.fn(() => 'attacked')
    vi.stubGlobal('attacked', attacked)
    const property = { type: 'string', enum: ODD_NAMES, required: true }
    const spec = freeze({
      all: {
        type: 'object',
        additionalProperties: false,
        required: true,
        properties: Object.fromEntries(ODD_NAMES.map(name => [name, property])),
      },
    })
    const all = Object.fromEntries(ODD_NAMES.map(name => [name, name]))
    await warmUp(spec, { all })
    expect(made()).toBe(1)
    expect(check(spec, { all })).toEqual([])
    for (const name of ODD_NAMES) {
      const without = Object.fromEntries(
        ODD_NAMES.filter(other => other !== name).map(other => [other, other]),
      )
      expect(check(spec, { all: without })).toHaveLength(1)
      expect(check(spec, { all: { ...without, more: 'x' } })).toHaveLength(2)
      expect(
        check(spec, { all: Object.defineProperty({ ...without }, name, { value: 'z', enumerable: true }) }),
      ).toHaveLength(1)
    }
    expect(attacked).not.toHaveBeenCalled()
  })

  it.each(hostileValues())(
    'is told what is wrong with %s, and is not stopped by it',
    async (_name, value) => {
      const spec = freeze({
        text: { type: 'string', required: true },
        list: { type: 'array', items: { type: 'string' } },
        config: { type: 'object', additionalProperties: true },
      })
      const before = check(spec, value)
      expect(before.length).toBeGreaterThan(0)
      await warmUp(spec, { text: 'a' })
      expect(check(spec, value)).toEqual(before)
    },
  )

  it('does not take what is inherited for a property of the value', async () => {
    const spec = freeze({ polluted: { type: 'string', required: true } })
    await warmUp(spec, { polluted: 'a' })
    Object.defineProperty(Object.prototype, 'polluted', {
      value: 'b',
      configurable: true,
      enumerable: true,
      writable: true,
    })
    try {
      expect(check(spec, {})).toEqual([{ path: 'polluted', message: 'missing required property polluted' }])
      expect(check(spec, { polluted: 'a' })).toEqual([])
    } finally {
      delete (Object.prototype as { polluted?: unknown }).polluted
    }
  })

  it('tells zero from its negative, and finds repeated and reordered properties', async () => {
    const spec = freeze({
      zero: { type: 'integer', const: 0 },
      some: { type: 'number', enum: [0, 1.5] },
      any: { type: 'number' },
    })
    await warmUp(spec, { zero: 0, some: 0, any: 0 })
    expect(check(spec, { any: 0, some: 1.5, zero: 0 })).toEqual([])
    for (const name of ['zero', 'some', 'any']) expect(check(spec, { [name]: -0 })).toHaveLength(1)
    for (const any of [Number.NaN, Number.POSITIVE_INFINITY]) expect(check(spec, { any })).toHaveLength(1)
  })

  it('goes on as before where no code may be made', async () => {
    const made = watchCode(false)
    const spec = freeze({ text: { type: 'string', required: true } })
    await warmUp(spec, { text: 'a' })
    expect(made()).toBe(1)
    expect(check(spec, { text: 'a' })).toEqual([])
    expect(check(spec, { text: 1 })).toEqual([{ path: 'text', message: 'text must be a string, got 1' }])
  })

  it('is compiled anew when it has changed, frozen or not', async () => {
    const spec: { [name: string]: { type: string; required?: true; enum?: string[] } } = {
      text: { type: 'string', required: true },
    }
    Object.freeze(spec)
    await warmUp(spec, { text: 'a' })
    const { text } = spec
    if (text === undefined) throw new Error('no text')
    text.enum = ['b']
    expect(check(spec, { text: 'a' })).toHaveLength(1)
    text.enum.push('a')
    expect(check(spec, { text: 'a' })).toEqual([])
    text.enum[1] = 'c'
    expect(check(spec, { text: 'a' })).toHaveLength(1)
    delete text.enum
    expect(check(spec, { text: 'a' })).toEqual([])
    text.type = 'integer'
    expect(check(spec, { text: 1 })).toEqual([])
    Object.defineProperty(text, 'hidden', { value: 1 })
    expect(() => check(spec, { text: 1 })).toThrow('Unsupported parameters')
  })

  it('is looked at again where a getter could answer differently', () => {
    let type = 'string'
    const text = {
      get type() {
        return type
      },
    }
    const spec = Object.freeze({ text: Object.freeze(text) })
    expect(check(spec, { text: 'a' })).toEqual([])
    type = 'integer'
    expect(check(spec, { text: 'a' })).toHaveLength(1)
  })
})
