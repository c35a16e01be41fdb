import { Context } from '@deepseek-ai/cordis'
import { createScope } from '@deepseek-ai/dsh-scope'
import { SystemPrompt } from '@deepseek-ai/dsh-system-prompt'
import { defineTool, ToolRuntime } from '@deepseek-ai/dsh-tools'
import { ARGS, parameters } from './toolgate.mjs'

export const noop = name =>
  defineTool({
    name,
    description: 'Does nothing',
    parameters,
    output: { schema: { type: 'string' }, render: (_args, text) => [{ type: 'text', text }] },
    execute: async () => 'ok',
  })

/** A context with the tools service and what it needs. */
export async function createRuntime(tools = []) {
  const root = new Context()
  await root.plugin(SystemPrompt)
  await root.plugin(ToolRuntime)
  for (const tool of tools) root.tools.register(tool)
  return root
}

/** Nested scopes, outermost first: `fill` is called with each one's context; answers the innermost one's key. */
export async function createScopes(root, depth, fill) {
  let innermost
  await root.plugin({
    name: 'scopes',
    inject: ['tools'],
    apply(ctx) {
      for (let i = 1; i <= depth; i++) {
        const key = { id: `s${i}` }
        fill(createScope(ctx, key, innermost && { parent: innermost }).ctx, i)
        innermost = key
      }
    },
  })
  return innermost
}

export function caller(root, name, extra = {}) {
  let n = 0
  const { signal } = new AbortController()
  return async () => {
    const call = { callId: `c${n++}`, name, arguments: ARGS, signal, ...extra }
    const result = await root.tools.execute(call)
    if (result.isError) throw new Error(result.error.message)
  }
}
