import { createToolRegistry, defineTool, jsonSchema } from 'toolgate'
import { describe, expect, it, vi } from 'vitest'

type Value = { readonly n: Value } | number | null

const DRAFT_07 = { $schema: 'http://json-schema.org/draft-07/schema#' }
const branch = { type: 'object', properties: { n: { $ref: '#/$defs/n' } }, required: ['n'] }
const leaf = { type: 'null' }
// Both branches lead back to the same schema: twice as many ways with every level.
const TWICE = {
  anyOf: { anyOf: [branch, branch, leaf] },
  oneOf: { oneOf: [{ ...branch, maxProperties: 1 }, branch, leaf] },
  allOf: {
    allOf: [
      { ...branch, type: ['object', 'null'] },
      { ...branch, type: ['object', 'null'] },
    ],
  },
  not: { anyOf: [{ not: branch }, { ...branch, not: branch }] },
  if: { if: branch, else: { anyOf: [branch, leaf] } },
}

function nested(levels: number, last: Value): Value {
  let value = last
  for (let i = 0; i < levels; i++) value = { n: value }
  return value
}

async function check(schema: object, args: unknown) {
  const run = vi.fn(() => 'ran')
  const tool = defineTool({ name: 't', description: 't', parameters: jsonSchema(schema), execute: run })
  const result = await createToolRegistry({ tools: [tool] }).execute({
    callId: '1',
    name: 't',
    arguments: args,
  })
  expect(run).toHaveBeenCalledTimes(result.isError ? 0 : 1)
  return result.isError ? result.error : undefined
}

const whole = (n: object, more: object = {}): object => ({
  ...more,
  type: 'object',
  properties: { v: { $ref: '#/$defs/n' } },
  $defs: { n },
})

describe.each([
  ['2020-12', {}],
  ['draft-07', DRAFT_07],
])('a value with more ways through a schema of %s than can be tried', (_draft, draft) => {
  it.each(Object.entries(TWICE))(
    'is answered in time, and refused for no other reason: %s',
    async (name, n) => {
      for (const levels of [16, 40]) {
        const error = await check(whole(n, draft), { v: nested(levels, 1) })
        // What a negation refuses is a match.
        if (error === undefined && ['not', 'if'].includes(name)) continue
        if (error === undefined) throw new Error('was accepted')
        expect(error.code).toBe('INVALID_ARGS')
        expect(error.message).not.toContain('nested too deeply')
        expect(error.message.length).toBeLessThan(2_000)
      }
    },
  )

  it('names what is wrong where the ways can be tried', async () => {
    const error = await check(whole(TWICE.anyOf, draft), { v: nested(4, 1) })
    expect(error?.message).toContain(
      'v must match a branch, but 0 of 3 match; closest is branch 1: v.n must match',
    )
    expect(await check(whole(TWICE.anyOf, draft), { v: nested(300, null) })).toBeUndefined()
  })
})

describe('a large value with as many ways as it has parts', () => {
  const list = { anyOf: [{ type: 'array', items: { $ref: '#/$defs/n' } }, { $ref: '#/$defs/s' }] }
  const schema = { ...whole(list), $defs: { n: list, s: { type: 'string' } } }
  const v = Array.from({ length: 2_000 }, () => Array.from({ length: 20 }, () => 'a'))

  it('is accepted', async () => {
    expect(await check(schema, { v })).toBeUndefined()
    expect((await check(schema, { v: [...v, [1]] }))?.code).toBe('INVALID_ARGS')
  })
})

describe('a large value of many properties that a large schema does not declare', () => {
  it('is refused in time, and told a few of both', async () => {
    const names = Array.from({ length: 10_000 }, (_, i) => `p${i}`)
    const properties = Object.fromEntries(names.map(name => [name, { type: 'string' }]))
    const strays = Object.fromEntries(names.map(name => [`stray_${name}`, 1]))
    const error = await check({ type: 'object', properties, additionalProperties: false }, strays)
    expect(error?.message).toMatch(/stray_p0 is not a declared property; declared: p0, p1, .*…/)
    expect(error?.message.length).toBeLessThan(4_000)
  })
})

