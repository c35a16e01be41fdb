/**
 * What a registration does, and what is kept of a tool. The lines are in docs/behaviours/registry-and-scopes.md. Decided
 * otherwise:
 * - REG-12 a scope holds a frozen snapshot; nothing that is done to the definition afterwards has an effect.
 * - REG-18 a listener of `change` that throws undoes nothing; its fault is an `observer-error`.
 * - REG-22 lists are copies, so that nothing added while one is walked through turns up in it (for guards see GRD-10).
 */
import { createToolRegistry, type ToolScope } from 'toolgate'
import { describe, expect, it } from 'vitest'
import { countedTool, gate, isDeepFrozen, settle } from '../support/tools.js'

const names = (scope: Pick<ToolScope, 'visible'>): string[] => scope.visible().map(tool => tool.name)
const coded = (code: string, message?: RegExp): unknown =>
  expect.objectContaining({ code, ...(message && { message: expect.stringMatching(message) }) })

const runCode = { run: async () => ({ logs: [] }) }

describe('a registration', () => {
  it('removes exactly its own tool, once (REG-01, REG-02)', () => {
    const registry = createToolRegistry({ scopes: [{ id: 'a' }] })
    for (const scope of [registry, registry.scope('a')]) {
      const first = scope.register(countedTool('t'))
      scope.register(countedTool('other'))
      first()
      expect(names(scope)).not.toContain('t')
      const successor = scope.register(countedTool('t'))
      const held = scope.get('t')
      first()
      first[Symbol.dispose]()
      expect(scope.get('t')).toBe(held)
      successor()
      expect(names(scope)).toEqual(['other'])
      scope.register(countedTool('t'))()
    }
  })

  it('belongs to the layer of the handle it was made on (REG-03)', () => {
    const registry = createToolRegistry({ scopes: [{ id: 'a' }, { id: 'b', parent: 'a' }, { id: 'c' }] })
    registry.register(countedTool('everywhere'))
    registry.scope('a').register(countedTool('in_a'))
    expect(names(registry)).toEqual(['everywhere'])
    expect(names(registry.scope('a'))).toEqual(['everywhere', 'in_a'])
    expect(names(registry.scope('b'))).toEqual(['everywhere', 'in_a'])
    expect(names(registry.scope('c'))).toEqual(['everywhere'])
  })

  it('of a taken name is refused: in the registry with the way to variants, in a scope by its name (REG-04)', () => {
    const registry = createToolRegistry({
      tools: [countedTool('t')],
      scopes: [{ id: 'a', tools: [countedTool('t')] }],
    })
    const held = registry.get('t')
    expect(() => registry.register(countedTool('t'))).toThrow(coded('DUPLICATE_TOOL', /scope of its own/))
    expect(() => registry.scope('a').register(countedTool('t'))).toThrow(coded('DUPLICATE_TOOL', /scope "a"/))
    expect(registry.get('t')).toBe(held)
  })

  it('of one name in two layers is legal, whichever comes first (REG-05)', async () => {
    for (const lowFirst of [true, false]) {
      const registry = createToolRegistry({ scopes: [{ id: 'a' }] })
      const order = [registry, registry.scope('a')]
      for (const scope of lowFirst ? order.toReversed() : order)
        scope.register(countedTool('t', () => `of ${scope.id}`))
      const run = (scope: string) => registry.execute({ callId: scope, name: 't', scope })
      expect(await run('a')).toMatchObject({ value: 'of a' })
      expect(await run('root')).toMatchObject({ value: 'of root' })
    }
  })
})

