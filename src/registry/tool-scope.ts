/// <reference lib="esnext.disposable" preserve="true" />

import { quoteName } from '../errors/quote-name.js'
import { ToolgateError } from '../errors/toolgate-error.js'
import { listOf } from '../json/list-of.js'
import { executeCall } from '../pipeline/execute-call.js'
import { snapshotStage } from '../pipeline/policy.js'
import { readInput } from '../pipeline/read-input.js'
import type { Guard, Stages } from '../pipeline/stages.js'
import { CallScheduler } from '../schedule/call-scheduler.js'
import { type BatchOptions, executeAll, executeEach } from '../schedule/execute-batch.js'
import { type ExecutionMode, executionModeOf } from '../schedule/execution-mode.js'
import type { ToolExplanation } from '../scopes/explain.js'
import { registerTool } from '../scopes/register-tool.js'
import { createRestriction, type RestrictOptions } from '../scopes/restriction.js'
import type { PresentationMode } from '../scopes/scope-node.js'
import { namesOn, visibleTools } from '../scopes/visibility.js'
import { ScopeId } from '../tools/call-id.js'
import type { ToolExecutionInput } from '../tools/tool-call.js'
import type { RegisteredTool, ToolDefinition } from '../tools/tool-definition.js'
import type { ToolExecutionResult } from '../tools/tool-result.js'
import { explainTool } from './explain-tool.js'
import { type Presentation, presentScope, schemasOf, type ToolSchema } from './present.js'
import { createRegistration, type Registration, type ToolRegistration } from './registration.js'
import type { RegistryCore } from './registry-core.js'
import {
  invalidOption,
  readable,
  readScopeOptions,
  requireCount,
  requireKeys,
  requireMode,
  requireSignal,
  type ScopeDeclaration,
  type ScopeOptions,
} from './registry-options.js'
import { ScopeCore } from './scope-core.js'

/** A copy of a batch: it is read whole before any call of it starts. */
function readBatch(inputs: readonly ToolExecutionInput[]): readonly ToolExecutionInput[] {
  return readable('a batch', () => {
    if (!Array.isArray(inputs)) return invalidOption('a batch must be an array of calls')
    return listOf(inputs)
  })
}

const stageName = (scope: string, index: number): string => `stage ${index + 1} of ${scope}`

/**
 * A place for tools and rules. A scope sees its own tools and, through its masks, those of the scopes above it; its calls
 * pass the stages and guards of all of them. After `dispose` calls end as `DISPOSED` and every other member throws it.
 */
export class ToolScope implements AsyncDisposable {
  readonly #core: RegistryCore
  readonly #scope: ScopeCore

  /** @internal */
  constructor(core: RegistryCore, scope: ScopeCore) {
    this.#core = core
    this.#scope = scope
  }

  /** The scope's id; the registry's own is `root`. */
  get id(): ScopeId {
    return this.#scope.id
  }

