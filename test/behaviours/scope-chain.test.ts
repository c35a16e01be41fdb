/**
 * Scopes, their chain and their end. The lines are in docs/behaviours/registry-and-scopes.md. Decided otherwise:
 * - SCP-01 a scope's key is a string id, unique in its registry; objects and identity have no part in it.
 * - SCP-02 a scope is made under its parent and stays there: there is nothing to bind, to link anew or to close a circle with.
 * - SCP-03 the chain is not handed out; what follows from it is.
 * - SCP-06 a scope is made when it is declared, not by what it is given, and lives until it is disposed, empty or not.
 * - SCP-08 a disposed scope has no view any more: calls end as `DISPOSED`, every other member throws it, its id is free.
 * - SCP-13 what a scope sees is a law (test/scopes/authority.property.test.ts); whoever holds the registry may still call
 *   in any scope, and whoever makes a scope may grant it names.
 */
import { createToolRegistry, type ToolScope } from 'toolgate'
import { describe, expect, it } from 'vitest'
import { countedTool, gate, settle } from '../support/tools.js'

const names = (scope: Pick<ToolScope, 'visible'>): string[] => scope.visible().map(tool => tool.name)
const coded = (code: string): unknown => expect.objectContaining({ code })

describe('a scope', () => {
  it('is known by its id, which no other has (SCP-01)', async () => {
    const registry = createToolRegistry({ tools: [countedTool('t')], scopes: [{ id: 'a' }] })
    expect(() => registry.createScope({ id: 'a' })).toThrow(coded('INVALID_OPTIONS'))
    expect(() => registry.scope('a').createScope({ id: 'a' })).toThrow(coded('INVALID_OPTIONS'))
    for (const id of [undefined, '', 7, {}, Symbol('a')])
      expect(() => registry.createScope({ id: id as never })).toThrow(coded('INVALID_OPTIONS'))
    // Two handles of one scope are one scope.
    registry.scope('a').register(countedTool('own'))
    expect(names(registry.scope('a'))).toEqual(['t', 'own'])
    const result = await registry.execute({ callId: '1', name: 't', scope: { id: 'a' } as never })
    expect(result).toMatchObject({ error: { code: 'INVALID_CALL' } })
  })

  it('may be called __proto__, constructor or then (SCP-01)', async () => {
    const ids = ['__proto__', 'constructor', 'toString', 'then', 'hasOwnProperty']
    const registry = createToolRegistry({
      scopes: ids.map(id => ({ id, tools: [countedTool('t', () => id)] })),
    })
    for (const scope of ids) {
      expect(registry.scope(scope).id).toBe(scope)
      expect(await registry.execute({ callId: scope, name: 't', scope })).toMatchObject({ value: scope })
    }
    expect(() => registry.scope('valueOf')).toThrow(coded('UNKNOWN_SCOPE'))
  })

  it('has one parent, given when it is made (SCP-02)', () => {
    const declared =
      (...scopes: object[]) =>
      () =>
        createToolRegistry({ scopes: scopes as never })
    expect(declared({ id: 'a', parent: 'a' })).toThrow(coded('INVALID_OPTIONS'))
    expect(declared({ id: 'a', parent: 'b' }, { id: 'b', parent: 'a' })).toThrow(coded('INVALID_OPTIONS'))
    expect(declared({ id: 'a' }, { id: 'a', parent: 'root' })).toThrow(coded('INVALID_OPTIONS'))
    const registry = createToolRegistry({ scopes: [{ id: 'a' }, { id: 'b', parent: 'root' }] })
    const elsewhere = { id: 'c', parent: 'b' }
    expect(() => registry.scope('a').createScope(elsewhere)).toThrow(coded('INVALID_OPTIONS'))
    expect(() => registry.scope('c')).toThrow(coded('UNKNOWN_SCOPE'))
  })

  it('is a chain with those above it, and shows what they have from the nearest on (SCP-03, SCP-04)', async () => {
    const layer = (id: string, ...own: string[]) =>
      own.map(name => countedTool(name, () => `${name} of ${id}`))
    const registry = createToolRegistry({
      tools: layer('root', 'w', 'x', 'y', 'z'),
      scopes: [
        { id: 'far', tools: layer('far', 'x', 'y', 'z') },
        { id: 'near', parent: 'far', tools: layer('near', 'y', 'z') },
        { id: 'own', parent: 'near', tools: layer('own', 'z') },
      ],
    })
    const seen = await Promise.all(
      ['w', 'x', 'y', 'z'].map(async name => registry.execute({ callId: name, name, scope: 'own' })),
    )
    expect(seen).toMatchObject(
      ['w of root', 'x of far', 'y of near', 'z of own'].map(value => ({ isError: false, value })),
    )
    expect(registry.scope('own').explain('z')).toMatchObject({ shadows: ['near', 'far', 'root'] })
    expect(registry.explain('z')).not.toHaveProperty('shadows')
  })

  it('shares its tools with those under it; for all others they do not exist (SCP-05)', async () => {
    const secret = countedTool('secret')
    const registry = createToolRegistry({
      scopes: [{ id: 'a', tools: [secret] }, { id: 'under', parent: 'a' }, { id: 'beside' }],
    })
    const run = (scope: string, name: string) => registry.execute({ callId: '1', name, scope })
    for (const scope of ['a', 'under']) expect(await run(scope, 'secret')).toMatchObject({ isError: false })
    for (const scope of ['root', 'beside']) {
      const refused = JSON.stringify(await run(scope, 'secret'))
      expect(refused).toContain('UNKNOWN_TOOL')
      expect(refused).toBe(JSON.stringify(await run(scope, 'absent')).replaceAll('absent', 'secret'))
      expect(registry.scope(scope).knownNames()).toEqual([])
    }
    expect(secret.runs()).toBe(2)
  })

  it('is not made by looking for it, nor unmade by being empty (SCP-06)', async () => {
    const registry = createToolRegistry({ scopes: [{ id: 'a' }] })
    for (const _twice of [1, 2]) {
      expect(() => registry.scope('ghost')).toThrow(coded('UNKNOWN_SCOPE'))
      expect(await registry.execute({ callId: '1', name: 't', scope: 'ghost' })).toMatchObject({
        error: { code: 'UNKNOWN_SCOPE' },
      })
    }
    registry.createScope({ id: 'ghost' })
    const a = registry.scope('a')
    a.register(countedTool('t'))()
    a.guard(() => undefined)()
    expect(registry.scope('a').visible()).toEqual([])
  })

  it('that cannot be made leaves nothing, and what is refused leaves a scope as it was (SCP-07)', () => {
    const registry = createToolRegistry({ tools: [countedTool('t')], scopes: [{ id: 'a' }] })
    const heard: string[] = []
    registry.on('change', ({ kind }) => heard.push(kind))
    const tools = [countedTool('x'), countedTool('x')]
    for (const broken of [
      { tools },
      { tools: [countedTool('x'), {} as never] },
      { tools: [countedTool('run_code')] },
      { restrict: { deny: ['ghost'] } },
      { stages: [{ name: 'no hook' }] },
      { mode: 'code' as const },
      { grants: ['t', , 'u'] as never },
    ])
      expect(() => registry.scope('a').createScope({ id: 'b', ...broken })).toThrow()
    expect(() => registry.scope('b')).toThrow(coded('UNKNOWN_SCOPE'))
    const a = registry.scope('a')
    const own = a.register(countedTool('own'))
    expect(() => a.register(countedTool('own'))).toThrow(coded('DUPLICATE_TOOL'))
    expect(() => a.restrict({ deny: ['t', 'ghost'] })).toThrow(coded('UNKNOWN_TOOL_NAME'))
    expect(names(a)).toEqual(['t', 'own'])
    own()
    expect(heard).toEqual(['registered', 'unregistered'])
    expect(a.createScope({ id: 'b', tools: [countedTool('x')] }).id).toBe('b')
  })

  it('reads each option once (SCP-07)', () => {
    let reads = 0
    const options = {
      id: 'a',
      get mode() {
        return reads++ === 0 ? 'native' : 'code'
      },
    }
    const registry = createToolRegistry()
    const scope = registry.createScope(options as never)
    expect(scope.present()).toEqual({ tools: [], sections: [] })
    expect(reads).toBe(1)
  })
})

