import { createToolRegistry, type ToolDefinition } from 'toolgate'
import { describe, expect, it } from 'vitest'
import { countedTool, gate, settle } from '../support/tools.js'
import { call, codeOf, SAFE } from './support.js'

const COUNT = 10_000

/** Counts what is put on a signal. */
function watched() {
  const controller = new AbortController()
  const { signal } = controller
  const counts = { now: 0, most: 0 }
  const add = signal.addEventListener.bind(signal)
  const remove = signal.removeEventListener.bind(signal)
  signal.addEventListener = ((...args: Parameters<typeof add>) => {
    counts.now++
    counts.most = Math.max(counts.most, counts.now)
    add(...args)
  }) as typeof add
  signal.removeEventListener = ((...args: Parameters<typeof remove>) => {
    counts.now--
    remove(...args)
  }) as typeof remove
  return { controller, signal, counts }
}

/** A tool whose first call ends after all others have, and how often it was asked for its mode. */
function slowHead(rest: (ask: () => void) => Partial<ToolDefinition>) {
  const others = gate()
  let left = COUNT - 1
  let asked = 0
  const tool = countedTool(
    'tool',
    async ({ i }) => {
      if (i === 0) await others.promise
      else if (--left === 0) others.open()
      return `${i}`
    },
    rest(() => {
      asked++
    }),
  )
  return { tool, asked: () => asked }
}

const inputs = Array.from({ length: COUNT }, (_, i) => call(`${i}`, 'tool', { i }))
const ids = inputs.map(({ callId }) => callId)

describe('ten thousand calls', () => {
  it('on one signal put one listener on it, and leave none', async () => {
    const { signal, counts } = watched()
    const tool = countedTool(
      'tool',
      async (_args, context) => {
        context.signal.addEventListener('abort', () => {})
        await undefined
      },
      SAFE,
    )
    const registry = createToolRegistry({ tools: [tool] })
    const results = await registry.executeAll(
      inputs.map(input => ({ ...input, signal })),
      { signal },
    )
    expect(results.every(result => !result.isError)).toBe(true)
    expect([tool.runs(), counts]).toEqual([COUNT, { now: 0, most: 1 }])
  })

  it('that are aborted at once run nothing, have a result each, and leave nothing on the signal', async () => {
    const { controller, signal, counts } = watched()
    const tool = countedTool('tool', () => new Promise(resolve => void settle().then(resolve)), SAFE)
    const registry = createToolRegistry({ tools: [tool], maxParallelCalls: 3 })
    const pending = registry.executeAll(inputs, { signal })
    await settle()
    controller.abort()
    const results = await pending
    expect(results.map(({ callId }) => callId)).toEqual(ids)
    expect(results.filter(result => codeOf(result) === 'ABORTED_BEFORE_DISPATCH').length).toBe(
      COUNT - tool.runs(),
    )
    expect(tool.runs()).toBeLessThan(COUNT / 2)
    expect(counts.now).toBe(0)
  })

  it.each<[string, (ask: () => void) => Partial<ToolDefinition>]>([
    ['safe', ask => ({ isConcurrencySafe: () => (ask(), true) })],
    ['keyed', ask => ({ resourceKeys: ({ i }) => (ask(), [`${i}`, `also ${i}`]) })],
  ])(
    'that are %s behind a slow one run on, commit in order, and are asked for their mode a few times each',
    async (_what, rest) => {
      const { tool, asked } = slowHead(rest)
      const registry = createToolRegistry({ tools: [tool] })
      const heard: string[] = []
      registry.on('result', ({ callId }) => heard.push(callId))
      const results = await registry.executeAll(inputs)
      expect(results.map(result => !result.isError && result.value)).toEqual(ids)
      expect(heard).toEqual(ids)
      expect(asked()).toBeLessThanOrEqual(2 * COUNT)
    },
  )

  it('that share a key run one after the other, in order, and are asked for it a few times each', async () => {
    let asked = 0
    const order: number[] = []
    const tool = countedTool(
      'tool',
      async ({ i }) => {
        await undefined
        order.push(i)
      },
      { resourceKeys: () => (asked++, ['the same']) },
    )
    const registry = createToolRegistry({ tools: [tool] })
    const results = await registry.executeAll(inputs)
    expect(results.every(result => !result.isError)).toBe(true)
    expect(order).toEqual(inputs.map((_, i) => i))
    expect(asked).toBeLessThanOrEqual(3 * COUNT)
  })

  it('are streamed one by one, and stop when the consumer has seen enough', async () => {
    const tool = countedTool('tool', async () => 'ok', SAFE)
    const registry = createToolRegistry({ tools: [tool] })
    const seen: string[] = []
    const { signal, counts } = watched()
    for await (const { callId } of registry.executeEach(inputs, { signal })) {
      seen.push(callId)
      if (seen.length === 100) break
    }
    expect(seen).toEqual(ids.slice(0, 100))
    expect(tool.runs()).toBeLessThan(COUNT)
    expect(counts).toEqual({ now: 0, most: 1 })
  })
})
