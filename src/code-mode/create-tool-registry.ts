import { invalidOption, type RegistryOptions, readable } from '../registry/registry-options.js'
import { ToolRegistry } from '../registry/tool-registry.js'
import { type CodeModeOptions, type CodeRuntimeOption, createCodeMode } from './code-mode.js'

/** Everything a registry can be told. All of it is optional. */
export interface ToolRegistryOptions extends RegistryOptions {
  /** Runs Code Mode's programs. Native calls never touch it; a function is called at the first program. */
  readonly codeRuntime?: CodeRuntimeOption | undefined
  /** How programs call tools and what the model is told of them. */
  readonly codeMode?: CodeModeOptions | undefined
}

/**
 * Makes a registry: the root scope, with its tools, stages, scopes and Code Mode as plain options.
 * @throws ToolgateError for anything wrong with the options; nothing is left half made.
 */
export function createToolRegistry(options: ToolRegistryOptions = {}): ToolRegistry {
  if (typeof options !== 'object' || options === null)
    invalidOption('createToolRegistry takes an object of options')
  return readable('the options of createToolRegistry', () => {
    const { codeRuntime, codeMode, ...rest } = options
    return new ToolRegistry(rest, createCodeMode(codeRuntime, codeMode))
  })
}
