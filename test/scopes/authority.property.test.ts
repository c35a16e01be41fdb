import fc from 'fast-check'
import { createToolRegistry, type Registration, type ToolScope } from 'toolgate'
import { describe, expect, it } from 'vitest'
import { countedTool } from '../support/tools.js'

const NAMES = ['a', 'b', 'c', 'd'] as const
const name = fc.constantFrom(...NAMES)
const names = fc.uniqueArray(name, { minLength: 1, maxLength: 3 })

type Step =
  | { readonly do: 'scope'; readonly under: number; readonly grants: readonly string[] }
  | { readonly do: 'register'; readonly on: number; readonly name: string }
  | {
      readonly do: 'restrict'
      readonly on: number
      readonly allow?: readonly string[]
      readonly deny?: readonly string[]
    }
  | { readonly do: 'guard'; readonly on: number; readonly name: string }
  | { readonly do: 'undo'; readonly which: number }

const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({
    do: fc.constant('scope' as const),
    under: fc.nat(9),
    grants: fc.oneof(fc.constant([]), names),
  }),
  fc.record({ do: fc.constant('register' as const), on: fc.nat(9), name }),
  fc.record({ do: fc.constant('restrict' as const), on: fc.nat(9), allow: names }),
  fc.record({ do: fc.constant('restrict' as const), on: fc.nat(9), deny: names }),
  fc.record({ do: fc.constant('guard' as const), on: fc.nat(9), name }),
  fc.record({ do: fc.constant('undo' as const), which: fc.nat(30) }),
)

interface World {
  readonly scopes: {
    readonly scope: ToolScope
    readonly parent: number
    readonly grants: readonly string[]
    readonly own: Set<string>
  }[]
}

// Whatever is refused is refused; the law is about what came of the rest.
function build(steps: readonly Step[]): World {
  const registry = createToolRegistry()
  const scopes: World['scopes'] = [{ scope: registry, parent: -1, grants: [], own: new Set() }]
  const undos: (() => void)[] = []
  const attempt = (run: () => Registration, then: () => void, undone: () => void): void => {
    try {
      const registration = run()
      then()
      undos.push(() => {
        registration()
        undone()
      })
    } catch {
      // Refused: nothing changed.
    }
  }
  for (const s of steps) {
    if (s.do === 'scope') {
      const parent = s.under % scopes.length
      const scope = scopes[parent]?.scope.createScope({
        id: `s${scopes.length}`,
        grants: s.grants,
      }) as ToolScope
      scopes.push({ scope, parent, grants: s.grants, own: new Set() })
    } else if (s.do === 'undo') undos.splice(s.which % Math.max(1, undos.length), 1)[0]?.()
    else {
      const at = scopes[s.on % scopes.length] as World['scopes'][number]
      if (s.do === 'register')
        attempt(
          () => at.scope.register(countedTool(s.name, () => at.scope.id)),
          () => at.own.add(s.name),
          () => at.own.delete(s.name),
        )
      else if (s.do === 'guard')
        attempt(
          () => at.scope.guard(call => (call.name === s.name ? 'guarded' : undefined)),
          () => {},
          () => {},
        )
      else {
        const { allow, deny } = s
        attempt(
          () => at.scope.restrict({ ...(allow && { allow }), ...(deny && { deny }) }),
          () => {},
          () => {},
        )
      }
    }
  }
  return { scopes }
}

const isVisible = (scope: ToolScope, wanted: string): boolean => scope.get(wanted) !== undefined

describe('authority', () => {
  it('never widens: a child sees no more than its parent, its own layer and its recorded grants', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), steps => {
        const { scopes } = build(steps)
        for (const { scope, parent, grants, own } of scopes) {
          if (parent < 0) continue
          const above = scopes[parent]?.scope as ToolScope
          for (const wanted of NAMES)
            if (isVisible(scope, wanted))
              expect(isVisible(above, wanted) || own.has(wanted) || grants.includes(wanted)).toBe(true)
        }
      }),
      { numRuns: 400 },
    )
  })

  it('is one answer: present, visible, get, explain and execute agree', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 30 }), async steps => {
        const { scopes } = build(steps)
        for (const { scope } of scopes) {
          const presented = new Set(scope.present().tools.map(tool => tool.name))
          const visible = new Set(scope.visible().map(tool => tool.name))
          for (const wanted of NAMES) {
            const seen = isVisible(scope, wanted)
            expect(presented.has(wanted)).toBe(seen)
            expect(visible.has(wanted)).toBe(seen)
            const { status } = scope.explain(wanted)
            expect(status === 'callable' || status === 'guarded').toBe(seen)
            const result = await scope.execute({ callId: 'x', name: wanted })
            const code = result.isError ? result.error.code : 'ok'
            const expected =
              status === 'guarded' ? 'GUARD_DENIED' : seen ? 'ok' : ['UNKNOWN_TOOL', 'GUARD_DENIED']
            expect([expected].flat()).toContain(code)
          }
        }
      }),
      { numRuns: 150 },
    )
  })
})
