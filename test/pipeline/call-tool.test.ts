import { createToolRegistry, type Stages, type ToolInfo, type ToolProgress } from 'toolgate'
import { describe, expect, it } from 'vitest'
import { countedTool, gate, isDeepFrozen } from '../support/tools.js'

describe('call.tool', () => {
  it('tells every hook what the tool says of itself, and nothing that could run it', async () => {
    const seen: (ToolInfo | undefined)[] = []
    const spy: Stages = {
      preExecute: (call, next) => {
        seen.push(call.tool)
        return next()
      },
      guard: call => void seen.push(call.tool),
      execute: (call, next) => {
        seen.push(call.tool)
        return next()
      },
      postExecute: (call, _result, next) => {
        seen.push(call.tool)
        return next()
      },
      onResult: call => void seen.push(call.tool),
    }
    const info = { title: 'Works', annotations: { idempotentHint: true }, timeoutMs: 50 }
    const tool = countedTool('work', (_args, context) => void seen.push(context.tool), info)
    const { description } = tool
    const registry = createToolRegistry({ tools: [tool], stages: [spy] })
    await registry.execute({ callId: '1', name: 'work' })
    expect(seen).toEqual(Array(6).fill({ description, ...info }))
    expect(seen.every(isDeepFrozen)).toBe(true)
  })

  it('is undefined for a tool that is not there', async () => {
    let seen: unknown = 'not asked'
    const spy: Stages = {
      onResult: call => {
        seen = call.tool
      },
    }
    const registry = createToolRegistry({ stages: [spy] })
    await registry.execute({ callId: '1', name: 'work' })
    expect(seen).toBeUndefined()
  })
})

describe('call.onProgress', () => {
  it('lets an around stage hear the body, without any listener on the registry, until the stage ends', async () => {
    const heard: ToolProgress[] = []
    const later = gate()
    const tool = countedTool('work', async (_args, { progress }) => {
      progress({ message: 'half', completed: 1, total: 2 })
      await later.promise
      progress({ completed: 2 })
    })
    const listen: Stages = {
      execute: (call, next) => {
        call.onProgress(progress => heard.push(progress))
        call.onProgress(() => {
          throw new Error('dropped')
        })
        const running = next()
        later.open()
        return running
      },
    }
    const registry = createToolRegistry({ tools: [tool], stages: [listen] })
    expect(await registry.execute({ callId: '1', name: 'work' })).toMatchObject({ isError: false })
    expect(heard).toEqual([{ message: 'half', completed: 1, total: 2 }, { completed: 2 }])
  })

  it('refuses what is no function', async () => {
    const tool = countedTool('work')
    const registry = createToolRegistry({
      tools: [tool],
      stages: [
        {
          execute: (call, next) => {
            call.onProgress('x' as never)
            return next()
          },
        },
      ],
    })
    expect(await registry.execute({ callId: '1', name: 'work' })).toMatchObject({
      error: { code: 'INVALID_DECISION' },
    })
    expect(tool.runs()).toBe(0)
  })
})
