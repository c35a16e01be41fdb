/**
 * Decided otherwise:
 * - TOK-01 a token is a frozen object without properties; compared by identity.
 * - TOK-05 a `parent` must be the token of a call that runs now in this registry, else INVALID_PARENT.
 */
import { createToolRegistry, defineTool, type Stages, type ToolCall, type ToolContext } from 'toolgate'
import { quickJsRuntime } from 'toolgate/quickjs'
import { describe, expect, it } from 'vitest'
import { countedTool, gate, settle } from '../support/tools.js'

const all = (see: (call: ToolCall) => void): Stages => ({
  preExecute: (call, next) => (see(call), next()),
  guard: call => (see(call), undefined),
  execute: (call, next) => (see(call), next()),
  postExecute: (call, _result, next) => (see(call), next()),
  onResult: see,
})

describe('a token', () => {
  it('is a frozen object without properties, new for each call and not of the caller’s choice (TOK-01)', async () => {
    const tokens: object[] = []
    const registry = createToolRegistry({
      tools: [countedTool('work', (_args, { token }) => (tokens.push(token), 'ok'))],
    })
    const mine = Object.freeze({})
    const input = { callId: '1', name: 'work', token: mine }
    await registry.execute(input)
    await registry.execute(input)
    const [first, second] = tokens
    expect(first).not.toBe(second)
    expect(tokens).not.toContain(mine)
    for (const token of tokens) {
      expect(Object.isFrozen(token)).toBe(true)
      expect(Reflect.ownKeys(token)).toEqual([])
    }
  })

  it('is the same in every stage and in the body of one call (TOK-02)', async () => {
    const tokens = new Set<unknown>()
    const see = ({ token }: ToolCall): void => void tokens.add(token)
    let seen = 0
    const registry = createToolRegistry({
      tools: [
        countedTool('work', (_args, context) => (see(context), 'ok'), {
          finalizeContent: call => (see(call), undefined),
        }),
      ],
      stages: [all(see), all(call => (seen++, see(call)))],
    })
    registry.on('result', ({ call }) => see(call))
    await registry.execute({ callId: '1', name: 'work' })
    expect([tokens.size, seen]).toEqual([1, 5])
  })

  it('is what a nested call names as its parent: the token, not the outer call (TOK-03)', async () => {
    let outer: ToolContext | undefined
    let inner: ToolCall | undefined
    const registry = createToolRegistry({
      tools: [
        countedTool('outer', async (_args, context) => {
          outer = context
          const { token: parent } = context
          const nested = await registry.execute({ callId: '2', name: 'inner', parent })
          const wrong = await registry.execute({ callId: '3', name: 'inner', parent: context as never })
          return `${nested.isError} ${wrong.isError && wrong.error.code}`
        }),
        countedTool('inner', (_args, context) => {
          inner = context
          return 'ok'
        }),
      ],
    })
    expect(await registry.execute({ callId: '1', name: 'outer' })).toMatchObject({
      value: 'false INVALID_PARENT',
    })
    expect(inner?.parent).toBe(outer?.token)
    expect(inner?.token).not.toBe(outer?.token)
    expect(outer?.parent).toBeUndefined()
  })

  it('never stands in a result, a schema, a prompt or a program (TOK-06)', async () => {
    let token: object | undefined
    const registry = createToolRegistry({
      tools: [
        countedTool('work', (_args, context) => {
          token = context.token
          return { content: [{ type: 'text', text: JSON.stringify(context) ?? '' }] }
        }),
      ],
      mode: 'both',
      codeRuntime: quickJsRuntime(),
    })
    const holds = (value: unknown, seen = new Set<unknown>()): boolean => {
      if (value === token) return true
      if (typeof value !== 'object' || value === null || seen.has(value)) return false
      seen.add(value)
      return Object.values(value).some(child => holds(child, seen))
    }
    const result = await registry.execute({ callId: '1', name: 'work' })
    expect(token).toBeDefined()
    expect(holds({ token })).toBe(true)
    expect([result, registry.schemas(), registry.present()].map(value => holds(value))).toEqual([
      false,
      false,
      false,
    ])
    const code = 'return [typeof token, typeof parent, Object.keys(tools), await tools.work({})]'
    const program = { code, description: 'Look for a token' }
    const ran = await registry.execute({ callId: '2', name: 'run_code', arguments: program })
    expect(ran).toMatchObject({ value: { result: ['undefined', 'undefined', ['work'], expect.any(String)] } })
    expect(JSON.stringify(ran)).not.toContain('token"')
  })
})

