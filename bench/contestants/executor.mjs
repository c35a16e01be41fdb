import { makeQuickJsExecutor } from '@executor-js/runtime-quickjs'
import * as Effect from 'effect/Effect'

const functions = { add: ({ a, b }) => a + b, echo: ({ text }) => text }
const invoker = { invoke: ({ path, args }) => Effect.sync(() => functions[path](args)) }

export function createExecutor() {
  const executor = makeQuickJsExecutor()
  return async code => {
    const { result, error } = await Effect.runPromise(executor.execute(code, invoker))
    if (error) throw new Error(error)
    return result
  }
}
