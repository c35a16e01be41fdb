import { createToolRegistry, type ToolExecutionResult } from 'toolgate'
import { expect, it } from 'vitest'
import { countedTool } from '../support/tools.js'

// Half of a character: a name that no URI can carry.
const NAME = '\ud800'

it('checks arguments by a schema whose names are half characters', async () => {
  const tool = countedTool('half', undefined, {
    parameters: {
      type: 'object',
      properties: {
        [NAME]: { type: 'string', enum: ['a', NAME] },
        list: { type: 'array', uniqueItems: true, items: { const: { [NAME]: NAME } } },
      },
      required: [NAME],
      dependentRequired: { list: [NAME] },
    },
    validateArguments: true,
  })
  const registry = createToolRegistry({ tools: [tool] })
  const call = (args: unknown): Promise<ToolExecutionResult> =>
    registry.execute({ callId: 'c', name: 'half', arguments: args })
  for (const args of [{ [NAME]: NAME }, { [NAME]: 'a', list: [{ [NAME]: NAME }] }])
    expect((await call(args)).isError).toBe(false)
  expect(tool.runs()).toBe(2)
  for (const args of [{}, { [NAME]: 'b' }, { list: [] }, { [NAME]: 'a', list: [{ [NAME]: 'a' }] }]) {
    const result = await call(args)
    expect(result).toMatchObject({ isError: true, error: { code: 'INVALID_ARGS' } })
    expect(JSON.stringify(result)).not.toContain('could not be checked')
  }
  expect(tool.runs()).toBe(2)
})
