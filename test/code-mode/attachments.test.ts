import { createToolRegistry, defineTool, type ToolExecutionResult } from 'toolgate'
import { quickJsRuntime } from 'toolgate/quickjs'
import { describe, expect, it } from 'vitest'
import { countedTool } from '../support/tools.js'

const codeRuntime = quickJsRuntime({ limits: { outputBytes: 1000 } })
const chart = defineTool({
  name: 'chart',
  description: 'Draws.',
  parameters: { title: { type: 'string', required: true } },
  output: {
    schema: { type: 'string' },
    render: ({ title }) => [
      { type: 'image', data: 'A'.repeat(200_000), mimeType: 'image/png' },
      { type: 'text', text: title },
    ],
  },
  execute: () => 'drawn',
})

const run = (code: string): Promise<ToolExecutionResult> =>
  createToolRegistry({ tools: [chart], mode: 'code', codeRuntime }).execute({
    callId: 'c',
    name: 'run_code',
    arguments: { code, description: 'Draw something' },
  })

const blocksOf = (result: ToolExecutionResult) =>
  (result.additionalContexts ?? []).flatMap(added => added.content)

describe('what the calls of a program attach', () => {
  it('comes whole where it fits', async () => {
    const result = await run("for (let i = 0; i < 3; i++) await tools.chart({ title: 'A chart' }); return 1")
    expect(blocksOf(result).map(block => block.type)).toEqual([
      'image',
      'text',
      'image',
      'text',
      'image',
      'text',
    ])
  })

  it('has no more than 64 KiB of words, which are what `outputBytes` bounds', async () => {
    const result = await run(
      "for (let i = 0; i < 5; i++) await tools.chart({ title: 'S'.repeat(30_000) }); return 1",
    )
    const blocks = blocksOf(result)
    expect(blocks.filter(block => block.type === 'image')).toHaveLength(5)
    expect(
      blocks.filter(block => block.type === 'text').map(block => 'text' in block && block.text.length),
    ).toEqual([30_000, 30_000, expect.any(Number)])
    expect(blocks.at(-1)).toEqual({
      type: 'text',
      text: 'Left out, since more does not fit: 3 texts beside attachments. Call for fewer in one program.',
    })
  })

  it('has no more than 16 MiB, and says what was left out', async () => {
    const result = await run(
      "for (let i = 0; i < 100; i++) await tools.chart({ title: 'A chart' }); return 1",
    )
    const blocks = blocksOf(result)
    expect(blocks.filter(block => block.type === 'image')).toHaveLength(83)
    expect(blocks.at(-1)).toMatchObject({
      text: expect.stringMatching(/: 17 images or other attachments\. Call/),
    })
    expect(result).toMatchObject({ isError: false, value: { result: 1 } })
  })

  it('comes of calls that fail too', async () => {
    const image = { type: 'image' as const, data: 'AA==', mimeType: 'image/png' }
    const registry = createToolRegistry({
      tools: [countedTool('look')],
      mode: 'code',
      codeRuntime,
      stages: [
        {
          postExecute: (call, _result, next) =>
            call.name === 'look'
              ? { kind: 'block', feedback: [{ type: 'text', text: 'see:' }, image] }
              : next(),
        },
      ],
    })
    const code = 'return await tools.look({}).catch(e => e.code)'
    const result = await registry.execute({
      callId: 'c',
      name: 'run_code',
      arguments: { code, description: 'Look at something' },
    })
    expect(result).toMatchObject({ isError: false, value: { result: 'BLOCKED' } })
    expect(blocksOf(result)).toContainEqual(image)
  })
})
