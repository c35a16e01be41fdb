import { createToolRegistry, defineTool, type ToolDefinition } from 'toolgate'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { countedTool, isDeepFrozen } from '../support/tools.js'

const raw = (parameters: object, more: Partial<ToolDefinition> = {}) =>
  countedTool('work', args => JSON.stringify(args), {
    parameters,
    validateArguments: true,
    coerceArguments: true,
    ...more,
  })

async function run(tool: ToolDefinition, args: unknown) {
  const registry = createToolRegistry({ tools: [tool] })
  const result = await registry.execute({ callId: '1', name: 'work', arguments: args })
  expect(isDeepFrozen(result)).toBe(true)
  return result
}

const object = (properties: object, required: readonly string[] = []) => ({
  type: 'object',
  properties,
  required,
})
const DRAFT_07 = { $schema: 'http://json-schema.org/draft-07/schema#' }
const list = { type: 'array', items: object({ text: { type: 'string' } }) }

describe('coerceArguments', () => {
  it.each<[string, object, unknown, unknown, readonly string[]]>([
    [
      'a null for an optional string goes',
      object({ a: { type: 'string' } }),
      { a: null },
      {},
      ['arguments.a dropped-null'],
    ],
    [
      'a null inside goes, and what stands beside it stays in order',
      object({ o: object({ x: { type: 'number' }, y: { type: 'number' } }) }),
      { o: { x: null, y: 1 } },
      { o: { y: 1 } },
      ['arguments.o.x dropped-null'],
    ],
    [
      'a list as text is parsed',
      object({ steps: list }),
      { steps: '[{"text":"a"}]' },
      { steps: [{ text: 'a' }] },
      ['arguments.steps parsed-text'],
    ],
    [
      'an object as text is parsed, and mended inside',
      object({ o: object({ x: { type: 'string' } }) }),
      { o: '{"x":null,"z":1}' },
      { o: { z: 1 } },
      ['arguments.o parsed-text', 'arguments.o.x dropped-null'],
    ],
    [
      'the whole arguments as text in text are parsed',
      object({ a: { type: 'string' } }),
      JSON.stringify(JSON.stringify({ a: 'b' })),
      { a: 'b' },
      ['arguments parsed-text'],
    ],
    [
      'an item as text is parsed',
      object({ steps: list }),
      { steps: ['{"text":"a"}', { text: 'b' }] },
      { steps: [{ text: 'a' }, { text: 'b' }] },
      ['arguments.steps[0] parsed-text'],
    ],
    [
      'a reference is followed',
      { ...object({ o: { $ref: '#/$defs/o' } }), $defs: { o: object({ x: { type: 'string' } }) } },
      { o: '{"x":null}' },
      { o: {} },
      ['arguments.o parsed-text', 'arguments.o.x dropped-null'],
    ],
    [
      'a nullable object is parsed',
      object({ o: { anyOf: [object({ x: { type: 'string' } }), { type: 'null' }] } }),
      { o: '{"x":"y"}' },
      { o: { x: 'y' } },
      ['arguments.o parsed-text'],
    ],
    [
      'what additionalProperties describes is mended',
      { type: 'object', additionalProperties: { type: 'array' } },
      { a: '[1]' },
      { a: [1] },
      ['arguments.a parsed-text'],
    ],
  ])('%s', async (_what, parameters, given, wanted, changes) => {
    const result = await run(raw(parameters), given)
    expect(result).toMatchObject({ isError: false, value: JSON.stringify(wanted) })
    const told = result.meta?.coercedArguments as {
      count: number
      changes: { path: string; change: string }[]
    }
    expect(told.changes.map(({ path, change }) => `${path} ${change}`)).toEqual(changes)
    expect(told.count).toBe(changes.length)
  })

  it.each<[string, object, unknown]>([
    ['a null for a required property', object({ a: { type: 'string' } }, ['a']), { a: null }],
    ['truncated JSON', object({ steps: list }), { steps: '[{"text":"a"' }],
    ['text with a tail', object({ steps: list }), { steps: '[] and more' }],
    ['JSON of another kind', object({ steps: list }), { steps: '{"text":"a"}' }],
    ['a number as text', object({ n: { type: 'number' } }), { n: '1' }],
    ['a null in a list', object({ l: { type: 'array', items: { type: 'string' } } }), { l: [null] }],
  ])('leaves %s to be refused', async (_what, parameters, given) => {
    const tool = raw(parameters)
    const result = await run(tool, given)
    expect(result).toMatchObject({ isError: true, error: { code: 'INVALID_ARGS' } })
    expect(result.meta).toBeUndefined()
  })

  it.each<[string, object, unknown]>([
    ['a null that the schema takes', object({ a: { type: ['string', 'null'] } }), { a: null }],
    ["a null that OpenAPI's word takes", object({ a: { type: 'string', nullable: true } }), { a: null }],
    [
      'a null that it takes beside an enum',
      object({ a: { type: 'string', enum: ['b'], nullable: true } }),
      { a: null },
    ],
    ['a null of an undeclared property', object({}), { b: null }],
    ['text where text is taken too', object({ a: { type: ['string', 'array'] } }), { a: '[1]' }],
    ['text where anything is taken', object({ a: {} }), { a: '{"x":1}' }],
    ['text where a choice takes text', object({ a: { anyOf: [list, { type: 'string' }] } }), { a: '[]' }],
    [
      'what stands beside a reference of draft-07, where nothing counts',
      {
        ...DRAFT_07,
        ...object({ o: { $ref: '#/definitions/o', ...object({ a: { type: 'string' }, b: list }) } }),
        definitions: { o: { type: 'object' } },
      },
      { o: { a: null, b: '[]' } },
    ],
    [
      'what an array of draft-07 says in words of 2020-12',
      { ...DRAFT_07, ...object({ a: { type: 'array', prefixItems: [list], unevaluatedItems: list } }) },
      { a: ['[]', '[]'] },
    ],
    [
      'what an array of 2020-12 says in words of draft-07',
      object({ a: { type: 'array', additionalItems: list } }),
      { a: ['[]', '[]'] },
    ],
    ['an own __proto__', object({ a: { type: 'string' } }), JSON.parse('{"__proto__":null,"a":"b"}')],
  ])('leaves alone %s', async (_what, parameters, given) => {
    const result = await run(raw(parameters), given)
    expect(result).toMatchObject({ isError: false, value: JSON.stringify(given) })
    expect(result.meta).toBeUndefined()
  })

  it('ends where references of draft-07 lead in circles', async () => {
    const round = { a: { $ref: '#/definitions/b' }, b: { $ref: '#/definitions/a' } }
    const parameters = { ...DRAFT_07, ...object({ o: { $ref: '#/definitions/a' } }), definitions: round }
    const given = { o: { a: null } }
    const result = await run(raw(parameters, { validateArguments: false }), given)
    expect(result).toMatchObject({ isError: false, value: JSON.stringify(given) })
  })

  it('happens only where a tool or the registry asks for it, and the tool’s word goes first', async () => {
    const parameters = object({ a: { type: 'string' } })
    for (const [ofRegistry, ofTool, works] of [
      [undefined, undefined, false],
      [true, undefined, true],
      [true, false, false],
      [false, true, true],
    ] as const) {
      const registry = createToolRegistry({
        tools: [raw(parameters, { coerceArguments: ofTool })],
        ...(ofRegistry !== undefined && { coerceArguments: ofRegistry }),
      })
      const result = await registry.execute({ callId: '1', name: 'work', arguments: { a: null } })
      expect(result.isError).toBe(!works)
    }
  })

  it('comes before policy: what is judged, asked for, shown and run are the same arguments', async () => {
    const seen: unknown[] = []
    const registry = createToolRegistry({
      coerceArguments: true,
      tools: [
        defineTool({
          name: 'work',
          description: 'Works.',
          parameters: { steps: { type: 'array', items: { type: 'string' } }, note: { type: 'string' } },
          isConcurrencySafe: args => {
            seen.push(args)
            return true
          },
          execute: args => {
            seen.push(args)
            return 'done'
          },
        }),
      ],
      stages: [
        {
          preExecute: call => {
            seen.push(call.arguments)
            return { kind: 'ask' }
          },
          guard: call => void seen.push(call.arguments),
        },
      ],
      approve: request => {
        seen.push(request.arguments)
        return 'allowed-once'
      },
    })
    const call = { callId: '1', name: 'work', arguments: { steps: '["a"]', note: null } }
    const [result] = await registry.executeAll([call])
    expect(result).toMatchObject({ isError: false })
    expect(seen).toHaveLength(6)
    for (const args of seen) expect(args).toEqual({ steps: ['a'] })
  })

  it('serves a Standard Schema by its input side', async () => {
    const tool = defineTool({
      name: 'work',
      description: 'Works.',
      parameters: z.object({ when: z.string().optional(), tags: z.array(z.string()) }),
      coerceArguments: true,
      execute: args => JSON.stringify(args),
    })
    expect(await run(tool, { when: null, tags: '["a"]' })).toMatchObject({ value: '{"tags":["a"]}' })
  })

  it('tells of failures too, and of the first fifty changes only', async () => {
    const many = Object.fromEntries(Array.from({ length: 60 }, (_, i) => [`p${i}`, null]))
    const properties = Object.fromEntries(Object.keys(many).map(key => [key, { type: 'string' }]))
    const tool = raw({ ...object(properties, ['missing']) })
    const result = await run(tool, many)
    expect(result).toMatchObject({
      error: { code: 'INVALID_ARGS' },
      meta: { coercedArguments: { count: 60 } },
    })
    const told = result.meta?.coercedArguments as { changes: unknown[] } | undefined
    expect(told?.changes).toHaveLength(50)
  })

  it('ends on schemas and values without end', async () => {
    const parameters = { type: 'object', properties: { a: { $ref: '#' } } }
    let deep: unknown = '{}'
    for (let i = 0; i < 5_000; i++) deep = { a: deep }
    expect(await run(raw(parameters), deep)).toMatchObject({ isError: true })
    let text = '{}'
    for (let i = 0; i < 12; i++) text = JSON.stringify({ a: text })
    const mended = await run(raw(parameters), JSON.parse(text))
    expect(mended).toMatchObject({ isError: false, meta: { coercedArguments: { count: 12 } } })
  })
})
