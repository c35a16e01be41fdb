import { quickJsRuntime } from 'toolgate/quickjs'
import { describe, expect, it } from 'vitest'

let now = 0
const runtime = quickJsRuntime({ now: () => now })
const printed = async (program: string): Promise<readonly string[]> => {
  const { logs, error } = await runtime.run({ program, namespaces: [] })
  expect(error).toBeUndefined()
  return logs
}

describe('console makes plain lines of', () => {
  it.each([
    ['a table', 'console.table([{ id: 1 }, { id: 2 }], ["id"])', ['[{"id":1},{"id":2}]']],
    ['a table of a text', 'console.table("rows")', ['rows']],
    ['an object shown with options', 'console.dir({ a: new Map([[1, 2]]) }, { depth: 0 })', [/Map/]],
    [
      'groups',
      'console.group("a", 1); console.log("b"); console.groupCollapsed(); console.groupEnd()',
      ['a 1', 'b'],
    ],
    [
      'what does not hold',
      'console.assert(1, "no"); console.assert(0, "it", 2); console.assert(false)',
      ['[error] Assertion failed: it 2', '[error] Assertion failed:'],
    ],
    [
      'counts',
      'console.count(); console.count("x"); console.count(); console.countReset(); console.count()',
      ['default: 1', 'x: 1', 'default: 2', 'default: 1'],
    ],
    [
      'counts of any label',
      'console.count("__proto__"); console.count("__proto__"); console.count(Symbol("s"))',
      ['__proto__: 1', '__proto__: 2', 'Symbol(s): 1'],
    ],
    ['traces', 'console.trace("here", { a: 1 }); console.trace()', ['Trace: here {"a":1}', 'Trace:']],
    [
      'timers that there are not',
      'console.timeEnd(); console.timeLog("x")',
      ['[warn] There is no timer default', '[warn] There is no timer x'],
    ],
  ] as readonly (readonly [string, string, readonly (string | RegExp)[]])[])(
    '%s',
    async (_what, program, lines) => {
      expect(await printed(program)).toEqual(
        lines.map(line => (typeof line === 'string' ? line : expect.stringMatching(line))),
      )
    },
  )

  it('times, by the clock of the program', async () => {
    const add = {
      global: 'clock',
      functions: ['add'],
      call: async () => {
        now += 40
        return { ok: true, value: now } as const
      },
    }
    const { logs } = await runtime.run({
      program: `console.time(); await clock.add(); console.timeLog('default', { a: 1 }, 2); console.timeEnd(); console.timeEnd()`,
      namespaces: [add],
    })
    expect(logs).toEqual(['default: 40 ms {"a":1} 2', 'default: 40 ms', '[warn] There is no timer default'])
  })

  it('nothing that the next program finds', async () => {
    await printed('console.count(); console.time(); console.group("a")')
    expect(await printed('console.count(); console.timeEnd(); console.log(1)')).toEqual([
      'default: 1',
      '[warn] There is no timer default',
      '1',
    ])
  })
})

it('the methods of console have their names, and work without it', async () => {
  const { value } = await runtime.run({
    program:
      'for (const [name, method] of Object.entries(console)) { if (method.name !== name) return name; method() } return 0',
    namespaces: [],
  })
  expect(value).toBe(0)
})
