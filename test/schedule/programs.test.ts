/** The calls of programs, under the same scheduler as a batch. */
import {
  type CodeCallReply,
  type CodeRuntime,
  createToolRegistry,
  type Stages,
  type SubcallEndEvent,
  type ToolDefinition,
} from 'toolgate'
import { quickJsRuntime } from 'toolgate/quickjs'
import { describe, expect, it } from 'vitest'
import { countedTool, gate, settle } from '../support/tools.js'
import { call, codeOf, gated, SAFE } from './support.js'

type Tools = (name: string, args?: object) => Promise<CodeCallReply>

/** A runtime whose program is a function of the test. */
const runtimeOf = (program: (tools: Tools) => unknown, drainMs = 1_000): CodeRuntime => ({
  drainMs,
  async run({ namespaces, signal }) {
    const tools = namespaces.find(({ global }) => global === 'tools')
    const aborted = signal ?? new AbortController().signal
    const value = await program((name, args = {}) =>
      (tools as NonNullable<typeof tools>).call({
        name,
        args: [args as never],
        signal: aborted,
        pauseWallClock: () => () => {},
      }),
    )
    return { logs: [], ...(value !== undefined && { value: value as never }) }
  },
})

function setup(
  program: (tools: Tools) => unknown,
  options: {
    tools?: readonly ToolDefinition[]
    stages?: readonly Stages[]
    parallel?: number
    drainMs?: number
    abortGraceMs?: number
  } = {},
) {
  const bodies = gated()
  const registry = createToolRegistry({
    tools: [bodies.tool('read', SAFE), bodies.tool('write'), ...(options.tools ?? [])],
    stages: options.stages ?? [],
    codeRuntime: runtimeOf(program, options.drainMs),
    mode: 'code',
    ...(options.parallel !== undefined && { codeMode: { maxParallelSubCalls: options.parallel } }),
    ...(options.abortGraceMs !== undefined && { abortGraceMs: options.abortGraceMs }),
  })
  const log: string[] = []
  registry.on('subcall:start', ({ callId }) => log.push(`start ${callId}`))
  registry.on('subcall:end', ({ callId, result }) => log.push(`end ${callId} ${codeOf(result)}`))
  const ends: SubcallEndEvent[] = []
  registry.on('subcall:end', event => ends.push(event))
  const run = (signal?: AbortSignal) =>
    registry.execute({ ...call('p', 'run_code', { code: 'x', description: 'x' }), signal })
  return { registry, bodies, log, ends, run }
}