describe('the root of nested calls', () => {
  it('is the call’s own id, else its parent’s root, else what the caller says (TOK-04)', async () => {
    const roots: string[] = []
    const see: Stages = { guard: ({ callId, rootCallId }) => void roots.push(`${callId} ${rootCallId}`) }
    const nest = (name: string, next?: string) =>
      countedTool(name, async (_args, { token: parent }) => {
        if (next !== undefined) await registry.execute({ callId: `${name}.1`, name: next, parent })
        return 'ok'
      })
    const registry = createToolRegistry({
      tools: [nest('a', 'b'), nest('b', 'c'), nest('c')],
      stages: [see],
    })
    await registry.execute({ callId: 'top', name: 'a' })
    await registry.execute({ callId: 'other', name: 'c', rootCallId: 'session' })
    expect(roots).toEqual(['top top', 'a.1 top', 'b.1 top', 'other session'])
  })

  it('is the program’s call for the calls of a program (TOK-04)', async () => {
    const roots: string[] = []
    const registry = createToolRegistry({
      tools: [countedTool('work')],
      stages: [{ guard: ({ callId, rootCallId }) => void roots.push(`${callId} ${rootCallId}`) }],
      mode: 'code',
      codeRuntime: quickJsRuntime(),
    })
    const program = { code: 'await tools.work({}); await tools.work({})', description: 'Call twice' }
    await registry.execute({ callId: 'outer', name: 'run_code', arguments: program, rootCallId: 'session' })
    expect(roots).toEqual(['outer session', 'outer:code:1 session', 'outer:code:2 session'])
  })
})

describe('a parent', () => {
  const metaTool = (name: string, counts: { meta: number }) =>
    defineTool({
      name,
      description: 'Works.',
      parameters: {},
      output: {
        schema: { type: 'string' },
        render: () => [],
        presentationMeta: () => ({ made: ++counts.meta }),
      },
      execute: () => 'ok',
    })

  it('spares a nested call its meta, and opens a collapsed tool to it (TOK-05)', async () => {
    const counts = { meta: 0 }
    const results: unknown[] = []
    const outer = countedTool('outer', async (_args, { token: parent }) => {
      results.push(await registry.execute({ callId: '2', name: 'inner', parent, scope: 'collapsed' }))
      return 'ok'
    })
    const registry = createToolRegistry({
      tools: [outer, metaTool('inner', counts)],
      codeRuntime: quickJsRuntime(),
      scopes: [{ id: 'collapsed', mode: 'code' }],
    })
    expect(await registry.execute({ callId: '1', name: 'inner', scope: 'collapsed' })).toMatchObject({
      error: { code: 'UNKNOWN_TOOL' },
    })
    await registry.execute({ callId: '1', name: 'outer' })
    expect(results).toMatchObject([{ isError: false, value: 'ok' }])
    expect('meta' in (results[0] as object)).toBe(false)
    expect(counts.meta).toBe(0)
    expect(await registry.execute({ callId: '3', name: 'inner' })).toMatchObject({ meta: { made: 1 } })
  })

  it.each([
    ['a made-up object', () => ({})],
    ['a frozen object like a token', () => Object.freeze({})],
    ['a list', () => []],
    ['a proxy around a running token', (running: object) => new Proxy(running, {})],
    ['an object that inherits from a running token', (running: object) => Object.create(running)],
    ['a copy of a running token', (running: object) => ({ ...running })],
  ])('that is %s is INVALID_PARENT, and opens nothing (TOK-05)', async (_what, forge) => {
    const inner = countedTool('inner')
    const outer = countedTool('outer', async (_args, { token }) => {
      const parent = forge(token) as never
      const native = await registry.execute({ callId: '2', name: 'inner', parent })
      const collapsed = await registry.execute({ callId: '3', name: 'inner', parent, scope: 'collapsed' })
      return [native, collapsed].map(result => result.isError && result.error.code).join(' ')
    })
    const registry = createToolRegistry({
      tools: [outer, inner],
      codeRuntime: quickJsRuntime(),
      scopes: [{ id: 'collapsed', mode: 'code' }],
    })
    expect(await registry.execute({ callId: '1', name: 'outer' })).toMatchObject({
      value: 'INVALID_PARENT INVALID_PARENT',
    })
    expect(inner.runs()).toBe(0)
  })

  it.each([
    ['a symbol', Symbol('token')],
    ['a text', 'token'],
    ['a number', 1],
    ['null', null],
  ])('that is %s is no call at all: INVALID_CALL (TOK-05)', async (_what, parent) => {
    const tool = countedTool('work')
    const registry = createToolRegistry({ tools: [tool] })
    expect(await registry.execute({ callId: '1', name: 'work', parent: parent as never })).toMatchObject({
      error: { code: 'INVALID_CALL' },
    })
    expect(tool.runs()).toBe(0)
  })

  it('must run now, and in this registry (TOK-05)', async () => {
    const held = gate()
    const tokens: ToolCall['token'][] = []
    const make = () => {
      const tool = countedTool('work', async (_args, { token }) => {
        tokens.push(token)
        await held.promise
        return 'ok'
      })
      return { tool, registry: createToolRegistry({ tools: [tool, countedTool('inner')] }) }
    }
    const [here, there] = [make(), make()]
    const pending = here.registry.execute({ callId: '1', name: 'work' })
    await settle()
    const [parent] = tokens as [ToolCall['token']]
    const codes = async () =>
      Promise.all(
        [here, there].map(async ({ registry }) => {
          const result = await registry.execute({ callId: '2', name: 'inner', parent })
          return result.isError ? result.error.code : 'ok'
        }),
      )
    expect(await codes()).toEqual(['ok', 'INVALID_PARENT'])
    held.open()
    await pending
    expect(await codes()).toEqual(['INVALID_PARENT', 'INVALID_PARENT'])
  })
})
