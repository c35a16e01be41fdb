import { createToolRegistry, type Stages, type ToolExecutionResult } from 'toolgate'
import { describe, expect, it } from 'vitest'
import { countedTool, gate, settle } from '../support/tools.js'

describe('next()', () => {
  it('refuses once its stage has ended, so that nothing runs behind the call’s back', async () => {
    let late: (() => Promise<ToolExecutionResult>) | undefined
    const tool = countedTool('work')
    const keep: Stages = {
      execute: (_call, next) => {
        late = next
        return next()
      },
    }
    const registry = createToolRegistry({ tools: [tool], stages: [keep] })
    await registry.execute({ callId: '1', name: 'work' })
    await expect(late?.()).rejects.toMatchObject({ code: 'INVALID_CALL' })
    expect(tool.runs()).toBe(1)
  })

  it('that a policy stage does not wait for still has its say', async () => {
    const thinking = gate()
    const hasty: Stages = {
      preExecute: (_call, next) => {
        void next()
        return { kind: 'allow' }
      },
    }
    const broken: Stages = {
      name: 'broken',
      preExecute: async () => {
        await thinking.promise
        throw new Error('backend down')
      },
    }
    const tool = countedTool('work')
    const registry = createToolRegistry({ tools: [tool], stages: [hasty, broken] })
    const pending = registry.execute({ callId: '1', name: 'work' })
    await settle()
    thinking.open()
    expect(await pending).toMatchObject({ isError: true, error: { code: 'STAGE_FAILED' } })
    expect(tool.runs()).toBe(0)
  })
})

describe('callbacks that should be synchronous', () => {
  const reject = async (): Promise<never> => {
    throw new Error('asynchronous by mistake')
  }

  it.each([
    ['isConcurrencySafe', { isConcurrencySafe: reject }, 'ok'],
    ['resourceKeys', { resourceKeys: reject }, 'ok'],
    ['presentCall', { presentCall: reject }, 'ok'],
    ['render', { output: { schema: {}, render: reject } }, 'INVALID_TOOL_OUTPUT'],
    [
      'presentationMeta',
      { output: { schema: {}, render: () => [], presentationMeta: reject } },
      'INVALID_TOOL_OUTPUT',
    ],
  ])('%s: a rejection ends with the call and not with the process', async (_what, more, code) => {
    const registry = createToolRegistry({
      tools: [countedTool('work', () => 'ok', more as never)],
      stages: [{ preExecute: () => ({ kind: 'ask' }) }],
      approve: () => 'allowed-once',
    })
    const [result] = await registry.executeAll([{ callId: '1', name: 'work' }])
    await settle()
    expect(result?.isError ? result.error.code : 'ok').toBe(code)
  })

  it('describeError: a rejection too', async () => {
    const fail = (): never => {
      throw new Error('secret')
    }
    const registry = createToolRegistry({
      tools: [countedTool('work', fail)],
      describeError: reject as never,
    })
    expect(await registry.execute({ callId: '1', name: 'work' })).toMatchObject({
      error: { code: 'TOOL_FAILED' },
    })
    await settle()
  })
})
