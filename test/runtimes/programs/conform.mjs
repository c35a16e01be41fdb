import { quickJsWorkerRuntime } from 'toolgate/quickjs-worker'
import { conformInProcess, conformInWorkers } from './conformance.mjs'

await conformInProcess()
await conformInWorkers(quickJsWorkerRuntime)
console.log('ok')
