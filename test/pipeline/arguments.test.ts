import { createToolRegistry } from 'toolgate'
import { describe, expect, it } from 'vitest'
import { countedTool } from '../support/tools.js'

function setup() {
  const seen: unknown[] = []
  const tool = countedTool('work', args => {
    seen.push(args)
    return 'ok'
  })
  return { seen, tool, registry: createToolRegistry({ tools: [tool] }) }
}

describe('arguments', () => {
  it.each([undefined, null, '', '   ', '\n\t', 'null'])('%j counts as no arguments', async given => {
    const { seen, registry } = setup()
    const result = await registry.execute({ callId: '1', name: 'work', arguments: given })
    expect(result.isError).toBe(false)
    expect(seen).toEqual([{}])
  })

  it('parses text and takes values as they are', async () => {
    const { seen, registry } = setup()
    await registry.execute({ callId: '1', name: 'work', arguments: '{"a":[1,{"b":"\\ud800"}]}' })
    await registry.execute({ callId: '2', name: 'work', arguments: { a: [1, { b: '\ud800' }] } })
    expect(seen[0]).toEqual(seen[1])
  })

  it('reads JSON’s negative zero as the zero it equals, and refuses a number too large for JSON', async () => {
    const { seen, registry } = setup()
    await registry.execute({ callId: '1', name: 'work', arguments: '{"a":-0,"b":[-0.0,-0.5],"c":"-0"}' })
    expect(seen).toEqual([{ a: 0, b: [0, -0.5], c: '-0' }])
    const huge = await registry.execute({ callId: '2', name: 'work', arguments: '{"a":1e999}' })
    expect(huge).toMatchObject({ error: { code: 'ARGUMENTS_NOT_JSON', details: { path: 'arguments.a' } } })
  })

  it.each([
    ['{"cmds":["a","b"', 'the text ends too early', 16],
    ['{"path":"x"', 'the text ends too early', 11],
    ['{"a": tru}', 'unexpected', 6],
    ["{'a': 1}", 'unexpected', 1],
    ['{"a": 1,}', 'unexpected', 8],
    ['{"a": 1} extra', 'unexpected', 9],
    ['{"a": "x\ny"}', 'unexpected', 6],
    ['nonsense', 'unexpected', 0],
    ['{"a": 01}', 'unexpected', 7],
  ])('refuses %j with the place where it stops being JSON', async (text, what, position) => {
    const { tool, registry } = setup()
    const result = await registry.execute({ callId: '1', name: 'work', arguments: text })
    expect(result).toMatchObject({ isError: true, error: { code: 'ARGUMENTS_NOT_JSON' } })
    if (result.isError) expect(result.error.message).toContain(what)
    if (result.isError) expect(result.error.message).toContain(`at position ${position} `)
    expect(tool.runs()).toBe(0)
  })

  const cyclic: { self?: unknown } = {}
  cyclic.self = { deep: [cyclic] }
  it.each([
    ['undefined inside', { a: undefined }, 'arguments.a'],
    ['NaN', { a: { b: [0, Number.NaN] } }, 'arguments.a.b[1]'],
    ['negative zero', { a: -0 }, 'arguments.a'],
    ['a BigInt', { a: 1n }, 'arguments.a'],
    ['a function', { a: () => 1 }, 'arguments.a'],
    ['a Date', { a: new Date(0) }, 'arguments.a'],
    ['a Map', { a: new Map() }, 'arguments.a'],
    ['a class instance', { a: new (class X {})() }, 'arguments.a'],
    ['a hole', { a: new Array(3) }, 'arguments.a'],
    ['a decorated array', { a: Object.assign([1], { x: 1 }) }, 'arguments.a'],
    ['a symbol key', { a: { [Symbol('x')]: 1 } }, 'arguments.a'],
    ['a hidden key', { a: Object.defineProperty({}, 'x', { value: 1 }) }, 'arguments.a'],
    [
      'a throwing getter',
      {
        a: {
          get x(): never {
            throw new Error('no')
          },
        },
      },
      'arguments.a.x',
    ],
    ['a cycle', cyclic, 'arguments'],
  ])('refuses %s and names the path', async (_what, given, path) => {
    const { tool, registry } = setup()
    const result = await registry.execute({ callId: '1', name: 'work', arguments: given })
    expect(result).toMatchObject({ isError: true, error: { code: 'ARGUMENTS_NOT_JSON', details: { path } } })
    expect(tool.runs()).toBe(0)
  })

  it('refuses what is past a limit, with the limit’s code', async () => {
    const tool = countedTool('work')
    const limits = { maxDepth: 10, maxNodes: 100, maxArgumentBytes: 1000 }
    const registry = createToolRegistry({ tools: [tool], limits })
    let deep: unknown = 1
    for (let i = 0; i < 11; i++) deep = [deep]
    let shared: unknown = [1, 2]
    for (let i = 0; i < 9; i++) shared = [shared, shared]
    for (const given of [
      deep,
      shared,
      'x'.repeat(999),
      ['x'.repeat(990)].map(x => `${x}é\u0001`),
      JSON.stringify({ a: 'x'.repeat(1000) }),
    ]) {
      const args = typeof given === 'string' && !given.startsWith('{') ? { text: given } : given
      const result = await registry.execute({ callId: '1', name: 'work', arguments: args })
      expect(result).toMatchObject({ isError: true, error: { code: 'LIMIT_EXCEEDED' } })
    }
    expect(tool.runs()).toBe(0)
  })

  it('keeps __proto__, constructor and toString as ordinary own keys', async () => {
    const { seen, registry } = setup()
    const text = '{"__proto__":{"polluted":true},"constructor":1,"toString":2}'
    await registry.execute({ callId: '1', name: 'work', arguments: text })
    expect(JSON.stringify(seen[0])).toBe(text)
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined()
  })

  it('reads each getter once and runs what it read', async () => {
    const { seen, registry } = setup()
    let reads = 0
    const given = {
      get x() {
        return ++reads
      },
    }
    await registry.execute({ callId: '1', name: 'work', arguments: given })
    expect([reads, seen]).toEqual([1, [{ x: 1 }]])
  })
})