describe('the snapshot', () => {
  it('is frozen, detached and bound: nothing done to the definition later has an effect (REG-12)', async () => {
    const log: string[] = []
    const render = (_args: unknown, value: string) => [{ type: 'text' as const, text: `${value} rendered` }]
    const definition = {
      ...countedTool('t'),
      parameters: { type: 'object', properties: { a: { type: 'string' } } },
      annotations: { readOnlyHint: true },
      word: 'old',
      output: { schema: { type: 'string' }, render },
      execute(this: { word: string }) {
        log.push(this.word)
        return 'value'
      },
      isConcurrencySafe: () => true,
    }
    const registry = createToolRegistry({ tools: [definition] })
    const held = registry.get('t')
    definition.description = 'changed'
    definition.parameters.properties.a.type = 'number'
    definition.annotations.readOnlyHint = false
    definition.output.schema.type = 'number'
    definition.output.render = () => [{ type: 'text', text: 'changed' }]
    definition.execute = () => 'changed'
    definition.isConcurrencySafe = () => false
    expect(registry.get('t')).toBe(held)
    expect(held).not.toBe(definition)
    expect(isDeepFrozen(held)).toBe(true)
    expect(held).toMatchObject({
      description: 'The tool t.',
      parameters: { properties: { a: { type: 'string' } } },
      annotations: { readOnlyHint: true },
      output: { schema: { type: 'string' } },
    })
    expect(registry.executionMode({ callId: '1', name: 't' })).toEqual({ kind: 'parallel' })
    const result = await registry.execute({ callId: '1', name: 't' })
    expect(result).toMatchObject({ value: 'value', content: [{ text: 'value rendered' }] })
    expect(log).toEqual(['old'])
    expect(Object.isFrozen(definition.parameters)).toBe(false)
  })

  it('reads each field of a definition once (REG-12)', () => {
    const reads: Record<string, number> = {}
    const definition = new Proxy(countedTool('t', undefined, { output: { schema: {}, render: () => [] } }), {
      get(target, key: string) {
        reads[key] = (reads[key] ?? 0) + 1
        return target[key as keyof typeof target]
      },
    })
    createToolRegistry({ tools: [definition] })
    expect(reads).toMatchObject({ name: 1, parameters: 1, execute: 1, output: 1 })
    expect(Object.values(reads).every(count => count === 1)).toBe(true)
  })
})

describe('the change event', () => {
  it('comes at once, to every listener, of every scope, for what changes a view and for nothing else (REG-16, REG-17)', () => {
    const registry = createToolRegistry({ codeRuntime: runCode, scopes: [{ id: 'a' }] })
    const heard: string[] = []
    registry.on('change', ({ scope, kind, name }) =>
      heard.push([scope, kind, name].filter(Boolean).join(' ')),
    )
    const take = () => heard.splice(0)
    const tool = registry.register(countedTool('t'))
    expect(take()).toEqual(['root registered t'])
    const a = registry.scope('a')
    const mask = a.restrict({ deny: ['t'] })
    expect(take()).toEqual(['a restricted'])
    mask()
    mask()
    expect(take()).toEqual(['a unrestricted'])
    const mode = a.presentAs('code')
    mode()
    mode()
    expect(take()).toEqual(['a mode', 'a mode'])
    tool.replace(countedTool('t'))
    expect(take()).toEqual(['root unregistered t', 'root registered t'])
    tool()
    tool()
    expect(take()).toEqual(['root unregistered t'])
    a.createScope({ id: 'b', tools: [countedTool('x')] })
    expect(take()).toEqual(['b created'])
    a.guard(() => undefined)()
    a.use({ onResult: () => {} })()
    for (const refused of [() => registry.register({} as never), () => a.restrict({ deny: ['ghost'] })])
      expect(refused).toThrow()
    expect(take()).toEqual([])
  })

  it('cannot undo what it tells of, by throwing or rejecting (REG-18)', async () => {
    const registry = createToolRegistry()
    const faults: string[] = []
    registry.on('observer-error', ({ event, error, name }) =>
      faults.push(`${event} ${name} ${String(error)}`),
    )
    registry.on('change', () => {
      throw new Error('thrown')
    })
    registry.on('change', () => Promise.reject(new Error('rejected')))
    let heard = 0
    registry.on('change', () => heard++)
    registry.register(countedTool('t'))
    await settle()
    expect(registry.get('t')).toBeDefined()
    expect(heard).toBe(1)
    expect(faults).toEqual(['change t Error: thrown', 'change t Error: rejected'])
  })
})

