/** Disposal while calls are under way, and what is left of a scope and its calls afterwards. */
import { getEventListeners } from 'node:events'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import {
  type CodeRuntime,
  createToolRegistry,
  type Stages,
  type ToolExecutionResult,
  type ToolScope,
} from 'toolgate'
import { describe, expect, it } from 'vitest'
import { countedTool, type Gate, gate, settle } from '../support/tools.js'

const codeOf = (result: ToolExecutionResult | undefined): string =>
  result === undefined ? 'none' : result.isError ? result.error.code : 'ok'

const ask: Stages = { preExecute: () => ({ kind: 'ask' }) }
const allow = { kind: 'allow' } as const

interface Wait {
  readonly where: string
  readonly stages?: (waits: () => Promise<void>) => Stages
  readonly body?: (waits: () => Promise<void>) => () => unknown
  readonly approve?: boolean
  readonly code: string
  readonly runs: number
}

const WAITS: readonly Wait[] = [
  {
    where: 'preExecute',
    stages: waits => ({ preExecute: () => waits().then(() => allow) }),
    code: 'ABORTED_BEFORE_DISPATCH',
    runs: 0,
  },
  {
    where: 'an approval, which the disposal answers',
    stages: () => ask,
    approve: true,
    code: 'ABORTED_BEFORE_DISPATCH',
    runs: 0,
  },
  {
    where: 'execute before next()',
    stages: waits => ({ execute: (_call, next) => waits().then(next) }),
    code: 'ABORTED_BEFORE_DISPATCH',
    runs: 0,
  },
  { where: 'the body', body: waits => () => waits().then(() => 'late'), code: 'ABORTED', runs: 1 },
  {
    where: 'execute after next()',
    stages: waits => ({ execute: (_call, next) => next().then(result => waits().then(() => result)) }),
    code: 'ABORTED',
    runs: 1,
  },
  {
    where: 'postExecute',
    stages: waits => ({ postExecute: (_call, _result, next) => waits().then(next) }),
    code: 'ABORTED',
    runs: 1,
  },
]

const never = (): Promise<never> => new Promise(() => {})

/** One call that waits in a scope, on a signal of its caller's that goes on to live. */
async function underWay({ stages, body, approve }: Wait, waits: () => Promise<void>, abortGraceMs: number) {
  const { signal } = new AbortController()
  const tool = countedTool(
    't',
    body?.(waits) ?? (async (_args, context) => `aborted: ${context.signal.aborted}`),
  )
  const registry = createToolRegistry({
    tools: [tool],
    abortGraceMs,
    ...(approve && { approve: never }),
    scopes: [
      { id: 'a', stages: stages ? [stages(waits)] : [] },
      { id: 'b', parent: 'a' },
    ],
  })
  const heard: string[] = []
  registry.on('result', ({ callId }) => heard.push(callId))
  const call = registry.execute({ callId: 'waits', name: 't', scope: 'b', signal })
  await settle()
  expect(heard).toEqual([])
  return { registry, tool, call, heard, listeners: () => getEventListeners(signal, 'abort').length }
}

const rows = WAITS.map(wait => [wait.where, wait] as const)