describe('the call itself', () => {
  it('reads each field of the input once', async () => {
    const { registry } = setup()
    const reads: Record<string, number> = {}
    const input = new Proxy(
      { callId: '1', name: 'work', arguments: {} },
      {
        get(target, key: string) {
          reads[key] = (reads[key] ?? 0) + 1
          return target[key as keyof typeof target]
        },
      },
    )
    await registry.execute(input)
    expect(Object.values(reads).every(n => n === 1)).toBe(true)
  })

  it.each([
    ['undefined', undefined],
    ['null', null],
    ['a string', 'work'],
    ['no name', { callId: '1' }],
    ['an empty name', { callId: '1', name: '' }],
    ['a number as name', { callId: '1', name: 7 }],
    ['a number as callId', { callId: 1, name: 'work' }],
    ['an empty callId', { callId: '', name: 'work' }],
    ['a signal that is none', { callId: '1', name: 'work', signal: {} }],
    ['a scope that is no text', { callId: '1', name: 'work', scope: {} }],
    ['a parent that is no token', { callId: '1', name: 'work', parent: 'x' }],
    ['a root id that is no text', { callId: '1', name: 'work', rootCallId: 1 }],
    [
      'a name that throws',
      {
        callId: '1',
        get name(): never {
          throw new Error('no')
        },
      },
    ],
    [
      'a callId that throws',
      {
        name: 'work',
        get callId(): never {
          throw new Error('no')
        },
      },
    ],
  ])('fails %s with INVALID_CALL', async (_what, input) => {
    const { tool, registry } = setup()
    let heard = 0
    registry.on('result', () => heard++)
    const result = await registry.execute(input as never)
    expect(result).toMatchObject({ isError: true, error: { code: 'INVALID_CALL' } })
    expect([tool.runs(), heard]).toEqual([0, 1])
  })

  it('gives a call without an id a unique one', async () => {
    const { registry } = setup()
    const [a, b] = await Promise.all([
      registry.execute({ name: 'work' } as never),
      registry.execute({ name: 'work' } as never),
    ])
    expect(a.callId).not.toBe('')
    expect(a.callId).not.toBe(b.callId)
  })

  it('refuses unknown scopes and parents by code', async () => {
    const { registry } = setup()
    expect(await registry.execute({ callId: '1', name: 'work', scope: 'nowhere' })).toMatchObject({
      isError: true,
      error: { code: 'UNKNOWN_SCOPE' },
    })
    expect(await registry.execute({ callId: '1', name: 'work', parent: {} as never })).toMatchObject({
      isError: true,
      error: { code: 'INVALID_PARENT' },
    })
  })

  it('names the nearest tools for one that does not exist', async () => {
    const registry = createToolRegistry({ tools: [countedTool('read_file'), countedTool('write_file')] })
    const result = await registry.execute({ callId: '1', name: 'readFile' })
    expect(result).toMatchObject({
      isError: true,
      error: { code: 'UNKNOWN_TOOL', name: 'ToolNotFoundError' },
    })
    if (result.isError) expect(result.error.message).toContain('"read_file"')
  })
})
