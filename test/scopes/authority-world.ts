import fc from 'fast-check'
import {
  type CodeRuntime,
  createToolRegistry,
  type Registration,
  type ToolgateError,
  type ToolScope,
} from 'toolgate'
import { expect } from 'vitest'
import { countedTool } from '../support/tools.js'

/** Names that objects have by themselves are names like others. */
export const NAMES = ['bash', 'read', '__proto__', 'constructor', 'toString', 'then'] as const
const IDS = ['__proto__', 'constructor', 'toString', 'then', 'valueOf', 's5', 's6', 's7', 's8', 's9'] as const

type Mode = 'native' | 'code' | 'both'
type Mask = { readonly allow?: readonly string[]; readonly deny?: readonly string[] }

export type Step =
  | { readonly do: 'scope'; readonly on: number; readonly grants: readonly string[]; readonly mode?: Mode }
  | { readonly do: 'register'; readonly on: number; readonly name: string }
  | { readonly do: 'restrict'; readonly on: number; readonly mask: Mask }
  | { readonly do: 'guard'; readonly on: number; readonly name: string }
  | { readonly do: 'undo'; readonly which: number }
  | { readonly do: 'dispose'; readonly on: number }

const kind = <K extends Step['do']>(of: K): fc.Arbitrary<K> => fc.constant(of)
const mode = fc.constantFrom<Mode>('native', 'native', 'code', 'both')

// Few names, that they may meet; and `on` counts from the youngest scope, that chains may get long.
function stepsWith(pool: readonly string[]): fc.Arbitrary<Step[]> {
  const on = fc.oneof(fc.nat(2), fc.nat(9))
  const name = fc.constantFrom(...pool)
  const names = fc.uniqueArray(name, { minLength: 1, maxLength: 2 })
  const few = fc.oneof(fc.constant([]), fc.constant([]), names)
  const allow = fc.record({ allow: names })
  const deny = fc.record({ deny: names })
  const odd = fc.record({ allow: names, deny: names }, { requiredKeys: [] })
  const step = fc.oneof<fc.WeightedArbitrary<Step>[]>(
    {
      weight: 4,
      arbitrary: fc.record(
        { do: kind('scope'), on, grants: few, mode },
        { requiredKeys: ['do', 'on', 'grants'] },
      ),
    },
    { weight: 8, arbitrary: fc.record({ do: kind('register'), on, name }) },
    { weight: 6, arbitrary: fc.record({ do: kind('restrict'), on, mask: fc.oneof(allow, deny, odd) }) },
    { weight: 1, arbitrary: fc.record({ do: kind('guard'), on, name }) },
    { weight: 3, arbitrary: fc.record({ do: kind('undo'), which: fc.nat(20) }) },
    { weight: 1, arbitrary: fc.record({ do: kind('dispose'), on }) },
  )
  const onRoot = fc.uniqueArray(name, { minLength: 1 }).map(wanted => wanted.map(registerOnRoot))
  const rest = fc.array(step, { minLength: 10, maxLength: 50 })
  return fc.tuple(onRoot, rest).map(([first, then]) => [...first, ...then])
}

const registerOnRoot = (name: string): Step => ({ do: 'register', on: 0, name })

/** What is done to a registry, in order. */
export const steps: fc.Arbitrary<Step[]> = fc
  .uniqueArray(fc.constantFrom(...NAMES), { minLength: 2, maxLength: 3 })
  .chain(stepsWith)

/** A scope beside what was done to it, as anybody could have written it down. */
export class ScopeModel {
  readonly scope: ToolScope
  readonly parent: ScopeModel | undefined
  readonly grants: readonly string[]
  /** Its own tools: what their bodies answer. */
  readonly own: Map<string, string> = new Map()
  readonly masks: Set<Mask> = new Set()
  readonly guarded: { readonly name: string }[] = []
  readonly #mode: Mode | undefined
  #disposed = false

