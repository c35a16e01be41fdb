import { quoteName } from '../errors/quote-name.js'
import { ToolgateError } from '../errors/toolgate-error.js'
import type { RegisteredTool } from '../tools/tool-definition.js'
import { RUN_CODE_NAME, type ScopeNode } from './scope-node.js'
import { maskOf } from './visibility.js'

/** A tool's place in a layer. Both answer false once the tool is not there any more. */
export interface ToolPlace {
  remove(): boolean
  /** Puts another tool of the same name there. */
  replace(tool: RegisteredTool): boolean
}

/**
 * Adds a tool to a scope's own layer.
 * @throws ToolgateError `RESERVED_NAME`, `DUPLICATE_TOOL` or `NOT_GRANTED`.
 */
export function registerTool(node: ScopeNode, tool: RegisteredTool): ToolPlace {
  const { name } = tool
  if (name === RUN_CODE_NAME)
    throw new ToolgateError(
      'RESERVED_NAME',
      `"${RUN_CODE_NAME}" is the name of Code Mode's own tool; choose another`,
    )
  if (node.tools.has(name))
    throw new ToolgateError(
      'DUPLICATE_TOOL',
      node.isRoot
        ? `Tool ${quoteName(name)} is already registered; register the variant in a scope of its own, where it shadows this one`
        : `Tool ${quoteName(name)} is already registered in scope "${node.id}"`,
    )
  const mask = maskOf(node.chain, 0, name)
  if (mask !== undefined)
    throw new ToolgateError(
      'NOT_GRANTED',
      `Scope "${mask.scope.id}" masks ${quoteName(name)} for every scope below it, "${node.id}" included; ` +
        `declare grants: [${quoteName(name)}] on "${node.id}" or a scope between them to lift the mask`,
    )
  node.tools.set(name, tool)
  node.changed()
  let held = tool
  const isHeld = (): boolean => node.tools.get(name) === held
  return {
    remove() {
      if (!isHeld()) return false
      node.tools.delete(name)
      node.changed()
      return true
    },
    replace(next) {
      if (!isHeld()) return false
      held = next
      node.tools.set(name, next)
      node.changed()
      return true
    },
  }
}
