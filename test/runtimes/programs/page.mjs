import { quickJsWorkerRuntime } from 'toolgate/quickjs-worker'
import { conformInProcess, conformInWorkers } from './conformance.mjs'
import { smoke } from './smoke.mjs'
import { smokeInWorkers } from './smoke-workers.mjs'

const tell = text => fetch('/', { method: 'POST', body: text })

/** The page's worker script, where it must come from the page's own server. */
const script = document.documentElement.dataset.worker

async function run() {
  await smoke()
  if (script !== undefined) {
    await smokeInWorkers({ worker: new URL(script, location.href) })
    return
  }
  await smokeInWorkers()
  await conformInProcess()
  await conformInWorkers(quickJsWorkerRuntime)
}

run().then(
  () => tell('ok'),
  error => tell(String(error?.stack ?? error)),
)
