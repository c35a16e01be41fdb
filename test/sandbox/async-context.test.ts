import { AsyncLocalStorage } from 'node:async_hooks'
import type { CodeRuntime } from 'toolgate'
import { quickJsRuntime } from 'toolgate/quickjs'
import { quickJsWorkerRuntime } from 'toolgate/quickjs-worker'
import { describe, expect, it } from 'vitest'

const request = new AsyncLocalStorage<string>()

const PROGRAM = `console.log('a')
await tools.look()
await Promise.all([tools.look(), tools.look()])
await new Promise(done => setTimeout(done, 1))
console.log('b')
return await tools.look()`

async function seenBy(runtime: CodeRuntime, id: string): Promise<unknown[]> {
  const seen: unknown[] = []
  const look = (): void => void seen.push(request.getStore())
  const call = async () => {
    look()
    await new Promise(done => setTimeout(done, 1))
    look()
    return { ok: true as const }
  }
  const namespaces = [{ global: 'tools', functions: ['look'], call }]
  await request.run(id, () => runtime.run({ program: PROGRAM, namespaces, onLog: look }))
  return seen
}

describe.each([
  ['quickJsRuntime', () => quickJsRuntime()],
  ['quickJsWorkerRuntime', () => quickJsWorkerRuntime({ maxWorkers: 2 })],
])('%s', (_name, createRuntime) => {
  it('hands calls and lines on in the asynchronous context of their own run', async () => {
    const runtime = createRuntime()
    for (const id of ['first', 'second']) expect(await seenBy(runtime, id)).toEqual(Array(10).fill(id))
    const ids = ['a', 'b', 'c', 'd']
    const overlapping = await Promise.all(ids.map(id => seenBy(runtime, id)))
    expect(overlapping).toEqual(ids.map(id => Array(10).fill(id)))
    await runtime.dispose?.()
  })
})
