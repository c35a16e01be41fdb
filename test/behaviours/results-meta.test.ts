import { createToolRegistry, defineTool, type ToolExecutionResult, type ToolResultView } from 'toolgate'
import { quickJsRuntime } from 'toolgate/quickjs'
import { describe, expect, it } from 'vitest'
import { countedTool } from '../support/tools.js'

const text = (value: string) => [{ type: 'text', text: value }] as const

describe('meta', () => {
  it('is made for calls of their own, not for nested ones (MAT-06)', async () => {
    let made = 0
    const output = { schema: {}, render: () => [], presentationMeta: () => ({ made: ++made }) }
    const inner = countedTool('inner', () => 1, { output })
    const nested: ToolExecutionResult[] = []
    const outer = countedTool('outer', async (_args, { token: parent }) => {
      nested.push(await registry.execute({ callId: '2', name: 'inner', parent }))
      return 'ok'
    })
    const registry = createToolRegistry({
      tools: [outer, inner],
      mode: 'both',
      codeRuntime: quickJsRuntime(),
    })
    await registry.execute({ callId: '1', name: 'outer' })
    const program = { code: 'return await tools.inner({})', description: 'Call it' }
    await registry.execute({ callId: '3', name: 'run_code', arguments: program })
    expect(nested).toMatchObject([{ isError: false }])
    expect([made, 'meta' in (nested[0] as object)]).toEqual([0, false])
    expect(await registry.execute({ callId: '4', name: 'inner' })).toMatchObject({ meta: { made: 1 } })
  })

  it('and content are all that a card of a result needs, so that a log can show it again (MAT-07)', async () => {
    const tool = defineTool({
      name: 'work',
      description: 'Works.',
      parameters: {},
      output: {
        schema: { type: 'object', additionalProperties: false, properties: { secret: { type: 'string' } } },
        render: () => text('2 rows'),
        presentationMeta: () => ({ rows: 2 }),
      },
      execute: () => ({ secret: 'x' }),
      presentResult: (_args, result): ToolResultView => ({
        card: 'generic',
        title: `${(result.meta as { rows: number }).rows} rows ${'value' in result}`,
        content: result.content,
      }),
    })
    const registry = createToolRegistry({ tools: [tool] })
    const { content, isError, meta } = await registry.execute({ callId: '1', name: 'work' })
    const logged = JSON.parse(JSON.stringify({ content, isError, meta }))
    expect(JSON.stringify(logged)).not.toContain('secret')
    expect(registry.get('work')?.presentResult?.({}, logged)).toEqual({
      card: 'generic',
      title: '2 rows false',
      content: text('2 rows'),
    })
  })
})
