/** A run whose value no result of its registry can carry. */
import {
  type CodeRuntime,
  createToolRegistry,
  type RegistryLimits,
  type ToolExecutionResult,
  type ToolFailure,
} from 'toolgate'
import { quickJsRuntime } from 'toolgate/quickjs'
import { quickJsWorkerRuntime } from 'toolgate/quickjs-worker'
import { afterAll, describe, expect, it } from 'vitest'
import { countedTool } from '../support/tools.js'

const hosts = [
  ['on the host', quickJsRuntime()],
  ['in a worker', quickJsWorkerRuntime()],
] as const
afterAll(() => hosts[1][1].dispose?.())

const run = async (codeRuntime: CodeRuntime, limits: RegistryLimits, end: string) => {
  const pay = countedTool('pay', () => 'paid')
  const registry = createToolRegistry({ tools: [pay], mode: 'code', codeRuntime, limits })
  const code = `console.log(await tools.pay({})); tools.pay({}); ${end}`
  const args = { code, description: 'Pays and returns too much' }
  const result = await registry.execute({ callId: 'p', name: 'run_code', arguments: args })
  return { result: result as ToolExecutionResult & ToolFailure, pay }
}

const tooMuch: readonly (readonly [string, RegistryLimits, string, string])[] = [
  ['a long text', { maxResultBytes: 600 }, 'return "x".repeat(700)', 'value is past the limit of 600 bytes'],
  ['a long line', { maxResultBytes: 600 }, 'console.log("x".repeat(700))', 'past the limit of 600 bytes'],
  ['many values', { maxNodes: 50 }, 'return Array(60).fill(1)', 'value is past the limit of 50 values'],
  ['many lines', { maxNodes: 50 }, 'for (let i = 0; i < 60; i++) console.log(i)', 'limit of 50 values'],
  ['many levels', { maxDepth: 5 }, 'return [[[[[[1]]]]]]', 'is nested deeper than the limit of 5 levels'],
  [
    'many small values',
    { maxResultBytes: 1500 },
    'return Array.from({ length: 300 }, (_, i) => ({ i }))',
    'value is past the limit of 1500 bytes',
  ],
  [
    'what fits as data and not as text',
    { maxResultBytes: 600 },
    'return Array(200).fill(1)',
    'content is past the limit of 600 bytes',
  ],
]

describe.each(hosts)('%s, a run that comes to more than a result may carry', (_where, codeRuntime) => {
  it.each(tooMuch)('says what it printed and left all the same: %s', async (_what, limits, end, fault) => {
    const { result, pay } = await run(codeRuntime, limits, end)
    expect(result.error).toMatchObject({ code: 'CODE_RUN_FAILED', details: { kind: 'output-limit' } })
    expect(result.error.message).toMatch(/^output-limit: The result of tool "run_code" is too large: /)
    expect(result.error.message).toContain(fault)
    const { logs, notAwaited, notRun = [] } = result.error.details as Record<string, readonly string[]>
    expect(logs?.[0]).toBe('paid')
    expect(notAwaited).toEqual(['pay'])
    expect(pay.runs() + notRun.length).toBe(2)
    const [text] = result.content
    expect(text).toMatchObject({
      type: 'text',
      text: expect.stringContaining('Printed before the failure:\npaid'),
    })
    expect(text).toMatchObject({ text: expect.stringContaining('not awaited: pay') })
  })

  it('is no failure as long as it fits', async () => {
    const { result } = await run(codeRuntime, { maxResultBytes: 600, maxNodes: 50 }, 'return "x".repeat(200)')
    expect(result).toMatchObject({ isError: false, value: { logs: ['paid'], notAwaited: ['pay'] } })
  })
})

describe('a failure after very much output', () => {
  const lines: readonly (readonly [string, readonly string[]])[] = [
    ['many megabytes', Array(20).fill('x'.repeat(1024 * 1024))],
    ['millions of lines', Array(2_000_100).fill('')],
  ]
  it.each(lines)('tells kind, lines and calls: %s', async (_what, logs) => {
    const error = { kind: 'exception', message: 'no' } as const
    const large: CodeRuntime = { run: async () => ({ logs, notRun: ['pay'], error }) }
    const { result } = await run(large, {}, '')
    const { kind, notRun, logs: told } = result.error.details as Record<string, unknown>
    expect({ kind, notRun }).toEqual({ kind: 'exception', notRun: ['pay'] })
    expect((told as readonly string[]).join('\n') === logs.join('\n')).toBe(true)
  })
})

it('counts calls of which it knows no name', async () => {
  const nameless = { run: async () => ({ logs: [], value: 1, notRun: ['… and 371 more'] }) }
  const { result } = await run(nameless as unknown as CodeRuntime, {}, '')
  const [text] = result.content
  expect(text).toMatchObject({ text: expect.stringContaining('Note: did not run: 371 calls. The program') })
})

it('says what a program printed where a runtime hands on what JSON cannot carry', async () => {
  const odd = { run: async () => ({ logs: ['paid'], value: { at: new Date(0) }, notRun: ['pay'] }) }
  const { result } = await run(odd as unknown as CodeRuntime, {}, 'return 1')
  expect(result.error).toMatchObject({
    code: 'CODE_RUN_FAILED',
    details: { kind: 'invalid-output', logs: ['paid'], notRun: ['pay'] },
  })
})
