import {
  type ContentBlock,
  createToolRegistry,
  type ResultBudgetOptions,
  resultBudget,
  type Stages,
  type ToolDefinition,
  type ToolExecutionResult,
} from 'toolgate'
import { countedTool } from '../support/tools.js'

export const text = (value: string): ContentBlock => ({ type: 'text', text: value })
export const textsOf = (content: readonly ContentBlock[]): string[] =>
  content.map(block => (block.type === 'text' ? block.text : `<${block.type}>`))
/** UTF-8 bytes of what the model reads, a line end between blocks. */
export const readBytes = (result: ToolExecutionResult): number =>
  Buffer.byteLength(
    result.content
      .map(block => {
        if (block.type === 'text') return block.text
        if (block.type === 'resource') return (block.resource.text ?? '') + (block.resource.blob ?? '')
        return block.type === 'resource_link' ? JSON.stringify(block) : block.data
      })
      .join('\n'),
  )

/** A tool with a value, shown as JSON. */
export const valueTool = (value: () => unknown, rest: Partial<ToolDefinition> = {}): ToolDefinition =>
  countedTool('tool', value, {
    output: { schema: {}, render: (_args, given) => [{ type: 'text', text: JSON.stringify(given) }] },
    ...rest,
  })

/** Runs one call of a tool under a budget. */
export function runWithin(
  options: ResultBudgetOptions,
  tool: ToolDefinition,
  stages: readonly Stages[] = [],
): Promise<ToolExecutionResult> {
  const registry = createToolRegistry({ tools: [tool], stages: [resultBudget(options), ...stages] })
  return registry.execute({ callId: '1', name: 'tool' })
}