  constructor(scope: ToolScope, parent?: ScopeModel, grants: readonly string[] = [], own?: Mode) {
    this.scope = scope
    this.parent = parent
    this.grants = grants
    this.#mode = own
  }
  get chain(): ScopeModel[] {
    return [this, ...(this.parent?.chain ?? [])]
  }
  get disposed(): boolean {
    return this.chain.some(model => model.#disposed)
  }
  get mode(): Mode {
    return this.#mode ?? this.parent?.mode ?? 'native'
  }
  get known(): Set<string> {
    return new Set(this.chain.flatMap(model => [...model.own.keys()]))
  }

  /** True if a mask hides the tool that `layer` has, or would have, under a name. */
  isHidden(layer: ScopeModel, wanted: string): boolean {
    const { chain } = this
    return chain.some((masking, i) => {
      if (masking === layer || chain.slice(0, i).some(below => below.grants.includes(wanted))) return false
      const mustBeListed = i < chain.indexOf(layer) || (masking.parent?.known.has(wanted) ?? false)
      return [...masking.masks].some(
        ({ allow, deny }) => deny?.includes(wanted) || (mustBeListed && allow?.includes(wanted) === false),
      )
    })
  }

  /** The layer whose tool the scope sees. */
  sees(wanted: string): ScopeModel | undefined {
    return this.chain.find(layer => layer.own.has(wanted) && !this.isHidden(layer, wanted))
  }

  isGuarded(wanted: string): boolean {
    return this.chain.some(model => model.guarded.some(guard => guard.name === wanted))
  }

  dispose(): Promise<void> {
    this.#disposed = true
    return this.scope.dispose()
  }
}

/** Programs are the name of the one tool that they call, and print the names of all. */
const oneCall: CodeRuntime = {
  async run({ program, namespaces }) {
    const [tools] = namespaces
    const call = {
      name: program,
      args: [{}],
      signal: new AbortController().signal,
      pauseWallClock: () => () => {},
    }
    await tools?.call(call)
    return { logs: tools?.functions ?? [] }
  },
}

const codeOf = (run: () => unknown): string | undefined => {
  try {
    run()
    return undefined
  } catch (error) {
    return (error as ToolgateError).code ?? String(error)
  }
}

/** A registry that steps are done to, with every refusal checked, and the bodies that ran. */
export class World {
  readonly models: ScopeModel[]
  readonly ran: string[] = []
  readonly #undos: (() => void)[] = []
  #tools = 0

  constructor() {
    this.models = [new ScopeModel(createToolRegistry({ codeRuntime: oneCall }))]
  }

  get live(): ScopeModel[] {
    return this.models.filter(model => !model.disposed)
  }

  async take(step: Step): Promise<void> {
    if (step.do === 'undo') return this.#undos.splice(step.which % Math.max(1, this.#undos.length), 1)[0]?.()
    const model = this.models.at(-1 - (step.on % this.models.length)) as ScopeModel
    if (step.do === 'scope') return this.#create(model, step.grants, step.mode)
    if (step.do === 'register') return this.#register(model, step.name)
    if (step.do === 'restrict') return this.#restrict(model, step.mask)
    if (step.do === 'guard') return this.#guard(model, step.name)
    if (model.parent !== undefined) await model.dispose()
  }

  /** Does it, or expects the code of its refusal; what is done may be undone later. */
  #attempt(
    model: ScopeModel,
    refusal: string | undefined,
    run: () => Registration,
    done: () => () => void,
  ): void {
    let registration: Registration | undefined
    const code = codeOf(() => {
      registration = run()
    })
    expect(code).toBe(model.disposed ? 'DISPOSED' : refusal)
    if (registration === undefined) return
    const undone = done()
    this.#undos.push(() => {
      registration?.()
      undone()
    })
  }

  #create(parent: ScopeModel, grants: readonly string[], mode: Mode | undefined): void {
    const taken = this.live.map(model => model.scope.id as string)
    const id = IDS.find(free => !taken.includes(free))
    if (id === undefined) return
    const create = () => parent.scope.createScope({ id, grants, ...(mode && { mode }) })
    if (parent.disposed) expect(codeOf(create)).toBe('DISPOSED')
    else this.models.push(new ScopeModel(create(), parent, grants, mode))
  }

  #register(model: ScopeModel, wanted: string): void {
    const answer = `${wanted} ${++this.#tools} of ${model.scope.id}`
    const tool = countedTool(wanted, () => (this.ran.push(answer), answer), { description: answer })
    const masked = model.isHidden(model, wanted) ? 'NOT_GRANTED' : undefined
    const refusal = model.own.has(wanted) ? 'DUPLICATE_TOOL' : masked
    this.#attempt(
      model,
      refusal,
      () => model.scope.register(tool),
      () => {
        model.own.set(wanted, answer)
        return () => model.own.delete(wanted)
      },
    )
  }

  #restrict(model: ScopeModel, mask: Mask): void {
    const named = [...(mask.allow ?? []), ...(mask.deny ?? [])]
    const known = model.parent?.known
    const unknown = named.some(wanted => known?.has(wanted) === false) ? 'UNKNOWN_TOOL_NAME' : undefined
    const refusal = known === undefined || named.length === 0 ? 'INVALID_OPTIONS' : unknown
    this.#attempt(
      model,
      refusal,
      () => model.scope.restrict(mask),
      () => {
        const copy = { ...mask }
        model.masks.add(copy)
        return () => model.masks.delete(copy)
      },
    )
  }

  #guard(model: ScopeModel, wanted: string): void {
    this.#attempt(
      model,
      undefined,
      () => model.scope.guard(call => (call.name === wanted ? 'guarded' : undefined)),
      () => {
        const guard = { name: wanted }
        model.guarded.push(guard)
        return () => model.guarded.splice(model.guarded.indexOf(guard), 1)
      },
    )
  }
}
