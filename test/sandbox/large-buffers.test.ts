import { quickJsRuntime } from 'toolgate/quickjs'
import { describe, expect, test } from 'vitest'
import { run } from './support/run-code.js'

const MIB = 1024 * 1024
const runtime = quickJsRuntime({ limits: { memoryBytes: 256 * MIB, cpuMs: 60_000 } })

// The engine copies and fills a megabyte at a time.
const SET_UP = `const size = 3 * 2 ** 20 + 17, t = new Uint8Array(size)
t.set(Array.from({ length: 251 }, (_, i) => i))
for (let have = 251; have < size; have *= 2) t.copyWithin(have, 0, have)
const before = t.slice(), wrong = []
const check = (from, to, expected) => {
  for (let i = from; i < to; i += 997) if (t[i] !== expected(i)) wrong.push(i)
  for (const edge of [1, 2, 3]) for (let i = edge * 2 ** 20 - 8; i < edge * 2 ** 20 + 8; i++) if (i >= from && i < to && t[i] !== expected(i)) wrong.push(i)
}
`
const copies: readonly (readonly [string, string])[] = [
  ['a copy as it is', 'check(0, size, i => i % 251)'],
  [
    'a move to what has yet to be read',
    't.copyWithin(5, 0); check(5, size, i => before[i - 5]); check(0, 5, i => i)',
  ],
  ['a move over a megabyte', 't.copyWithin(2 ** 20, 0); check(2 ** 20, size, i => before[i - 2 ** 20])'],
  ['a move to what has been read', 't.copyWithin(0, 5); check(0, size - 5, i => before[i + 5])'],
  ['a move onto itself', 't.copyWithin(0, 0); check(0, size, i => before[i])'],
  ['a fill of all', 't.fill(7); check(0, size, () => 7)'],
  ['a fill of a part', 't.fill(7, 9, size - 9); check(9, size - 9, () => 7); check(0, 9, i => i)'],
  [
    'text put together',
    'const s = "ab".repeat(2e6) + "c"; if (s.length !== 4e6 + 1 || s.at(-1) !== "c" || s.lastIndexOf("b") !== 4e6 - 1) wrong.push(s.length)',
  ],
]

describe('what is copied or filled in pieces is as if it were one', () => {
  test.each(copies)('%s', async (_what, program) => {
    const { value, error } = await run(`${SET_UP}${program}; return wrong.slice(0, 5)`, {}, {}, runtime)
    expect([error, value]).toEqual([undefined, []])
  })
})

test('filling large memory stops between the pieces', async () => {
  const small = quickJsRuntime({ limits: { memoryBytes: 256 * MIB, cpuMs: 30 } })
  const { error } = await run('for (;;) new Uint8Array(2e8)', {}, {}, small)
  expect(error?.kind).toBe('timeout-cpu')
})