describe('tables', () => {
  it('keep the order of registration, the registry’s first, a shadow in the place of what it replaces (REG-19)', () => {
    const registry = createToolRegistry({
      mode: 'both',
      codeRuntime: runCode,
      tools: ['r1', 'r2'].map(name => countedTool(name)),
      scopes: [
        { id: 'a', tools: ['a1', 'r2', 'a2'].map(name => countedTool(name)) },
        { id: 'b', parent: 'a', tools: ['b1', 'r1', 'a1'].map(name => countedTool(name)) },
      ],
    })
    const order = () =>
      registry
        .scope('b')
        .schemas()
        .map(schema => schema.name)
    expect(order()).toEqual(['r1', 'r2', 'a1', 'a2', 'b1', 'run_code'])
    // Once the replaced one is masked, the shadow stands where it was registered itself.
    registry.scope('b').restrict({ deny: ['r1'] })
    expect(order()).toEqual(['r2', 'a1', 'a2', 'b1', 'r1', 'run_code'])
  })

  it('keep a tool where it is when its definition is replaced (REG-19)', async () => {
    const scoped = createToolRegistry({ scopes: [{ id: 'a' }] })
    for (const scope of [createToolRegistry(), scoped.scope('a')]) {
      const [, t] = ['before', 't', 'after'].map(name => scope.register(countedTool(name)))
      const others = scope.present().tools.filter(({ name }) => name !== 't')
      const next = countedTool('t', () => 'new', { description: 'Says it anew.' })
      t?.replace(next)
      expect(scope.present().tools.map(({ name }) => name)).toEqual(['before', 't', 'after'])
      expect(scope.present().tools.filter(({ name }) => name !== 't')).toEqual(others)
      expect(scope.get('t')?.description).toBe('Says it anew.')
      expect(await scope.execute({ callId: '1', name: 't' })).toMatchObject({ value: 'new' })
      // What was replaced is not brought back, and the registration is the new one's now.
      t?.()
      expect(scope.get('t')).toBeUndefined()
    }
  })

  it('let a replacement that is refused change nothing (REG-01, REG-02)', async () => {
    const registry = createToolRegistry({ scopes: [{ id: 'a' }] })
    const t = registry.register(countedTool('t'))
    const held = registry.get('t')
    expect(() => t.replace({} as never)).toThrow(coded('INVALID_TOOL'))
    expect(() => t.replace(countedTool('u'))).toThrow(
      coded('INVALID_TOOL', /"u" cannot take the place of "t"/),
    )
    expect(registry.get('t')).toBe(held)
    t()
    registry.register(countedTool('t'))
    expect(() => t.replace(countedTool('t'))).toThrow(coded('DISPOSED'))
    const a = registry.scope('a')
    const own = a.register(countedTool('own'))
    await a.dispose()
    expect(() => own.replace(countedTool('own'))).toThrow(coded('DISPOSED'))
  })

  it('may lose a tool while it runs, and calls that come later do not find it (REG-20)', async () => {
    const running = gate()
    const thinking = gate()
    const tool = countedTool('t', () => running.promise.then(() => 'ended'))
    const registry = createToolRegistry({
      stages: [
        {
          preExecute: async ({ callId }, next) => {
            if (callId === 'waits in policy') await thinking.promise
            return next()
          },
        },
      ],
    })
    const registration = registry.register(tool)
    const started = registry.execute({ callId: 'runs', name: 't' })
    const waiting = registry.execute({ callId: 'waits in policy', name: 't' })
    await settle()
    registration()
    thinking.open()
    running.open()
    expect(await started).toMatchObject({ isError: false, value: 'ended' })
    expect(await waiting).toMatchObject({ error: { code: 'UNKNOWN_TOOL' } })
    expect(tool.runs()).toBe(1)
  })

  it('give out copies, in which nothing turns up later (REG-22)', () => {
    const registry = createToolRegistry({ tools: [countedTool('a'), countedTool('b')] })
    const lists = [registry.visible(), registry.knownNames(), registry.schemas(), registry.present().tools]
    let steps = 0
    for (const list of lists) for (const _item of list) registry.register(countedTool(`added_${++steps}`))
    expect(steps).toBe(8)
    expect(registry.visible()).toHaveLength(10)
  })

  it('are released when the scope they belong to is disposed (REG-21)', async () => {
    const registry = createToolRegistry({ tools: [countedTool('t')], scopes: [{ id: 'a' }] })
    const a = registry.scope('a')
    a.register(countedTool('own'))
    a.restrict({ deny: ['t'] })
    a.guard(() => 'never')
    await a.dispose()
    const again = registry.createScope({ id: 'a' })
    expect(names(again)).toEqual(['t'])
    expect(await again.execute({ callId: '1', name: 't' })).toMatchObject({ isError: false })
  })
})
