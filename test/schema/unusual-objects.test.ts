import {
  createToolRegistry,
  defineTool,
  type Violation,
  validateArgs,
  validateStructuredValue,
} from 'toolgate'
import { describe, expect, it, vi } from 'vitest'

const OFTEN = 600

const text = { type: 'string' } as const
const check = (spec: object, args: unknown): Violation[] => validateArgs(spec as never, args)

/** Asks what is asked of a schema that was not used yet, and of one that has code of its own. */
async function newAndOld(spec: object, usual: unknown, ask: () => void): Promise<void> {
  ask()
  for (let i = 0; i < OFTEN; i++) check(spec, usual)
  await vi.dynamicImportSettled()
  ask()
}

function whileInherited(name: string, value: unknown, act: () => void): void {
  Object.defineProperty(Object.prototype, name, {
    value,
    configurable: true,
    enumerable: true,
    writable: true,
  })
  try {
    act()
  } finally {
    delete (Object.prototype as { [name: string]: unknown })[name]
  }
}

/** Every such value matches both branches, so that none may be accepted. */
const both = (closed: boolean, value: object = text): object => ({
  v: {
    required: true,
    oneOf: [{ type: 'object', additionalProperties: !closed, properties: { a: value } }, { type: 'json' }],
  },
})

const TWO = [{ path: 'v', message: 'v must match exactly one branch, but 2 of 2 match (1 and 2)' }]

describe('an unusual object', () => {
  it.each([
    ['without a prototype', true, Object.assign(Object.create(null) as object, { a: 'x' })],
    ['that holds one without a prototype', false, { a: 'x', b: Object.create(null) as object }],
    ['with a property named __proto__', false, JSON.parse('{"__proto__": 1}') as object],
    ['with a property named __proto__ and no prototype', false, withOwnProto()],
  ])('%s still matches the branch of a union that it matches', async (_name, closed, v) => {
    const spec = both(closed)
    await newAndOld(spec, { v: 'a' }, () => expect(check(spec, { v })).toEqual(TWO))
  })

  it('from another realm still matches the branch of a union that it matches', async () => {
    const { runInNewContext } = await import('node:vm')
    const v: unknown = runInNewContext('({ a: "x" })')
    const spec = both(true)
    await newAndOld(spec, { v: 'a' }, () => expect(check(spec, { v })).toEqual(TWO))
  })

  it.each([
    ['declared', 'a'],
    ['not declared', 'zz'],
  ])('that inherits what is %s still matches the branches that it matches', async (_name, inherited) => {
    for (const closed of [true, false])
      for (const held of [text, { type: 'json' }]) {
        const spec = both(closed, held)
        await newAndOld(spec, { v: 'a' }, () =>
          whileInherited(inherited, 1, () => {
            for (const v of [{}, { a: 'x' }]) expect(check(spec, { v })).toEqual(TWO)
          }),
        )
      }
  })

  it('never has what it inherits, not even before a schema is used often', async () => {
    const spec = { a: { ...text, required: true }, b: { type: 'integer' } }
    await newAndOld(spec, { a: 'x' }, () => {
      whileInherited('a', 'inherited', () => {
        expect(check(spec, {})).toEqual([{ path: 'a', message: 'missing required property a' }])
        expect(check(spec, { b: 1 })).toEqual([{ path: 'a', message: 'missing required property a' }])
        expect(check(spec, { a: 'x' })).toEqual([])
      })
      whileInherited('b', 'inherited', () => expect(check(spec, { a: 'x' })).toEqual([]))
    })
    const schema = {
      type: 'object',
      properties: { a: text },
      required: ['a'],
      additionalProperties: false,
    }
    whileInherited('a', 'inherited', () => {
      expect(validateStructuredValue(schema, {})).toHaveLength(1)
      expect(validateStructuredValue(schema, { a: 'x' })).toEqual([])
    })
  })

  it('is refused by a tool at its first call and at its thousandth', async () => {
    const run = vi.fn(() => 'ran')
    const registry = createToolRegistry({
      tools: [defineTool({ name: 't', description: 't', parameters: both(false) as never, execute: run })],
    })
    const call = (args: unknown) => registry.execute({ callId: '1', name: 't', arguments: args })
    for (let round = 0; round < 2; round++) {
      run.mockClear()
      const result = await call('{"v": {"__proto__": 1}}')
      expect(result.isError && result.error.code).toBe('INVALID_ARGS')
      expect(run).not.toHaveBeenCalled()
      for (let i = 0; i < OFTEN; i++) await call({ v: 'a' })
      expect(run).toHaveBeenCalledTimes(OFTEN)
      await vi.dynamicImportSettled()
    }
  })
})

function withOwnProto(): object {
  return Object.defineProperty(Object.create(null) as object, '__proto__', { value: 1, enumerable: true })
}
