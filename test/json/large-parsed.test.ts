/** Large arguments that came as text: they are what was read, frozen, and held to every limit, without a walk for each copy. */
import { createToolRegistry, type RegistryLimits, type ToolExecutionResult } from 'toolgate'
import { quickJsRuntime } from 'toolgate/quickjs'
import { quickJsWorkerRuntime } from 'toolgate/quickjs-worker'
import { afterAll, afterEach, describe, expect, it, vi } from 'vitest'
import { countedTool, isDeepFrozen } from '../support/tools.js'

const hosts = [
  ['on the host', quickJsRuntime()],
  ['in a worker', quickJsWorkerRuntime()],
] as const
afterAll(() => hosts[1][1].dispose?.())
afterEach(() => vi.restoreAllMocks())

const keeper = () => {
  const given: unknown[] = []
  return { given, tool: countedTool('keep', args => void given.push(args)) }
}

const direct = async (text: string, limits: RegistryLimits = {}) => {
  const { given, tool } = keeper()
  const registry = createToolRegistry({ tools: [tool], limits })
  const result = await registry.execute({ callId: '1', name: 'keep', arguments: text })
  return { result, given, runs: tool.runs() }
}

const many = 5_000
const shapes: readonly (readonly [string, string])[] = [
  ['numbers', JSON.stringify({ x: Array.from({ length: many }, (_, i) => i / 7) })],
  [
    'rows',
    JSON.stringify({ x: Array.from({ length: many }, (_, i) => ({ id: i, name: `ü${i}`, tags: [] })) }),
  ],
  ['keys', JSON.stringify(Object.fromEntries(Array.from({ length: many }, (_, i) => [`k${i}`, null])))],
  ['an own __proto__', `{"x":[${'{"__proto__":{"a":1}},'.repeat(many)}1]}`],
  ['levels', `{"x":${'['.repeat(900)}${'1,'.repeat(many)}1${']'.repeat(900)}}`],
]

describe('large arguments as text', () => {
  it.each(shapes)('are what was read, and frozen: %s', async (_what, text) => {
    const { given } = await direct(text)
    expect(JSON.stringify(given[0])).toBe(text)
    expect(isDeepFrozen(given[0])).toBe(true)
  })

  const bytesOf = (value: unknown): number => new TextEncoder().encode(JSON.stringify(value)).length
  const edges: readonly (readonly [string, string])[] = [
    ['short numbers that are long', `{"x":[${'1e20,'.repeat(many)}1]}`],
    ['halves of surrogate pairs', `{"x":["${'\ud800'.repeat(many)}"${',1'.repeat(many)}]}`],
    ['letters beyond ASCII', `{"x":["${'ü漢😀'.repeat(many)}"${',1'.repeat(many)}]}`],
    ['escapes', `{"x":["${'\\u0041\\n'.repeat(many)}"${',1'.repeat(many)}]}`],
  ]
  it.each(edges)('are held to maxArgumentBytes to the byte: %s', async (_what, text) => {
    const bytes = bytesOf(JSON.parse(text))
    const within = await direct(text, { maxArgumentBytes: Math.max(bytes, text.length) })
    expect(within.runs).toBe(1)
    const past = await direct(text, { maxArgumentBytes: bytes - 1 })
    expect(past).toMatchObject({ runs: 0, result: { error: { code: 'LIMIT_EXCEEDED' } } })
  })

  it('are held to maxNodes and maxDepth', async () => {
    const [, text = ''] = shapes[4] as readonly [string, string]
    const nodes = many + 1 + 900 + 1
    expect((await direct(text, { maxNodes: nodes, maxDepth: 901 })).runs).toBe(1)
    for (const limits of [{ maxNodes: nodes - 1 }, { maxDepth: 900 }]) {
      const { result, runs } = await direct(text, limits)
      expect({ result, runs }).toMatchObject({ runs: 0, result: { error: { code: 'LIMIT_EXCEEDED' } } })
    }
  })

  it.each([
    ['a number that JSON cannot write', '1e999', { error: { code: 'ARGUMENTS_NOT_JSON' } }],
    ['a negative zero, which is taken as zero', '-0', { isError: false }],
  ])('may end in %s', async (_what, last, outcome) => {
    const { result, given } = await direct(`{"x":[${'1,'.repeat(many)}${last}]}`)
    expect(result).toMatchObject(outcome)
    for (const args of given as { x: number[] }[]) expect(Object.is(args.x.at(-1), 0)).toBe(true)
  })
})

describe.each(hosts)('%s, large arguments of a program', (_where, codeRuntime) => {
  const run = (tool: ReturnType<typeof countedTool>, code: string, limits: RegistryLimits = {}) =>
    createToolRegistry({ tools: [tool], mode: 'code', codeRuntime, limits }).execute({
      callId: 'p',
      name: 'run_code',
      arguments: { code, description: 'Passes much' },
    }) as Promise<ToolExecutionResult & { readonly value: { readonly result: unknown } }>

  it.each(shapes)('reach the tool as they are, and frozen: %s', async (_what, text) => {
    const { given, tool } = keeper()
    await run(tool, `await tools.keep(JSON.parse(${JSON.stringify(text)}))`)
    expect(JSON.stringify(given[0])).toBe(text)
    expect(isDeepFrozen(given[0])).toBe(true)
  })

  it('are not listed by name to be copied', async () => {
    const listed = vi.spyOn(Reflect, 'ownKeys')
    const { given, tool } = keeper()
    await run(tool, 'await tools.keep({ x: Array(50_000).fill(0) })')
    const [{ x }] = given as [{ x: number[] }]
    expect(x).toHaveLength(50_000)
    expect(listed.mock.calls.filter(([of]) => Array.isArray(of) && of.length > 1_000)).toEqual([])
  })

  it('are held to the limits', async () => {
    const code = 'return await tools.keep({ x: Array(20_000).fill(0) }).catch(error => error.code)'
    const nodes = 20_002
    for (const [maxNodes, told] of [
      [nodes, '(no output)'],
      [nodes - 1, 'LIMIT_EXCEEDED'],
    ] as const) {
      const { given, tool } = keeper()
      const result = await run(tool, code, { maxNodes })
      expect(result.value.result).toBe(told === 'LIMIT_EXCEEDED' ? told : '')
      expect(given).toHaveLength(told === 'LIMIT_EXCEEDED' ? 0 : 1)
    }
  })
})
