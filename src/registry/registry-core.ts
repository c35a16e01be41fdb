import { ToolgateError } from '../errors/toolgate-error.js'
import { EventHub } from '../events/event-hub.js'
import type { ChangeEvent } from '../events/event-map.js'
import type { JsonLimits } from '../json/json-limits.js'
import type { CallScope, PipelineHost } from '../pipeline/call-state.js'
import { describeWith } from '../pipeline/finalize.js'
import { RunningCalls } from '../pipeline/running-calls.js'
import { settledWithin } from '../pipeline/settled-within.js'
import { CallScheduler } from '../schedule/call-scheduler.js'
import { createTurnPause } from '../schedule/turn-pause.js'
import { defaultValidator } from '../schema/default-validator.js'
import type { Validator } from '../schema/validator.js'
import { visibleToolsKept } from '../scopes/visibility.js'
import { ScopeId } from '../tools/call-id.js'
import { snapshotTool } from '../tools/snapshot-tool.js'
import type { ToolCall } from '../tools/tool-call.js'
import type { RegisteredTool, ToolDefinition } from '../tools/tool-definition.js'
import type { CodeModeHost, CodeModeSupport } from './code-mode-support.js'
import { checkRegistryOptions, jsonLimits, type RegistryOptions } from './registry-options.js'
import { ScopeCore } from './scope-core.js'

/** The id of the registry's own scope. */
export const ROOT_ID = 'root'

/** What all scopes of one registry share. */
export class RegistryCore implements PipelineHost {
  readonly root: ScopeCore
  readonly scopes: Map<string, ScopeCore> = new Map()
  readonly events: EventHub = new EventHub()
  #registryId: string | undefined
  readonly running: RunningCalls = new RunningCalls()
  readonly validator: Validator
  readonly argumentLimits: JsonLimits
  readonly resultLimits: JsonLimits
  readonly abortGraceMs: number
  readonly #coerceArguments: boolean
  readonly maxParallelCalls: number
  readonly describeError: (error: unknown, call: ToolCall) => string
  readonly codeMode: CodeModeSupport | undefined

  constructor(options: RegistryOptions, codeMode: CodeModeSupport | undefined) {
    checkRegistryOptions(options)
    const limits = jsonLimits(options.limits)
    this.argumentLimits = limits.args
    this.resultLimits = limits.results
    this.validator = options.validator ?? defaultValidator()
    this.#coerceArguments = options.coerceArguments ?? false
    this.abortGraceMs = options.abortGraceMs ?? 5_000
    this.maxParallelCalls = options.maxParallelCalls ?? 10
    this.describeError = describeWith(options.describeError)
    this.codeMode = codeMode
    this.root = new ScopeCore(ScopeId(ROOT_ID), undefined, options)
    this.scopes.set(ROOT_ID, this.root)
    if (codeMode !== undefined) {
      const runCode = this.snapshot(codeMode.createTool(this.#codeModeHost()))
      this.root.node.tree.runCode = Object.freeze({ ...runCode, unfit: codeMode.unfit })
    }
  }

  // Made when first asked for: some runtimes have no randomness outside of a request.
  get registryId(): string {
    this.#registryId ??= `registry-${crypto.randomUUID()}`
    return this.#registryId
  }

  /** A definition as a scope holds it. @throws ToolgateError `INVALID_TOOL` or `UNSUPPORTED_SCHEMA` */
  snapshot(definition: ToolDefinition): RegisteredTool {
    return snapshotTool(definition, this.validator, this.#coerceArguments)
  }

  findScope(from: CallScope, id: string): CallScope | undefined {
    // Whatever was under it, there is nothing more to be said of it.
    if (from.disposed) return from
    const scope = this.scopes.get(id)
    return scope?.isWithin(from as ScopeCore) ? scope : undefined
  }

  /** @throws ToolgateError `INVALID_OPTIONS` where a code mode has nothing to run programs with. */
  requireRuntimeFor(mode: unknown, where: string): void {
    if (mode === undefined || mode === 'native' || this.codeMode !== undefined) return
    throw new ToolgateError(
      'INVALID_OPTIONS',
      `${where}: mode "${mode}" needs a codeRuntime; give createToolRegistry codeRuntime: quickJsRuntime() from "toolgate/quickjs"`,
    )
  }

  change(scope: ScopeCore, kind: ChangeEvent['kind'], name?: string): void {
    if (this.events.has('change'))
      this.events.emit('change', { scope: scope.id, kind, ...(name && { name }) })
  }

  /** Aborts at once what runs in a scope and under it, waits for its end, lets go of everything. Repeated calls share one end. */
  disposeScope(scope: ScopeCore): Promise<void> {
    if (scope.disposing !== undefined) return scope.disposing
    let drained = (_end: Promise<void>): void => {}
    // There before anything is aborted: who hears of an abort and asks the scope must find it disposed.
    scope.disposing = new Promise<void>(resolve => {
      drained = resolve
    }).then(() => this.#release(scope))
    const reason = new ToolgateError('DISPOSED', `Scope "${scope.id}" was disposed`)
    const inside = (id: string): boolean => this.scopes.get(id)?.isWithin(scope) ?? false
    drained(this.running.drain(running => inside(running.call.scope), reason))
    return scope.disposing
  }

  async #release(scope: ScopeCore): Promise<void> {
    // Parents first, as they were made. One that is being disposed for itself has this end in common with those above it.
    const gone = [...this.scopes.values()].filter(other => other.isWithin(scope))
    for (const other of gone) {
      other.disposing ??= scope.disposing
      this.scopes.delete(other.id)
      other.release()
    }
    for (const other of gone.reverse()) this.change(other, 'disposed')
    if (scope === this.root) await this.#disposeCodeMode()
  }

  // A runtime that never ends holds nobody for longer than a call would.
  async #disposeCodeMode(): Promise<void> {
    if (this.codeMode !== undefined) await settledWithin(this.abortGraceMs, this.codeMode.dispose())
  }

  #codeModeHost(): CodeModeHost {
    const find = (id: string): ScopeCore => {
      const scope = this.scopes.get(id)
      if (scope === undefined) throw new ToolgateError('DISPOSED', `Scope "${id}" was disposed`)
      return scope
    }
    return {
      events: this.events,
      maxArgumentBytes: this.argumentLimits.maxBytes,
      abortGraceMs: this.abortGraceMs,
      isWithin: (call, token) => this.running.isWithin(call, token),
      visible: id => (this.scopes.has(id) ? visibleToolsKept(find(id).node) : []),
      scheduler: (id, maxParallel, signal) =>
        new CallScheduler(this, find(id), { maxParallel, signal, pause: createTurnPause() }),
    }
  }
}
