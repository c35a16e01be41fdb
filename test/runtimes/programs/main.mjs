import { smoke } from './smoke.mjs'
import { smokeInWorkers } from './smoke-workers.mjs'

await smoke()
await smokeInWorkers()
console.log('ok')
