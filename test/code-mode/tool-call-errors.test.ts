/** A program is told to decide by `toolName` and `code` of a `ToolCallError`: it has both, whoever refused the call. */
import { createToolRegistry } from 'toolgate'
import { quickJsRuntime } from 'toolgate/quickjs'
import { quickJsWorkerRuntime } from 'toolgate/quickjs-worker'
import { afterAll, describe, expect, it } from 'vitest'
import { countedTool } from '../support/tools.js'

const limits = { maxCalls: 6, memoryBytes: 16 * 1024 * 1024 }
const RUNTIMES = {
  quickJsRuntime: quickJsRuntime({ limits }),
  quickJsWorkerRuntime: quickJsWorkerRuntime({ limits }),
}

afterAll(async () => {
  for (const runtime of Object.values(RUNTIMES)) await runtime.dispose?.()
})

describe.each(Object.entries(RUNTIMES))('a ToolCallError of %s', (_name, codeRuntime) => {
  it('has the name of the tool and a code, whoever refused the call', async () => {
    const nest = (levels: number): unknown => (levels === 0 ? 1 : [nest(levels - 1)])
    const x = countedTool('x', () => 'ok')
    const deep = countedTool('deep', () => nest(4_500), {
      output: { schema: {}, render: () => [{ type: 'text', text: 'deep' }] },
    })
    const fails = countedTool('fails', () => Promise.reject(new Error('no')))
    const registry = createToolRegistry({
      mode: 'code',
      codeRuntime,
      tools: [x, deep, fails],
      limits: { maxArgumentBytes: 1_000 },
    })
    const code = `const told = {}
const ask = async (what, call) => {
  await call().then(() => { told[what] = 'ok' }, e => { told[what] = [e instanceof ToolCallError, e.toolName, e.code] })
}
await ask('no JSON', () => tools.x({ a: NaN }))
await ask('two values', () => tools.x({}, {}))
await ask('too long', () => tools.x({ a: 'a'.repeat(10_000) }))
await ask('too deep', () => tools.deep({}))
await ask('fails', () => tools.fails({}))
await ask('unknown', () => tools['no such']({}))
await ask('fine', () => tools.x({}))
for (let i = 0; i < 6; i++) await ask('too many', () => tools.x({}))
return told`
    const result = await registry.execute({
      callId: '1',
      name: 'run_code',
      arguments: { code, description: 'Fail in every way' },
    })
    if (result.isError) throw new Error(result.error.message)
    expect((result.value as { result: unknown }).result).toEqual({
      'no JSON': [true, 'x', 'INVALID_ARGS'],
      'two values': [true, 'x', 'INVALID_ARGS'],
      'too long': [true, 'x', 'LIMIT_EXCEEDED'],
      'too deep': [true, 'deep', 'LIMIT_EXCEEDED'],
      fails: [true, 'fails', 'TOOL_FAILED'],
      unknown: [true, 'no such', 'UNKNOWN_TOOL'],
      fine: 'ok',
      'too many': [true, 'x', 'LIMIT_EXCEEDED'],
    })
    expect([deep.runs(), fails.runs()]).toEqual([1, 1])
  })

  it('names the limit that holds, whatever refused arguments for their size', async () => {
    const size = countedTool('size', ({ text }) => String(text.length))
    const registry = createToolRegistry({
      mode: 'code',
      codeRuntime,
      tools: [size],
      limits: { maxArgumentBytes: 2_000 },
    })
    const code = `const beside = JSON.stringify({ text: '' }).length
const ask = bytes => tools.size({ text: 'x'.repeat(bytes - beside) }).then(() => 'ok', e => e.message)
const limits = []
for (const bytes of [3_000, 9_000, 50_000]) limits.push(Math.min(...(await ask(bytes)).match(/\\d+/g)))
return [limits, await ask(limits[2]), (await ask(limits[2] + 1)) === 'ok']`
    const result = await registry.execute({
      callId: '1',
      name: 'run_code',
      arguments: { code, description: 'Pass too much' },
    })
    expect(result).toMatchObject({ value: { result: [[2_000, 2_000, 2_000], 'ok', false] } })
    expect(size.runs()).toBe(1)
  })
})
