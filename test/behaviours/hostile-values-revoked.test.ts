/**
 * A revoked proxy throws at whatever is done with it: the strictest test of what is read where.
 */
import {
  assertSupportedOutputSchema,
  createToolRegistry,
  defineTool,
  isLosslessJson,
  jsonSchemaToTs,
  renderToolsSdk,
  schemaSpecToJsonSchema,
  snapshotJson,
  ToolgateError,
  type ToolRegistry,
  validateArgs,
  validateStructuredValue,
} from 'toolgate'
import { describe, expect, it } from 'vitest'
import { countedTool } from '../support/tools.js'
import { revoked } from './malformed-support.js'

const object = (): never => revoked() as never
const list = (): never => revoked([]) as never
const fn = (): never => revoked(() => {}) as never
const setup = () => {
  const tool = countedTool('work')
  return { tool, registry: createToolRegistry({ tools: [tool], scopes: [{ id: 'child' }] }) }
}

describe('a revoked proxy as an option', () => {
  it.each([
    ['everything', () => createToolRegistry(object())],
    ['tools', () => createToolRegistry({ tools: list() })],
    ['a tool', () => createToolRegistry({ tools: [object()] })],
    ['stages', () => createToolRegistry({ stages: list() })],
    ['a stage', () => createToolRegistry({ stages: [object()] })],
    ['a hook', () => createToolRegistry({ stages: [{ guard: fn() }] })],
    ['scopes', () => createToolRegistry({ scopes: list() })],
    ['a scope', () => createToolRegistry({ scopes: [object()] })],
    ['mode', () => createToolRegistry({ mode: object() })],
    ['limits', () => createToolRegistry({ limits: object() })],
    ['a limit', () => createToolRegistry({ limits: { maxDepth: object() } })],
    ['validator', () => createToolRegistry({ validator: object() })],
    ['codeRuntime', () => createToolRegistry({ codeRuntime: object() })],
    ['codeMode', () => createToolRegistry({ codeMode: object() })],
    ['abortGraceMs', () => createToolRegistry({ abortGraceMs: object() })],
  ])('%s: throws at once', (_what, create) => {
    expect(create).toThrow()
  })
})

