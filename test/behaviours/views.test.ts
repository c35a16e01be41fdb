/**
 * What a scope sees. The lines are in docs/behaviours/registry-and-scopes.md. Decided otherwise:
 * - VIEW-02 `visible()` and `knownNames()` are members of every scope.
 */
import { createToolRegistry, type ToolRegistryOptions } from 'toolgate'
import { describe, expect, it } from 'vitest'
import { countedTool } from '../support/tools.js'

const names = (tools: readonly { name: string }[]): string[] => tools.map(tool => tool.name)
const codeRuntime = { run: async () => ({ logs: [] }) }
const setup = (options: ToolRegistryOptions = {}) =>
  createToolRegistry({
    tools: [countedTool('read'), countedTool('bash', () => 'bash of root')],
    codeRuntime,
    scopes: [
      { id: 'a', tools: [countedTool('bash', () => 'bash of a')], restrict: { deny: ['read'] } },
      { id: 'native', mode: 'native' },
      { id: 'both', mode: 'both' },
      { id: 'code', mode: 'code' },
    ],
    ...options,
  })

describe('a view', () => {
  it('finds a tool as the scope sees it, and nothing for what it does not (VIEW-01)', () => {
    const registry = setup()
    const a = registry.scope('a')
    expect(a.get('bash')).not.toBe(registry.get('bash'))
    expect(a.get('bash')?.name).toBe('bash')
    expect([a.get('read'), a.get('ghost'), registry.get('ghost'), registry.get('')]).toEqual(
      Array(4).fill(undefined),
    )
    for (const name of ['toString', '__proto__', 'constructor']) expect(registry.get(name)).toBeUndefined()
  })

  it('lists what can be called, and beside it every name that there is (VIEW-02)', () => {
    const registry = setup()
    expect([names(registry.visible()), registry.knownNames()]).toEqual([
      ['read', 'bash'],
      ['read', 'bash'],
    ])
    const a = registry.scope('a')
    expect([names(a.visible()), a.knownNames()]).toEqual([['bash'], ['read', 'bash']])
    expect(a.visible()[0]).toBe(a.get('bash'))
    // Mode has no say in either.
    expect(names(registry.scope('code').visible())).toEqual(['read', 'bash'])
    expect(registry.scope('code').knownNames()).toEqual(['read', 'bash'])
  })

  it('is one for the model, for lookup and for execution, whatever comes and goes (VIEW-03)', async () => {
    const registry = createToolRegistry({ scopes: [{ id: 'a' }, { id: 'b', parent: 'a' }] })
    const [a, b] = [registry.scope('a'), registry.scope('b')]
    const version = (text: string) => countedTool('t', () => text, { description: text })
    const answers = async (): Promise<(string | undefined)[]> => {
      const result = await b.execute({ callId: '1', name: 't' })
      return [
        b.present().tools[0]?.description,
        b.schemas()[0]?.description,
        b.visible()[0]?.description,
        b.get('t')?.description,
        result.isError ? undefined : (result.value as string),
      ]
    }
    const undo: (() => void)[] = []
    const steps: readonly (readonly [change: () => void, seen: string | undefined])[] = [
      [() => {}, undefined],
      [() => registry.register(version('of root')), 'of root'],
      [() => undo.push(a.register(version('of a'))), 'of a'],
      [() => undo.push(b.register(version('of b'))), 'of b'],
      [() => undo.pop()?.(), 'of a'],
      [() => undo.push(b.restrict({ deny: ['t'] })), undefined],
      [() => undo.pop()?.(), 'of a'],
      [() => undo.push(a.restrict({ deny: ['t'] })), 'of a'],
      [() => undo.shift()?.(), undefined],
      [() => undo.shift()?.(), 'of root'],
    ]
    for (const [change, seen] of steps) {
      change()
      expect(await answers()).toEqual(Array(5).fill(seen))
    }
  })

  it('is given as name, description and parameters, and nothing else (VIEW-04)', () => {
    const everything = countedTool('t', () => 'x', {
      title: 'T',
      annotations: { readOnlyHint: true },
      parameters: { type: 'object', properties: { a: { type: 'string' } } },
      validateArguments: true,
      output: { schema: {}, render: () => [], presentationMeta: () => undefined },
      timeoutMs: 5,
      finalizeContent: () => undefined,
      isConcurrencySafe: () => true,
      resourceKeys: () => [],
      presentCall: () => undefined,
      presentResult: () => undefined,
    })
    const registry = createToolRegistry({ tools: [everything] })
    const schema = {
      name: 't',
      description: 'The tool t.',
      parameters: { type: 'object', properties: { a: { type: 'string' } } },
    }
    expect(registry.schemas()).toStrictEqual([schema])
    expect(registry.present()).toStrictEqual({ tools: [schema], sections: [] })
  })

  it('is handed out as copies, which may be changed without a trace (VIEW-05)', () => {
    const registry = setup()
    const before = JSON.stringify([registry.schemas(), registry.present()])
    for (const list of [registry.schemas(), registry.present().tools]) {
      for (const tool of list) {
        tool.name = 'changed'
        tool.description = 'changed'
        ;(tool.parameters as { properties: Record<string, object> }).properties.added = {}
      }
      list.length = 0
    }
    registry.visible().length = 0
    registry.knownNames().length = 0
    expect(JSON.stringify([registry.schemas(), registry.present()])).toBe(before)
  })

  it('is copied however deep its schemas are (VIEW-06)', async () => {
    let schema: object = { type: 'string' }
    for (let i = 0; i < 5_000; i++) schema = { type: 'object', properties: { a: schema }, required: ['a'] }
    const registry = createToolRegistry({ tools: [countedTool('deep', undefined, { parameters: schema })] })
    let depth = 0
    for (const copy of [registry.schemas()[0], registry.present().tools[0]])
      for (let node: any = copy?.parameters; node !== undefined; node = node.properties?.a) depth++
    expect(depth).toBe(2 * 5_001)
    expect(await registry.execute({ callId: '1', name: 'deep' })).toMatchObject({ isError: false })
  })
})

