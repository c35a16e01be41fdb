import { createToolRegistry, type Stages } from 'toolgate'
import { describe, expect, it } from 'vitest'
import { countedTool } from '../support/tools.js'

describe('a stage with a misspelt hook', () => {
  it.each([
    'preExectue',
    'preexecute',
    'pre_execute',
    'gaurd',
    'guards',
    'exectue',
    'postExcute',
    'onResults',
  ])('%s is refused, though it has another: its policy would not be asked', slip => {
    const hooks = { preExecute: 0, guard: 0, execute: 0, postExecute: 0, onResult: 0 }
    for (const hook of Object.keys(hooks) as (keyof typeof hooks)[]) {
      const stage = { [hook]: () => undefined, [slip]: () => ({ kind: 'deny', reason: 'no' }) }
      let refused: unknown
      try {
        createToolRegistry({ stages: [stage as Stages] })
      } catch (error) {
        refused = error
      }
      // Beside the hook that it is a slip of, it is the stage's own affair.
      if (refused !== undefined) expect(refused).toMatchObject({ code: 'INVALID_OPTIONS' })
      hooks[hook] = refused === undefined ? 0 : 1
    }
    expect(Object.values(hooks).filter(Boolean)).toHaveLength(4)
  })

  it('of a class is refused too, and other members are its own affair', () => {
    class Audit {
      readonly entries: string[] = []
      onResult(): void {}
      flush(): void {}
    }
    class Slip extends Audit {
      preExectue(): void {}
    }
    expect(() => createToolRegistry({ stages: [new Audit()] })).not.toThrow()
    expect(() => createToolRegistry({ stages: [new Slip()] })).toThrow(/did you mean "preExecute"/)
  })
})

it('a forged parent gives the tool behind run_code no last word', async () => {
  let finalized = 0
  const tool = countedTool('work', undefined, {
    finalizeContent: () => {
      finalized++
      return undefined
    },
  })
  const registry = createToolRegistry({
    mode: 'code',
    codeRuntime: { run: async () => ({ logs: [] }) } as never,
    tools: [tool],
  })
  const result = await registry.execute({ callId: '1', name: 'work', parent: Object.freeze({}) as never })
  expect(result).toMatchObject({ error: { code: 'INVALID_PARENT' } })
  expect([tool.runs(), finalized]).toEqual([0, 0])
})
