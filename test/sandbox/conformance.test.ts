import { quickJsRuntime } from 'toolgate/quickjs'
import { quickJsWorkerRuntime } from 'toolgate/quickjs-worker'
import { codeRuntimeConformance } from 'toolgate/testing'
import { describe, test } from 'vitest'

describe('quickJsRuntime conforms', () => {
  for (const { name, run } of codeRuntimeConformance(limits => quickJsRuntime({ limits }))) test(name, run)
})

describe('quickJsWorkerRuntime conforms', () => {
  for (const { name, run } of codeRuntimeConformance(limits => quickJsWorkerRuntime({ limits })))
    test(name, run)
})
