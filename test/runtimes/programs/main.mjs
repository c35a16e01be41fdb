import { smoke } from './smoke.mjs'

await smoke()
console.log('ok')
