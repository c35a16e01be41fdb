import { createToolRegistry, type Stages, type ToolDefinition, type ToolRegistry } from 'toolgate'
import { type CountedTool, countedTool } from '../support/tools.js'

/** A PNG of one pixel. */
export const PIXEL =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

const pathOnly = {
  type: 'object',
  properties: { path: { type: 'string' }, encoding: { type: 'string' } },
  required: ['path'],
}

/** A registry with a tool that works, one that fails, one that shows an image, and one that is denied. */
export function agentRegistry(more: readonly ToolDefinition[] = []): {
  readonly registry: ToolRegistry
  readonly read: CountedTool
  readonly broken: CountedTool
  readonly shot: CountedTool
  readonly remove: CountedTool
} {
  const read = countedTool('files.read', ({ path }) => `text of ${path}`, {
    parameters: pathOnly,
    validateArguments: true,
    isConcurrencySafe: () => true,
  })
  const broken = countedTool('broken', () => {
    throw new Error('the disk is gone')
  })
  const shot = countedTool('screenshot', () => [
    { type: 'text', text: 'the window' },
    { type: 'image', mimeType: 'image/png', data: PIXEL },
  ])
  const remove = countedTool('remove', () => 'removed')
  const noRemoval: Stages = {
    preExecute: ({ name }, next) =>
      name === 'remove' ? { kind: 'deny', reason: 'nothing is removed here' } : next(),
  }
  const registry = createToolRegistry({ tools: [read, broken, shot, remove, ...more], stages: [noRemoval] })
  return { registry, read, broken, shot, remove }
}
