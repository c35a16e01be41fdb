/** Decided: TMO-05, TMO-09, TMO-10, TMO-11. */
import {
  createToolRegistry,
  defineTool,
  retryPolicy,
  type Stages,
  type TimeoutPolicyOptions,
  type ToolExecutionResult,
  timeoutPolicy,
} from 'toolgate'
import { describe, expect, it, vi } from 'vitest'
import { countedTool } from '../support/tools.js'
import {
  CALL,
  codeOf,
  errorOf,
  never,
  obedient,
  PROGRAM,
  pass,
  programOf,
  sleep,
  virtualTime,
  watch,
} from './support.js'

virtualTime()

/** Notes each result that comes past it. */
function spy(): Stages & { readonly seen: (string | undefined)[] } {
  const seen: (string | undefined)[] = []
  return {
    seen,
    execute: async (_call, next) => {
      const result = await next()
      seen.push(codeOf(result))
      return result
    },
  }
}

const run = async (stages: readonly Stages[], ms: number, body = obedient): Promise<ToolExecutionResult> => {
  const tool = countedTool('work', body, { annotations: { idempotentHint: true } })
  const result = createToolRegistry({ tools: [tool], stages }).execute(CALL)
  await pass(ms)
  return result
}

describe('deadlines one in the other', () => {
  it.each([
    ['the outer is met first: the inner reads a plain abort', 50, 100, ['ABORTED', 'TOOL_TIMEOUT'], 50],
    ['the inner is met first: the outer passes its result on', 100, 50, ['TOOL_TIMEOUT', 'TOOL_TIMEOUT'], 50],
    ['both at once: the outer, whose timer is older', 50, 50, ['ABORTED', 'TOOL_TIMEOUT'], 50],
  ])('%s (TMO-05)', async (_what, outerMs, innerMs, codes, timeoutMs) => {
    const [outer, inner] = [spy(), spy()]
    const stages = [
      outer,
      timeoutPolicy({ defaultMs: outerMs }),
      inner,
      timeoutPolicy({ defaultMs: innerMs }),
    ]
    const result = await run(stages, 100)
    expect([...inner.seen, ...outer.seen]).toEqual(codes)
    expect(errorOf(result)?.details).toEqual({ timeoutMs, bodyStopped: true })
  })

  it('count for each attempt inside a retry, and for all of them around it (TMO-08)', async () => {
    const attempts = spy()
    const retry = retryPolicy({ attempts: 3, jitter: 'none', backoffMs: 10 })
    const inside = run([retry, attempts, timeoutPolicy({ defaultMs: 50 })], 180)
    expect(errorOf(await inside)).toMatchObject({ code: 'TOOL_TIMEOUT', details: { timeoutMs: 50 } })
    expect(attempts.seen).toEqual(['TOOL_TIMEOUT', 'TOOL_TIMEOUT', 'TOOL_TIMEOUT'])

    const bounded = spy()
    const around = run([timeoutPolicy({ defaultMs: 50 }), retry, bounded], 50, () =>
      sleep(30).then(() => Promise.reject(new Error('again'))),
    )
    await pass(30)
    expect(errorOf(await around)).toMatchObject({ code: 'TOOL_TIMEOUT', details: { bodyStopped: true } })
    expect(bounded.seen).toEqual(['TOOL_FAILED', 'TOOL_FAILED'])
  })

  it('met while the call still waits inside say that nothing ran', async () => {
    const tool = countedTool('work', never)
    const patient: Stages = { execute: async (_call, next) => (await sleep(80), next()) }
    const stages = [timeoutPolicy({ defaultMs: 50 }), patient]
    const result = createToolRegistry({ tools: [tool], stages }).execute(CALL)
    await pass(80)
    expect(errorOf(await result)).toMatchObject({
      code: 'TOOL_TIMEOUT',
      message: 'Tool "work" did not end within 50 ms: it did not run at all. Try again later',
      details: { timeoutMs: 50, bodyStopped: true },
    })
    expect(tool.runs()).toBe(0)
  })

  it('are not met any more where the abort came before they began (TMO-04)', async () => {
    const tool = countedTool('work', never)
    const patient: Stages = { execute: async (_call, next) => (await sleep(80), next()) }
    const stages = [patient, timeoutPolicy({ defaultMs: 50 }), patient]
    const controller = new AbortController()
    const registry = createToolRegistry({ tools: [tool], stages })
    const result = registry.execute({ ...CALL, signal: controller.signal })
    await pass(10)
    controller.abort()
    await pass(150)
    expect(codeOf(await result)).toBe('ABORTED_BEFORE_DISPATCH')
    expect(tool.runs()).toBe(0)
  })

  it('hold against a stage that breaks when it is told to stop, and leave its own fault to one that broke before', async () => {
    const breaks = (ms: number): Stages => ({
      name: 'fragile',
      execute: (_call, next) => Promise.race([next(), sleep(ms).then(() => Promise.reject(new Error('oh')))]),
    })
    const late = run([timeoutPolicy({ defaultMs: 50 }), breaks(60)], 60, never)
    expect(errorOf(await late)).toMatchObject({ code: 'TOOL_TIMEOUT', details: { bodyStopped: false } })
    expect(codeOf(await run([timeoutPolicy({ defaultMs: 50 }), breaks(40)], 40))).toBe('STAGE_FAILED')
    await pass(5_000)
  })
})

