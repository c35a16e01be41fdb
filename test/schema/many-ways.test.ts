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
