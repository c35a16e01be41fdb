import { createToolRegistry, type ToolgateError } from 'toolgate'
import { describe, expect, it } from 'vitest'
import { countedTool } from '../support/tools.js'

const codeOf = (run: () => unknown): string => {
  try {
    run()
  } catch (error) {
    return (error as ToolgateError).code
  }
  return 'nothing thrown'
}
const names = (scope: { visible(): { name: string }[] }): string[] => scope.visible().map(tool => tool.name)

describe('registration', () => {
  it('adds to the scope it is called on, and its disposer takes out that very registration', () => {
    const registry = createToolRegistry({ scopes: [{ id: 'a' }] })
    const first = registry.register(countedTool('t'))
    expect(registry.scope('a').get('t')).toBe(registry.get('t'))
    first()
    first()
    expect(registry.get('t')).toBeUndefined()
    registry.register(countedTool('t'))
    first()
    expect(registry.get('t')).toBeDefined()
  })

  it('works with using', () => {
    const registry = createToolRegistry()
    {
      using _registration = registry.register(countedTool('t'))
      expect(registry.get('t')).toBeDefined()
    }
    expect(registry.get('t')).toBeUndefined()
  })

  it('takes a frozen snapshot: later changes to the definition have no effect', async () => {
    const tool: { description: string; execute: () => string } = {
      ...countedTool('t'),
      execute: () => 'old',
      description: 'old',
    }
    const registry = createToolRegistry()
    registry.register(tool as never)
    tool.description = 'new'
    tool.execute = () => 'new'
    expect(registry.get('t')?.description).toBe('old')
    expect(Object.isFrozen(registry.get('t'))).toBe(true)
    expect(await registry.execute({ callId: '1', name: 't' })).toMatchObject({ value: 'old' })
  })

  it.each([
    ['no object', null],
    ['no name', { ...countedTool('t'), name: undefined }],
    ['an empty name', { ...countedTool('t'), name: '' }],
    ['no description', { ...countedTool('t'), description: undefined }],
    ['no parameters', { ...countedTool('t'), parameters: undefined }],
    ['a list as parameters', { ...countedTool('t'), parameters: [] }],
    [
      'a map of properties as parameters',
      { ...countedTool('t'), parameters: { a: { type: 'string', required: true } } },
    ],
    ['lossy parameters', { ...countedTool('t'), parameters: { type: 'object', x: undefined } }],
    ['no body', { ...countedTool('t'), execute: undefined }],
    ['a text as body', { ...countedTool('t'), execute: 'run' }],
    ['a timeout of 0', { ...countedTool('t'), timeoutMs: 0 }],
    ['an endless timeout', { ...countedTool('t'), timeoutMs: Number.POSITIVE_INFINITY }],
    ['a timeout past the timers', { ...countedTool('t'), timeoutMs: 2 ** 31 }],
    ['output without render', { ...countedTool('t'), output: { schema: {} } }],
    ['a finalizer that is no function', { ...countedTool('t'), finalizeContent: 1 }],
    [
      'an accessor that throws',
      {
        get name(): never {
          throw new Error('no')
        },
      },
    ],
  ])('refuses a tool with %s, alone and loudly', (_what, tool) => {
    const registry = createToolRegistry({ tools: [countedTool('good')] })
    expect(codeOf(() => registry.register(tool as never))).toBe('INVALID_TOOL')
    expect(names(registry)).toEqual(['good'])
  })

  it('refuses taken and reserved names', () => {
    const registry = createToolRegistry({
      tools: [countedTool('t')],
      scopes: [{ id: 'a', tools: [countedTool('t')] }],
    })
    expect(codeOf(() => registry.register(countedTool('t')))).toBe('DUPLICATE_TOOL')
    expect(codeOf(() => registry.scope('a').register(countedTool('t')))).toBe('DUPLICATE_TOOL')
    expect(codeOf(() => registry.register(countedTool('run_code')))).toBe('RESERVED_NAME')
  })

  it('takes any text as a name, __proto__ and constructor too', async () => {
    const odd = ['__proto__', 'constructor', 'toString', 'then', 'a b', '200', 'Ω', '🙂']
    const registry = createToolRegistry({ tools: odd.map(name => countedTool(name, () => name)) })
    for (const name of odd)
      expect(await registry.execute({ callId: name, name })).toMatchObject({ value: name })
    expect(await registry.execute({ callId: '1', name: 'hasOwnProperty' })).toMatchObject({
      error: { code: 'UNKNOWN_TOOL' },
    })
  })
})

describe('layers', () => {
  it('resolve the nearest, inherit the rest, and keep siblings apart', () => {
    const registry = createToolRegistry({
      tools: [countedTool('shared'), countedTool('root')],
      scopes: [
        { id: 'a', tools: [countedTool('shared'), countedTool('own')] },
        { id: 'b', parent: 'a' },
        { id: 'c' },
      ],
    })
    expect(registry.scope('b').get('shared')).toBe(registry.scope('a').get('shared'))
    expect(registry.scope('a').get('shared')).not.toBe(registry.get('shared'))
    expect(registry.scope('c').get('own')).toBeUndefined()
    expect(names(registry.scope('b'))).toEqual(['shared', 'root', 'own'])
  })

  it('give detached schemas of exactly name, description and parameters', () => {
    const registry = createToolRegistry({ tools: [countedTool('t', () => '', { timeoutMs: 5 })] })
    const [schema] = registry.schemas()
    expect(schema).toEqual({
      name: 't',
      description: 'The tool t.',
      parameters: { type: 'object', properties: {} },
    })
    ;(schema?.parameters as { type: string }).type = 'changed'
    expect(registry.schemas()[0]?.parameters.type).toBe('object')
  })
})