describe('the budget of silence', () => {
  const reporting = (everyMs: number, times: number, name = 'work') =>
    defineTool({
      name,
      description: 'Reports how far it is.',
      parameters: {},
      execute: async (_args, { progress, signal }) => {
        for (let completed = 1; completed <= times && !signal.aborted; completed++) {
          await sleep(everyMs)
          progress({ completed, total: times })
        }
        return 'all done'
      },
    })
  const call = (tool: ReturnType<typeof reporting>, options: TimeoutPolicyOptions) =>
    watch(createToolRegistry({ tools: [tool], stages: [timeoutPolicy(options)] }).execute(CALL))

  it('is begun anew by each progress, without any listener, and never moves the hard total (TMO-11, C7)', async () => {
    const fits = call(reporting(20, 10), { defaultMs: 250, idleMs: 50 })
    await pass(200)
    expect(fits.now()).toMatchObject({ isError: false, value: 'all done' })

    const endless = call(reporting(20, Number.POSITIVE_INFINITY), { defaultMs: 250, idleMs: 50 })
    await pass(260)
    expect(endless.now()).toMatchObject({ error: { code: 'TOOL_TIMEOUT', details: { timeoutMs: 250 } } })
  })

  it('ends a tool that falls silent, and says how long it was (TMO-11)', async () => {
    const silent = call(reporting(60, 10), { defaultMs: 250, idleMs: 50 })
    await pass(60)
    expect(silent.now()).toMatchObject({
      error: {
        code: 'TOOL_TIMEOUT',
        message:
          'Tool "work" reported no progress for 50 ms and was stopped. It may hang: try again, or another way',
        details: { idleMs: 50, bodyStopped: true },
      },
    })
  })

  it('holds for the tools that have a deadline; with defaultMs: Infinity for all, and alone (TMO-11)', async () => {
    const without = call(reporting(60, 2), { idleMs: 50 })
    const alone = call(reporting(60, 2), { defaultMs: Number.POSITIVE_INFINITY, idleMs: 50 })
    const none = call(reporting(60, 2), { defaultMs: Number.POSITIVE_INFINITY })
    await pass(120)
    expect(without.now()).toMatchObject({ isError: false })
    expect(alone.now()).toMatchObject({ error: { details: { idleMs: 50 } } })
    expect(none.now()).toMatchObject({ isError: false })
  })

  it('is not begun anew by what is reported after the abort, or by another call', async () => {
    const controller = new AbortController()
    const chatty = countedTool('work', async (_args, { progress, signal }) => {
      await new Promise(resolve => signal.addEventListener('abort', resolve))
      progress({ message: 'stopping' })
      await sleep(200)
    })
    const stages = [timeoutPolicy({ defaultMs: 1_000, idleMs: 50 })]
    const registry = createToolRegistry({ tools: [chatty], stages })
    const aborted = registry.execute({ ...CALL, signal: controller.signal })
    await pass(10)
    controller.abort()
    await pass(200)
    expect(codeOf(await aborted)).toBe('ABORTED')
    expect(vi.getTimerCount()).toBe(0)

    const talks = reporting(20, 10, 'talks')
    const both = createToolRegistry({ tools: [countedTool('work', obedient), talks], stages })
    const silent = watch(both.execute(CALL))
    const talking = watch(both.execute({ callId: '2', name: 'talks' }))
    await pass(200)
    expect([silent.now(), talking.now()]).toMatchObject([
      { error: { details: { idleMs: 50 } } },
      { isError: false },
    ])
  })
})