/** What is done with texts while arguments are explained: each entry that is read costs some. */
async function textWork(act: () => Promise<unknown>): Promise<number> {
  const spies = [vi.spyOn(String.prototype, 'startsWith'), vi.spyOn(String.prototype, 'split')]
  try {
    await act()
    return spies.reduce((sum, spy) => sum + spy.mock.calls.length, 0)
  } finally {
    for (const spy of spies) spy.mockRestore()
  }
}

describe('a tree of nodes that a tag tells apart, written after what it holds', () => {
  const closed = { type: 'object', additionalProperties: false }
  const node = (tag: object): object => ({
    ...closed,
    required: ['type', 'children'],
    properties: { children: { type: 'array', items: { $ref: '#/$defs/n' } }, type: tag },
  })
  const field = { ...closed, required: ['field'], properties: { field: { type: 'string' } } }
  const tree = (tags: readonly object[]): object => ({
    ...whole({}),
    $defs: { n: { anyOf: [...tags.map(node), field] }, not: { enum: ['not'] } },
  })
  const schema = tree([{ const: 'and' }, { const: 'or' }, { $ref: '#/$defs/not' }])
  const deep = (levels: number, leaf: object): object => {
    let value = leaf
    for (let i = 0; i < levels; i++) value = { type: ['and', 'or', 'not'][i % 3], children: [value] }
    return value
  }

  it('is accepted at any depth that the stack allows, for wrong branches are left at their tag', async () => {
    for (const levels of [9, 12, 60])
      expect(await check(schema, { v: deep(levels, { field: 'x' }) })).toBeUndefined()
  })

  it('is explained by the branch that its tag names, at any depth', async () => {
    const unknown = { ...deep(1, {}), type: 'xor' }
    expect((await check(schema, { v: unknown }))?.message).toContain('closest is branch')
    for (const levels of [2, 6, 7, 12, 40]) {
      const error = await check(schema, { v: deep(levels, { nope: 1 }) })
      expect(error?.code).toBe('INVALID_ARGS')
      expect(error?.message).toContain(`v must match a branch, but 0 of 4 match; closest is branch`)
      expect(error?.message).not.toContain('too many ways')
    }
  })

  it('costs no more to explain the deeper it is', async () => {
    const levels = [4, 6, 8, 16]
    const work = []
    for (const depth of levels)
      work.push(await textWork(() => check(schema, { v: deep(depth, { nope: 1 }) })))
    for (const calls of work) expect(calls).toBeLessThan(30_000)
  })
})

describe('objects with more properties than can be told for each branch', () => {
  const closed = (name: string): object => ({
    type: 'object',
    additionalProperties: false,
    properties: { [name]: {} },
  })
  const wide = (count: number): object =>
    Object.fromEntries(Array.from({ length: count }, (_, i) => [`k${i}`, 1]))
  const choice = (branches: number): object => ({
    type: 'object',
    properties: { v: { anyOf: Array.from({ length: branches }, (_, i) => closed(`a${i}`)) } },
  })

  it('are refused for what they are, without a word of depth', async () => {
    expect((await check(choice(50), { v: wide(500) }))?.message).toContain('v.k0 is not a declared property')
    const error = await check(choice(50), { v: wide(10_000) })
    expect(error?.message).toContain(
      'arguments does not match its schema, in too many ways to tell them apart',
    )
  })

  it('have names that look like patterns', async () => {
    const schema = { type: 'object', unevaluatedProperties: false, properties: { '/(/': {} } }
    expect((await check(schema, { x: 1 }))?.message).toContain('x is not a declared property')
  })
})

describe('many items that are alike to their last part', () => {
  it('are told apart in time', async () => {
    const same = Object.fromEntries(Array.from({ length: 500 }, (_, i) => [`k${i}`, 7]))
    const list = Array.from({ length: 900 }, (_, i) => ({ ...same, last: i }))
    const schema = {
      type: 'object',
      properties: { list: { type: 'array', uniqueItems: true }, n: { type: 'number' } },
    }
    const error = await check(schema, { list, n: 'x' })
    expect(error?.message).toContain('n must be a number, got "x"')
  })
})
