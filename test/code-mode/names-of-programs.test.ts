/** Names that a program makes up: they reach the host, its memory and the model, and no tool has them. */
import { createToolRegistry, type Stages } from 'toolgate'
import { quickJsRuntime } from 'toolgate/quickjs'
import { describe, expect, it } from 'vitest'
import { collected } from '../support/collected.js'
import { countedTool, gate } from '../support/tools.js'

const run = (registry: ReturnType<typeof createToolRegistry>, code: string, callId = 'c') =>
  registry.execute({ callId, name: 'run_code', arguments: { code, description: 'Try something out' } })

describe('a name of megabytes', () => {
  it('is not remembered by the registry', async () => {
    const registry = createToolRegistry({
      tools: [countedTool('x')],
      mode: 'both' as const,
      codeRuntime: quickJsRuntime(),
    })
    const ask = async (from: number): Promise<void> => {
      for (let i = from; i < from + 40; i++) {
        const result = await registry.execute({ callId: `c${i}`, name: `${i}${'x'.repeat(2e6)}` })
        expect(result).toMatchObject({ error: { code: 'UNKNOWN_TOOL' } })
      }
    }
    await ask(0)
    const before = collected()
    await ask(100)
    expect(collected() - before).toBeLessThan(20e6)
  })

  it('is told by its beginning where its call may still be running', async () => {
    const policy = gate()
    const waits: Stages = {
      preExecute: async (call, next) => {
        if (call.name !== 'run_code') await policy.promise
        return next()
      },
    }
    const codeRuntime = quickJsRuntime({ limits: { outputBytes: 100, drainMs: 5 } })
    const registry = createToolRegistry({
      tools: [countedTool('x')],
      mode: 'code',
      codeRuntime,
      stages: [waits],
    })
    const code =
      "tools['INJECTED😀'.repeat(50000)]({}); await new Promise(done => setTimeout(done, 20)); return 1"
    const result = await run(registry, code)
    policy.open()
    const { stillRunning } = (result.isError ? {} : result.value) as { stillRunning: string[] }
    expect(stillRunning).toHaveLength(1)
    expect(stillRunning[0]).toMatch(/^(?:INJECTED😀){20}…$/)
    expect(JSON.stringify(result.content).length).toBeLessThan(1000)
  })
})

describe('texts about tools', () => {
  it('are never cut through a pair', () => {
    const tools = Array.from({ length: 5 }, (_, i) =>
      countedTool(`emoji_${i}`, () => 1, {
        description: `${'a'.repeat(116 + i)}😀 and more words than fit on the line`,
        parameters: {
          type: 'object',
          properties: {
            value: { type: 'string', default: `${'x'.repeat(76 + i)}😀😀` },
            pattern: { type: 'string', pattern: `${'x'.repeat(56 + i)}${'😀'.repeat(60)}` },
          },
        } as never,
      }),
    )
    for (const sdk of ['search', 'full'] as const) {
      const registry = createToolRegistry({
        tools,
        mode: 'code',
        codeRuntime: quickJsRuntime(),
        codeMode: { sdk },
      })
      expect(JSON.stringify(registry.present())).not.toMatch(/\\ud[89a-f]/)
    }
  })
})
