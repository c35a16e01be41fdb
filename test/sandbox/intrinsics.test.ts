import { quickJsRuntime } from 'toolgate/quickjs'
import { beforeAll, describe, expect, test } from 'vitest'
import { LIST_FUNCTIONS, type Reachable, sweep } from './support/intrinsics-sweep.js'
import { returned, run } from './support/run-code.js'

// By work and not by time, so that a busy machine changes nothing. `npm run bench -- hostile` goes every way and looks at the clock.
const runtime = quickJsRuntime({
  limits: { cpuMs: 5, memoryBytes: 32 * 1024 * 1024, outputBytes: 100_000 },
  cpuClock: 'counted',
})
const functions = { echo: ({ args }: { args: readonly unknown[] }) => args[0] ?? null }
const EVERY = 12
const STOPPED = ['timeout-cpu', 'memory', 'output-limit', 'stack', undefined]

let reachable: readonly Reachable[] = []
beforeAll(async () => {
  reachable = (await returned(LIST_FUNCTIONS, functions)) as Reachable[]
})

describe('every function that a program can reach', () => {
  test('is found', () => {
    const paths = reachable.map(([path]) => path)
    expect(paths.length).toBeGreaterThan(500)
    expect(paths).toEqual(
      expect.arrayContaining([
        'Array.prototype.indexOf',
        'get Map.prototype.size',
        'Uint8Array',
        'set .__proto__.__proto__',
        'console.log',
        'promiseOfCall.__proto__.then',
        'call',
      ]),
    )
  })

  // One test for each part of the list, so that a failure is near to what caused it.
  const PARTS = 20
  test.each(Array.from({ length: PARTS }, (_, part) => part))(
    'ends, whatever it is called with, and the next program runs: part %i',
    { timeout: 120_000 },
    async part => {
      for (const [i, fn] of reachable.entries()) {
        if (i % PARTS !== part) continue
        const once = (program: string) => run(program, functions, {}, runtime)
        for await (const { what, outcome } of sweep(fn, once, { every: EVERY, first: i % EVERY })) {
          // What a callback throws that the program never gets to catch.
          if (outcome.error?.message.startsWith('Thrown: ')) continue
          expect(STOPPED, `${what}: ${outcome.error?.message}`).toContain(outcome.error?.kind)
          expect((await once('return 7')).value, `after ${what}`).toBe(7)
        }
      }
    },
  )
})
