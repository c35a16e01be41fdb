import { createToolRegistry } from 'toolgate'
import { describe, expect, it } from 'vitest'
import { countedTool, type Gate, gate, settle } from '../support/tools.js'

function setup(options: { max?: number } = {}) {
  const gates = new Map<string, Gate<string>>()
  const log: string[] = []
  const body = async (_args: unknown, { callId }: { callId: string }) => {
    log.push(`start ${callId}`)
    const own = gate<string>()
    gates.set(callId, own)
    const value = await own.promise
    log.push(`end ${callId}`)
    return value
  }
  const registry = createToolRegistry({
    tools: [
      countedTool('read', body, { isConcurrencySafe: () => true }),
      countedTool('write', body),
      countedTool('edit', body, { resourceKeys: ({ path }) => [path] }),
    ],
    maxParallelCalls: options.max ?? 10,
  })
  const open = async (...ids: string[]) => {
    for (const id of ids) {
      gates.get(id)?.open(id)
      await settle()
    }
  }
  return { registry, log, open }
}
const call = (callId: string, name: string, args = {}) => ({ callId, name, arguments: args })

describe('a batch', () => {
  it('overlaps safe calls, runs exclusive ones alone, and answers in order', async () => {
    const { registry, log, open } = setup()
    const pending = registry.executeAll([
      call('r1', 'read'),
      call('r2', 'read'),
      call('w', 'write'),
      call('r3', 'read'),
    ])
    await settle()
    expect(log).toEqual(['start r1', 'start r2'])
    await open('r2')
    expect(log).toEqual(['start r1', 'start r2', 'end r2'])
    await open('r1')
    expect(log.at(-1)).toBe('start w')
    await open('w')
    expect(log.at(-1)).toBe('start r3')
    await open('r3')
    expect((await pending).map(r => r.callId)).toEqual(['r1', 'r2', 'w', 'r3'])
  })

  it('refills its pool as soon as a call ends', async () => {
    const { registry, log, open } = setup({ max: 2 })
    const pending = registry.executeAll(['a', 'b', 'c', 'd'].map(id => call(id, 'read')))
    await settle()
    expect(log).toEqual(['start a', 'start b'])
    await open('b')
    expect(log.at(-1)).toBe('start c')
    await open('a', 'c', 'd')
    expect((await pending).map(r => r.isError)).toEqual([false, false, false, false])
  })

  it('overlaps keyed calls whose keys differ and keeps the order of those that share one', async () => {
    const { registry, log, open } = setup()
    const pending = registry.executeAll([
      call('x1', 'edit', { path: 'x' }),
      call('y1', 'edit', { path: 'y' }),
      call('x2', 'edit', { path: 'x' }),
    ])
    await settle()
    expect(log).toEqual(['start x1', 'start y1'])
    await open('x1')
    expect(log.at(-1)).toBe('start x2')
    await open('y1', 'x2')
    expect(await pending).toHaveLength(3)
  })

  it('answers each id once: a call that cannot be made has its id all the same', async () => {
    const tool = countedTool('work')
    const registry = createToolRegistry({ tools: [tool] })
    const spoilt = [{ name: '' }, { signal: 1 }, { scope: 'nowhere' }, { arguments: '{' }, { parent: {} }]
    for (const fields of spoilt) {
      const first = { callId: '1', name: 'work', ...fields } as never
      const results = await registry.executeAll([first, { callId: '1', name: 'work' }])
      expect(results[1]).toMatchObject({ error: { code: 'DUPLICATE_CALL_ID' } })
    }
    expect(tool.runs()).toBe(0)
  })

  it('gives every call exactly one result, duplicates, strangers and malformed ones too', async () => {
    const { registry, open } = setup()
    const pending = registry.executeAll([
      call('1', 'read'),
      call('1', 'read'),
      call('2', 'ghost'),
      null as never,
    ])
    await settle()
    await open('1')
    const results = await pending
    expect(results.map(r => (r.isError ? r.error.code : 'ok'))).toEqual([
      'ok',
      'DUPLICATE_CALL_ID',
      'UNKNOWN_TOOL',
      'INVALID_CALL',
    ])
  })

  it('answers for the holes of a sparse batch too', async () => {
    const { registry } = setup()
    const results = await registry.executeAll(new Array(3))
    expect(results.map(r => (r.isError ? r.error.code : 'ok'))).toEqual(Array(3).fill('INVALID_CALL'))
  })

  it('after an abort starts nothing more, waits for what runs, and answers for the rest', async () => {
    const { registry, log, open } = setup({ max: 1 })
    const controller = new AbortController()
    const pending = registry.executeAll([call('a', 'read'), call('b', 'read'), call('c', 'write')], {
      signal: controller.signal,
    })
    await settle()
    controller.abort()
    await open('a')
    const results = await pending
    expect(results.map(r => (r.isError ? r.error.code : 'ok'))).toEqual([
      'ABORTED',
      'ABORTED_BEFORE_DISPATCH',
      'ABORTED_BEFORE_DISPATCH',
    ])
    expect(log).toEqual(['start a', 'end a'])
  })

  it('streams results as they commit, and stops cleanly when the consumer leaves', async () => {
    const { registry, log, open } = setup({ max: 1 })
    const seen: string[] = []
    const loop = (async () => {
      for await (const result of registry.executeEach(['a', 'b', 'c'].map(id => call(id, 'read')))) {
        seen.push(result.callId)
        break
      }
    })()
    await settle()
    await open('a')
    await open('b')
    await loop
    expect(seen).toEqual(['a'])
    expect(log.filter(line => line.startsWith('start'))).not.toContain('start c')
  })

  it('tells the mode of a call', () => {
    const { registry } = setup()
    expect(registry.executionMode(call('1', 'read'))).toEqual({ kind: 'parallel' })
    expect(registry.executionMode(call('1', 'write'))).toEqual({ kind: 'exclusive' })
    expect(registry.executionMode(call('1', 'ghost'))).toEqual({ kind: 'exclusive' })
    expect(registry.executionMode(call('1', 'edit', { path: 'p' }))).toEqual({
      kind: 'parallel',
      resourceKeys: ['p'],
    })
    expect(registry.executionMode(call('1', 'edit'))).toEqual({ kind: 'exclusive' })
  })

  it.each([
    ['a controller', new AbortController()],
    ['an object', {}],
    ['null', null],
    ['a text', 'x'],
    ['an object with the prototype of one', Object.create(AbortSignal.prototype)],
  ])('refuses %s as its signal', async (_what, signal) => {
    const tool = countedTool('work')
    const registry = createToolRegistry({ tools: [tool] })
    const inputs = [{ callId: '1', name: 'work' }]
    const invalid = expect.objectContaining({ code: 'INVALID_OPTIONS' })
    await expect(registry.executeAll(inputs, { signal: signal as never })).rejects.toEqual(invalid)
    expect(() => registry.executeEach(inputs, { signal: signal as never })).toThrow(invalid)
    expect(tool.runs()).toBe(0)
  })
})
