import { quickJsWorkerRuntime } from 'toolgate/quickjs-worker'
import { smokeOn } from './smoke.mjs'

/** The smoke test on a runtime in workers. */
export async function smokeInWorkers(options = {}) {
  await smokeOn(quickJsWorkerRuntime({ ...options, limits: { cpuMs: 1000 } }))
}
