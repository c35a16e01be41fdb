import {
  createToolRegistry,
  defineTool,
  type ResultBudgetOptions,
  resultBudget,
  type SubcallEndEvent,
  type WholeResult,
} from 'toolgate'
import { quickJsRuntime } from 'toolgate/quickjs'
import { describe, expect, it } from 'vitest'
import { countedTool } from '../support/tools.js'
import { readBytes, runWithin, text, textsOf, valueTool } from './result-budget-support.js'

const LONG = 'x'.repeat(50_000)
const BUDGET = { maxBytes: 4_000, replaceValue: true }
const IMAGE = { type: 'image', data: 'A'.repeat(50_000), mimeType: 'image/png' } as const

describe('a budget for values too', () => {
  it('cuts the value of a content tool to the text that the model reads', async () => {
    const result = await runWithin(
      BUDGET,
      countedTool('tool', () => LONG),
    )
    expect(!result.isError && result.value).toBe(textsOf(result.content).join('\n'))
    expect(readBytes(result)).toBeLessThanOrEqual(4_000)
  })

  it('keeps the meta of a content tool, its contexts and its wish to conclude', async () => {
    const tool = countedTool('tool', (_args, context) => {
      context.deferContext({ source: 'tool', content: [text('more')] })
      context.concludeTurn()
      return { content: [text(LONG), IMAGE], meta: { rows: 3 } }
    })
    const result = await runWithin(BUDGET, tool)
    if (result.isError) throw new Error(result.error.message)
    expect([result.meta, result.concludesTurn]).toMatchObject([{ rows: 3 }, true])
    expect(result.additionalContexts).toEqual([{ source: 'tool', content: [text('more')] }])
    expect(result.value).toBe(textsOf(result.content).join('\n'))
    expect(result.value).toContain('[image of type image/png, 50,009 bytes, left out]')
    expect(readBytes(result)).toBeLessThanOrEqual(4_000)
    // The room of the image is the text's.
    expect(readBytes(result)).toBeGreaterThan(3_500)
  })

  it('leaves the value of a tool with an output schema whole, even one that is its own text', async () => {
    const rows = Array.from({ length: 9_000 }, (_, i) => i)
    const asJson = await runWithin(
      BUDGET,
      valueTool(() => rows),
    )
    expect(!asJson.isError && asJson.value).toEqual(rows)
    const kept: WholeResult[] = []
    const asText = await runWithin(
      { ...BUDGET, sink: (_call, whole) => (kept.push(whole), 'r://1') },
      defineTool({
        name: 'tool',
        description: 'Its value is its text.',
        parameters: {},
        output: {
          schema: { type: 'string' },
          render: (_args, value) => [{ type: 'text', text: value }],
          presentationMeta: () => ({ rows: 3 }),
        },
        execute: () => LONG,
      }),
    )
    expect(!asText.isError && [asText.value, asText.meta]).toMatchObject([LONG, { rows: 3 }])
    expect(kept).toEqual([{ value: LONG, content: [text(LONG)] }])
    for (const result of [asJson, asText]) expect(readBytes(result)).toBeLessThanOrEqual(4_000)
  })

  it('leaves failures and small results alone', async () => {
    const failing = countedTool('tool', () => {
      throw new Error('no')
    })
    const failed = await runWithin(BUDGET, failing)
    expect(failed.isError && failed.error.message).toBe('no')
    const small = await runWithin(
      BUDGET,
      countedTool('tool', () => ({ content: [text('a')], meta: { b: 1 } })),
    )
    expect(small).toMatchObject({ value: 'a', meta: { b: 1 }, content: [text('a')] })
  })
})

describe('a budget for programs', () => {
  const read = countedTool('read', () => LONG)
  const photo = countedTool('photo', () => [IMAGE, text('a cat')])

  async function runProgram(code: string, options: ResultBudgetOptions) {
    const registry = createToolRegistry({
      tools: [read, photo],
      stages: [resultBudget(options)],
      codeRuntime: quickJsRuntime(),
      mode: 'code',
    })
    const ends: SubcallEndEvent[] = []
    registry.on('subcall:end', event => ends.push(event))
    const result = await registry.execute({
      callId: 'p',
      name: 'run_code',
      arguments: { code, description: 'Runs' },
    })
    await registry.dispose()
    return { result, ends }
  }

  it('cuts what the model reads of a program, and not the text that the program reads', async () => {
    const kept: string[] = []
    const sink: ResultBudgetOptions['sink'] = ({ callId }) => (kept.push(callId), `r://${callId}`)
    const code = 'const text = await tools.read({}); console.log(text.length); return [text, text]'
    const { result, ends } = await runProgram(code, { maxBytes: 4_000, sink })
    expect(textsOf(result.content)[0]).toMatch(/^50000\n\[\n {2}"x+/)
    expect(textsOf(result.content).at(-1)).toContain('All of it is kept as r://p]')
    expect(readBytes(result)).toBeLessThanOrEqual(4_000)
    expect(!result.isError && result.value).toMatchObject({ logs: ['50000'], result: [LONG, LONG] })
    expect([kept, ends[0]?.result.content]).toEqual([['p'], [text(LONG)]])
  })

  it('keeps the JSON that a program returns JSON', async () => {
    const { result } = await runProgram('return Array.from({ length: 9000 }, (_, i) => ({ i }))', {
      maxBytes: 4_000,
    })
    const shown = JSON.parse(textsOf(result.content)[0] ?? '')
    expect(shown.at(-1)).toBe(`… ${(9_001 - shown.length).toLocaleString('en-US')} more items`)
  })

  it('lets no image of a call inside a program past', async () => {
    const { result, ends } = await runProgram('return await tools.photo({})', { maxBytes: 4_000 })
    expect(result.additionalContexts).toBeUndefined()
    expect(textsOf(ends[0]?.result.content ?? [])).toEqual([
      '[image of type image/png, 50,009 bytes, left out]',
      'a cat',
      expect.stringContaining('left out. Ask for less'),
    ])
    const roomy = await runProgram('return await tools.photo({})', { maxBytes: 60_000 })
    expect(roomy.result.additionalContexts).toEqual([{ source: 'photo', content: [IMAGE, text('a cat')] }])
  })

  it('cuts values for programs if it is told to', async () => {
    const { result } = await runProgram('return (await tools.read({})).length', BUDGET)
    expect(!result.isError && (result.value as { result: number }).result).toBeLessThanOrEqual(4_000)
  })
})