describe('stages of a scope', () => {
  const listening = () => {
    const heard: string[] = []
    const stage = (id: string) => ({
      stages: [
        {
          onResult: ({ scope, callId }: { scope: string; callId: string }) =>
            heard.push(`${id} ${callId} in ${scope}`),
        },
      ],
    })
    const registry = createToolRegistry({
      tools: [countedTool('t')],
      ...stage('root'),
      scopes: [
        { id: 'a', ...stage('a') },
        { id: 'b', parent: 'a', ...stage('b') },
        { id: 'c', ...stage('c') },
      ],
    })
    return { registry, heard }
  }

  it('hear its calls and those under it, the registry’s all; outermost first (SCP-10, SCP-11)', async () => {
    const { registry, heard } = listening()
    for (const scope of ['a', 'b', 'c']) await registry.execute({ callId: '1', name: 't', scope })
    expect(heard).toEqual([
      'root 1 in a',
      'a 1 in a',
      'root 1 in b',
      'a 1 in b',
      'b 1 in b',
      'root 1 in c',
      'c 1 in c',
    ])
  })

  it('hear nothing of a call that names no scope (SCP-12)', async () => {
    const { registry, heard } = listening()
    await registry.execute({ callId: '1', name: 't' })
    await registry.scope('root').execute({ callId: '2', name: 't' })
    expect(heard).toEqual(['root 1 in root', 'root 2 in root'])
  })
})

