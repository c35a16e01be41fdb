import { ToolgateError } from '../errors/toolgate-error.js'
import type { ScopeId } from '../tools/call-id.js'
import type { NameIndex } from '../tools/name-index.js'
import type { RegisteredTool } from '../tools/tool-definition.js'

/** How a scope presents its tools to the model: each by its schema, all behind `run_code`, or both ways. */
export type PresentationMode = 'native' | 'code' | 'both'

/** The one name that is Toolgate's own in every scope and mode. */
export const RUN_CODE_NAME = 'run_code'

/** A mask in force. */
export interface Restriction {
  readonly allow?: ReadonlySet<string>
  readonly deny?: ReadonlySet<string>
}

const MAX_RESOLVED = 10_000
const MAX_UNKNOWN_UNITS = 128

/** What all scopes of a registry share. `version` changes with anything that changes what a scope sees. */
export interface ScopeTree {
  version: number
  /** The Code Mode tool; absent where there is no code runtime. */
  runCode: RegisteredTool | undefined
}

/** A scope's own contributions to what is visible: its layer of tools, its masks and its grants. */
export class ScopeNode {
  readonly id: ScopeId
  readonly parent: ScopeNode | undefined
  readonly tree: ScopeTree
  /** This scope first, the root last. */
  readonly chain: readonly ScopeNode[]
  readonly tools: Map<string, RegisteredTool> = new Map()
  readonly restrictions: Set<Restriction> = new Set()
  readonly grants: ReadonlySet<string>
  readonly #resolved = new Map<string, RegisteredTool | undefined>()
  #names: NameIndex | undefined
  #tools: readonly RegisteredTool[] | undefined
  #resolvedVersion = -1
  #mode: PresentationMode | undefined
  #modeOverride: PresentationMode | undefined

  constructor(
    id: ScopeId,
    parent: ScopeNode | undefined,
    options: {
      readonly mode?: PresentationMode | undefined
      readonly grants?: readonly string[] | undefined
    } = {},
  ) {
    this.id = id
    this.parent = parent
    this.tree = parent?.tree ?? { version: 0, runCode: undefined }
    this.chain = parent === undefined ? [this] : [this, ...parent.chain]
    this.grants = new Set(options.grants)
    this.#mode = options.mode
  }

  get isRoot(): boolean {
    return this.parent === undefined
  }

  /** The nearest mode declared on the chain; `native` if there is none. */
  get mode(): PresentationMode {
    const { modeScope } = this
    return modeScope.#modeOverride ?? modeScope.#mode ?? 'native'
  }

  /** The scope that declares the mode; the root if none does. */
  get modeScope(): ScopeNode {
    let node: ScopeNode = this
    while (node.parent !== undefined && (node.#modeOverride ?? node.#mode) === undefined) node = node.parent
    return node
  }

  /** Overrides the mode until the returned function is called, which says whether there was something to restore. */
  overrideMode(mode: PresentationMode): () => boolean {
    if (this.#modeOverride !== undefined)
      throw new ToolgateError(
        'INVALID_OPTIONS',
        `Scope "${this.id}" already presents as "${this.#modeOverride}"; dispose that before presenting as "${mode}"`,
      )
    this.#modeOverride = mode
    this.changed()
    return () => {
      if (this.#modeOverride === undefined) return false
      this.#modeOverride = undefined
      this.changed()
      return true
    }
  }

  /** Lets go of everything the scope contributed. */
  release(): void {
    this.tools.clear()
    this.restrictions.clear()
    this.#modeOverride = undefined
    this.#resolved.clear()
    this.#names = undefined
    this.#tools = undefined
    this.changed()
  }

  changed(): void {
    this.tree.version++
  }

  /** Answers from the memory of this version, or asks `find` and remembers. */
  memo(name: string, find: (name: string) => RegisteredTool | undefined): RegisteredTool | undefined {
    this.#forgetOld()
    const known = this.#resolved.get(name)
    if (known !== undefined || this.#resolved.has(name)) return known
    const found = find(name)
    // Names come from models: the memory of those that do not exist must not grow without bound, by number or by length.
    const isWorthIt = name.length <= MAX_UNKNOWN_UNITS && this.#resolved.size < MAX_RESOLVED
    if (found !== undefined || isWorthIt) this.#resolved.set(name, found)
    return found
  }

  /** The names that the scope sees, made once for this version. */
  keepNames(make: () => NameIndex): NameIndex {
    this.#forgetOld()
    this.#names ??= make()
    return this.#names
  }

  /** The tools that the scope sees, in the same way. */
  keepTools(make: () => readonly RegisteredTool[]): readonly RegisteredTool[] {
    this.#forgetOld()
    this.#tools ??= make()
    return this.#tools
  }

  #forgetOld(): void {
    const { version } = this.tree
    if (this.#resolvedVersion === version) return
    this.#resolved.clear()
    this.#names = undefined
    this.#tools = undefined
    this.#resolvedVersion = version
  }
}