describe('run_code', () => {
  it('is the last of the schemas where the mode has it, and never a part of what programs are told (VIEW-07)', () => {
    const registry = setup()
    expect(names(registry.scope('both').schemas())).toEqual(['read', 'bash', 'run_code'])
    expect(names(registry.scope('code').schemas())).toEqual(['read', 'bash', 'run_code'])
    expect(names(registry.scope('native').schemas())).toEqual(['read', 'bash'])
    for (const scope of ['both', 'code']) {
      const sdk = registry
        .scope(scope)
        .present()
        .sections.find(section => section.id === 'tools:sdk')
      expect(sdk?.text).toContain('The tool bash.')
      expect(sdk?.text).not.toMatch(/run_code[("]/)
      expect(names(registry.scope(scope).visible())).not.toContain('run_code')
    }
  })

  it('does not hide the tools behind it from who looks, only from who calls (VIEW-08)', async () => {
    const bash = countedTool('bash')
    const registry = setup({ tools: [bash], mode: 'code', scopes: [] })
    expect(registry.get('bash')?.name).toBe('bash')
    expect(names(registry.schemas())).toEqual(['bash', 'run_code'])
    expect(names(registry.present().tools)).toEqual(['run_code'])
    expect(await registry.execute({ callId: '1', name: 'bash' })).toMatchObject({
      error: { code: 'UNKNOWN_TOOL' },
    })
    expect(bash.runs()).toBe(0)
  })

  it('does not exist for a scope that presents natively, though it does for others (VIEW-09)', async () => {
    const registry = setup()
    const program = { callId: '1', name: 'run_code', arguments: { code: 'x', description: 'Try it' } }
    for (const scope of ['native', 'root', 'a']) {
      expect(registry.scope(scope).get('run_code')).toBeUndefined()
      expect(await registry.execute({ ...program, scope })).toMatchObject({ error: { code: 'UNKNOWN_TOOL' } })
    }
    for (const scope of ['both', 'code']) {
      expect(registry.scope(scope).get('run_code')?.name).toBe('run_code')
      expect(await registry.execute({ ...program, scope })).toMatchObject({ isError: false })
    }
  })
})
