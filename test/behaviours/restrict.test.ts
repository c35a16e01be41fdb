/**
 * Masks. The lines are in docs/behaviours/registry-and-scopes.md. Decided otherwise:
 * - RES-05 a name that a scope above masks is known, as in RES-13: it may be named. That restores nothing, since masks only
 *   take away, and holds once the mask above is lifted. The refusal of an unknown name lists the two kinds apart.
 * - RES-08 what is masked is all that is inherited, never the scope's own layer.
 * - RES-10 a mask of a scope leaves its own tools to the scopes under it.
 */
import { createToolRegistry, type RestrictOptions, type ToolgateError, type ToolScope } from 'toolgate'
import { describe, expect, it } from 'vitest'
import { countedTool } from '../support/tools.js'

const names = (scope: Pick<ToolScope, 'visible'>): string[] => scope.visible().map(tool => tool.name)
const coded = (code: string, message?: RegExp): unknown =>
  expect.objectContaining({ code, ...(message && { message: expect.stringMatching(message) }) })
const tools = (...given: string[]) => given.map(name => countedTool(name))

const setup = () => {
  const registry = createToolRegistry({
    tools: tools('read', 'write', 'bash'),
    scopes: [
      { id: 'a', tools: tools('own') },
      { id: 'b', parent: 'a', tools: tools('low') },
    ],
  })
  return { registry, a: registry.scope('a'), b: registry.scope('b') }
}

