import { createToolRegistry } from 'toolgate'
import { quickJsRuntime } from 'toolgate/quickjs'
import { add, checkNative, expectEqual, greet } from './native.mjs'
import { checkWires } from './wires.mjs'

/** Native calls, then Code Mode programs: one that works, one that never ends, one after it. */
export async function smoke(options = {}) {
  await smokeOn(quickJsRuntime({ ...options, limits: { cpuMs: 1000 } }))
}

/** The same on any runtime. */
export async function smokeOn(codeRuntime) {
  const registry = createToolRegistry({ tools: [add, greet], mode: 'both', codeRuntime })
  await checkNative(registry)
  await checkWires(registry)
  const run = (callId, code) =>
    registry.execute({ callId, name: 'run_code', arguments: { code, description: 'Add two numbers' } })

  const sum = await run('4', 'return await tools.add({ a: 1, b: 2 })')
  expectEqual([sum.error?.message, sum.value], [undefined, { logs: [], result: 3 }], 'run_code')
  const endless = await run('5', 'for (;;) {}')
  const { code, details } = endless.error ?? {}
  expectEqual([code, details?.kind], ['CODE_RUN_FAILED', 'timeout-cpu'], 'an endless program')
  const after = await run('6', 'const n: number = await tools.add({ a: 20, b: 22 })\nreturn n')
  expectEqual([after.isError, after.value?.result], [false, 42], 'a program after it')
  await registry.dispose()
}