  /**
   * Adds a frozen snapshot of a tool to this scope's own layer.
   * @throws ToolgateError `INVALID_TOOL`, `UNSUPPORTED_SCHEMA`, `RESERVED_NAME`, `DUPLICATE_TOOL` or `NOT_GRANTED`.
   */
  register(tool: ToolDefinition): ToolRegistration {
    this.#requireLive('register')
    const snapshot = this.#core.snapshot(tool)
    const { name } = snapshot
    const place = registerTool(this.#scope.node, snapshot)
    this.#core.change(this.#scope, 'registered', name)
    const registration = createRegistration(() => {
      if (place.remove()) this.#core.change(this.#scope, 'unregistered', name)
    })
    return Object.assign(registration, {
      replace: (next: ToolDefinition) => {
        this.#requireLive('replace')
        const other = this.#core.snapshot(next)
        if (other.name !== name)
          throw new ToolgateError(
            'INVALID_TOOL',
            `replace: ${quoteName(other.name)} cannot take the place of ${quoteName(name)}; register it instead`,
          )
        if (!place.replace(other))
          throw new ToolgateError('DISPOSED', `replace: the registration of ${quoteName(name)} was disposed`)
        // Whoever follows what comes and goes need not know that it was one step.
        this.#core.change(this.#scope, 'unregistered', name)
        this.#core.change(this.#scope, 'registered', name)
      },
    })
  }

  /**
   * Masks what this scope inherits; several masks intersect. Not for the registry itself.
   * @throws ToolgateError `INVALID_OPTIONS`, `RESERVED_NAME` or `UNKNOWN_TOOL_NAME`.
   */
  restrict(options: RestrictOptions): Registration {
    this.#requireLive('restrict')
    const { node } = this.#scope
    const restriction = readable('restrict', () => createRestriction(node, options))
    const changed = (kind: 'restricted' | 'unrestricted'): void => {
      node.changed()
      this.#core.change(this.#scope, kind)
    }
    node.restrictions.add(restriction)
    changed('restricted')
    return createRegistration(() => {
      if (node.restrictions.delete(restriction)) changed('unrestricted')
    })
  }

  /** Adds a guard for this scope's calls and those under it. The same function twice makes two guards. */
  guard(fn: Guard): Registration {
    this.#requireLive('guard')
    if (typeof fn !== 'function') return invalidOption('guard takes a function')
    return readable('guard', () =>
      createRegistration(this.#scope.layer.add(snapshotStage({ guard: fn }, fn.name || 'guard'))),
    )
  }

  /** Adds stages inside those that are there; the first of a list is the outermost. */
  use(stages: Stages | readonly Stages[]): Registration {
    this.#requireLive('use')
    const snapshots = readable('use', () => {
      const list: readonly Stages[] = Array.isArray(stages) ? listOf(stages) : [stages as Stages]
      return list.map((stage, i) => snapshotStage(stage, stageName(this.id, i)))
    })
    const removals = snapshots.map(snapshot => this.#scope.layer.add(snapshot))
    return createRegistration(() => {
      for (const remove of removals) remove()
    })
  }

  /**
   * Overrides how this scope and those under it present their tools, until the registration is disposed.
   * @throws ToolgateError `INVALID_OPTIONS` if it is overridden already, or a code mode has no runtime.
   */
  presentAs(mode: PresentationMode): Registration {
    this.#requireLive('presentAs')
    if (mode === undefined) return invalidOption('presentAs takes "native", "code" or "both"')
    requireMode(mode)
    this.#core.requireRuntimeFor(mode, `presentAs on scope "${this.id}"`)
    const restore = this.#scope.node.overrideMode(mode)
    this.#core.change(this.#scope, 'mode')
    return createRegistration(() => {
      if (restore()) this.#core.change(this.#scope, 'mode')
    })
  }

  /** The tool that this scope sees under a name. */
  get(name: string): RegisteredTool | undefined {
    this.#requireLive('get')
    return this.#scope.resolve(name)
  }

  /** The tools that this scope sees: the registry's first, in order of registration; `run_code` is not among them. */
  visible(): RegisteredTool[] {
    this.#requireLive('visible')
    return visibleTools(this.#scope.node)
  }

  /** Every name on this scope's chain, masked ones too. */
  knownNames(): string[] {
    this.#requireLive('knownNames')
    return namesOn(this.#scope.node.chain)
  }

  /** Name, description and parameters of every tool this scope sees, `run_code` last where the mode has it. */
  schemas(): ToolSchema[] {
    this.#requireLive('schemas')
    return schemasOf(this.#scope)
  }

  /** Why a tool is or is not callable here. Guards are asked about a call with empty arguments. */
  explain(name: string): ToolExplanation {
    this.#requireLive('explain')
    if (typeof name !== 'string') return invalidOption('explain takes the name of a tool')
    return explainTool(this.#scope, name)
  }

  /** What to hand to the model, by this scope's mode. Pure, and the same bytes for the same tools. */
  present(): Presentation {
    this.#requireLive('present')
    return presentScope(this.#core, this.#scope)
  }

  /** Runs one call through the whole pipeline, at once. Always resolves, with one frozen result. */
  execute(input: ToolExecutionInput): Promise<ToolExecutionResult> {
    return executeCall(this.#core, this.#scope, input)
  }

  /** Runs a batch under the scheduler; results are in the order of the inputs, one for each. */
  async executeAll(
    inputs: readonly ToolExecutionInput[],
    options: BatchOptions = {},
  ): Promise<ToolExecutionResult[]> {
    return executeAll(this.#batch(options), readBatch(inputs), options)
  }

  /** Runs a batch and yields each result as it commits, in order. Leaving the loop early aborts what is left and waits for it. */
  executeEach(
    inputs: readonly ToolExecutionInput[],
    options: BatchOptions = {},
  ): AsyncGenerator<ToolExecutionResult, void, undefined> {
    return executeEach(this.#batch(options), readBatch(inputs), options)
  }

  /** Whether a call may overlap with others, by what its tool says of its arguments now. */
  executionMode(input: ToolExecutionInput): ExecutionMode {
    this.#requireLive('executionMode')
    return executionModeOf(this.#core, this.#scope, readInput(input, this.#core.argumentLimits))
  }

  /**
   * Makes a scope under this one.
   * @throws ToolgateError `INVALID_OPTIONS`, or whatever its tools and masks are refused for; then there is no scope.
   */
  createScope(options: ScopeOptions): ToolScope {
    this.#requireLive('createScope')
    const scope = readable('the options of createScope', () => this.#makeScope(readScopeOptions(options)))
    // Nobody hears of it before all of it is there.
    this.#core.scopes.set(scope.id, scope)
    this.#core.change(scope, 'created')
    return new ToolScope(this.#core, scope)
  }

  #makeScope(given: ScopeDeclaration): ScopeCore {
    const { id, mode, tools = [], stages = [], restrict } = given
    if (given.parent !== undefined)
      return invalidOption(`a scope that createScope makes has no option "parent"`)
    if (this.#core.scopes.has(id)) return invalidOption(`there is a scope "${id}" already`)
    this.#core.requireRuntimeFor(mode, `scope "${id}"`)
    const scope = new ScopeCore(ScopeId(id), this.#scope, given)
    if (restrict !== undefined) scope.node.restrictions.add(createRestriction(scope.node, restrict))
    for (const [i, stage] of stages.entries()) scope.layer.add(snapshotStage(stage, stageName(scope.id, i)))
    for (const tool of tools) registerTool(scope.node, this.#core.snapshot(tool))
    return scope
  }

  /** Aborts the calls of this scope and those under it, waits for them, and releases what they held. Idempotent. */
  dispose(): Promise<void> {
    return this.#core.disposeScope(this.#scope)
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.dispose()
  }

  #batch(
    options: BatchOptions,
  ): (signal: AbortSignal | undefined, isDuplicate: (id: string) => boolean) => CallScheduler {
    const maxParallel = readable('the options of a batch', () => {
      requireKeys('a batch', options, ['signal', 'maxParallel'])
      requireCount('maxParallel', options.maxParallel)
      requireSignal(options.signal)
      return options.maxParallel ?? this.#core.maxParallelCalls
    })
    return (signal, isDuplicate) =>
      new CallScheduler(this.#core, this.#scope, { maxParallel, signal, isDuplicate })
  }

  #requireLive(member: string): void {
    if (this.#scope.disposed)
      throw new ToolgateError('DISPOSED', `${member}: scope "${this.id}" was disposed`)
  }
}