describe('a disposed scope', () => {
  it('has taken away what it contributed, and has no view of its own any more (SCP-08)', async () => {
    const registry = createToolRegistry({
      tools: [countedTool('t')],
      scopes: [{ id: 'a' }, { id: 'b', parent: 'a' }],
    })
    const a = registry.scope('a')
    const registrations = [a.register(countedTool('own')), a.restrict({ deny: ['t'] }), a.guard(() => 'no')]
    const b = registry.scope('b')
    const heard: string[] = []
    registry.on('change', ({ scope, kind }) => heard.push(`${scope} ${kind}`))
    await a.dispose()
    expect(heard.splice(0)).toEqual(['b disposed', 'a disposed'])
    const members: ((scope: ToolScope) => unknown)[] = [
      scope => scope.register(countedTool('x')),
      scope => scope.restrict({ deny: ['t'] }),
      scope => scope.guard(() => undefined),
      scope => scope.use([]),
      scope => scope.presentAs('native'),
      scope => scope.get('t'),
      scope => scope.visible(),
      scope => scope.knownNames(),
      scope => scope.schemas(),
      scope => scope.explain('t'),
      scope => scope.present(),
      scope => scope.executionMode({ callId: '1', name: 't' }),
      scope => scope.createScope({ id: 'x' }),
    ]
    for (const gone of [a, b]) {
      for (const member of members) expect(() => member(gone), String(member)).toThrow(coded('DISPOSED'))
      expect(await gone.execute({ callId: '1', name: 't' })).toMatchObject({ error: { code: 'DISPOSED' } })
      const [result] = await gone.executeAll([{ callId: '1', name: 't' }])
      expect(result).toMatchObject({ error: { code: 'DISPOSED' } })
    }
    for (const registration of registrations) registration()
    expect(heard).toEqual([])
    const again = registry.createScope({ id: 'a' })
    expect(names(again)).toEqual(names(registry))
    expect(again.present()).toEqual(registry.present())
    expect(await again.execute({ callId: '2', name: 't' })).toMatchObject({ isError: false })
  })

  it('has one end, however often and from wherever it is asked for (SCP-09)', async () => {
    const running = gate()
    const registry = createToolRegistry({
      tools: [countedTool('t', () => running.promise)],
      scopes: [{ id: 'a' }, { id: 'b', parent: 'a' }],
      abortGraceMs: Number.POSITIVE_INFINITY,
    })
    const [a, b] = [registry.scope('a'), registry.scope('b')]
    const heard: string[] = []
    registry.on('change', ({ scope, kind }) => heard.push(`${scope} ${kind}`))
    const call = b.execute({ callId: '1', name: 't' })
    await settle()
    const ends: string[] = []
    const asked = [a.dispose(), registry.scope('a').dispose(), b.dispose(), a[Symbol.asyncDispose]()]
    for (const [i, end] of asked.entries()) void end.then(() => ends.push(`end ${i}`))
    await settle()
    expect(ends).toEqual([])
    running.open()
    await Promise.all(asked)
    expect(await call).toMatchObject({ error: { code: 'ABORTED' } })
    await Promise.all([a.dispose(), b.dispose()])
    expect(heard.toSorted()).toEqual(['a disposed', 'b disposed'])
    expect(() => registry.scope('a')).toThrow(coded('UNKNOWN_SCOPE'))
  })
})

describe('the reach of a scope', () => {
  it('is itself and what is under it; the registry’s is everything (SCP-13)', async () => {
    const tool = countedTool('t')
    const registry = createToolRegistry({
      tools: [tool],
      scopes: [{ id: 'a', restrict: { deny: ['t'] } }, { id: 'b', parent: 'a' }, { id: 'c' }],
    })
    const a = registry.scope('a')
    for (const scope of ['root', 'c'])
      expect(await a.execute({ callId: '1', name: 't', scope })).toMatchObject({
        error: { code: 'UNKNOWN_SCOPE' },
      })
    expect(await a.execute({ callId: '1', name: 't', scope: 'b' })).toMatchObject({
      error: { code: 'UNKNOWN_TOOL' },
    })
    expect(tool.runs()).toBe(0)
    // No wall between parts of one program: who makes a scope says what it is granted, and `explain` tells.
    expect(await registry.execute({ callId: '1', name: 't', scope: 'c' })).toMatchObject({ isError: false })
    const granted = a.createScope({ id: 'granted', grants: ['t'] })
    expect(await granted.execute({ callId: '1', name: 't' })).toMatchObject({ isError: false })
    expect(granted.explain('t')).toMatchObject({ status: 'callable', grantedBy: 'granted' })
  })
})