describe('restrict', () => {
  it('is not for the registry, which inherits nothing (RES-01)', () => {
    const { registry } = setup()
    for (const mask of [{ deny: ['bash'] }, { allow: ['read'] }, {}])
      expect(() => registry.restrict(mask)).toThrow(coded('INVALID_OPTIONS', /scope/))
    expect(names(registry)).toEqual(['read', 'write', 'bash'])
  })

  it.each([
    ['no rule', {}],
    ['rules that are undefined', { allow: undefined, deny: undefined }],
    ['null', null],
    ['a list', ['read']],
    ['a text', 'read'],
    ['a rule that is no list', { deny: 'bash' }],
    ['a set', { deny: new Set(['bash']) }],
    ['a name that is no text', { deny: ['bash', 7] }],
    ['a hole', { deny: [, 'bash'] }],
    ['a misspelt rule beside one that is not', { alow: ['read'], deny: ['bash'] }],
  ])('takes no mask with %s (RES-02)', (_what, mask) => {
    const { registry, a } = setup()
    expect(() => a.restrict(mask as never)).toThrow(coded('INVALID_OPTIONS'))
    expect(() => registry.createScope({ id: 'c', restrict: mask as never })).toThrow(coded('INVALID_OPTIONS'))
    expect(names(a)).toEqual(['read', 'write', 'bash', 'own'])
  })

  it('keeps what is allowed, takes what is denied, intersects, and is lifted one by one (RES-03)', () => {
    const { a } = setup()
    const masks: [RestrictOptions, string[]][] = [
      [{ allow: ['read', 'write'] }, ['read', 'write', 'own']],
      [{ deny: ['write'] }, ['read', 'own']],
      [{ allow: ['read', 'bash'], deny: ['bash'] }, ['read', 'own']],
      [{ allow: [] }, ['own']],
    ]
    const lifts = masks.map(([mask, left]) => {
      const lift = a.restrict(mask)
      expect(names(a)).toEqual(left)
      return lift
    })
    // The same mask twice is two masks.
    const twice = [a.restrict({ deny: ['bash'] }), a.restrict({ deny: ['bash'] })]
    lifts[3]?.()
    lifts[0]?.()
    expect(names(a)).toEqual(['read', 'own'])
    lifts[2]?.()
    lifts[2]?.()
    expect(names(a)).toEqual(['read', 'own'])
    lifts[1]?.()
    expect(names(a)).toEqual(['read', 'write', 'own'])
    twice[0]?.()
    expect(names(a)).not.toContain('bash')
    twice[1]?.()
    expect(names(a)).toEqual(['read', 'write', 'bash', 'own'])
  })

  it('copies its lists (RES-04)', () => {
    const { a } = setup()
    const deny = ['bash']
    const mask = { deny }
    a.restrict(mask)
    deny.push('read')
    deny.shift()
    mask.deny = []
    expect(names(a)).toEqual(['read', 'write', 'own'])
  })

  it('refuses unknown names, naming them, the nearest and the known (RES-05)', () => {
    const { registry, a } = setup()
    expect(() => a.restrict({ deny: ['raed'] })).toThrow(
      'Scope "a" inherits no tool "raed". Did you mean "read"? Inherited: bash, read, write',
    )
    expect(() => a.restrict({ allow: ['x', 'read'], deny: ['y', 'x'] })).toThrow(
      'Scope "a" inherits no tools "x", "y". Inherited: bash, read, write',
    )
    expect(() => a.restrict({ deny: ['toString'] })).toThrow(coded('UNKNOWN_TOOL_NAME'))
    const empty = createToolRegistry({ scopes: [{ id: 'a' }] }).scope('a')
    expect(() => empty.restrict({ deny: ['x'] })).toThrow(/Inherited: none$/)
    for (let i = 100; i < 160; i++) registry.register(countedTool(`t${i}`))
    expect(() => a.restrict({ deny: ['ghost'] })).toThrow(/t147 and 13 more$/)
    expect(names(a)).toHaveLength(64)
  })

  it('may name what is masked above, which restores nothing and holds when that mask is lifted (RES-05, RES-13)', () => {
    const { a, b } = setup()
    const lift = a.restrict({ deny: ['bash', 'write'] })
    b.restrict({ allow: ['bash', 'own'] })
    expect(names(b)).toEqual(['own', 'low'])
    expect(() => b.restrict({ deny: ['ghost'] })).toThrow(/Inherited: own, read; masked above: bash, write$/)
    const granted = a.createScope({ id: 'g', grants: ['bash'] })
    expect(() => granted.restrict({ deny: ['ghost'] })).toThrow(
      /Inherited: bash, own, read; masked above: write$/,
    )
    lift()
    expect(names(b)).toEqual(['bash', 'own', 'low'])
  })

  it('does not know the scope’s own tools (RES-06)', () => {
    const { a, b } = setup()
    expect(() => a.restrict({ deny: ['own'] })).toThrow(coded('UNKNOWN_TOOL_NAME', /"own"/))
    b.restrict({ deny: ['own'] })
    expect(names(b)).toEqual(['read', 'write', 'bash', 'low'])
    // A name that is inherited too may be named; the own one is exempt.
    b.register(countedTool('read'))
    b.restrict({ deny: ['read'] })
    expect(b.explain('read')).toMatchObject({ status: 'callable', scope: 'b' })
  })

  it.each(['native', 'code'] as const)('never names run_code, in mode %s (RES-07)', mode => {
    const codeRuntime = { run: async () => ({ logs: [] }) }
    const a = createToolRegistry({ codeRuntime, mode, scopes: [{ id: 'a' }] }).scope('a')
    for (const mask of [{ allow: ['run_code'] }, { deny: ['run_code'] }])
      expect(() => a.restrict(mask)).toThrow(coded('RESERVED_NAME'))
  })

  it('masks what is inherited from any layer, and nothing of its own layer (RES-08)', () => {
    const { b } = setup()
    b.restrict({ allow: ['read'] })
    expect(names(b)).toEqual(['read', 'low'])
    b.register(countedTool('late_own'))
    expect(names(b)).toEqual(['read', 'low', 'late_own'])
  })

  it('acts on every scope under it, and on none above (RES-09)', () => {
    const { registry, a, b } = setup()
    a.restrict({ deny: ['bash'] })
    b.restrict({ deny: ['write', 'own'] })
    expect(names(registry)).toEqual(['read', 'write', 'bash'])
    expect(names(a)).toEqual(['read', 'write', 'own'])
    expect(names(b)).toEqual(['read', 'low'])
    expect(names(b.createScope({ id: 'c' }))).toEqual(['read', 'low'])
  })

  it('with an allow-list passes the scope’s own tools down (RES-10)', async () => {
    const own = countedTool('own')
    const registry = createToolRegistry({
      tools: tools('read', 'bash'),
      scopes: [
        { id: 'a', restrict: { allow: ['read'] }, tools: [own] },
        { id: 'b', parent: 'a' },
        { id: 'c', parent: 'b', restrict: { allow: ['read'] } },
      ],
    })
    expect(names(registry.scope('a'))).toEqual(['read', 'own'])
    expect(names(registry.scope('b'))).toEqual(['read', 'own'])
    expect(await registry.execute({ callId: '1', name: 'own', scope: 'b' })).toMatchObject({ isError: false })
    // Unless a scope between masks them, as it may mask anything that it inherits.
    expect(names(registry.scope('c'))).toEqual(['read'])
    expect(own.runs()).toBe(1)
  })

  it('lets later tools through a deny-list, not through an allow-list (RES-11)', () => {
    const { registry, a } = setup()
    a.restrict({ deny: ['bash'] })
    const allowed = registry.createScope({ id: 'c', restrict: { allow: ['read'] } })
    registry.register(countedTool('late'))
    const bash = registry.register(countedTool('read_more'))
    expect(names(a)).toContain('late')
    expect(names(allowed)).toEqual(['read'])
    bash()
    registry.register(countedTool('read_more'))
    expect(names(allowed)).toEqual(['read'])
  })

  it('makes a tool absent: not found, not listed, not callable, nor reachable by a program (RES-12)', async () => {
    const bash = countedTool('bash')
    let seenByPrograms: readonly string[] = []
    const registry = createToolRegistry({
      tools: [countedTool('read'), bash],
      codeRuntime: {
        run: async ({ namespaces: [found] }) => {
          const call = {
            name: 'bash',
            args: [{}],
            signal: new AbortController().signal,
            pauseWallClock: () => () => {},
          }
          seenByPrograms = found?.functions ?? []
          return { logs: [JSON.stringify(await found?.call(call))] }
        },
      },
      scopes: [{ id: 'a', restrict: { deny: ['bash'] }, mode: 'both' }],
    })
    const a = registry.scope('a')
    expect(a.get('bash')).toBeUndefined()
    expect(a.schemas().map(schema => schema.name)).toEqual(['read', 'run_code'])
    expect(JSON.stringify(a.present())).not.toContain('bash')
    const direct = await a.execute({ callId: '1', name: 'bash' })
    expect(direct).toMatchObject({ error: { code: 'UNKNOWN_TOOL' } })
    expect(JSON.stringify(direct)).not.toContain('denie')
    expect(a.executionMode({ callId: '1', name: 'bash' })).toEqual({ kind: 'exclusive' })
    const program = { code: 'x', description: 'Call a masked tool' }
    const run = await a.execute({ callId: '2', name: 'run_code', arguments: program })
    expect(JSON.stringify(run)).toContain('UNKNOWN_TOOL')
    expect(seenByPrograms).toEqual(['read'])
    expect(bash.runs()).toBe(0)
  })

  it('leaves a masked name among the known, so that only a typo is an error (RES-13)', () => {
    const { a, b } = setup()
    a.restrict({ allow: ['read'] })
    expect(b.knownNames()).toEqual(['read', 'write', 'bash', 'own', 'low'])
    expect(() => b.restrict({ deny: ['bash'] })).not.toThrow()
    let thrown: ToolgateError | undefined
    try {
      b.restrict({ deny: ['bsah'] })
    } catch (error) {
      thrown = error as ToolgateError
    }
    expect(thrown).toMatchObject({ code: 'UNKNOWN_TOOL_NAME', details: { unknown: ['bsah'] } })
  })
})
