import { dynamicTool, jsonSchema, tool } from 'ai'
import { createToolRegistry } from 'toolgate'
import { fromAiSdkTools } from 'toolgate/ai-sdk'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'

const inputSchema = jsonSchema({ type: 'object', properties: { list: { type: 'array' } } })

async function run(made: object, args: object = { list: [0] }): Promise<any> {
  const registry = createToolRegistry({ tools: await fromAiSdkTools({ it: made } as never) })
  return registry.execute({ callId: 'a', name: 'it', arguments: args })
}
const giving = (output: unknown): object => dynamicTool({ inputSchema, execute: async () => output })
const showing = (output: unknown): object =>
  dynamicTool({ inputSchema, execute: async () => 1, toModelOutput: () => output as never })
const file = (data: unknown, mediaType = 'image/png') => ({
  type: 'content',
  value: [{ type: 'file', mediaType, filename: 'a.png', data }],
})

describe('a tool of the AI SDK in a registry', () => {
  it('may change its input, as it may at home', async () => {
    const grow = dynamicTool({
      inputSchema,
      execute: async (input: any) => {
        input.list.push(1)
        return Object.assign(input, { more: true })
      },
    })
    const args = { list: [0] }
    expect(await run(grow, args)).toMatchObject({ value: { list: [0, 1], more: true } })
    expect(args).toEqual({ list: [0] })
  })

  it.each([
    [{ a: undefined, b: [undefined, { c: undefined }], d: () => 1 }, { b: [null, {}] }],
    [new Date(0), '1970-01-01T00:00:00.000Z'],
    [
      { at: new Date(0), url: new URL('https://example.com/') },
      { at: '1970-01-01T00:00:00.000Z', url: 'https://example.com/' },
    ],
    [undefined, null],
    [Object.create(null), {}],
    [JSON.parse('{"__proto__":{"a":1}}'), JSON.parse('{"__proto__":{"a":1}}')],
  ])('gives the JSON that the AI SDK makes of its output, number %#', async (output, value) => {
    expect(await run(giving(output))).toMatchObject({ isError: false, value })
  })

  const cyclic: { self?: unknown } = {}
  cyclic.self = cyclic
  it.each([
    [new Map([[1, 2]])],
    [{ a: Number.NaN }],
    [{ a: new Set() }],
    [new Uint8Array([1])],
    [cyclic],
    [{ a: 1n }],
    [Symbol('a')],
  ])('fails where JSON would lose something in silence, number %#', async output => {
    expect(await run(giving(output))).toMatchObject({ isError: true, error: { code: 'INVALID_TOOL_OUTPUT' } })
  })

  it.each([undefined, null, 'text', {}, { type: 5 }, []])(
    'fails where toModelOutput gives no output: %j',
    async output => {
      const result = await run(showing(output))
      expect(result).toMatchObject({ isError: true, error: { code: 'INVALID_TOOL_OUTPUT' } })
      expect(result.error.message).toContain('toModelOutput')
    },
  )

  it.each([
    [file({ type: 'data', data: 'AQI=' })],
    [file({ type: 'data', data: new Uint8Array([1, 2]) })],
    [file({ type: 'data', data: new Uint8Array([1, 2]).buffer })],
    [file(new Uint8Array([1, 2]))],
    [file('AQI=')],
  ])('shows files whatever their bytes are, number %#', async output => {
    expect((await run(showing(output))).content).toEqual([
      { type: 'image', mimeType: 'image/png', data: 'AQI=' },
    ])
  })

  it.each([
    [file({ type: 'url', url: 'https://example.com/a.png' })],
    [file({ type: 'url', url: new URL('https://example.com/a.png') })],
    [file(new URL('https://example.com/a.png'))],
  ])('links files that are addresses, number %#', async output => {
    expect((await run(showing(output))).content).toEqual([
      { type: 'resource_link', uri: 'https://example.com/a.png', name: 'a.png' },
    ])
  })

  it('says of each argument that its schema refuses what is wrong, and whose it is', async () => {
    const add = tool({
      inputSchema: z.object({ a: z.number(), b: z.object({ c: z.string() }) }),
      execute: async () => 1,
    })
    const { error } = await run(add, { a: 'x', b: {} })
    expect(error).toMatchObject({
      code: 'INVALID_ARGS',
      details: { violations: [{ path: 'arguments.a' }, { path: 'arguments.b.c' }] },
    })
    expect(error.message).toMatch(/^Invalid arguments for tool "it": arguments\.a: .+; arguments\.b\.c: /)
  })

  it('shows the model what the tool says of the input that it got', async () => {
    const count = tool({
      inputSchema: z.object({ text: z.string().transform(text => text.length) }),
      execute: async ({ text }: { text: number }) => text + 1,
      toModelOutput: ({ input, output }: any) => ({ type: 'text', value: `${input.text} ${output}` }),
    })
    expect(await run(count, { text: 'abc' })).toMatchObject({ content: [{ type: 'text', text: '3 4' }] })
  })
})
