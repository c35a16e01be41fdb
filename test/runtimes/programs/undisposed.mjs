import { quickJsWorkerRuntime } from 'toolgate/quickjs-worker'

// Nobody disposes it: an idle worker must not keep the process up.
const { value } = await quickJsWorkerRuntime().run({ program: 'return "ok"', namespaces: [] })
console.log(value)
