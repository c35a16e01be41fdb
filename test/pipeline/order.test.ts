import { createToolRegistry, type Stages } from 'toolgate'
import { describe, expect, it } from 'vitest'
import { countedTool, isDeepFrozen } from '../support/tools.js'

function recorder(name: string, log: string[]): Stages {
  return {
    name,
    preExecute: async (_call, next) => {
      log.push(`${name} pre in`)
      const decision = await next()
      log.push(`${name} pre out`)
      return decision
    },
    guard: () => {
      log.push(`${name} guard`)
      return undefined
    },
    execute: async (_call, next) => {
      log.push(`${name} around in`)
      const result = await next()
      log.push(`${name} around out`)
      return result
    },
    postExecute: async (_call, _result, next) => {
      log.push(`${name} post in`)
      const decision = await next()
      log.push(`${name} post out`)
      return decision
    },
    onResult: () => log.push(`${name} result`),
  }
}

describe('the order of one call', () => {
  it('is pre, guards, around, body, post, finalizer, observers; the registry outside its scopes (PIPE-01)', async () => {
    const log: string[] = []
    const registry = createToolRegistry({
      tools: [
        countedTool('work', () => log.push('body') && 'ok', {
          finalizeContent: () => {
            log.push('finalize')
            return undefined
          },
        }),
      ],
      stages: [recorder('root', log)],
      scopes: [{ id: 'child', stages: [recorder('child', log)] }],
    })
    registry.on('result', () => log.push('event'))
    await registry.execute({ callId: '1', name: 'work', scope: 'child' })
    expect(log).toEqual([
      'root pre in',
      'child pre in',
      'child pre out',
      'root pre out',
      'root guard',
      'child guard',
      'root around in',
      'child around in',
      'body',
      'child around out',
      'root around out',
      'root post in',
      'child post in',
      'child post out',
      'root post out',
      'finalize',
      'root result',
      'child result',
      'event',
    ])
  })

  it('hands every stage the same frozen record and the same frozen arguments (PIPE-19)', async () => {
    const calls = new Set<unknown>()
    const args = new Set<unknown>()
    const see = (call: { arguments: unknown }): void => {
      calls.add(call)
      args.add(call.arguments)
    }
    const registry = createToolRegistry({
      tools: [countedTool('work', given => (args.add(given), 'ok'))],
      stages: [
        {
          preExecute: (call, next) => (see(call), next()),
          guard: call => (see(call), undefined),
          execute: (call, next) => (args.add(call.arguments), next()),
          postExecute: (call, _result, next) => (see(call), next()),
          onResult: see,
        },
      ],
    })
    const given = { nested: { list: [1, 2] } }
    await registry.execute({ callId: '1', name: 'work', arguments: given })
    expect(calls.size).toBe(1)
    expect(args.size).toBe(1)
    expect([...args][0]).toEqual(given)
    expect([...args][0]).not.toBe(given)
    expect(isDeepFrozen([...args][0])).toBe(true)
    expect(Object.isFrozen([...calls][0])).toBe(true)
    expect(Object.isFrozen(given)).toBe(false)
  })

  it('gives the caller and the observers the very same deeply frozen result, once (PIPE-19)', async () => {
    const seen: unknown[] = []
    const registry = createToolRegistry({
      tools: [countedTool('work', () => [{ type: 'text', text: 'a' }])],
      stages: [{ onResult: (_call, result) => seen.push(result) }],
    })
    registry.on('result', ({ result }) => seen.push(result))
    const result = await registry.execute({ callId: '1', name: 'work' })
    expect(seen).toEqual([result, result])
    expect(seen.every(one => one === result)).toBe(true)
    expect(isDeepFrozen(result)).toBe(true)
  })

  it('keeps the outcome whatever observers do, and reports their faults (PIPE-20)', async () => {
    const faults: unknown[] = []
    const registry = createToolRegistry({
      tools: [countedTool('work')],
      stages: [
        {
          name: 'bad',
          onResult: () => {
            throw new Error('observer threw')
          },
        },
        { name: 'worse', onResult: () => Promise.reject(new Error('observer rejected')) },
      ],
    })
    registry.on('observer-error', ({ event, error }) => faults.push([event, (error as Error).message]))
    registry.on('result', () => {
      throw new Error('listener threw')
    })
    const heard: string[] = []
    registry.on('result', ({ callId }) => heard.push(callId))
    const result = await registry.execute({ callId: '1', name: 'work' })
    await Promise.resolve()
    expect(result.isError).toBe(false)
    expect(heard).toEqual(['1'])
    expect(faults).toEqual([
      ['onResult of bad', 'observer threw'],
      ['result', 'listener threw'],
      ['onResult of worse', 'observer rejected'],
    ])
  })
})
