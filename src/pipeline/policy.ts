import type { Approver } from '../approvals/approval.js'
import { ToolgateError } from '../errors/toolgate-error.js'
import { misspelt } from '../tools/misspelt.js'
import type { Guard, Stages } from './stages.js'

/** A stage's function, bound to its stage, with the name that messages use. */
export interface Named<F> {
  readonly name: string
  /** The scope that it was added to. */
  readonly scope: string
  readonly run: F
}

/** All that has a say in the calls of one scope, outermost first. Made once for each change of the scope's stages. */
export interface Policy {
  readonly preExecute: readonly Named<NonNullable<Stages['preExecute']>>[]
  readonly guards: readonly Named<Guard>[]
  readonly around: readonly Named<NonNullable<Stages['execute']>>[]
  readonly postExecute: readonly Named<NonNullable<Stages['postExecute']>>[]
  readonly onResult: readonly Named<NonNullable<Stages['onResult']>>[]
  readonly approve: Approver | undefined
}

const HOOKS = ['preExecute', 'guard', 'execute', 'postExecute', 'onResult'] as const
type Hook = (typeof HOOKS)[number]

/** A stage as it was given in, read once. */
export type StageSnapshot = Readonly<{ name: string } & { [H in Hook]?: NonNullable<Stages[H]> }>

/**
 * Reads a stage once and binds its functions.
 * @throws ToolgateError `INVALID_OPTIONS` for what is no stage.
 */
export function snapshotStage(stage: Stages, fallbackName: string): StageSnapshot {
  if (typeof stage !== 'object' || stage === null)
    throw new ToolgateError(
      'INVALID_OPTIONS',
      `${fallbackName} must be an object with any of ${HOOKS.join(', ')}`,
    )
  const given: unknown = stage.name
  const snapshot: Record<string, unknown> = {
    name: typeof given === 'string' && given !== '' ? given : fallbackName,
  }
  for (const hook of HOOKS) {
    const run: unknown = stage[hook]
    if (run === undefined) continue
    if (typeof run !== 'function')
      throw new ToolgateError('INVALID_OPTIONS', `${hook} of stage "${snapshot.name}" must be a function`)
    snapshot[hook] = run.bind(stage)
  }
  const slip = misspelt(stage, snapshot, [...HOOKS, 'name'])
  if (slip !== undefined) throw new ToolgateError('INVALID_OPTIONS', `Stage "${snapshot.name}" ${slip}`)
  if (!HOOKS.some(hook => hook in snapshot))
    throw new ToolgateError('INVALID_OPTIONS', `Stage "${snapshot.name}" has none of ${HOOKS.join(', ')}`)
  return Object.freeze(snapshot) as StageSnapshot
}

type NamedHooks = { readonly [H in Hook]?: Named<NonNullable<Stages[H]>> }

function namedHooks(stage: StageSnapshot, scope: string): NamedHooks {
  const { name } = stage
  const hooks: Record<string, unknown> = {}
  for (const hook of HOOKS)
    if (stage[hook] !== undefined) hooks[hook] = Object.freeze({ name, scope, run: stage[hook] })
  return hooks
}

/** One scope's stages and guards in the order they were added, and its own approver. */
export class PolicyLayer {
  readonly #scope: string
  readonly #parent: PolicyLayer | undefined
  // Made once for each stage, so that a guard is known again in a policy composed anew.
  readonly #stages = new Set<NamedHooks>()
  readonly #approve: Approver | undefined
  // Shared by all layers of a registry: a change anywhere makes each compose its policy anew when next asked.
  readonly #tree: { version: number }
  #cached: { readonly policy: Policy; readonly version: number } | undefined

  constructor(scope: string, parent: PolicyLayer | undefined, approve: Approver | undefined) {
    this.#scope = scope
    this.#parent = parent
    this.#approve = approve
    this.#tree = parent === undefined ? { version: 0 } : parent.#tree
  }

  /** Adds a stage as this layer's innermost; the returned function takes it out again. */
  add(stage: StageSnapshot): () => void {
    const hooks = namedHooks(stage, this.#scope)
    this.#stages.add(hooks)
    this.#tree.version++
    return () => {
      if (this.#stages.delete(hooks)) this.#tree.version++
    }
  }

  /** The layer's stages and everything around them. */
  effective(): Policy {
    const { version } = this.#tree
    if (this.#cached?.version !== version) this.#cached = { policy: this.#compose(), version }
    return this.#cached.policy
  }

  #compose(): Policy {
    const outer = this.#parent?.effective()
    const own = <H extends Hook>(hook: H): Named<NonNullable<Stages[H]>>[] =>
      [...this.#stages].flatMap(stage => stage[hook] ?? [])
    return {
      preExecute: [...(outer?.preExecute ?? []), ...own('preExecute')],
      guards: [...(outer?.guards ?? []), ...own('guard')],
      around: [...(outer?.around ?? []), ...own('execute')],
      postExecute: [...(outer?.postExecute ?? []), ...own('postExecute')],
      onResult: [...(outer?.onResult ?? []), ...own('onResult')],
      approve: this.#approve ?? outer?.approve,
    }
  }
}
