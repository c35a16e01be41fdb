import { getEventListeners, once } from 'node:events'
import { Readable } from 'node:stream'
import { createToolRegistry } from 'toolgate'
import { describe, expect, it } from 'vitest'
import { countedTool, gate, settle } from '../support/tools.js'
import { call, codeOf, gated, SAFE } from './support.js'

const abortable = (log: string[]) =>
  countedTool(
    'abortable',
    (_args, { callId, signal }) =>
      new Promise((_resolve, reject) => {
        log.push(`start ${callId}`)
        signal.addEventListener('abort', () => {
          log.push(`stopped ${callId}`)
          reject(signal.reason)
        })
      }),
    SAFE,
  )

function setup(max = 2) {
  const bodies = gated()
  const log: string[] = []
  const ended: string[] = []
  const registry = createToolRegistry({
    tools: [bodies.tool('read', SAFE), abortable(log)],
    maxParallelCalls: max,
  })
  registry.on('result', ({ result }) => ended.push(`${result.callId} ${codeOf(result)}`))
  return { registry, bodies, log, ended }
}

const inputs = [call('1', 'read'), call('2', 'abortable'), call('3', 'abortable'), call('4', 'read')]

describe('a batch that is streamed', () => {
  it('gives each result when it commits, in order', async () => {
    const { registry, bodies } = setup(3)
    const results = registry.executeEach(['1', '2', '3'].map(id => call(id, 'read')))
    const seen: string[] = []
    const consumed = (async () => {
      for await (const { callId } of results) seen.push(callId)
    })()
    await settle()
    await bodies.open('2')
    expect(seen).toEqual([])
    await bodies.open('1')
    expect(seen).toEqual(['1', '2'])
    await bodies.open('3')
    await consumed
    expect(seen).toEqual(['1', '2', '3'])
  })

  it('starts nothing before somebody asks for the first result', async () => {
    const { registry, bodies } = setup()
    const results = registry.executeEach(inputs)
    await settle()
    expect(bodies.log).toEqual([])
    await results.return()
    await settle()
    expect(bodies.log).toEqual([])
    expect(await results.next()).toEqual({ done: true, value: undefined })
  })

  it('goes on while the consumer is busy with a result', async () => {
    const { registry, bodies } = setup(1)
    const busy = gate()
    const consumed = (async () => {
      for await (const _result of registry.executeEach(['1', '2', '3'].map(id => call(id, 'read'))))
        await busy.promise
    })()
    await settle()
    await bodies.open('1', '2', '3')
    expect(bodies.log.at(-1)).toBe('end 3')
    busy.open()
    await consumed
  })

  it('is aborted when the consumer breaks off: what runs is stopped and waited for, the rest never starts', async () => {
    const { registry, bodies, log, ended } = setup()
    let left = false
    const consumed = (async () => {
      for await (const _result of registry.executeEach(inputs)) break
      left = true
    })()
    await settle()
    expect(log).toEqual(['start 2'])
    await bodies.open('1')
    await consumed
    expect(left).toBe(true)
    expect(log).toEqual(['start 2', 'stopped 2'])
    expect(ended).toEqual(['1 ok', '2 ABORTED', '3 ABORTED_BEFORE_DISPATCH', '4 ABORTED_BEFORE_DISPATCH'])
  })

  it.each([0, 1, 2, 3])(
    'starts nothing more once the consumer has left, through %i generators',
    async relays => {
      async function* relay<T>(source: AsyncIterable<T>): AsyncGenerator<T> {
        for await (const item of source) yield item
      }
      const tool = countedTool('now')
      const registry = createToolRegistry({ tools: [tool] })
      let source: AsyncIterable<unknown> = registry.executeEach(['1', '2', '3'].map(id => call(id, 'now')))
      for (let i = 0; i < relays; i++) source = relay(source)
      for await (const _result of source) break
      expect(tool.runs()).toBe(1)
    },
  )

  it('is aborted when the consumer throws, whose error stands', async () => {
    const { registry, bodies, log, ended } = setup()
    const failure = new Error('the consumer is full')
    const consume = async (): Promise<void> => {
      for await (const _result of registry.executeEach(inputs)) throw failure
    }
    const rejected = expect(consume()).rejects.toBe(failure)
    await settle()
    await bodies.open('1')
    await rejected
    expect(log).toEqual(['start 2', 'stopped 2'])
    expect(ended.length).toBe(4)
  })

  it('is aborted when it is told to throw', async () => {
    const { registry, bodies, ended } = setup()
    const results = registry.executeEach(inputs)
    const first = results.next()
    await settle()
    await bodies.open('1')
    expect((await first).value?.callId).toBe('1')
    const failure = new Error('enough')
    await expect(results.throw(failure)).rejects.toBe(failure)
    expect(ended.length).toBe(4)
  })

  it.each(['return', 'throw'] as const)(
    'is aborted by a %s while its consumer still waits for a result, which it gets',
    async end => {
      const { registry, log, bodies } = setup()
      const results = registry.executeEach(inputs.slice(1))
      const [first, second] = [results.next(), results.next()]
      await settle()
      expect(log).toEqual(['start 2', 'start 3'])
      const failure = new Error('enough')
      const ended = end === 'return' ? results.return() : results.throw(failure)
      const outcome = await Promise.race([ended.catch(error => error), settle().then(() => 'still waits')])
      expect(outcome).toEqual(end === 'return' ? { done: true, value: undefined } : failure)
      const given = [await first, await second].map(
        ({ value }) => `${value?.callId} ${codeOf(value ?? undefined)}`,
      )
      expect(given).toEqual(['2 ABORTED', '3 ABORTED'])
      expect(bodies.log).toEqual([])
      expect(await results.next()).toEqual({ done: true, value: undefined })
    },
  )

  it('is aborted when the stream that reads it is destroyed in the middle of a call', async () => {
    const { registry, log } = setup()
    const stream = Readable.from(registry.executeEach(inputs.slice(1, 3)))
    const closed = once(stream, 'close')
    stream.resume()
    await settle()
    stream.destroy()
    await closed
    await settle()
    expect(log).toEqual(['start 2', 'start 3', 'stopped 2', 'stopped 3'])
  })

  it('waits for a body that takes its time to stop', async () => {
    const stopping = gate()
    const slow = countedTool('slow', () => stopping.promise, SAFE)
    const { registry, bodies } = setup()
    registry.register(slow)
    let left = false
    const consumed = (async () => {
      for await (const _result of registry.executeEach([call('1', 'read'), call('2', 'slow')])) break
      left = true
    })()
    await settle()
    await bodies.open('1')
    await settle()
    expect([slow.runs(), left]).toEqual([1, false])
    stopping.open()
    await consumed
    expect(left).toBe(true)
  })

  it('follows the signal it was given, and leaves nothing on it however it ends', async () => {
    const endings: ((results: AsyncGenerator<unknown>) => Promise<unknown>)[] = [
      results => results.return(undefined),
      results => results.throw(new Error('enough')).catch(() => {}),
      async results => {
        for await (const _result of results);
      },
    ]
    for (const end of endings) {
      const { registry, bodies } = setup()
      const controller = new AbortController()
      const results = registry.executeEach([call('1', 'read'), call('2', 'abortable')], {
        signal: controller.signal,
      })
      const first = results.next()
      await settle()
      await bodies.open('1')
      await first
      expect(getEventListeners(controller.signal, 'abort').length).toBeGreaterThan(0)
      const ended = end(results)
      controller.abort()
      await ended
      expect(getEventListeners(controller.signal, 'abort')).toEqual([])
    }
  })

  it('leaves nothing on the signal when it was given no list of calls', async () => {
    const { registry } = setup()
    const { signal } = new AbortController()
    const invalid = expect.objectContaining({ code: 'INVALID_OPTIONS' })
    expect(() => registry.executeEach('calls' as never, { signal })).toThrow(invalid)
    await expect(registry.executeAll('calls' as never, { signal })).rejects.toEqual(invalid)
    expect(getEventListeners(signal, 'abort')).toEqual([])
  })

  it('aborts with the reason that the caller had', async () => {
    const reasons: unknown[] = []
    const tool = countedTool('tool', (_args, { signal }) => {
      return new Promise(resolve =>
        signal.addEventListener('abort', () => resolve(reasons.push(signal.reason))),
      )
    })
    const registry = createToolRegistry({ tools: [tool] })
    const controller = new AbortController()
    const first = registry.executeEach([call('1', 'tool')], { signal: controller.signal }).next()
    await settle()
    const reason = new Error('the user left')
    controller.abort(reason)
    expect(codeOf((await first).value as never)).toBe('ABORTED')
    expect(reasons).toEqual([reason])
  })
})