describe('restrict', () => {
  const setup = () =>
    createToolRegistry({
      tools: ['read', 'write', 'bash'].map(name => countedTool(name)),
      scopes: [
        { id: 'a', tools: [countedTool('own')] },
        { id: 'b', parent: 'a' },
      ],
    })

  it('masks what is inherited, for the scope and those under it; the scope’s own tools pass down', () => {
    const registry = setup()
    const lift = registry.scope('a').restrict({ allow: ['read'] })
    expect(names(registry.scope('a'))).toEqual(['read', 'own'])
    expect(names(registry.scope('b'))).toEqual(['read', 'own'])
    registry.scope('b').restrict({ deny: ['own'] })
    expect(names(registry.scope('b'))).toEqual(['read'])
    lift()
    expect(names(registry.scope('b'))).toEqual(['read', 'write', 'bash'])
    expect(names(registry)).toEqual(['read', 'write', 'bash'])
  })

  it('makes a masked tool read as absent, and known', async () => {
    const registry = setup()
    registry.scope('a').restrict({ deny: ['bash'] })
    expect(registry.scope('a').get('bash')).toBeUndefined()
    expect(registry.scope('a').knownNames()).toContain('bash')
    expect(await registry.execute({ callId: '1', name: 'bash', scope: 'a' })).toMatchObject({
      error: { code: 'UNKNOWN_TOOL' },
    })
  })

  it('refuses what is no mask', () => {
    const registry = setup()
    const a = registry.scope('a')
    expect(codeOf(() => registry.restrict({ deny: ['read'] }))).toBe('INVALID_OPTIONS')
    expect(codeOf(() => a.restrict({}))).toBe('INVALID_OPTIONS')
    expect(codeOf(() => a.restrict({ deny: 'read' as never }))).toBe('INVALID_OPTIONS')
    expect(codeOf(() => a.restrict({ deny: ['raed'] }))).toBe('UNKNOWN_TOOL_NAME')
    expect(codeOf(() => a.restrict({ deny: ['own'] }))).toBe('UNKNOWN_TOOL_NAME')
    expect(codeOf(() => a.restrict({ deny: ['toString'] }))).toBe('UNKNOWN_TOOL_NAME')
    expect(codeOf(() => a.restrict({ allow: ['run_code'] }))).toBe('RESERVED_NAME')
    expect(() => a.restrict({ deny: ['raed'] })).toThrow(/Did you mean "read"/)
  })

  it('lets later tools through a deny mask and not through an allow mask', () => {
    const registry = setup()
    registry.scope('a').restrict({ deny: ['bash'] })
    const allowed = registry.createScope({ id: 'c', restrict: { allow: ['read'] } })
    registry.register(countedTool('late'))
    expect(names(registry.scope('a'))).toContain('late')
    expect(names(allowed)).toEqual(['read'])
  })
})

describe('authority', () => {
  it('does not come back below a mask without a grant', () => {
    const registry = createToolRegistry({
      tools: [countedTool('read'), countedTool('bash')],
      scopes: [
        { id: 'a', restrict: { deny: ['bash'] } },
        { id: 'b', parent: 'a' },
      ],
    })
    expect(codeOf(() => registry.scope('b').register(countedTool('bash')))).toBe('NOT_GRANTED')
    expect(codeOf(() => registry.scope('b').register(countedTool('new')))).toBe('nothing thrown')
    const granted = registry.scope('a').createScope({ id: 'g', grants: ['bash'] })
    expect(granted.get('bash')).toBe(registry.get('bash'))
    granted.register(countedTool('bash'))
    expect(granted.get('bash')).not.toBe(registry.get('bash'))
    expect(granted.explain('bash')).toMatchObject({ status: 'callable', scope: 'g' })
  })

  it('hides what was registered before the mask came', () => {
    const registry = createToolRegistry({
      tools: [countedTool('bash')],
      scopes: [{ id: 'a' }, { id: 'b', parent: 'a', tools: [countedTool('bash')] }],
    })
    registry.scope('a').restrict({ deny: ['bash'] })
    expect(registry.scope('b').get('bash')).toBeUndefined()
    expect(registry.scope('b').explain('bash')).toMatchObject({
      status: 'not-granted',
      scope: 'a',
      by: 'deny',
    })
  })
})

describe('explain', () => {
  it('says why, for every status', () => {
    const registry = createToolRegistry({
      tools: [countedTool('read_file'), countedTool('bash')],
      stages: [{ name: 'no-shell', guard: call => (call.name === 'bash' ? 'no shell here' : undefined) }],
      scopes: [{ id: 'a', restrict: { allow: ['read_file'] } }],
    })
    expect(registry.explain('read_file')).toMatchObject({
      status: 'callable',
      scope: 'root',
      by: 'registered',
    })
    expect(registry.explain('bash')).toMatchObject({ status: 'guarded', by: 'no-shell' })
    expect(registry.scope('a').explain('bash')).toMatchObject({ status: 'masked', scope: 'a', by: 'allow' })
    expect(registry.explain('readfile')).toMatchObject({ status: 'unknown', suggestions: ['read_file'] })
    expect(registry.explain('run_code')).toMatchObject({ status: 'unknown', by: 'mode' })
  })
})

describe('a schema five thousand levels deep', () => {
  it('registers, presents and validates', async () => {
    let schema: object = { type: 'string' }
    for (let i = 0; i < 5_000; i++) schema = { type: 'object', properties: { a: schema }, required: ['a'] }
    const registry = createToolRegistry({ tools: [{ ...countedTool('deep'), parameters: schema }] })
    expect(registry.schemas()).toHaveLength(1)
    expect((await registry.execute({ callId: '1', name: 'deep' })).isError).toBe(false)
  })
})
