import { quickJsRuntime } from 'toolgate/quickjs'
import { describe, expect, test } from 'vitest'
import { BOUNDARY } from './escapes/boundary.js'
import { ENGINE } from './escapes/engine.js'
import { STATE, UNTOUCHED } from './escapes/state.js'
import { WORLD } from './escapes/world.js'
import { toolsOf } from './support/run-code.js'

const DAY = 86_400_000
const runtime = quickJsRuntime({ limits: { cpuMs: 20_000, wallMs: 30_000 }, now: () => DAY })
const small = quickJsRuntime({
  limits: { cpuMs: 500, memoryBytes: 4 * 1024 * 1024, maxCalls: 50, outputBytes: 60_000 },
})

function world() {
  const calls: string[] = []
  const tools = toolsOf(
    {},
    {
      functions: ['echo', 'fail', 'proto', 'thenable', 'slow'],
      open: true,
      async call({ name, args }) {
        calls.push(name)
        switch (name) {
          case 'echo':
            return { ok: true, value: args[0] ?? null }
          case 'proto':
            return { ok: true, value: JSON.parse('{"__proto__":{"polluted":1}}') }
          case 'thenable':
            return { ok: true, value: { then: 'x' } }
          case 'slow':
            await new Promise(done => setTimeout(done, 5))
            return { ok: true }
          case 'fail':
            return { ok: false, message: 'it failed', properties: { code: 'BAD' } }
          default:
            return { ok: false, message: `no ${name}`, properties: { code: 'UNKNOWN' } }
        }
      },
    },
  )
  const catalog = { global: 'catalog', functions: ['search'], call: async () => ({ ok: true as const }) }
  return { calls, namespaces: [tools, catalog] }
}

/** What of the host a program could have changed. */
const hostState = (): string =>
  [Object, Array, Function, Promise, Error, Map, RegExp, String]
    .flatMap(c => [c, c.prototype])
    .concat(globalThis as never)
    .map(o => Reflect.ownKeys(o).map(String).join())
    .join('\n')

const fingerprint = async (): Promise<unknown> =>
  (await runtime.run({ program: UNTOUCHED.program, namespaces: world().namespaces })).value

const escapes = [...WORLD, ...BOUNDARY, ...ENGINE]

describe('an escape', () => {
  test('is tried in more than eighty ways', () => {
    expect(escapes.length + STATE.length).toBeGreaterThan(80)
    expect(new Set(escapes.map(({ what }) => what)).size).toBe(escapes.length)
  })

  test.each(escapes)('fails: $what', async ({ program, ends, calls = [], logs }) => {
    const before = [hostState(), await fingerprint()]
    const made = world()
    const outcome = await runtime.run({ program, namespaces: made.namespaces })
    if ('kind' in ends) {
      expect(outcome.error?.kind).toBe(ends.kind)
      expect(outcome.error?.message).toMatch(ends.message ?? /./)
    } else {
      expect(outcome.error).toBeUndefined()
      expect(outcome.value).toEqual(ends.value)
    }
    expect(made.calls).toEqual(calls)
    if (logs !== undefined) expect(outcome.logs).toEqual(logs)
    expect([hostState(), await fingerprint()]).toEqual(before)
  })
})

describe('nothing is left for the next program of', () => {
  test.each(STATE)('$what', async ({ leave, find, found }) => {
    await small.run({ program: leave, namespaces: world().namespaces })
    const { value, error } = await small.run({ program: find, namespaces: world().namespaces })
    expect(error).toBeUndefined()
    expect(value).toEqual(found)
  })
})