describe('disposal of a scope', () => {
  it.each(rows)(
    'waits for a call in %s, which ends and leaves nothing on its caller’s signal',
    async (_where, wait) => {
      const open: Gate = gate()
      const { registry, tool, call, heard, listeners } = await underWay(wait, () => open.promise, Infinity)
      let ended = false
      const disposal = registry
        .scope('a')
        .dispose()
        .then(() => {
          ended = true
        })
      await settle()
      expect(ended).toBe(wait.approve === true)
      open.open()
      await disposal
      expect(heard).toEqual(['waits'])
      expect(codeOf(await call)).toBe(wait.code)
      expect([tool.runs(), listeners()]).toEqual([wait.runs, 0])
      expect(() => registry.scope('b')).toThrow(expect.objectContaining({ code: 'UNKNOWN_SCOPE' }))
    },
  )

  it.each(rows)('does not wait for ever for a call in %s', async (_where, wait) => {
    const { registry, tool, call, heard, listeners } = await underWay(wait, never, 1)
    await registry.scope('a').dispose()
    expect(heard).toEqual(['waits'])
    expect(codeOf(await call)).toBe(wait.code)
    expect([tool.runs(), listeners()]).toEqual([wait.runs, 0])
  })

  it('tells a body by its signal, with what happened as the reason', async () => {
    let reason: unknown
    const obedient = countedTool(
      't',
      (_args, { signal }) =>
        new Promise((_resolve, reject) => {
          signal.addEventListener('abort', () => {
            reason = signal.reason
            reject(signal.reason)
          })
        }),
    )
    const registry = createToolRegistry({ tools: [obedient], scopes: [{ id: 'a' }] })
    const call = registry.execute({ callId: '1', name: 't', scope: 'a' })
    await settle()
    const disposal = registry.scope('a').dispose()
    // Told at once, before dispose() has returned its promise.
    expect(reason).toMatchObject({ code: 'DISPOSED', message: 'Scope "a" was disposed' })
    await disposal
    expect(await call).toMatchObject({ error: { code: 'ABORTED', details: { bodyStopped: true } } })
  })

  it('ends a batch with one result for each call, in order: those that run, those that wait, those to come', async () => {
    const registry = createToolRegistry({ scopes: [{ id: 'a' }] })
    const stop = (_args: unknown, { signal }: { signal: AbortSignal }) =>
      new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
    const safe = countedTool('safe', stop, { isConcurrencySafe: () => true })
    const fast = countedTool('fast', undefined, { isConcurrencySafe: () => true })
    const exclusive = countedTool('exclusive')
    const a = registry.scope('a')
    for (const tool of [safe, fast, exclusive]) a.register(tool)
    const heard: string[] = []
    registry.on('result', ({ callId }) => heard.push(callId))
    const { signal } = new AbortController()
    const names = ['fast', 'safe', 'fast', 'safe', 'exclusive', 'safe', 'ghost']
    const inputs = names.map((name, i) => ({ callId: `${i}`, name, signal }))
    const batch = a.executeAll(inputs)
    const streamed: string[] = []
    const stream = (async () => {
      for await (const result of a.executeEach(inputs)) streamed.push(`${result.callId} ${codeOf(result)}`)
    })()
    await settle()
    expect([fast.runs(), safe.runs(), exclusive.runs()]).toEqual([4, 4, 0])
    await a.dispose()
    const results = await batch
    await stream
    const codes = ['ok', 'ABORTED', 'ABORTED', 'ABORTED', 'DISPOSED', 'DISPOSED', 'DISPOSED']
    // The second fast call had ended, but its result was not handed out when the scope went.
    expect(results.map(codeOf)).toEqual(codes)
    expect(results.map(result => result.callId)).toEqual(inputs.map(input => input.callId))
    expect(streamed).toEqual(codes.map((code, i) => `${i} ${code}`))
    expect(heard.toSorted()).toEqual([...inputs, ...inputs].map(i => i.callId).toSorted())
    expect([exclusive.runs(), safe.runs(), getEventListeners(signal, 'abort').length]).toEqual([0, 4, 0])
  })

  it('ends a program and the calls that it makes, those first', async () => {
    const stop = (_args: unknown, { signal }: { signal: AbortSignal }) =>
      new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
    const tool = countedTool('t', stop)
    const callOnce: CodeRuntime = {
      async run({ namespaces: [tools], signal = AbortSignal.abort() }) {
        await tools?.call({ name: 't', args: [{}], signal, pauseWallClock: () => () => {} })
        return { logs: [], error: { kind: 'abort', message: 'The program was aborted' } }
      },
    }
    const registry = createToolRegistry({
      codeRuntime: callOnce,
      scopes: [{ id: 'a', mode: 'code', tools: [tool] }],
    })
    const heard: string[] = []
    registry.on('result', ({ callId, result }) => heard.push(`${callId} ${codeOf(result)}`))
    const { signal } = new AbortController()
    const args = { code: 'x', description: 'Wait' }
    const program = registry.execute({ callId: 'p', name: 'run_code', arguments: args, scope: 'a', signal })
    await settle()
    expect(tool.runs()).toBe(1)
    await registry.scope('a').dispose()
    expect(codeOf(await program)).toBe('ABORTED')
    expect(heard).toEqual(['p:code:1 ABORTED', 'p ABORTED'])
    expect(getEventListeners(signal, 'abort')).toEqual([])
  })

  it.each(['awaited', 'left alone'])(
    'by a body of its own, %s, ends both when the grace is over',
    async how => {
      let disposal: Promise<void> | undefined
      const suicidal = countedTool('t', async () => {
        disposal = registry.scope('a').dispose()
        if (how === 'awaited') await disposal
        return 'after the end'
      })
      const registry = createToolRegistry({ tools: [suicidal], scopes: [{ id: 'a' }], abortGraceMs: 5 })
      const late: string[] = []
      registry.on('late-settlement', ({ callId, outcome }) => late.push(`${callId} ${outcome}`))
      expect(await registry.execute({ callId: '1', name: 't', scope: 'a' })).toMatchObject({
        error: { code: 'ABORTED', details: { bodyStopped: how === 'left alone' } },
      })
      await disposal
      await settle()
      expect(late).toEqual(how === 'awaited' ? ['1 returned'] : [])
    },
  )

  it('by an observer of its own call may be awaited there: the call is over', async () => {
    const ends: string[] = []
    const registry = createToolRegistry({ tools: [countedTool('t')], scopes: [{ id: 'a' }] })
    const a = registry.scope('a')
    a.use({ onResult: () => a.dispose().then(() => ends.push('by onResult')) })
    registry.on('result', () => registry.dispose().then(() => ends.push('by the event')))
    expect(await a.execute({ callId: '1', name: 't' })).toMatchObject({ isError: false })
    await registry.dispose()
    await settle()
    expect(ends.toSorted()).toEqual(['by onResult', 'by the event'])
  })

  it('leaves the calls of scopes beside it and above it alone', async () => {
    const open = gate()
    const tool = countedTool('t', () => open.promise.then(() => 'done'))
    const registry = createToolRegistry({
      tools: [tool],
      scopes: [{ id: 'a' }, { id: 'b' }, { id: 'c', parent: 'a' }],
    })
    const calls = ['root', 'b', 'a', 'c'].map(scope => registry.execute({ callId: scope, name: 't', scope }))
    await settle()
    const disposal = registry.scope('a').dispose()
    open.open()
    await disposal
    expect((await Promise.all(calls)).map(codeOf)).toEqual(['ok', 'ok', 'ABORTED', 'ABORTED'])
  })

  it('lets go of all that it held, though its handle is kept', async () => {
    setFlagsFromString('--expose-gc')
    const collect = runInNewContext('gc') as () => void
    const registry = createToolRegistry({ scopes: [{ id: 'a' }, { id: 'b', parent: 'a' }] })
    const refs: WeakRef<object>[] = []
    const mark = (): object => {
      const held = { held: new Array(1000).fill(refs.length) }
      refs.push(new WeakRef(held))
      return held
    }
    const fill = async (scope: ToolScope): Promise<void> => {
      const [body, guard, stage, approved, args] = [mark(), mark(), mark(), mark(), mark()]
      const tool = countedTool('t', () => (body ? 'done' : ''), {
        finalizeContent: () => (body ? undefined : []),
      })
      scope.register(tool)
      scope.guard(() => (guard ? undefined : 'no'))
      scope.use({ preExecute: (_call, next) => (stage ? next() : next()), onResult: () => stage })
      scope.createScope({ id: `${scope.id}-low`, approve: () => (approved ? 'allowed-once' : 'rejected') })
      await scope.execute({ callId: '1', name: 't', caller: args })
    }
    const handles = [registry.scope('a'), registry.scope('b')]
    for (const handle of handles) await fill(handle)
    await registry.scope('a').dispose()
    for (let i = 0; i < 20 && refs.some(ref => ref.deref() !== undefined); i++) {
      await settle()
      collect()
    }
    expect(refs).toHaveLength(10)
    expect(refs.map(ref => ref.deref() === undefined)).toEqual(Array(10).fill(true))
    for (const handle of handles)
      expect(() => handle.visible()).toThrow(expect.objectContaining({ code: 'DISPOSED' }))
  })
})
