import { runInNewContext } from 'node:vm'
import {
  createToolRegistry,
  defineTool,
  renderToolsSdk,
  schemaSpecToJsonSchema,
  snapshotJson,
  validateStructuredValue,
} from 'toolgate'
import { quickJsRuntime } from 'toolgate/quickjs'
import { describe, expect, it } from 'vitest'
import { countedTool } from '../support/tools.js'
import { nest, refusal, refuses, revokedProxy, takes } from './lossless-json-support.js'

const throwing = (message: string): (() => never) => {
  return () => {
    throw new Error(message)
  }
}

describe('how it is read', () => {
  it('each getter once; what was read is what is checked and copied (JSON-08)', () => {
    let reads = 0
    const once = {
      get a() {
        return ++reads === 1 ? { b: 1 } : () => 'lossy'
      },
    }
    expect(snapshotJson(once)).toEqual({ a: { b: 1 } })
    expect(reads).toBe(1)
    refuses({
      get a() {
        return undefined
      },
    })
  })

  const hostile: readonly (readonly [string, object])[] = [
    [
      'a getter that throws',
      Object.defineProperty({}, 'a', { enumerable: true, get: throwing('by getter') }),
    ],
    ['a proxy that lists no keys', new Proxy({}, { ownKeys: throwing('by getter') })],
    ['a proxy that gives no value', new Proxy({ a: 1 }, { get: throwing('by getter') })],
    ['a proxy without prototype to tell', new Proxy({}, { getPrototypeOf: throwing('by getter') })],
  ]
  it.each(hostile)(
    '%s: arguments, a tool’s value and a validated value are refused (JSON-09)',
    async (_what, value) => {
      expect(refusal(value)).toMatchObject({ code: 'ARGUMENTS_NOT_JSON' })
      expect(refusal(value).message).toContain('by getter')
      const number = { schema: {}, render: () => [] }
      const tool = countedTool('work', () => value, { output: number })
      const registry = createToolRegistry({ tools: [tool] })
      const given = await registry.execute({ callId: '1', name: 'work', arguments: value })
      expect(given).toMatchObject({ error: { code: 'ARGUMENTS_NOT_JSON' } })
      expect(given.content).toEqual([{ type: 'text', text: expect.stringContaining('by getter') }])
      expect(tool.runs()).toBe(0)
      const returned = await registry.execute({ callId: '2', name: 'work' })
      expect(returned).toMatchObject({ error: { code: 'INVALID_TOOL_OUTPUT' } })
      expect(tool.runs()).toBe(1)
      expect(validateStructuredValue({}, value)).toMatchObject([
        { message: expect.stringContaining('by getter') },
      ])
    },
  )

  it('a proxy that hides nothing is what it stands for; a revoked one is refused (JSON-10)', () => {
    takes(new Proxy({ a: new Proxy([1, new Proxy({}, {})], {}) }, {}))
    refuses(revokedProxy({}))
    refuses(revokedProxy([]))
    refuses({ a: [revokedProxy({})] })
  })

  it('a cycle is refused, and what is shared is copied for each place it stands in (JSON-11)', () => {
    const loop: { next?: unknown } = {}
    loop.next = [{ loop }]
    const list: unknown[] = [1]
    list.push({ list })
    for (const cyclic of [loop, list, { wide: Array(1_000).fill(0), loop }]) {
      refuses(cyclic)
      expect(refusal(cyclic).message).toContain('circular')
    }
    const shared = { a: 1 }
    const copy = snapshotJson({ x: shared, y: [shared] }) as { x: object; y: [object] }
    expect(copy).toEqual({ x: { a: 1 }, y: [{ a: 1 }] })
    expect(copy.x).not.toBe(copy.y[0])
  })

  it('a cycle is refused even where no limit would end it (JSON-11)', () => {
    const loop: { next?: unknown } = {}
    loop.next = { loop }
    const limits = { maxDepth: Infinity, maxNodes: Infinity, maxBytes: Infinity }
    expect(() => snapshotJson(loop, { limits })).toThrow(/circular/)
  })

  it('no walk recurses: snapshot, freeze, schema, check, declarations and text (JSON-12)', async () => {
    let value: unknown = 1
    let node: object = { type: 'number' }
    for (let i = 0; i < 5_000; i++) {
      value = { a: value }
      const a = { ...node, required: true }
      node = { type: 'object', additionalProperties: false, properties: { a } }
    }
    const tool = defineTool({
      name: 'work',
      description: 'Works.',
      parameters: { a: { ...node, required: true } } as never,
      output: { schema: node as never, render: () => [] },
      execute: args => (args as { a: never }).a,
    })
    const registry = createToolRegistry({ tools: [tool] })
    const call = (args: unknown) => registry.execute({ callId: '1', name: 'work', arguments: args })
    const result = await call({ a: value })
    expect(result).toMatchObject({ isError: false })
    expect(isFrozenToTheEnd(result)).toBe(true)
    expect(registry.schemas()).toHaveLength(1)
    expect(renderToolsSdk(registry.schemas())).toMatch(/^ {2}work\(args: /m)
    expect(await call({ a: { a: value } })).toMatchObject({ error: { code: 'INVALID_ARGS' } })
  })

  it('depth is a limit of its own, on arguments and on values (JSON-12)', async () => {
    const tool = countedTool('work', args => args, { output: { schema: {}, render: () => [] } })
    const codes: (string | undefined)[] = []
    for (const [limits, levels] of [
      [{}, 10_000],
      [{}, 10_001],
      [{ maxDepth: 5 }, 5],
      [{ maxDepth: 5 }, 6],
    ] as const) {
      const registry = createToolRegistry({ tools: [tool], limits })
      const result = await registry.execute({ callId: '1', name: 'work', arguments: nest(levels) })
      codes.push(result.isError ? result.error.code : undefined)
    }
    expect(codes).toEqual([undefined, 'LIMIT_EXCEEDED', undefined, 'LIMIT_EXCEEDED'])
    expect(tool.runs()).toBe(2)
  })

  it('a shared graph is refused by the number of its values (JSON-13)', () => {
    let graph: unknown = 1
    for (let i = 0; i < 24; i++) graph = [graph, graph]
    expect(refusal(graph)).toMatchObject({ code: 'LIMIT_EXCEEDED' })
  })

  it('__proto__ stays an ordinary key in snapshots, schemas, declarations and programs (JSON-14)', async () => {
    const text = '{"__proto__":{"polluted":true},"a":{"__proto__":1}}'
    expect(JSON.stringify(snapshotJson(JSON.parse(text)))).toBe(text)
    const parameters = JSON.parse('{"__proto__":{"type":"string","required":true}}') as object
    expect(JSON.stringify(schemaSpecToJsonSchema(parameters as never))).toContain(
      '"__proto__":{"type":"string"}',
    )
    const seen: unknown[] = []
    const tool = defineTool({
      name: '__proto__',
      description: 'Works.',
      parameters: parameters as never,
      execute: args => {
        seen.push(args)
        return 'ok'
      },
    })
    const registry = createToolRegistry({ tools: [tool], mode: 'code', codeRuntime: quickJsRuntime() })
    expect(renderToolsSdk(registry.schemas())).toContain('"__proto__"(args: { "__proto__": string }')
    const code = `return await tools["__proto__"]({ ["__proto__"]: "x" })`
    const program = { code, description: 'Call it' }
    expect(await registry.execute({ callId: '1', name: 'run_code', arguments: program })).toMatchObject({
      value: { result: 'ok' },
    })
    expect(JSON.stringify(seen)).toBe('[{"__proto__":"x"}]')
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined()
  })

  it('a snapshot stands on the ordinary prototypes, with its keys in order (JSON-15)', () => {
    const bare = Object.assign(Object.create(null), { z: 1, a: [Object.create(null)], m: 2 })
    const copy = snapshotJson(bare) as { a: [object] }
    expect(Object.getPrototypeOf(copy)).toBe(Object.prototype)
    expect(Object.getPrototypeOf(copy.a[0])).toBe(Object.prototype)
    expect(Object.keys(copy)).toEqual(['z', 'a', 'm'])
    const foreign = snapshotJson(runInNewContext('({ a: [1] })')) as { a: unknown }
    expect(Object.getPrototypeOf(foreign)).toBe(Object.prototype)
    expect(Object.getPrototypeOf(foreign.a)).toBe(Array.prototype)
  })

  it('a list that shrinks or grows while it is read is refused (JSON-16)', () => {
    for (const change of [(list: unknown[]) => list.pop(), (list: unknown[]) => list.push(1)]) {
      const list: unknown[] = [0, 1, 2]
      Object.defineProperty(list, 0, { enumerable: true, configurable: true, get: () => change(list) && 1 })
      refuses(list)
    }
  })
})

describe('limits of a snapshot', () => {
  it.each([
    ['maxDepth', [[1]], [[[1]]], { maxDepth: 2 }],
    ['maxNodes', [1, 2], [1, 2, 3], { maxNodes: 3 }],
    ['maxBytes', 'abc', 'abcd', { maxBytes: 5 }],
  ])('%s takes the last value within and refuses the next', (_what, within, past, limits) => {
    expect(snapshotJson(within, { limits })).toEqual(within)
    expect(() => snapshotJson(past, { limits })).toThrow(expect.objectContaining({ code: 'LIMIT_EXCEEDED' }))
  })

  it('that is undefined is the default', () => {
    const limits = { maxDepth: undefined, maxNodes: undefined, maxBytes: undefined } as never
    expect(() => snapshotJson(nest(10_001), { limits })).toThrow(/10000 levels/)
  })

  it.each([
    ['NaN', Number.NaN],
    ['zero', 0],
    ['a negative number', -1],
    ['a text', '10'],
    ['null', null],
  ])('that is %s is a mistake of the program', (_what, maxNodes) => {
    expect(() => snapshotJson([], { limits: { maxNodes: maxNodes as never } })).toThrow(
      expect.objectContaining({ code: 'INVALID_OPTIONS' }),
    )
  })
})

function isFrozenToTheEnd(root: object): boolean {
  const left: unknown[] = [root]
  for (let node = left.pop(); node !== undefined; node = left.pop()) {
    if (typeof node !== 'object' || node === null) continue
    if (!Object.isFrozen(node)) return false
    left.push(...Object.values(node))
  }
  return true
}
