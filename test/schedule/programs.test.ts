/** The calls of programs, under the same scheduler as a batch. */
import { createToolRegistry, type Stages } from 'toolgate'
import { quickJsRuntime } from 'toolgate/quickjs'
import { describe, expect, it } from 'vitest'
import { countedTool, gate, settle } from '../support/tools.js'
import { setupProgram } from './program-support.js'
import { call, codeOf, gated, SAFE } from './support.js'

describe('the calls of a program', () => {
  it('start in order and overlap as those of a batch do, exclusive ones alone (RUN-07)', async () => {
    const { bodies, run, log } = setupProgram(tools =>
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
    const { bodies, run } = setupProgram(
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
    const { registry, run } = setupProgram(
      tools => Promise.all([tools('tool'), tools('tool'), tools('tool')]),
      {
        tools: [tool],
        stages: [stage],
      },
    )
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
    const { run } = setupProgram(tools => Promise.all(['', '', '', ''].map(() => tools('tool'))), {
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