describe('a program', () => {
  it('has limits of its own: the default is for the tools that it calls', async () => {
    const tool = countedTool('work', () => sleep(40))
    const slow = countedTool('slow', () => sleep(60))
    const registry = createToolRegistry({
      tools: [tool, slow],
      mode: 'code',
      codeRuntime: programOf(async call => [await call('work'), await call('work'), await call('slow')]),
      stages: [timeoutPolicy({ defaultMs: 50 })],
    })
    const result = registry.execute(PROGRAM)
    await pass(140)
    expect(await result).toMatchObject({
      isError: false,
      value: { result: [{ ok: true }, { ok: true }, { ok: false, properties: { code: 'TOOL_TIMEOUT' } }] },
    })
  })
})

describe('the milliseconds of a policy', () => {
  const MOST = 2 ** 31 - 1
  const fields = ['defaultMs', 'idleMs', 'graceMs'] as const
  it.each([
    [1, true],
    [0.5, false],
    [0, 'graceMs'],
    [-1, false],
    [Number.NaN, false],
    [MOST, true],
    [MOST + 1, false],
    [Number.POSITIVE_INFINITY, true],
    [Number.NEGATIVE_INFINITY, false],
    ['50', false],
    [null, false],
  ] as const)('%s are checked when it is made: taken %s (TMO-09, TMO-10)', (ms, taken) => {
    for (const field of fields) {
      const make = () => timeoutPolicy({ [field]: ms })
      if (taken === true || taken === field || (field === 'graceMs' && ms === 0.5)) expect(make).not.toThrow()
      else
        expect(make).toThrow(
          expect.objectContaining({
            code: 'INVALID_OPTIONS',
            message: `timeoutPolicy: ${field} must be a number of milliseconds from ${field === 'graceMs' ? 0 : 1} to 2147483647, or Infinity for none`,
          }),
        )
    }
  })

  it('fire when they are over, the most too (TMO-10)', async () => {
    const result = watch(run([timeoutPolicy({ defaultMs: MOST })], 0))
    await pass(MOST - 1)
    expect(result.now()).toBe('pending')
    await pass(1)
    expect(result.now()).toMatchObject({ error: { details: { timeoutMs: MOST } } })
  })

  it('are part of the options, whose names are checked too', () => {
    expect(() => timeoutPolicy({ timeoutMs: 50 } as never)).toThrow(
      expect.objectContaining({
        code: 'INVALID_OPTIONS',
        message: 'timeoutPolicy has no option "timeoutMs"; it has defaultMs, graceMs, idleMs',
      }),
    )
  })

  it('of a tool are refused where it is defined, above what a timer can wait (TMO-10)', () => {
    for (const timeoutMs of [0, -1, Number.NaN, MOST + 1, Number.POSITIVE_INFINITY])
      expect(() => createToolRegistry({ tools: [countedTool('work', never, { timeoutMs })] })).toThrow(
        expect.objectContaining({ code: 'INVALID_TOOL' }),
      )
    createToolRegistry({ tools: [countedTool('work', never, { timeoutMs: MOST })] })
  })
})
