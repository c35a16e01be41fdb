import { quickJsRuntime } from 'toolgate/quickjs'
import { describe, expect, test } from 'vitest'
import { run } from '../support/run-code.js'

const runtime = quickJsRuntime({ limits: { cpuMs: 20_000 } })

describe('console tells what a list has none of in few words', () => {
  test.each([
    ['const a = []; a[7654321] = { id: 1 }; console.log(a)', '[<7654321 empty items>,{"id":1}]'],
    [
      'const a = []; a[2 ** 32 - 2] = 1; a.name = "x"; console.log(a)',
      '[<4294967294 empty items>,1,"name":"x"]',
    ],
    ['console.log([1, , 3, , , 6, , ])', '[1,<1 empty item>,3,<2 empty items>,6,<1 empty item>]'],
    ['console.log([undefined, , new Array(3)])', '[undefined,<1 empty item>,[<3 empty items>]]'],
    ['console.log({ list: new Array(1e6) })', '{"list":[<1000000 empty items>]}'],
  ])('%s', async (program, line) => {
    expect((await run(program, {}, {}, runtime)).logs).toEqual([line])
  })

  test('also where it is thrown', async () => {
    const { error } = await run('const a = []; a[7654321] = 1; throw a', {}, {}, runtime)
    expect([error?.kind, error?.message]).toEqual(['exception', expect.stringContaining('<7654321 empty')])
  })
})

describe('what is longer than a program may print is not made first', () => {
  test.each([
    ['a long list', 'Array.from({ length: 1_600_000 }, () => 1)'],
    ['a long typed array', 'new Uint8Array(30_000_000)'],
    ['one text many times', 'Array(5_000).fill("x".repeat(100_000))'],
    ['one list many times', 'Array(1_000).fill(Array(1_000).fill("x".repeat(1_000)))'],
    [
      'a tree of shared parts',
      '(() => { let a = { x: 1 }; for (let i = 0; i < 40; i++) a = { l: a, r: a }; return a })()',
    ],
    ['a large map', 'new Map(Array.from({ length: 200_000 }, (_, i) => [i, i]))'],
    [
      'every second member',
      '(() => { const a = []; for (let i = 0; i < 200_000; i += 2) a[i] = i; return a })()',
    ],
  ])('%s', async (_what, value) => {
    const { error, logs } = await run(`console.log(${value}); return 1`, {}, {}, runtime)
    expect(error?.kind).toBe('output-limit')
    expect(logs[0]?.length).toBeGreaterThan(500_000)
  })

  test('and a getter that prints on the way takes nothing from the line it is read for', async () => {
    const program = 'console.log({ get a() { console.log([1n]); return 2n }, b: [3n] })'
    const { logs } = await run(program, {}, {}, runtime)
    expect(logs.at(-1)).toBe('{"a":2n,"b":[3n]}')
  })
})
