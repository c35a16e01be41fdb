import { cloneJson } from '../json/clone-json.js'
import type { JsonObject } from '../json/json-value.js'
import { visibleTools } from '../scopes/visibility.js'
import type { RegisteredTool } from '../tools/tool-definition.js'
import type { PromptSection } from './code-mode-support.js'
import type { RegistryCore } from './registry-core.js'
import type { ScopeCore } from './scope-core.js'

/** A tool as the model is told of it. A copy: changing it changes nothing. */
export interface ToolSchema {
  name: string
  description: string
  /** JSON Schema of the arguments. */
  parameters: JsonObject
}

/** What the caller hands to the model: the tools to declare and the text to put in the system prompt. */
export interface Presentation {
  readonly tools: ToolSchema[]
  readonly sections: readonly PromptSection[]
}

const schemaOf = ({ name, description, parameters }: RegisteredTool): ToolSchema => ({
  name,
  description,
  parameters: cloneJson(parameters),
})

/** Every tool that the scope sees, `run_code` last where its mode has it. */
export function schemasOf(scope: ScopeCore): ToolSchema[] {
  const tools = visibleTools(scope.node)
  const { runCode } = scope.node.tree
  return (scope.node.mode !== 'native' && runCode ? [...tools, runCode] : tools).map(schemaOf)
}

/** What the scope's mode presents. Pure, and the same bytes for the same tools. */
export function presentScope(core: RegistryCore, scope: ScopeCore): Presentation {
  const { mode, tree } = scope.node
  const tools = visibleTools(scope.node)
  if (mode === 'native' || tree.runCode === undefined) return { tools: tools.map(schemaOf), sections: [] }
  const presented = mode === 'code' ? [tree.runCode] : [...tools, tree.runCode]
  return {
    tools: presented.map(schemaOf),
    sections: core.codeMode?.sections(tools, mode) ?? [],
  }
}
