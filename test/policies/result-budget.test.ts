/** E10 of the calls on which other libraries failed: a giant result, and truncation with no way to get the rest. */
import {
  type ContentBlock,
  createToolRegistry,
  type ResultBudgetOptions,
  resultBudget,
  type Stages,
  type WholeResult,
} from 'toolgate'
import { describe, expect, it } from 'vitest'
import { countedTool } from '../support/tools.js'
import { readBytes, runWithin, text, textsOf, valueTool } from './result-budget-support.js'

const MIB = 1024 * 1024
const KB_20 = { maxBytes: 20_000 }
const contentTool = (content: string | ContentBlock[]) => countedTool('tool', () => content)
const longText = (bytes: number) => 'x'.repeat(bytes)

describe('a result budget', () => {
  it('leaves what fits as it is, to the byte', async () => {
    const fits = contentTool(longText(1_024))
    const over = contentTool(longText(1_025))
    expect(textsOf((await runWithin({ maxBytes: 1_024 }, fits)).content)).toEqual([longText(1_024)])
    const result = await runWithin({ maxBytes: 1_024 }, over)
    expect(result.content).toHaveLength(2)
    expect(readBytes(result)).toBeLessThanOrEqual(1_024)
    // Two blocks are read with a line end between them.
    const two = contentTool([text(longText(512)), text(longText(511))])
    expect((await runWithin({ maxBytes: 1_024 }, two)).content).toHaveLength(2)
    const three = contentTool([text(longText(512)), text(longText(512))])
    expect((await runWithin({ maxBytes: 1_024 }, three)).content).toHaveLength(3)
  })

  it('cuts a text of 5 MB and says how much is missing, the value whole (E10)', async () => {
    const body = `first line\n${longText(5 * MIB)}\nlast line`
    const result = await runWithin(KB_20, contentTool(body))
    const [shown = '', note = ''] = textsOf(result.content)
    expect(shown).toMatch(/^first line\nx+\n… \[5,2\d\d,\d\d\d bytes left out\] …\nx*\n?last line$/)
    expect(note).toMatch(
      /^\[Too large to show: 5,2\d\d,\d\d\d of 5,242,901 bytes are left out\. Ask for less/,
    )
    expect(readBytes(result)).toBeLessThanOrEqual(20_000)
    expect(readBytes(result)).toBeGreaterThan(19_000)
    expect(!result.isError && result.value).toBe(body)
  })

  it('cuts a nested text of 5 MB and keeps everything beside it (E10)', async () => {
    const value = { id: 7, deep: { list: [1, { body: longText(5 * MIB), title: 'A' }] }, last: true }
    const result = await runWithin(
      KB_20,
      valueTool(() => value),
    )
    const [shown = ''] = textsOf(result.content)
    const read = JSON.parse(shown)
    expect(read).toMatchObject({ id: 7, deep: { list: [1, { title: 'A' }] }, last: true })
    const { body } = read.deep.list[1]
    expect(body).toMatch(/^x{18000,}… \[5,2\d\d,\d\d\d more characters\]$/)
    expect(readBytes(result)).toBeLessThanOrEqual(20_000)
    expect(!result.isError && result.value).toEqual(value)
  })

  it('cuts an array of a million elements and counts the rest (E10)', async () => {
    const value = Array.from({ length: 1_000_000 }, (_, i) => i)
    const result = await runWithin(
      KB_20,
      valueTool(() => value),
    )
    const [shown = ''] = textsOf(result.content)
    const read: unknown[] = JSON.parse(shown)
    const kept = read.length - 1
    expect(read.slice(0, kept)).toEqual(value.slice(0, kept))
    expect(read[kept]).toBe(`… ${(1_000_000 - kept).toLocaleString('en-US')} more items`)
    expect(kept).toBeGreaterThan(3_500)
    expect(readBytes(result)).toBeLessThanOrEqual(20_000)
  })

  it('leaves images out with a line that says so, and keeps those that fit (E10)', async () => {
    const image = (bytes: number): ContentBlock => ({
      type: 'image',
      data: longText(bytes),
      mimeType: 'image/png',
    })
    const large = await runWithin(KB_20, contentTool([text('A picture:'), image(3 * MIB), text('The end.')]))
    expect(textsOf(large.content)).toEqual([
      'A picture:',
      '[image of type image/png, 3,145,737 bytes, left out]',
      'The end.',
      expect.stringMatching(/^\[Too large to show: 3,145,6\d\d of 3,145,757 bytes are left out\./),
    ])
    const small = await runWithin(KB_20, contentTool([image(1_000), text(longText(MIB))]))
    expect(small.content[0]).toEqual(image(1_000))
    expect(readBytes(small)).toBeLessThanOrEqual(20_000)
  })

  it('hands all of it to a sink, once, and names the handle (E10)', async () => {
    const kept: [string, WholeResult][] = []
    const options: ResultBudgetOptions = {
      maxBytes: 2_000,
      sink: async (call, whole) => {
        kept.push([call.callId, whole])
        return `result://${call.callId}`
      },
    }
    const value = { rows: Array.from({ length: 1_000 }, (_, i) => ({ i })) }
    const result = await runWithin(
      options,
      valueTool(() => value),
    )
    expect(textsOf(result.content).at(-1)).toMatch(
      / bytes are left out\. All of it is kept as result:\/\/1\]$/,
    )
    expect(readBytes(result)).toBeLessThanOrEqual(2_000)
    expect(kept).toEqual([['1', { value, content: [text(JSON.stringify(value))] }]])
    await runWithin(options, contentTool('short'))
    expect(kept).toHaveLength(1)
  })

  it.each<[string, ResultBudgetOptions['sink']]>([
    [
      'throws',
      () => {
        throw new Error('disk full')
      },
    ],
    ['rejects', () => Promise.reject(new Error('disk full'))],
    ['keeps nothing', () => undefined],
    ['gives no text', () => 7 as never],
    ['gives an empty text', () => ''],
    ['gives a handle longer than 512 bytes', () => `r${'ü'.repeat(256)}`],
  ])('promises nothing when the sink %s', async (_what, sink) => {
    const result = await runWithin({ maxBytes: 5_000, sink: sink as never }, contentTool(longText(MIB)))
    expect(result.isError).toBe(false)
    expect(textsOf(result.content).at(-1)).toMatch(/left out\. Ask for less at a time/)
    expect(readBytes(result)).toBeLessThanOrEqual(5_000)
  })

  it('takes a handle of up to 512 bytes into the budget', async () => {
    const handle = 'h'.repeat(512)
    const result = await runWithin({ maxBytes: 5_000, sink: () => handle }, contentTool(longText(MIB)))
    expect(textsOf(result.content).at(-1)).toContain(handle)
    expect(readBytes(result)).toBeLessThanOrEqual(5_000)
  })

  it('cuts failures, whose error stays whole for logs', async () => {
    const message = longText(60_000)
    const tool = countedTool('tool', () => {
      throw new Error(message)
    })
    const kept: WholeResult[] = []
    const sink = (_call: unknown, whole: WholeResult) => (kept.push(whole), 'r://1')
    const result = await runWithin({ ...KB_20, sink }, tool)
    expect(result.isError && [result.error.code, result.error.message]).toEqual(['TOOL_FAILED', message])
    expect(textsOf(result.content)[0]).toMatch(/^Error: x+/)
    expect(readBytes(result)).toBeLessThanOrEqual(20_000)
    expect(kept).toEqual([{ content: [text(`Error: ${message}`)] }])
  })

  it('cuts what stages further in put in place: content, and the feedback of a block, with its message', async () => {
    const huge = [text(longText(MIB))]
    const shows: Stages = { postExecute: () => ({ kind: 'accept', content: huge }) }
    const blocks: Stages = { postExecute: () => ({ kind: 'block', feedback: huge }) }
    for (const stage of [shows, blocks]) {
      const result = await runWithin(KB_20, contentTool('short'), [stage])
      expect(readBytes(result)).toBeLessThanOrEqual(20_000)
      expect(textsOf(result.content).at(-1)).toContain('1,048,576 bytes are left out')
      if (result.isError) expect(result.error.message.length).toBeLessThan(20_001)
    }
  })

  it('keeps contexts of stages further in', async () => {
    const contexts = [{ source: 'inner', content: [] }]
    const stage: Stages = { postExecute: () => ({ kind: 'accept', additionalContexts: contexts }) }
    const result = await runWithin(KB_20, contentTool(longText(MIB)), [stage])
    expect(result.additionalContexts).toEqual(contexts)
    expect(readBytes(result)).toBeLessThanOrEqual(20_000)
  })

  it('leaves alone a value that a stage further in put in place: it is rendered only afterwards', async () => {
    const stage: Stages = { postExecute: () => ({ kind: 'accept', value: longText(30_000) }) }
    const result = await runWithin(KB_20, contentTool('short'), [stage])
    expect(readBytes(result)).toBe(30_000)
  })

  it('cuts resources with text, and leaves out those without and links that do not fit', async () => {
    const resource = (rest: object): ContentBlock =>
      ({ type: 'resource', resource: { uri: 'file:///a', ...rest } }) as ContentBlock
    const link: ContentBlock = { type: 'resource_link', uri: `file:///${longText(50_000)}`, name: 'a' }
    const result = await runWithin(
      KB_20,
      contentTool([
        resource({ text: longText(MIB), mimeType: 'text/plain' }),
        resource({ blob: longText(MIB) }),
        link,
      ]),
    )
    const [first, ...rest] = result.content
    expect(first).toMatchObject({ type: 'resource', resource: { uri: 'file:///a', mimeType: 'text/plain' } })
    expect(textsOf(rest).slice(0, 2)).toEqual([
      expect.stringMatching(/^\[resource file:\/\/\/a, 1,048,\d\d\d bytes, left out\]$/),
      expect.stringMatching(/^\[link to file:\/\/\/x{52}…, 50,\d\d\d bytes, left out\]$/),
    ])
    expect(readBytes(result)).toBeLessThanOrEqual(20_000)
  })

  it('shows the first of very many blocks and counts the others', async () => {
    const blocks = Array.from({ length: 300_000 }, (_, i) => text(i % 2 === 0 ? '' : 'a'))
    const result = await runWithin(KB_20, contentTool(blocks))
    expect(readBytes(result)).toBeLessThanOrEqual(20_000)
    expect(textsOf(result.content).at(-1)).toMatch(/, with them 2\d\d,\d\d\d more blocks\. /)
    expect(result.content.slice(0, -1)).toEqual(blocks.slice(0, result.content.length - 1))
  })

  it.each<[string, unknown]>([
    ['no options', undefined],
    ['no budget', {}],
    ['null for a budget', { maxBytes: null }],
    ['a budget that notes would fill', { maxBytes: 1_023 }],
    ['a fraction', { maxBytes: 2_000.5 }],
    ['a budget that is none', { maxBytes: Number.NaN }],
    ['tools as a list', { maxBytes: 2_000, tools: [] }],
    ['a tool with too small a budget', { maxBytes: 2_000, tools: { tool: 1_000 } }],
    ['a tool with no budget', { maxBytes: 2_000, tools: { tool: undefined } }],
    ['a wait that timers cannot do', { maxBytes: 2_000, sinkMs: 2 ** 31 }],
    ['no wait', { maxBytes: 2_000, sinkMs: 0 }],
    ['a listener that is no function', { maxBytes: 2_000, onSinkError: 'log' }],
    ['strings too short for a mark', { maxBytes: 2_000, maxStringBytes: 63 }],
    ['a sink that is no function', { maxBytes: 2_000, sink: {} }],
    ['a flag that is none', { maxBytes: 2_000, replaceValue: 'yes' }],
    ['a misspelt option', { maxBytes: 2_000, maxStringBites: 100 }],
  ])('refuses %s', (_what, options) => {
    expect(() => resultBudget(options as never)).toThrow(expect.objectContaining({ code: 'INVALID_OPTIONS' }))
  })

  it('holds one after the other in a batch, each with its own budget', async () => {
    const registry = createToolRegistry({
      tools: [contentTool(longText(MIB))],
      stages: [resultBudget(KB_20)],
    })
    const results = await registry.executeAll(['1', '2', '3'].map(callId => ({ callId, name: 'tool' })))
    for (const result of results) expect(readBytes(result)).toBeLessThanOrEqual(20_000)
  })
})
