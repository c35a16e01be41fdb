import { quoteName } from '../errors/quote-name.js'
import { ToolgateError } from '../errors/toolgate-error.js'
import type { EventListener } from '../events/event-hub.js'
import type { ToolgateEvents } from '../events/event-map.js'
import { listOf } from '../json/list-of.js'
import type { CodeModeSupport } from './code-mode-support.js'
import { RegistryCore } from './registry-core.js'
import { invalidOption, type RegistryOptions, readable, readScopeOptions } from './registry-options.js'
import { ToolScope } from './tool-scope.js'

/** The root scope, which all others inherit from, with the events of them all. */
export class ToolRegistry extends ToolScope {
  readonly #core: RegistryCore

  /** @internal */
  constructor(options: RegistryOptions, codeMode: CodeModeSupport | undefined) {
    const core = new RegistryCore(options, codeMode)
    super(core, core.root)
    this.#core = core
    core.requireRuntimeFor(options.mode, 'createToolRegistry')
    this.use(options.stages ?? [])
    for (const tool of listOf(options.tools ?? [])) this.register(tool)
    for (const declaration of listOf(options.scopes ?? [])) {
      const { parent, ...scope } = readScopeOptions(declaration)
      const above = parent === undefined ? this : this.#declared(parent)
      if (above === undefined)
        invalidOption(`scope "${scope.id}" names the parent "${parent}", which is not declared before it`)
      above?.createScope(scope)
    }
  }

  /**
   * A scope by its id.
   * @throws ToolgateError `UNKNOWN_SCOPE`
   */
  scope(id: string): ToolScope {
    if (this.#core.root.disposed) throw new ToolgateError('DISPOSED', `scope: the registry was disposed`)
    const core = this.#core.scopes.get(id)
    if (core === undefined) {
      const known = [...this.#core.scopes.keys()].map(quoteName).join(', ')
      const given = typeof id === 'string' ? quoteName(id) : `of that id, a ${typeof id}`
      throw new ToolgateError('UNKNOWN_SCOPE', `There is no scope ${given}; there are ${known}`)
    }
    return core === this.#core.root ? this : new ToolScope(this.#core, core)
  }

  /** Calls the listener at every event of a kind. What it throws becomes an `observer-error` event. */
  on<E extends keyof ToolgateEvents>(event: E, listener: EventListener<E>): this {
    readable('on', () => this.#core.events.on(event, listener))
    return this
  }

  /** Calls the listener at the next event of a kind. */
  once<E extends keyof ToolgateEvents>(event: E, listener: EventListener<E>): this {
    readable('once', () => this.#core.events.once(event, listener))
    return this
  }

  /** Takes a listener off. */
  off<E extends keyof ToolgateEvents>(event: E, listener: EventListener<E>): this {
    readable('off', () => this.#core.events.off(event, listener))
    return this
  }

  #declared(id: string): ToolScope | undefined {
    return this.#core.scopes.has(id) ? this.scope(id) : undefined
  }
}
