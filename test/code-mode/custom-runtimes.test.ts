/** A runtime of the host's own that does not keep its contract. */
import { type CodeRuntime, createToolRegistry } from 'toolgate'
import { describe, expect, it } from 'vitest'

const run = (codeRuntime: object) => {
  const registry = createToolRegistry({ mode: 'code', codeRuntime: codeRuntime as CodeRuntime })
  const args = { code: 'return 1', description: 'Try' }
  return registry.execute({ callId: '1', name: 'run_code', arguments: args })
}

describe('a code runtime that answers what it must not', () => {
  it.each([
    ['nothing', undefined],
    ['no logs', {}],
    ['logs that are a text', { logs: 'abc' }],
    ['logs that are no texts', { logs: [1] }],
    ['an error that is null', { logs: [], error: null }],
    ['an error that is a text', { logs: [], error: 'text' }],
    ['an error without words', { logs: [], error: {} }],
    [
      'an accessor that throws',
      {
        get logs(): never {
          throw new Error('secret')
        },
      },
    ],
  ])('is a crash: %s', async (_what, answer) => {
    const result = await run({ run: async () => answer })
    expect(result).toMatchObject({ error: { code: 'CODE_RUN_FAILED', details: { kind: 'crash' } } })
    expect(JSON.stringify(result)).not.toMatch(/undefined|iterable|destructure|secret/)
  })

  it('loses no value for a drainMs that cannot be read', async () => {
    const result = await run({
      run: async () => ({ logs: [], value: 7 }),
      get drainMs(): never {
        throw new Error('no')
      },
    })
    expect(result).toMatchObject({ isError: false, value: { result: 7 } })
  })
})
