/** A runtime of the host's own that does not keep its contract. */
import { type CodeRuntime, createToolRegistry } from 'toolgate'
import { describe, expect, it } from 'vitest'
import { countedTool, gate } from '../support/tools.js'

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

  it.each([2 ** 40, Number.POSITIVE_INFINITY])(
    'waits for calls left behind for a drainMs of %d',
    async drainMs => {
      const begun = gate()
      const slow = countedTool('slow', () => {
        begun.open()
        return new Promise(done => setTimeout(done, 30))
      })
      const codeRuntime: CodeRuntime = {
        drainMs,
        async run({ namespaces: [tools] }) {
          const { signal } = new AbortController()
          void tools?.call({ name: 'slow', args: [{}], signal, pauseWallClock: () => () => {} })
          await begun.promise
          return { logs: [], value: 7 }
        },
      }
      const registry = createToolRegistry({ tools: [slow], mode: 'code', codeRuntime })
      const result = await registry.execute({
        callId: 'p',
        name: 'run_code',
        arguments: { code: 'return 7', description: 'Leaves a call behind' },
      })
      expect(result).toMatchObject({ value: { result: 7, cutOff: ['slow'] } })
    },
  )
})
