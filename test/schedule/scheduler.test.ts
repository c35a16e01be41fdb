/**
 * Decided otherwise:
 * - SCH-01 neither strictly one after the other nor by groups: barriers, and between them a pool that rolls.
 */
import { createToolRegistry, defineTool, type Stages } from 'toolgate'
import { describe, expect, it } from 'vitest'
import { countedTool, gate, settle } from '../support/tools.js'
import { call, codeOf, SAFE, setup } from './support.js'

/** Notes the step of the pipeline that a call takes. */
const noting = (log: string[]): Stages => ({
  preExecute: async ({ callId }, next) => {
    log.push(`pre ${callId}`)
    await settle()
    log.push(`pre done ${callId}`)
    return next()
  },
  guard: ({ callId }) => void log.push(`guard ${callId}`),
  postExecute: async ({ callId }, _result, next) => {
    log.push(`post ${callId}`)
    await settle()
    log.push(`post done ${callId}`)
    return next()
  },
  onResult: ({ callId }) => void log.push(`result ${callId}`),
})

describe('the scheduler', () => {
  it('lets calls overlap between barriers (SCH-01)', async () => {
    const { registry, running, open } = setup()
    const pending = registry.executeAll([call('1', 'read'), call('2', 'read'), call('3', 'write')])
    await settle()
    expect(running()).toEqual(['1', '2'])
    await open('2', '1', '3')
    expect((await pending).map(codeOf)).toEqual(['ok', 'ok', 'ok'])
  })

  it('runs an exclusive call alone, a barrier both ways (SCH-04)', async () => {
    const { registry, running, open } = setup()
    const names = ['read', 'read', 'write', 'write', 'read', 'read']
    const pending = registry.executeAll(names.map((name, i) => call(`${i}`, name)))
    const seen: string[][] = []
    const look = async (...ids: string[]) => {
      await settle()
      seen.push(running())
      await open(...ids)
    }
    await look('0')
    await look('1')
    await look('2')
    await look('3')
    await look('5', '4')
    expect(seen).toEqual([['0', '1'], ['1'], ['2'], ['3'], ['4', '5']])
    await pending
  })

  it.each([
    [undefined, 10],
    [1, 1],
    [3, 3],
    [50, 12],
  ])('has a pool of maxParallelCalls %s: %i of twelve calls run (SCH-04)', async (max, expected) => {
    const { registry, running, open } = setup(max === undefined ? {} : { max })
    const ids = Array.from({ length: 12 }, (_, i) => `${i}`)
    const pending = registry.executeAll(ids.map(id => call(id, 'read')))
    await settle()
    expect(running()).toEqual(ids.slice(0, expected))
    for (const id of ids) await open(id)
    expect((await pending).map(codeOf)).toEqual(ids.map(() => 'ok'))
  })

  it('lets a batch have another pool than its registry, of one call at least (SCH-04)', async () => {
    const { registry, running, open } = setup({ max: 1 })
    const pending = registry.executeAll([call('1', 'read'), call('2', 'read')], { maxParallel: 2 })
    await settle()
    expect(running()).toEqual(['1', '2'])
    await open('1', '2')
    await pending
    for (const maxParallel of [0, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY, '2']) {
      const invalid = expect.objectContaining({ code: 'INVALID_OPTIONS' })
      await expect(registry.executeAll([], { maxParallel: maxParallel as never })).rejects.toEqual(invalid)
      expect(() => createToolRegistry({ maxParallelCalls: maxParallel as never })).toThrow(invalid)
    }
  })

  it('fills a slot as soon as any call ends, whichever it is (SCH-05)', async () => {
    const { registry, running, open } = setup({ max: 2 })
    const pending = registry.executeAll(['1', '2', '3', '4', '5'].map(id => call(id, 'read')))
    await settle()
    const seen = [running()]
    for (const id of ['2', '3', '4']) {
      await open(id)
      seen.push(running())
    }
    expect(seen).toEqual([
      ['1', '2'],
      ['1', '3'],
      ['1', '4'],
      ['1', '5'],
    ])
    await open('5', '1')
    await pending
  })

  it('lets nothing but bodies overlap: policy and observers see one call at a time, in order (SCH-06)', async () => {
    const log: string[] = []
    const { registry, open, running } = setup({ stages: [noting(log)] })
    const pending = registry.executeAll(['1', '2', '3'].map(id => call(id, 'read')))
    while (running().length < 3) await settle()
    await open('3', '1')
    await open('2')
    await pending
    const opened = ['1', '2', '3'].flatMap(id => [`pre ${id}`, `pre done ${id}`, `guard ${id}`])
    const closed = ['1', '2', '3'].flatMap(id => [`post ${id}`, `post done ${id}`, `result ${id}`])
    expect(log).toEqual([...opened, ...closed])
  })

  it('asks no policy about a call while another one is judged afterwards (SCH-06)', async () => {
    const log: string[] = []
    const { registry, open, running } = setup({ max: 1, stages: [noting(log)] })
    const pending = registry.executeAll(['1', '2'].map(id => call(id, 'read')))
    for (const id of ['1', '2']) {
      while (running().length === 0) await settle()
      await open(id)
    }
    await pending
    expect(log).toEqual(
      ['1', '2'].flatMap(id => [
        `pre ${id}`,
        `pre done ${id}`,
        `guard ${id}`,
        `post ${id}`,
        `post done ${id}`,
        `result ${id}`,
      ]),
    )
  })

  it('commits results and contexts in order: a fast call waits for the slow one before it (SCH-07)', async () => {
    const first = gate()
    const defers = countedTool(
      'defers',
      async (_args, context) => {
        if (context.callId === '1') await first.promise
        context.deferContext({ source: context.callId, content: [] })
      },
      SAFE,
    )
    const { registry } = setup({ tools: [defers] })
    const heard: string[] = []
    registry.on('result', ({ callId }) => heard.push(callId))
    const pending = registry.executeAll(['1', '2', '3'].map(id => call(id, 'defers')))
    await settle()
    expect([defers.runs(), heard]).toEqual([3, []])
    first.open()
    const results = await pending
    expect(heard).toEqual(['1', '2', '3'])
    expect(results.map(result => result.additionalContexts?.map(({ source }) => source))).toEqual([
      ['1'],
      ['2'],
      ['3'],
    ])
  })

  it('gives no slot to a call that ended in preparation, and commits it in order (SCH-09)', async () => {
    const denied = countedTool('denied', undefined, SAFE)
    const invalid = defineTool({
      name: 'invalid',
      description: 'Has arguments.',
      parameters: { n: { type: 'number', required: true } },
      isConcurrencySafe: () => true,
      execute: () => 'never',
    })
    const { registry, running, open } = setup({
      max: 2,
      tools: [denied, invalid],
      stages: [
        {
          preExecute: ({ name }, next) => (name === 'denied' ? { kind: 'deny', reason: 'no' } : next()),
        },
      ],
    })
    const heard: string[] = []
    registry.on('result', ({ callId }) => heard.push(callId))
    const pending = registry.executeAll([
      call('1', 'read'),
      call('2', 'denied'),
      call('3', 'denied'),
      call('4', 'read'),
    ])
    await settle()
    expect([running(), heard]).toEqual([['1', '4'], []])
    await open('1')
    expect(heard).toEqual(['1', '2', '3'])
    await open('4')
    expect((await pending).map(codeOf)).toEqual(['ok', 'DENIED', 'DENIED', 'ok'])
    expect(denied.runs()).toBe(0)
  })
})
