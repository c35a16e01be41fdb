import { CodeRunFailedError } from '../errors/errors.js'
import { ToolgateError } from '../errors/toolgate-error.js'
import type { CodeModeHost, CodeModeSupport } from '../registry/code-mode-support.js'
import { invalidOption, requireCount, requireKeys } from '../registry/registry-options.js'
import type { CodeRuntime } from '../sandbox/code-runtime.js'
import { RUN_CODE_NAME } from '../scopes/scope-node.js'
import { defineTool } from '../tools/define-tool.js'
import type { ToolDefinition } from '../tools/tool-definition.js'
import { catalogues } from './catalogue.js'
import type { CodeChecker } from './code-checker.js'
import { renderToolsSdk } from './declarations/render-tools-sdk.js'
import { forSameTools } from './for-same-tools.js'
import {
  CODE_ONLY_TEXT,
  CODE_PARAMETER,
  DESCRIPTION_PARAMETER,
  RUN_CODE_DESCRIPTION,
} from './instructions.js'
import { renderRun } from './render-run.js'
import { unfitRun } from './run-failure.js'
import { runProgram } from './run-program.js'
import { createSdkSection, type SdkDetail } from './sdk-section.js'

/** A runtime, or a function that makes one at the first program. */
export type CodeRuntimeOption = CodeRuntime | (() => CodeRuntime | Promise<CodeRuntime>)

/** Options of Code Mode. */
export interface CodeModeOptions {
  /** How many calls of one program may run at a time; more wait. Default 10. */
  readonly maxParallelSubCalls?: number
  /** How much the model is told up front: all declarations, names only, or by the budget. Default `auto`. */
  readonly sdk?: SdkDetail
  /** UTF-8 bytes of declarations beyond which `auto` lists names only. Default 24 KiB. */
  readonly sdkBudgetBytes?: number
  /** Checks each program before it runs, such as `typescriptChecker()` of `toolgate/typecheck`. Default none. */
  readonly check?: CodeChecker | undefined
}

const OPTION_KEYS = ['maxParallelSubCalls', 'sdk', 'sdkBudgetBytes', 'check'] as const
const DETAILS: readonly unknown[] = ['auto', 'full', 'search']

function checkOptions(runtime: CodeRuntimeOption | undefined, options: CodeModeOptions): void {
  requireKeys('codeMode', options, OPTION_KEYS)
  requireCount('codeMode.maxParallelSubCalls', options.maxParallelSubCalls)
  requireCount('codeMode.sdkBudgetBytes', options.sdkBudgetBytes)
  if (options.sdk !== undefined && !DETAILS.includes(options.sdk))
    invalidOption('codeMode.sdk must be "auto", "full" or "search"')
  if (options.check !== undefined && typeof options.check?.check !== 'function')
    invalidOption('codeMode.check must be a CodeChecker, such as typescriptChecker()')
  const usable = typeof runtime === 'function' || typeof runtime?.run === 'function'
  if (runtime !== undefined && !usable)
    invalidOption(
      'codeRuntime must be a CodeRuntime, such as quickJsRuntime(), or a function that returns one',
    )
}

/** Makes the runtime at its first use, and tries again after a failure: a chunk that did not load may load then. */
function lazyRuntime(given: CodeRuntimeOption): { get(): Promise<CodeRuntime>; dispose(): Promise<void> } {
  let made: Promise<CodeRuntime> | undefined
  const create = async (): Promise<CodeRuntime> => {
    const runtime = typeof given === 'function' ? await given() : given
    if (typeof runtime?.run === 'function') return runtime
    throw new ToolgateError('INVALID_OPTIONS', 'codeRuntime did not return a CodeRuntime')
  }
  return {
    get() {
      made ??= create().catch(error => {
        made = undefined
        throw error
      })
      return made
    },
    async dispose() {
      const runtime = await made?.catch(() => undefined)
      await runtime?.dispose?.()
    },
  }
}

function createRunCode(
  host: CodeModeHost,
  runtime: () => Promise<CodeRuntime>,
  maxParallel: number,
  checker: CodeChecker | undefined,
): ToolDefinition {
  const catalogueOf = catalogues()
  const declare = forSameTools(tools => ({
    declarations: renderToolsSdk(tools),
    mendedTools: tools.filter(tool => tool.coerce !== undefined).map(tool => tool.name),
  }))
  return defineTool({
    name: RUN_CODE_NAME,
    description: RUN_CODE_DESCRIPTION,
    parameters: {
      code: { type: 'string', required: true, description: CODE_PARAMETER },
      description: { type: 'string', required: true, description: DESCRIPTION_PARAMETER },
    },
    output: {
      schema: {
        type: 'object',
        additionalProperties: false,
        properties: {
          logs: { type: 'array', required: true, items: { type: 'string' } },
          result: { type: 'json' },
          notAwaited: { type: 'array', items: { type: 'string' } },
          notRun: { type: 'array', items: { type: 'string' } },
          cutOff: { type: 'array', items: { type: 'string' } },
          stillRunning: { type: 'array', items: { type: 'string' } },
        },
      },
      render: (_args, value) => renderRun(value),
    },
    presentCall: ({ code, description }) => ({
      card: 'generic',
      kind: 'execute',
      title: description,
      rawInput: code,
    }),
    async execute({ code, description }, context) {
      if (description.trim() === '')
        throw new ToolgateError(
          'INVALID_ARGS',
          'description is blank: say in 5 to 10 words what the program does',
        )
      const problems = await checker?.check({ program: code, ...declare(host.visible(context.scope)) })
      if (problems !== undefined)
        throw new CodeRunFailedError(`type-error: ${problems}`, { details: { kind: 'type-error' } })
      const catalogue = catalogueOf(() => host.visible(context.scope))
      return runProgram(host, await runtime(), code, context, { maxParallel, catalogue })
    },
  })
}

/** Code Mode for one registry; `undefined` where there is nothing to run programs with. */
export function createCodeMode(
  given: CodeRuntimeOption | undefined,
  options: CodeModeOptions = {},
): CodeModeSupport | undefined {
  checkOptions(given, options)
  if (given === undefined) return undefined
  const runtime = lazyRuntime(given)
  const sdkSection = createSdkSection(
    options.sdk ?? 'auto',
    options.sdkBudgetBytes ?? 24 * 1024,
    options.check !== undefined,
  )
  return {
    unfit: unfitRun,
    createTool: host => createRunCode(host, runtime.get, options.maxParallelSubCalls ?? 10, options.check),
    sections: (tools, mode) => [
      ...(mode === 'code' ? [{ id: 'tools:code-only', order: 99, text: CODE_ONLY_TEXT }] : []),
      { id: 'tools:sdk', order: 150, text: sdkSection(tools) },
    ],
    dispose: runtime.dispose,
  }
}
