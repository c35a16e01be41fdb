/** Programs that run at the same time in one registry: call ids come from models, and two sessions may use the same. */
import { createToolRegistry, type ToolExecutionResult, type ToolScope } from 'toolgate'
import { quickJsRuntime } from 'toolgate/quickjs'
import { describe, expect, it } from 'vitest'
import { countedTool, gate, settle } from '../support/tools.js'

const until = async (holds: () => boolean): Promise<void> => {
  while (!holds()) await settle()
}

const start = (scope: ToolScope, code: string, more: object = {}): Promise<ToolExecutionResult> =>
  scope.execute({
    callId: 'call_1',
    name: 'run_code',
    arguments: { code, description: 'Try something out' },
    ...more,
  })

const told = (result: ToolExecutionResult): unknown => (result.isError ? result.error : result.value)

describe('two programs whose calls have the same id', () => {
  it('have each a wall clock of their own while a human is asked about a call of one', async () => {
    const human = gate()
    const asked = gate()
    const registry = createToolRegistry({
      mode: 'code',
      codeRuntime: quickJsRuntime({ limits: { wallMs: 400, drainMs: 5 } }),
      abortGraceMs: 5,
    })
    const slow = countedTool('slow')
    const a = registry.createScope({
      id: 'a',
      tools: [slow],
      stages: [{ preExecute: (call, next) => (call.name === 'slow' ? { kind: 'ask' } : next()) }],
      approve: async () => {
        asked.open()
        await human.promise
        return 'allowed-once' as const
      },
    })
    const never = countedTool('never', () => new Promise(() => {}))
    const b = registry.createScope({ id: 'b', tools: [never] })
    const ending = start(b, 'return await tools.never()')
    await until(() => never.runs() === 1)
    const waiting = start(a, 'return await tools.slow()')
    await asked.promise
    expect(await ending).toMatchObject({ error: { details: { kind: 'timeout-wall' } } })
    expect(slow.runs()).toBe(0)
    human.open()
    expect(told(await waiting)).toMatchObject({ result: 'done' })
  })

  it('tell each of its own calls only what still runs', async () => {
    const registry = createToolRegistry({
      mode: 'code',
      codeRuntime: quickJsRuntime({ limits: { drainMs: 5 } }),
      abortGraceMs: 5,
    })
    const secret = countedTool('secret_payroll', () => new Promise(() => {}))
    const hold = gate()
    const held = countedTool('held', () => hold.promise.then(() => 'held'))
    const a = registry.createScope({ id: 'a', tools: [secret] })
    const b = registry.createScope({ id: 'b', tools: [held] })
    const second = start(b, 'return await tools.held()')
    await until(() => held.runs() === 1)
    const first = told(
      await start(
        a,
        "tools.secret_payroll(); await new Promise(done => setTimeout(done, 30)); return 'left'",
      ),
    )
    expect(first).toMatchObject({ result: 'left', stillRunning: ['secret_payroll'] })
    hold.open()
    expect(told(await second)).toEqual({ logs: [], result: 'held' })
  })

  it.each([
    ['of its own', {}],
    ['that belongs to a conversation', { rootCallId: 'conversation-7' }],
  ])(
    'hold the clock for a call that a tool of theirs makes in their name, in a run %s',
    async (_what, more) => {
      const human = gate()
      const registry = createToolRegistry({
        mode: 'code',
        codeRuntime: quickJsRuntime({ limits: { wallMs: 300 } }),
        approve: async () => {
          await human.promise
          return 'allowed-once' as const
        },
      })
      const inner = countedTool('inner', () => 'inner')
      const outer = countedTool('outer', async (_args, { token }) => {
        const result = await registry.execute({ callId: 'deep', name: 'inner', parent: token })
        return result.isError ? result.error.code : 'asked'
      })
      registry.register(inner)
      registry.register(outer)
      registry.use({ preExecute: (call, next) => (call.name === 'inner' ? { kind: 'ask' } : next()) })
      const running = start(registry, 'return await tools.outer()', more)
      await new Promise(done => setTimeout(done, 600))
      human.open()
      expect(told(await running)).toMatchObject({ result: 'asked' })
      expect(inner.runs()).toBe(1)
    },
  )
})
