import { native } from './native.mjs'

await native()
console.log('ok')
