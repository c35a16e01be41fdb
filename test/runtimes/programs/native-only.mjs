import { createToolRegistry } from 'toolgate'
import { add, native } from './native.mjs'
import { checkWires } from './wires.mjs'

await native()
await checkWires(createToolRegistry({ tools: [add] }))
console.log('ok')
