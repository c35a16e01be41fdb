import { createToolRegistry, defineTool, type Stages, type ToolDefinition } from 'toolgate'
import { describe, expect, it } from 'vitest'
import { countedTool, gate, settle } from '../support/tools.js'

const never = (): Promise<never> => new Promise(() => {})

const endlessOutput = defineTool({
  name: 'work',
  description: 'Works.',
  parameters: {},
  output: {
    schema: {
      schema: { '~standard': { version: 1, vendor: 'test', validate: never } },
      jsonSchema: {},
    },
    render: () => [],
  },
  execute: () => 1,
})

const cases: readonly (readonly [
  what: string,
  stage: Stages | undefined,
  tool: ToolDefinition,
  code: string,
])[] = [
  ['preExecute', { preExecute: never }, countedTool('work'), 'ABORTED_BEFORE_DISPATCH'],
  ['execute before next()', { execute: never }, countedTool('work'), 'ABORTED_BEFORE_DISPATCH'],
  [
    'execute after next()',
    { execute: async (_call, next) => (await next(), never()) },
    countedTool('work'),
    'ABORTED',
  ],
  ['postExecute', { postExecute: never }, countedTool('work'), 'ABORTED'],
  ['the body', undefined, countedTool('work', never), 'ABORTED'],
  ['the output’s schema', undefined, endlessOutput, 'ABORTED'],
  ['finalizeContent', undefined, countedTool('work', () => 'ok', { finalizeContent: never }), 'TOOL_FAILED'],
]

describe('what never answers', () => {
  it.each(cases)(
    '%s: holds neither an aborted call, its batch, nor a disposal',
    async (_what, stage, tool, code) => {
      const registry = createToolRegistry({ tools: [tool], stages: stage ? [stage] : [], abortGraceMs: 1 })
      const controller = new AbortController()
      const one = registry.execute({ callId: '1', name: 'work', signal: controller.signal })
      const batch = registry.executeAll([{ callId: '2', name: 'work' }], { signal: controller.signal })
      const left = registry.execute({ callId: '3', name: 'work' })
      await settle()
      controller.abort()
      expect(await one).toMatchObject({ isError: true, error: { code } })
      expect(await batch).toMatchObject([{ isError: true, error: { code } }])
      await registry.dispose()
      expect(await left).toMatchObject({ isError: true, error: { code } })
    },
  )

  it('a stage that goes on after it was given up on runs nothing', async () => {
    const thinking = gate()
    const tool = countedTool('work')
    const slow: Stages = {
      execute: async (_call, next) => {
        await thinking.promise
        return next()
      },
    }
    const registry = createToolRegistry({ tools: [tool], stages: [slow], abortGraceMs: 1 })
    const controller = new AbortController()
    const pending = registry.execute({ callId: '1', name: 'work', signal: controller.signal })
    await settle()
    controller.abort()
    expect(await pending).toMatchObject({ error: { code: 'ABORTED_BEFORE_DISPATCH' } })
    thinking.open()
    await settle()
    expect(tool.runs()).toBe(0)
  })
})
