import {
  type CircuitBreakerOptions,
  circuitBreaker,
  createToolRegistry,
  type Stages,
  ToolgateError,
} from 'toolgate'
import { describe, expect, it } from 'vitest'
import { countedTool, type Gate, gate } from '../support/tools.js'
import { codeOf, codesOf, errorOf, never, pass, virtualTime, watch } from './support.js'

virtualTime()

/** A tool that ends each call as it is told to: `ok`, or a code. */
const setup = (options: Partial<CircuitBreakerOptions> = {}, around: readonly Stages[] = []) => {
  const ends: (string | Gate<string>)[] = []
  const tool = countedTool('work', async () => {
    const end = ends.shift() ?? 'ok'
    const code = typeof end === 'string' ? end : await end.promise
    if (code !== 'ok') throw new ToolgateError(code, 'it failed')
    return 'done'
  })
  const breaker = circuitBreaker({ failures: 3, resetAfterMs: 1_000, ...options })
  const registry = createToolRegistry({ tools: [tool, countedTool('other')], stages: [...around, breaker] })
  let calls = 0
  const call = async (end?: string | Gate<string>, rest: object = {}): Promise<string> => {
    if (end !== undefined) ends.push(end)
    return codeOf(await registry.execute({ callId: `${++calls}`, name: 'work', ...rest }))
  }
  const open = async () => {
    for (let failed = 0; failed < 3; failed++) await call('TOOL_FAILED')
  }
  return { tool, registry, call, open }
}

