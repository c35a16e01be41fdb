/** The calls of programs, under the same scheduler as a batch. */
import type { CodeCallReply, Stages } from 'toolgate'
import { describe, expect, it } from 'vitest'
import { countedTool, gate, settle } from '../support/tools.js'
import { setupProgram, type Tools } from './program-support.js'
import { codeOf, SAFE } from './support.js'

describe('the calls of a program that ends', () => {
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
    const ends = setupProgram(
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
    const aborted = setupProgram(
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
    const { run, log } = setupProgram(
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
    const { run, ends } = setupProgram(
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
    const { run, log } = setupProgram(
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
      const { run } = setupProgram(
        async tools => {
          void tools('stuck')
          await settle()
          return 'done'
        },
        { tools: [stuck], stages: [stage], drainMs: 10, abortGraceMs: 50 },
      )
      const result = await run()
      // A body that has ended runs no more; the program never got its answer all the same.
      const list = where === 'after it' ? 'cutOff' : 'stillRunning'
      expect([where, !result.isError && result.value]).toEqual([
        where,
        { logs: [], result: 'done', [list]: ['stuck'] },
      ])
    }
  })
})
