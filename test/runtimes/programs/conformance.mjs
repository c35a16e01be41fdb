import { quickJsRuntime } from 'toolgate/quickjs'
import { codeRuntimeConformance } from 'toolgate/testing'

/** Throws with every case that a runtime fails. */
async function conform(what, createRuntime) {
  const failures = []
  const cases = codeRuntimeConformance(createRuntime)
  for (const { name, run } of cases)
    await run().catch(error => failures.push(`${what}: ${name}\n  ${error?.message ?? error}`))
  if (failures.length > 0) throw new Error(`${failures.length} of ${cases.length}\n${failures.join('\n')}`)
}

/** The runtime in the host's own thread. */
export async function conformInProcess(options = {}) {
  await conform('quickJsRuntime', limits => quickJsRuntime({ ...options, limits }))
}

/** The same in workers. */
export async function conformInWorkers(quickJsWorkerRuntime) {
  await conform('quickJsWorkerRuntime', limits => quickJsWorkerRuntime({ limits }))
}