describe('a revoked proxy handed to a registry', () => {
  const with_ = (more: object) => ({ ...countedTool('other'), ...more }) as never
  const refused: readonly (readonly [string, (registry: ToolRegistry) => unknown])[] = [
    ['register', r => r.register(object())],
    ['register: name', r => r.register(with_({ name: object() }))],
    ['register: description', r => r.register(with_({ description: object() }))],
    ['register: annotations', r => r.register(with_({ annotations: object() }))],
    ['register: parameters', r => r.register(with_({ parameters: object() }))],
    ['register: within parameters', r => r.register(with_({ parameters: { properties: object() } }))],
    ['register: output', r => r.register(with_({ output: object() }))],
    ['register: output.schema', r => r.register(with_({ output: { schema: object(), render: () => [] } }))],
    ['register: output.render', r => r.register(with_({ output: { schema: {}, render: fn() } }))],
    ['register: execute', r => r.register(with_({ execute: fn() }))],
    ['register: finalizeContent', r => r.register(with_({ finalizeContent: fn() }))],
    ['register: presentCall', r => r.register(with_({ presentCall: fn() }))],
    ['guard', r => r.guard(fn())],
    ['guard, no function', r => r.guard(object())],
    ['use', r => r.use(object())],
    ['use: a list', r => r.use(list())],
    ['use: a stage', r => r.use([object()])],
    ['createScope', r => r.createScope(object())],
    ['createScope: id', r => r.createScope({ id: object() })],
    ['createScope: tools', r => r.createScope({ id: 'new', tools: list() })],
    ['createScope: a tool', r => r.createScope({ id: 'new', tools: [object()] })],
    ['createScope: stages', r => r.createScope({ id: 'new', stages: [object()] })],
    ['createScope: grants', r => r.createScope({ id: 'new', grants: list() })],
    ['createScope: a grant', r => r.createScope({ id: 'new', grants: [object()] })],
    ['createScope: restrict', r => r.createScope({ id: 'new', restrict: object() })],
    ['createScope: restrict.allow', r => r.createScope({ id: 'new', restrict: { allow: list() } })],
    ['restrict', r => r.scope('child').restrict(object())],
    ['restrict: deny', r => r.scope('child').restrict({ deny: list() })],
    ['restrict: a name', r => r.scope('child').restrict({ deny: [object()] })],
    ['presentAs', r => r.presentAs(object())],
    ['scope', r => r.scope(object())],
    ['explain', r => r.explain(object())],
    ['on', r => r.on(object(), () => {})],
  ]
  it.each(refused)('%s: throws at once, and nothing of it stays', async (_what, use) => {
    const { registry, tool } = setup()
    expect(() => use(registry)).toThrow()
    expect(registry.knownNames()).toEqual(['work'])
    expect(() => registry.scope('new')).toThrow(expect.objectContaining({ code: 'UNKNOWN_SCOPE' }))
    for (const scope of ['root', 'child'])
      expect(await registry.execute({ callId: '1', name: 'work', scope })).toMatchObject({ isError: false })
    expect(tool.runs()).toBe(2)
  })

  it.each([
    ['callId', 'INVALID_CALL'],
    ['name', 'INVALID_CALL'],
    ['arguments', 'ARGUMENTS_NOT_JSON'],
    ['signal', 'INVALID_CALL'],
    ['scope', 'INVALID_CALL'],
    ['parent', 'INVALID_PARENT'],
    ['rootCallId', 'INVALID_CALL'],
  ])('%s of a call: is a result', async (field, code) => {
    const { registry, tool } = setup()
    const heard: unknown[] = []
    registry.on('result', event => heard.push(event.result))
    const input = { callId: '1', name: 'work', [field]: object() } as never
    const results = [await registry.execute(input), ...(await registry.executeAll([input]))]
    for await (const result of registry.executeEach([input])) results.push(result)
    expect(results.map(result => result.isError && result.error.code)).toEqual([code, code, code])
    expect(heard).toEqual(results)
    expect(registry.executionMode(input)).toEqual({ kind: 'exclusive' })
    expect(tool.runs()).toBe(0)
  })

  it.each([
    ['a call', object()],
    ['a function for a call', fn()],
    ['a list for a call', list()],
  ])('%s: is a result', async (_what, input) => {
    const { registry, tool } = setup()
    const results = [await registry.execute(input), ...(await registry.executeAll([input]))]
    expect(results.map(result => result.isError && result.error.code)).toEqual([
      'INVALID_CALL',
      'INVALID_CALL',
    ])
    expect(tool.runs()).toBe(0)
  })

  it('caller: is passed on untouched, as it is nobody’s to read', async () => {
    const caller = object()
    let same = false
    const tool = countedTool('work', (_args, call) => {
      same = call.caller === caller
      return 'ok'
    })
    const registry = createToolRegistry({
      tools: [tool],
      stages: [{ preExecute: () => ({ kind: 'ask' }) }],
      approve: () => 'allowed-once',
    })
    expect(await registry.execute({ callId: '1', name: 'work', caller })).toMatchObject({ isError: false })
    expect(same).toBe(true)
  })

  it('a batch: rejects, and runs nothing', async () => {
    const { registry, tool } = setup()
    await expect(registry.executeAll(list())).rejects.toThrow()
    await expect((async () => registry.executeEach(list()).next())()).rejects.toThrow()
    await expect(registry.executeAll([{ callId: '1', name: 'work' }], object())).rejects.toThrow()
    expect(tool.runs()).toBe(0)
  })

  it('a listener or an approver: is a fault of its own, and no outcome of a call', async () => {
    const ask = { preExecute: () => ({ kind: 'ask' }) as const }
    const tool = countedTool('work')
    const registry = createToolRegistry({ tools: [tool], stages: [ask], approve: fn() })
    let faults = 0
    registry.on('result', fn()).on('observer-error', () => faults++)
    expect(await registry.execute({ callId: '1', name: 'work' })).toMatchObject({
      error: { code: 'APPROVAL_UNAVAILABLE' },
    })
    expect([tool.runs(), faults]).toEqual([0, 1])
  })

  it('describeError: leaves a text that tells nothing', async () => {
    const fail = () => {
      throw new Error('secret')
    }
    const registry = createToolRegistry({ tools: [countedTool('work', fail)], describeError: fn() })
    const result = await registry.execute({ callId: '1', name: 'work' })
    expect(result).toMatchObject({ error: { code: 'TOOL_FAILED' } })
    expect(JSON.stringify(result)).not.toContain('secret')
  })
})

describe('a revoked proxy handed to a function', () => {
  it('is no JSON, no error and no value of a schema', () => {
    expect([isLosslessJson(object()), ToolgateError.isInstance(object())]).toEqual([false, false])
    expect(() => snapshotJson(object())).toThrow(expect.objectContaining({ code: 'ARGUMENTS_NOT_JSON' }))
    expect(validateArgs({ a: { type: 'string', required: true } }, object())).toHaveLength(1)
    expect(validateStructuredValue({ type: 'string' }, object())).toHaveLength(1)
  })

  it.each([
    ['validateArgs', () => validateArgs(object(), {})],
    ['validateArgs: a node', () => validateArgs({ a: object() }, {})],
    ['schemaSpecToJsonSchema', () => schemaSpecToJsonSchema(object())],
    ['assertSupportedOutputSchema', () => assertSupportedOutputSchema(object())],
    ['validateStructuredValue', () => validateStructuredValue(object(), 1)],
    [
      'defineTool: parameters',
      () => defineTool({ name: 'x', description: '', parameters: object(), execute: () => '' }),
    ],
  ])('%s: is UNSUPPORTED_SCHEMA', (_what, use) => {
    expect(use).toThrow(expect.objectContaining({ code: 'UNSUPPORTED_SCHEMA' }))
  })

  it('degrades where declarations are printed, and nowhere ends them', () => {
    expect(jsonSchemaToTs(object())).toContain('JsonValue')
    expect(renderToolsSdk([{ name: 'work', parameters: object() }])).toContain('work(args: ')
  })
})
