import { createToolRegistry, type ToolDefinition } from 'toolgate'
import { describe, expect, it } from 'vitest'
import { countedTool, settle } from '../support/tools.js'
import { call, codeOf, gated, KEYED, SAFE } from './support.js'

function setup(max = 10, rest: Partial<ToolDefinition> = KEYED) {
  const bodies = gated()
  const registry = createToolRegistry({
    tools: [bodies.tool('edit', rest), bodies.tool('read', SAFE), bodies.tool('write')],
    maxParallelCalls: max,
  })
  return { registry, ...bodies }
}

const edit = (callId: string, ...keys: unknown[]) => call(callId, 'edit', { keys })

describe('resource keys', () => {
  it('let calls overlap whose keys have none in common', async () => {
    const { registry, running, open } = setup()
    const pending = registry.executeAll([edit('1', 'a', 'b'), edit('2', 'c'), edit('3', 'd'), edit('4', 'b')])
    await settle()
    expect(running()).toEqual(['1', '2', '3'])
    await open('2', '3')
    expect(running()).toEqual(['1'])
    await open('1')
    expect(running()).toEqual(['4'])
    await open('4')
    expect((await pending).map(codeOf)).toEqual(['ok', 'ok', 'ok', 'ok'])
  })

  it('overlap with safe calls and wait for exclusive ones', async () => {
    const { registry, running, open } = setup()
    const pending = registry.executeAll([
      edit('1', 'a'),
      call('2', 'read'),
      call('3', 'write'),
      edit('4', 'a'),
      call('5', 'read'),
    ])
    await settle()
    expect(running()).toEqual(['1', '2'])
    await open('1', '2')
    expect(running()).toEqual(['3'])
    await open('3')
    expect(running()).toEqual(['4', '5'])
    await open('5', '4')
    await pending
  })

  it('keep calls that share a key in the order they were made, whatever runs beside them', async () => {
    const { registry, running, open, log } = setup(3)
    const pending = registry.executeAll([
      edit('a1', 'a'),
      edit('b1', 'b'),
      edit('a2', 'a'),
      edit('b2', 'b'),
      edit('a3', 'a', 'b'),
      edit('b3', 'b'),
    ])
    const starts = () => log.filter(line => line.startsWith('start')).map(line => line.slice(6))
    await settle()
    expect(running()).toEqual(['a1', 'b1'])
    await open('b1')
    // b2 could run by its key, and has a2 before it: policy sees calls in order.
    expect(running()).toEqual(['a1'])
    await open('a1')
    expect(running()).toEqual(['a2', 'b2'])
    await open('b2')
    expect(running()).toEqual(['a2'])
    await open('a2')
    expect(running()).toEqual(['a3'])
    await open('a3')
    expect(running()).toEqual(['b3'])
    await open('b3')
    expect(starts()).toEqual(['a1', 'b1', 'a2', 'b2', 'a3', 'b3'])
    await pending
  })

  it('starve nobody: a call that waits is the next one to start, however many free ones come after it', async () => {
    const { registry, running, open } = setup(2)
    const pending = registry.executeAll([
      edit('held', 'a'),
      edit('waits', 'a'),
      ...Array.from({ length: 20 }, (_, i) => call(`free ${i}`, 'read')),
    ])
    await settle()
    expect(running()).toEqual(['held'])
    await open('held')
    expect(running()).toEqual(['waits', 'free 0'])
    for (let i = 0; i < 20; i++) await open(`free ${i}`)
    expect(running()).toEqual(['waits'])
    await open('waits')
    expect((await pending).every(result => !result.isError)).toBe(true)
  })

  it('are held until the result is judged, like the barrier of an exclusive call', async () => {
    const log: string[] = []
    const bodies = gated()
    const registry = createToolRegistry({
      tools: [bodies.tool('edit', KEYED), bodies.tool('read', SAFE)],
      stages: [
        {
          preExecute: ({ callId }, next) => (log.push(`pre ${callId}`), next()),
          postExecute: async ({ callId }, _result, next) => {
            await settle()
            log.push(`post ${callId}`)
            return next()
          },
        },
      ],
    })
    const pending = registry.executeAll([call('0', 'read'), edit('1', 'a'), edit('2', 'a')])
    await settle()
    await bodies.open('1')
    expect(bodies.running()).toEqual(['0'])
    await bodies.open('0')
    while (bodies.running().length === 0) await settle()
    expect(log).toEqual(['pre 0', 'pre 1', 'post 0', 'post 1', 'pre 2'])
    await bodies.open('2')
    await pending
  })

  it('are released by calls that are denied, throw or are named twice in one call', async () => {
    const bodies = gated()
    const failing = countedTool(
      'fail',
      () => {
        throw new Error('no')
      },
      KEYED,
    )
    const denied = countedTool('denied', undefined, KEYED)
    const registry = createToolRegistry({
      tools: [bodies.tool('edit', KEYED), failing, denied],
      stages: [{ guard: ({ name }) => (name === 'denied' ? 'no' : undefined) }],
    })
    const pending = registry.executeAll([
      call('1', 'fail', { keys: ['a', 'a'] }),
      call('2', 'denied', { keys: ['a'] }),
      edit('3', 'a', 'a', 'b'),
      edit('4', 'a'),
      edit('5', 'b'),
    ])
    await settle()
    expect(bodies.running()).toEqual(['3'])
    await bodies.open('3')
    expect(bodies.running()).toEqual(['4', '5'])
    await bodies.open('5', '4')
    expect((await pending).map(codeOf)).toEqual(['TOOL_FAILED', 'GUARD_DENIED', 'ok', 'ok', 'ok'])
    expect([failing.runs(), denied.runs()]).toEqual([1, 0])
  })

  it('are compared as the tool gives them: the tool normalises, the scheduler does not', async () => {
    const same = setup(10, { resourceKeys: ({ keys }) => keys.map((key: string) => key.toLowerCase()) })
    const pending = same.registry.executeAll([edit('1', 'A.md'), edit('2', 'a.md')])
    await settle()
    expect(same.running()).toEqual(['1'])
    await same.open('1', '2')
    await pending

    const given = setup()
    const others = given.registry.executeAll([
      edit('1', 'A.md'),
      edit('2', 'a.md'),
      edit('3', '__proto__', ''),
    ])
    await settle()
    expect(given.running()).toEqual(['1', '2', '3'])
    await given.open('1', '2', '3')
    await others
  })

  it('without any a call touches nothing: it is like a safe one', async () => {
    const { registry, running, open } = setup()
    const pending = registry.executeAll([edit('1'), edit('2'), edit('3', 'a')])
    await settle()
    expect(running()).toEqual(['1', '2', '3'])
    await open('1', '2', '3')
    await pending
  })

  it.each<[string, () => unknown]>([
    ['no array', () => 'a'],
    ['nothing', () => undefined],
    ['a set', () => new Set(['a'])],
    ['a promise', () => Promise.resolve(['a'])],
    ['a rejection', () => Promise.reject(new Error('no'))],
    ['a key that is no text', () => ['a', 1]],
    ['a hole', () => [, 'a']],
    ['only holes', () => new Array(2)],
    ['a text object', () => [new String('a')]],
  ])('that are %s make a call exclusive', (_what, keys) => {
    const registry = createToolRegistry({
      tools: [countedTool('edit', undefined, { resourceKeys: keys as never })],
    })
    expect(registry.executionMode(call('1', 'edit'))).toEqual({ kind: 'exclusive' })
  })

  it('that cannot be read make a call exclusive, and an array that changes its mind is read once', () => {
    let reads = 0
    const fickle = new Proxy(['a'], {
      get: (target, key, receiver) => {
        if (key === '0') reads++
        return key === '0' && reads > 1 ? 1 : Reflect.get(target, key, receiver)
      },
    })
    const throwing = new Proxy(['a'], {
      get: () => {
        throw new Error('no')
      },
    })
    const registry = createToolRegistry({
      tools: [
        countedTool('fickle', undefined, { resourceKeys: () => fickle }),
        countedTool('throwing', undefined, { resourceKeys: () => throwing }),
      ],
    })
    expect(registry.executionMode(call('1', 'fickle'))).toEqual({ kind: 'parallel', resourceKeys: ['a'] })
    expect(registry.executionMode(call('1', 'throwing'))).toEqual({ kind: 'exclusive' })
  })

  it('are not asked for where a call is safe anyway', () => {
    let asked = 0
    const both: Partial<ToolDefinition> = {
      isConcurrencySafe: ({ safe }) => safe,
      resourceKeys: () => {
        asked++
        return ['a']
      },
    }
    const registry = createToolRegistry({ tools: [countedTool('both', undefined, both)] })
    expect(registry.executionMode(call('1', 'both', { safe: true }))).toEqual({ kind: 'parallel' })
    expect(asked).toBe(0)
    expect(registry.executionMode(call('1', 'both', { safe: false }))).toEqual({
      kind: 'parallel',
      resourceKeys: ['a'],
    })
  })
})
