import { WireNames } from '../wire/wire-names.js'
import { readTools } from '../wire/wire-tools.js'
import { AI_SDK_NAMES, type AiSdkScope } from './ai-sdk-tools.js'
import type { AiSdkMiddleware } from './ai-sdk-types.js'

/**
 * A middleware that keeps a model's requests in step with a scope: the prompt sections of Code Mode stand behind the system
 * prompt, and tools that the scope no longer shows are left out.
 */
export function aiSdkMiddleware(scope: Pick<AiSdkScope, 'present'>): AiSdkMiddleware {
  const names = new WireNames(AI_SDK_NAMES)
  const known = new Set<string>()
  const shown = (): Set<string> => {
    const tools = readTools(scope).map(({ name }) => name)
    names.add(tools)
    const wires = tools.map(name => names.toWire(name))
    for (const wire of wires) known.add(wire)
    return new Set(wires)
  }
  shown()
  return {
    specificationVersion: 'v4',
    async transformParams({ params }) {
      const visible = shown()
      const { sections } = scope.present()
      const system = sections
        .toSorted((a, b) => a.order - b.order)
        .map(({ text }) => ({ role: 'system', content: text }))
      const { prompt, tools, toolChoice } = params
      const after = prompt.findIndex(({ role }) => role !== 'system')
      const at = after < 0 ? prompt.length : after
      const kept = tools?.filter(
        ({ type, name }) =>
          type !== 'function' || name === undefined || !known.has(name) || visible.has(name),
      )
      const next = { ...params, prompt: [...prompt.slice(0, at), ...system, ...prompt.slice(at)] }
      if (kept === undefined || kept.length === tools?.length) return next
      // Providers refuse an empty list, and a choice of what is not in it.
      if (kept.length === 0) return { ...next, tools: undefined, toolChoice: undefined }
      const chosen = toolChoice?.type === 'tool' ? toolChoice.toolName : undefined
      const isGone = chosen !== undefined && !kept.some(({ name }) => name === chosen)
      return { ...next, tools: kept, ...(isGone && { toolChoice: { type: 'auto' } }) }
    },
  }
}