describe('the calls of a program', () => {
  it('start in order and overlap as those of a batch do, exclusive ones alone (RUN-07)', async () => {
    const { bodies, run, log } = setup(tools =>
      Promise.all([tools('read'), tools('read'), tools('write'), tools('read')]),
    )
    const pending = run()
    await settle()
    expect(bodies.running()).toEqual(['p:code:1', 'p:code:2'])
    await bodies.open('p:code:2', 'p:code:1')
    expect(bodies.running()).toEqual(['p:code:3'])
    await bodies.open('p:code:3')
    expect(bodies.running()).toEqual(['p:code:4'])
    await bodies.open('p:code:4')
    expect(codeOf(await pending)).toBe('ok')
    expect(log.filter(line => line.startsWith('end'))).toEqual([1, 2, 3, 4].map(n => `end p:code:${n} ok`))
  })

  it.each([
    [undefined, 10],
    [1, 1],
    [3, 3],
  ])('have a pool of maxParallelSubCalls %s (RUN-07)', async (parallel, expected) => {
    const { bodies, run } = setup(
      tools => Promise.all(Array.from({ length: 12 }, () => tools('read'))),
      parallel === undefined ? {} : { parallel },
    )
    const pending = run()
    await settle()
    expect(bodies.running().length).toBe(expected)
    for (let n = 1; n <= 12; n++) await bodies.open(`p:code:${n}`)
    await pending
  })

  it('start, are judged and commit one at a time, in order of submission (RUN-08)', async () => {
    const steps: string[] = []
    const first = gate()
    const tool = countedTool(
      'tool',
      async (_args, { callId }) => {
        if (callId === 'p:code:1') await first.promise
      },
      SAFE,
    )
    const stage: Stages = {
      preExecute: async ({ callId }, next) => {
        steps.push(`pre ${callId}`)
        await settle()
        return next()
      },
      postExecute: async ({ callId }, _result, next) => {
        steps.push(`post ${callId}`)
        await settle()
        return next()
      },
    }
    const { registry, run } = setup(tools => Promise.all([tools('tool'), tools('tool'), tools('tool')]), {
      tools: [tool],
      stages: [stage],
    })
    registry.on('subcall:start', ({ callId }) => steps.push(`start ${callId}`))
    registry.on('subcall:end', ({ callId }) => steps.push(`end ${callId}`))
    const pending = run()
    while (tool.runs() < 3) await settle()
    first.open()
    await pending
    const ids = ['p:code:1', 'p:code:2', 'p:code:3']
    expect(steps).toEqual([
      'pre p',
      ...ids.flatMap(id => [`start ${id}`, `pre ${id}`]),
      ...ids.flatMap(id => [`post ${id}`, `end ${id}`]),
      'post p',
    ])
  })

  it('that are exclusive keep their barrier until the result is judged; safety is asked before each start (RUN-09)', async () => {
    const steps: string[] = []
    let safe = false
    const body = async (_args: unknown, { callId }: { callId: string }): Promise<void> => {
      steps.push(`body ${callId}`)
      await settle()
    }
    const tool = countedTool('tool', body, { isConcurrencySafe: () => safe })
    const stage: Stages = {
      postExecute: async ({ callId }, _result, next) => {
        await settle()
        steps.push(`post ${callId}`)
        safe = callId === 'p:code:2'
        return next()
      },
    }
    const { run } = setup(tools => Promise.all(['', '', '', ''].map(() => tools('tool'))), {
      tools: [tool],
      stages: [stage],
    })
    await run()
    expect(steps.slice(0, 6)).toEqual([
      'body p:code:1',
      'post p:code:1',
      'body p:code:2',
      'post p:code:2',
      'body p:code:3',
      'body p:code:4',
    ])
  })

  it('are aborted when the program ends, and before that when its caller aborts (RUN-18)', async () => {
    const reasons: unknown[] = []
    const started = gate()
    const tool = countedTool(
      'tool',
      (_args, { signal }) =>
        new Promise<void>((_resolve, reject) => {
          started.open()
          signal.addEventListener('abort', () => {
            reasons.push(signal.reason)
            reject(signal.reason)
          })
        }),
      SAFE,
    )
    const ends = setup(
      async tools => {
        void tools('tool')
        await started.promise
        return 'done'
      },
      { tools: [tool] },
    )
    expect(codeOf(await ends.run())).toBe('ok')
    expect(reasons).toEqual([expect.objectContaining({ message: 'The program has ended' })])

    const controller = new AbortController()
    const aborted = setup(
      async tools => {
        await tools('tool')
        return 'done'
      },
      { tools: [tool] },
    )
    const pending = aborted.run(controller.signal)
    while (tool.runs() < 2) await settle()
    const reason = new Error('the user left')
    controller.abort(reason)
    expect(codeOf(await pending)).toBe('ABORTED')
    expect(reasons[1]).toBe(reason)
  })

  it('are drained before the program has a result: bodies end, results commit, what waits is dropped (RUN-19)', async () => {
    const stopping = gate()
    const slow = countedTool('slow', () => stopping.promise.then(() => 'late'))
    const dropped = countedTool('dropped')
    const replies: Promise<CodeCallReply>[] = []
    const { run, log } = setup(
      async tools => {
        replies.push(tools('slow'), tools('dropped'))
        await settle()
        return 'done'
      },
      { tools: [slow, dropped] },
    )
    let ended = false
    const pending = run().finally(() => {
      ended = true
    })
    await settle()
    await settle()
    expect([slow.runs(), ended]).toEqual([1, false])
    stopping.open()
    const result = await pending
    expect(codeOf(result)).toBe('ok')
    // Started and ended once; what never started has neither.
    expect(log).toEqual(['start p:code:1', 'end p:code:1 ABORTED'])
    expect(await Promise.all(replies)).toEqual([
      expect.objectContaining({ ok: false, properties: { toolName: 'slow', code: 'ABORTED' } }),
      expect.objectContaining({
        ok: false,
        properties: { toolName: 'dropped', code: 'ABORTED_BEFORE_DISPATCH' },
      }),
    ])
    expect(dropped.runs()).toBe(0)
  })

  it('that are under way when the program ends are aborted, whatever their body returns (RUN-20)', async () => {
    const stopping = gate()
    const { run, ends } = setup(
      async tools => {
        void tools('slow')
        await settle()
        stopping.open()
        return 'done'
      },
      { tools: [countedTool('slow', () => stopping.promise.then(settle).then(() => 'a success'))] },
    )
    await run()
    expect(ends.map(({ result }) => codeOf(result))).toEqual(['ABORTED'])
  })

  it('that come after the end do not start, and say so (RUN-21)', async () => {
    let kept: Tools | undefined
    const tool = countedTool('tool')
    const { run, log } = setup(
      tools => {
        kept = tools
        return 'done'
      },
      { tools: [tool] },
    )
    await run()
    expect(await kept?.('tool')).toEqual({
      ok: false,
      message: 'The program ended before "tool" ran',
      properties: { toolName: 'tool', code: 'ABORTED_BEFORE_DISPATCH' },
    })
    expect([tool.runs(), log]).toEqual([0, []])
  })

  it('that have not ended in time are named, wherever they are held up', async () => {
    const never = new Promise<never>(() => {})
    const held: [string, Stages][] = [
      ['the body', { guard: () => undefined }],
      ['before it', { preExecute: ({ name }, next) => (name === 'stuck' ? never : next()) }],
      ['around it', { execute: ({ name }, next) => (name === 'stuck' ? never : next()) }],
      ['after it', { postExecute: ({ name }, _result, next) => (name === 'stuck' ? never : next()) }],
    ]
    for (const [where, stage] of held) {
      const stuck = countedTool('stuck', () => (where === 'the body' ? never : 'ok'))
      const { run } = setup(
        async tools => {
          void tools('stuck')
          await settle()
          return 'done'
        },
        { tools: [stuck], stages: [stage], drainMs: 10, abortGraceMs: 50 },
      )
      const result = await run()
      expect([where, !result.isError && result.value]).toEqual([
        where,
        { logs: [], result: 'done', stillRunning: ['stuck'] },
      ])
    }
  })

  it('of one program do not wait for those of another', async () => {
    const bodies = gated()
    const registry = createToolRegistry({
      tools: [bodies.tool('write')],
      codeRuntime: quickJsRuntime(),
      mode: 'code',
    })
    const run = (id: string) =>
      registry.execute(call(id, 'run_code', { code: 'await tools.write({})', description: 'x' }))
    const both = [run('a'), run('b')]
    while (bodies.running().length < 2) await settle()
    await bodies.open('b:code:1', 'a:code:1')
    expect((await Promise.all(both)).map(codeOf)).toEqual(['ok', 'ok'])
    await registry.dispose()
  })
})
