import { quickJsRuntime } from 'toolgate/quickjs'
import { describe, expect, test } from 'vitest'
import { run, toolsOf } from './support/run-code.js'

const invalid = (text: string) =>
  expect.objectContaining({
    name: 'ToolgateError',
    code: 'INVALID_OPTIONS',
    message: expect.stringContaining(text),
  })

describe('options that make no sense are refused where the runtime is made', () => {
  const wrong: readonly (readonly [string, unknown, string])[] = [
    ['null', null, 'options'],
    ['a text', 'limits', 'options'],
    ['a list', [], 'options'],
    ['a name that there is not', { limit: {} }, '"limit"'],
    ['limits that are null', { limits: null }, 'limits'],
    ['limits that are a number', { limits: 5 }, 'limits'],
    ['limits that are a list', { limits: [] }, 'limits'],
    ['a limit that is null', { limits: { cpuMs: null } }, 'limits.cpuMs'],
    ['a limit that is an object', { limits: { cpuMs: Object.create(null) } }, 'limits.cpuMs'],
    ['a limit that is a symbol', { limits: { cpuMs: Symbol('x') } }, 'limits.cpuMs'],
    ['a limit that is a BigInt', { limits: { cpuMs: 5n } }, 'limits.cpuMs'],
    ['a limit that objects inherit', { limits: { toString: 5 } }, 'limits.toString'],
    ['a module that is null', { wasmModule: null }, 'wasmModule'],
    ['bytes for a module', { wasmModule: new Uint8Array(8) }, 'wasmModule'],
    ['a clock that is null', { now: null }, 'now'],
    ['a clock that is a time', { now: 0 }, 'now'],
    ['randomness that is a number', { random: 0.5 }, 'random'],
    ['a way of counting that there is not', { cpuClock: 'exact' }, 'cpuClock'],
  ]
  test.each(wrong)('%s', (_what, options, text) => {
    expect(() => quickJsRuntime(options as never)).toThrow(invalid(text))
  })

  test('and left out where they are undefined', async () => {
    const options = { limits: { cpuMs: undefined }, now: undefined, wasmModule: undefined }
    expect((await run('return 1', {}, {}, quickJsRuntime(options as never))).value).toBe(1)
    expect((await run('return 1', {}, {}, quickJsRuntime({ limits: undefined } as never))).value).toBe(1)
  })
})

describe('a run that makes no sense rejects', () => {
  const runtime = quickJsRuntime()
  const wrong: readonly (readonly [string, unknown, string])[] = [
    ['nothing', undefined, 'run takes'],
    ['null', null, 'run takes'],
    ['a program that is no text', { program: 5, namespaces: [] }, 'program'],
    ['no namespaces', { program: '1' }, 'namespaces'],
    ['a namespace that is null', { program: '1', namespaces: [null] }, 'namespace'],
    [
      'a namespace without functions',
      { program: '1', namespaces: [{ global: 'a', call() {} }] },
      'functions',
    ],
    ['a namespace without call', { program: '1', namespaces: [{ global: 'a', functions: [] }] }, 'call'],
    [
      'openness that is no truth value',
      { program: '1', namespaces: [toolsOf({}, { open: 1 as never })] },
      'open',
    ],
    ['a size that is none', { program: '1', namespaces: [toolsOf({}, { maxCallBytes: 0 })] }, 'maxCallBytes'],
    [
      'a limit that is none',
      { program: '1', namespaces: [toolsOf({}, { maxArgumentBytes: 0.5 })] },
      'maxArgumentBytes',
    ],
    ['a signal that is none', { program: '1', namespaces: [], signal: {} }, 'signal'],
    ['an observer that is none', { program: '1', namespaces: [], onLog: 'x' }, 'onLog'],
    ['a name that there is not', { program: '1', namespaces: [], timeoutMs: 5 }, '"timeoutMs"'],
  ]
  test.each(wrong)('%s', async (_what, request, text) => {
    await expect(runtime.run(request as never)).rejects.toThrow(invalid(text))
  })
})
