import {
  circuitBreaker,
  concurrencyLimit,
  createToolRegistry,
  redact,
  resultBudget,
  retryPolicy,
  type Stages,
  type ToolDefinition,
  type ToolExecutionResult,
  timeoutPolicy,
} from 'toolgate'
import { quickJsRuntime } from 'toolgate/quickjs'
import { describe, expect, it } from 'vitest'
import { countedTool, gate, settle } from '../support/tools.js'
import { GITHUB } from './redact-support.js'
import { readBytes } from './result-budget-support.js'
import { codesOf, obedient } from './support.js'

type Names = readonly string[]
const permutations = (names: Names): Names[] =>
  names.length < 2
    ? [names]
    : names.flatMap(name => permutations(names.filter(other => other !== name)).map(rest => [name, ...rest]))

const MAX = 3_000
const make: { readonly [name: string]: () => Stages } = {
  budget: () => resultBudget({ maxBytes: MAX, replaceValue: true }),
  redact: () => redact(),
  retry: () => retryPolicy({ attempts: 3, backoffMs: 1, jitter: 'none' }),
  time: () => timeoutPolicy({ defaultMs: 5_000, graceMs: 10 }),
}
const ORDERS = permutations(Object.keys(make)).map(order => [order.join(' > '), order] as const)
// The secret is where no budget cuts it.
const BODY = `${GITHUB} ${'x'.repeat(50_000)}`

const flaky = (): ToolDefinition & { readonly runs: () => number } => {
  const attempts = new Map<string, number>()
  return countedTool(
    'flaky',
    (_args, context) => {
      const attempt = (attempts.get(context.callId) ?? 0) + 1
      attempts.set(context.callId, attempt)
      context.deferContext({ source: 'flaky', content: [{ type: 'text', text: `${attempt} ${GITHUB}` }] })
      if (attempt < 3) throw new Error(`busy ${GITHUB}`)
      return { content: [{ type: 'text', text: BODY }], meta: { attempt, key: GITHUB } }
    },
    { annotations: { readOnlyHint: true }, isConcurrencySafe: () => true },
  )
}
const failing = () =>
  countedTool('failing', () => {
    throw new Error(BODY)
  })
const hanging = () => countedTool('hanging', obedient, { timeoutMs: 20 })

const isClean = (results: readonly ToolExecutionResult[]): void => {
  expect(JSON.stringify(results)).not.toContain(GITHUB)
  for (const result of results) expect(readBytes(result)).toBeLessThanOrEqual(MAX)
}

describe('resultBudget and redact with the policies around bodies', () => {
  it.each(ORDERS)('hide, cut and keep what is left, in batches too: %s', async (_title, order) => {
    const tools = [flaky(), failing(), hanging()]
    const registry = createToolRegistry({ tools, stages: order.map(name => make[name]?.() as Stages) })
    const names = ['flaky', 'failing', 'hanging', 'flaky', 'missing']
    const results = await registry.executeAll(names.map((name, i) => ({ callId: `${i}`, name })))
    expect(codesOf(results)).toEqual(['ok', 'TOOL_FAILED', 'TOOL_TIMEOUT', 'ok', 'UNKNOWN_TOOL'])
    isClean(results)
    for (const result of [results[0], results[3]]) {
      expect(result?.meta).toMatchObject({
        attempt: 3,
        key: '[redacted github-token]',
        redacted: { count: expect.any(Number) },
        resultBudget: { wholeBytes: expect.any(Number) },
      })
      expect(result?.additionalContexts).toHaveLength(3)
      expect(result?.isError === false && String(result.value).length).toBeLessThanOrEqual(MAX)
    }
    expect(tools.map(tool => (tool as ReturnType<typeof flaky>).runs())).toEqual([6, 1, 1])
  })

  it('hold for calls of programs', async () => {
    const registry = createToolRegistry({
      tools: [flaky(), failing()],
      stages: [
        make.budget?.() as Stages,
        make.redact?.() as Stages,
        concurrencyLimit({ limit: 1 }),
        circuitBreaker({ failures: 9, resetAfterMs: 1_000 }),
        make.retry?.() as Stages,
        make.time?.() as Stages,
      ],
      codeRuntime: quickJsRuntime(),
      mode: 'code',
    })
    const ends: ToolExecutionResult[] = []
    registry.on('subcall:end', ({ result }) => ends.push(result))
    const code = `
      const results = await Promise.allSettled([tools.flaky({}), tools.failing({}), tools.flaky({})])
      return results.map(({ value, reason }) => value ?? reason.message)`
    const result = await registry.execute({
      callId: 'p',
      name: 'run_code',
      arguments: { code, description: 'Runs three calls' },
    })
    await registry.dispose()
    expect(result.isError).toBe(false)
    isClean([result])
    expect(JSON.stringify(ends)).not.toContain(GITHUB)
    expect(result.additionalContexts).toHaveLength(6)
  })

  it('leave a call that is aborted one that is, whenever it is', async () => {
    for (const order of [
      ['budget', 'redact'],
      ['redact', 'budget'],
    ])
      for (const moment of ['before', 'body', 'sink', 'after'] as const) {
        const controller = new AbortController()
        const body = gate<string>()
        const asked = gate()
        const sink = gate<string>()
        const tool = countedTool('tool', () => body.promise)
        const budget = resultBudget({ maxBytes: MAX, sink: () => (asked.open(), sink.promise) })
        const stages = order.map(name => (name === 'budget' ? budget : redact()))
        const registry = createToolRegistry({ tools: [tool], stages, abortGraceMs: 50 })
        if (moment === 'before') controller.abort()
        const running = registry.execute({ callId: '1', name: 'tool', signal: controller.signal })
        await settle()
        if (moment === 'body') controller.abort()
        body.open(BODY)
        if (moment === 'sink' || moment === 'after') await asked.promise
        if (moment === 'sink') controller.abort()
        sink.open('r://1')
        const result = await running
        controller.abort()
        const expected = { before: 'ABORTED_BEFORE_DISPATCH', body: 'ABORTED', sink: 'ABORTED', after: 'ok' }
        expect([moment, codesOf([result])]).toEqual([moment, [expected[moment]]])
        expect(tool.runs()).toBe(moment === 'before' ? 0 : 1)
        isClean([result])
      }
  })

  it('hold for a thousand calls at once, each with its own', async () => {
    const tool = countedTool('tool', ({ i }) => `${i} ${GITHUB} ${'x'.repeat(i % 2 === 0 ? 5_000 : 10)}`, {
      isConcurrencySafe: () => true,
    })
    const registry = createToolRegistry({
      tools: [tool],
      stages: [make.budget?.() as Stages, make.redact?.() as Stages],
      maxParallelCalls: 100,
    })
    const inputs = Array.from({ length: 1_000 }, (_, i) => ({
      callId: `${i}`,
      name: 'tool',
      arguments: { i },
    }))
    const results = await registry.executeAll(inputs)
    isClean(results)
    for (const [i, result] of results.entries()) {
      expect(result.isError === false && String(result.value).startsWith(`${i} [redacted`)).toBe(true)
      expect(result.meta).toMatchObject({ redacted: { count: 1 } })
      expect(result.meta?.resultBudget === undefined).toBe(i % 2 === 1)
    }
  })
})