describe('a circuit', () => {
  it('opens after so many failures in a row: calls fail and say when to try again; the tool does not run', async () => {
    const { registry, call, tool } = setup()
    expect([await call('TOOL_FAILED'), await call('TOOL_TIMEOUT'), await call('TOOL_FAILED')]).toEqual([
      'TOOL_FAILED',
      'TOOL_TIMEOUT',
      'TOOL_FAILED',
    ])
    await pass(400)
    const message = 'Tool "work" did not run: it has failed too often. Try again in 600 ms, or another way'
    expect(await registry.execute({ callId: 'x', name: 'work' })).toEqual({
      callId: 'x',
      name: 'work',
      isError: true,
      error: { code: 'CIRCUIT_OPEN', name: 'ToolgateError', message, details: { retryAfterMs: 600 } },
      content: [{ type: 'text', text: `Error: ${message}` }],
    })
    expect(tool.runs()).toBe(3)
    expect(codeOf(await registry.execute({ callId: 'y', name: 'other' }))).toBe('ok')
  })

  it('counts anew after a success', async () => {
    const { call } = setup()
    for (const end of ['TOOL_FAILED', 'TOOL_FAILED', 'ok', 'TOOL_FAILED', 'TOOL_FAILED', 'ok'])
      expect(await call(end)).toBe(end)
  })

  it('neither counts nor forgives what says nothing of the tool', async () => {
    const { call, tool } = setup()
    for (const code of ['TOOL_FAILED', 'INVALID_ARGS', 'TOOL_FAILED', 'QUOTA', 'DENIED', 'TOOL_FAILED'])
      expect(await call(code)).toBe(code)
    expect(await call()).toBe('CIRCUIT_OPEN')
    expect(tool.runs()).toBe(6)
  })

  it('counts the codes that are listed too', async () => {
    const { call } = setup({ codes: ['QUOTA'] })
    for (const code of ['QUOTA', 'TOOL_FAILED', 'QUOTA']) await call(code)
    expect(await call()).toBe('CIRCUIT_OPEN')
  })

  it('lets one call through after a while, and closes if that works', async () => {
    const { call, open, tool } = setup()
    await open()
    await pass(999)
    expect(await call()).toBe('CIRCUIT_OPEN')
    await pass(1)
    const trial = gate<string>()
    const tried = call(trial)
    await pass(0)
    expect([await call(), await call()]).toEqual(['CIRCUIT_OPEN', 'CIRCUIT_OPEN'])
    expect(tool.runs()).toBe(4)
    trial.open('ok')
    expect(await tried).toBe('ok')
    expect([await call('TOOL_FAILED'), await call('TOOL_FAILED'), await call()]).toEqual([
      'TOOL_FAILED',
      'TOOL_FAILED',
      'ok',
    ])
  })

  it('stays open for as long again if that fails, however often', async () => {
    const { call, open, tool } = setup()
    await open()
    for (let trial = 0; trial < 3; trial++) {
      await pass(1_000)
      expect(await call('TOOL_FAILED')).toBe('TOOL_FAILED')
      await pass(999)
      expect(await call()).toBe('CIRCUIT_OPEN')
      await pass(1)
      expect(await call('TOOL_FAILED')).toBe('TOOL_FAILED')
    }
    expect(tool.runs()).toBe(9)
  })

  it.each(['INVALID_ARGS', 'DENIED'])('lets another through if the one said nothing: %s', async code => {
    const { call, open } = setup()
    await open()
    await pass(1_000)
    expect([await call(code), await call('ok'), await call('ok')]).toEqual([code, 'ok', 'ok'])
  })

  it('lets another through if the one was aborted, or never ends', async () => {
    const { call, open, registry } = setup()
    await open()
    await pass(1_000)
    const controller = new AbortController()
    const hanging = gate<string>()
    const tried = call(hanging, { signal: controller.signal })
    await pass(10)
    controller.abort()
    hanging.open('TOOL_FAILED')
    expect(await tried).toBe('TOOL_FAILED')
    const endless = gate<string>()
    const second = watch(call(endless))
    await pass(999)
    expect(errorOf(await registry.execute({ callId: 'x', name: 'work' }))?.details).toEqual({
      retryAfterMs: 1,
    })
    await pass(1)
    expect(await call('ok')).toBe('ok')
    endless.open('TOOL_FAILED')
    await pass(0)
    expect(second.now()).toBe('TOOL_FAILED')
    expect(await call('ok')).toBe('ok')
  })

  it('is not moved by calls that began before it opened', async () => {
    const { call, open } = setup()
    const [good, bad] = [gate<string>(), gate<string>()]
    const early = [call(good), call(bad)]
    await pass(0)
    await open()
    await pass(500)
    bad.open('TOOL_FAILED')
    good.open('ok')
    expect(await Promise.all(early)).toEqual(['ok', 'TOOL_FAILED'])
    expect(await call()).toBe('CIRCUIT_OPEN')
    await pass(500)
    expect(await call('ok')).toBe('ok')
  })

  it('is one for each key; names that do not exist have none', async () => {
    const { call, registry } = setup({ failures: 1, key: ({ caller }) => caller as string })
    await call('TOOL_FAILED', { caller: 'ada' })
    expect([await call('ok', { caller: 'ada' }), await call('ok', { caller: 'bob' })]).toEqual([
      'CIRCUIT_OPEN',
      'ok',
    ])
    await registry.execute({ callId: 'x', name: 'missing', caller: 'eve' })
    expect(await call('ok', { caller: 'eve' })).toBe('ok')
  })

  it('counts calls of several tools that run at the same time, each for its own', async () => {
    const ends: Gate[] = []
    const body = () => {
      const end = gate()
      ends.push(end)
      return end.promise
    }
    const tools = ['one', 'two', 'three'].map(name => countedTool(name, body))
    const stages = [circuitBreaker({ failures: 2, resetAfterMs: 1_000 })]
    const registry = createToolRegistry({ tools, stages })
    const round = async () => {
      const calls = tools.map(({ name }) => registry.execute({ callId: name, name }))
      await pass(0)
      for (const end of ends.splice(0)) end.fail(new Error('no'))
      return codesOf(await Promise.all(calls))
    }
    expect([await round(), await round(), await round()]).toEqual([
      Array(3).fill('TOOL_FAILED'),
      Array(3).fill('TOOL_FAILED'),
      Array(3).fill('CIRCUIT_OPEN'),
    ])
  })

  it('does not count what a stage further in broke', async () => {
    const tool = countedTool('work')
    const broken: Stages = { execute: () => Promise.reject(new Error('oh')) }
    const stages = [circuitBreaker({ failures: 1, resetAfterMs: 1_000 }), broken]
    const registry = createToolRegistry({ tools: [tool], stages })
    const calls = [1, 2].map(at => registry.execute({ callId: `${at}`, name: 'work' }))
    expect(codesOf(await Promise.all(calls))).toEqual(['STAGE_FAILED', 'STAGE_FAILED'])
    expect(tool.runs()).toBe(0)
  })

  it('forgets the keys unused for longest past 10 000', async () => {
    const tool = countedTool('work', () => Promise.reject(new Error('no')))
    const stages = [circuitBreaker({ failures: 1, resetAfterMs: 1_000, key: ({ callId }) => callId })]
    const registry = createToolRegistry({ tools: [tool], stages })
    const call = (callId: string) => registry.execute({ callId, name: 'work' }).then(codeOf)
    for (let at = 0; at < 10_000; at++) await call(`${at}`)
    expect(await call('0')).toBe('CIRCUIT_OPEN')
    expect(await call('new')).toBe('TOOL_FAILED')
    expect([await call('0'), await call('2'), await call('1')]).toEqual([
      'CIRCUIT_OPEN',
      'CIRCUIT_OPEN',
      'TOOL_FAILED',
    ])
  })

  it('leaves no timer, and keeps no call waiting', async () => {
    const tool = countedTool('work', never)
    const stages = [circuitBreaker({ failures: 1, resetAfterMs: 1_000 })]
    const registry = createToolRegistry({ tools: [tool], stages })
    const controller = new AbortController()
    const result = registry.execute({ callId: '1', name: 'work', signal: controller.signal })
    await pass(1)
    controller.abort()
    await pass(5_000)
    expect(codeOf(await result)).toBe('ABORTED')
    const next = registry.execute({ callId: '2', name: 'work', signal: AbortSignal.abort() })
    expect(codeOf(await next)).toBe('ABORTED_BEFORE_DISPATCH')
  })
})
