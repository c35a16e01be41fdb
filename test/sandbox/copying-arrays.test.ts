import { describe, expect, test } from 'vitest'
import { returned } from './support/run-code.js'

type Call = readonly [method: string, list: unknown, args: readonly unknown[]]

const LISTS: readonly unknown[] = [
  [],
  [1],
  [3, 1, 2],
  ['b', 'a', null, 'c'],
  [10, 9, 1, [2]],
  'text',
  { length: 3, 0: 'x', 2: 'z' },
  { length: '2', 0: 1, 1: 0 },
  { length: -1, 0: 1 },
  { length: 1.9, 0: 1 },
  5,
  true,
]
const PLACES: readonly unknown[] = [0, 1, 2, -1, -2, -9, 9, 1.5, '1', null, 'x']

const calls: Call[] = LISTS.flatMap((list): Call[] => [
  ['toReversed', list, []],
  ['toSorted', list, []],
  ['toSorted', list, [null]],
  ['toSpliced', list, []],
  ...PLACES.flatMap((at): Call[] => [
    ['with', list, [at, 'new']],
    ['toSpliced', list, [at]],
    ['toSpliced', list, [at, 1]],
    ['toSpliced', list, [at, -1, 'new']],
    ['toSpliced', list, [at, 1, 'new', 'newer']],
  ]),
])

const RUN = `const run = (method, list, args) => {
  try { return { value: Array.prototype[method].apply(list, args).map(x => x === undefined ? 'undefined' : x) } }
  catch (error) { return { error: error.name } }
}
`

function expected([method, list, args]: Call): unknown {
  const methods = Array.prototype as unknown as Record<string, (...args: unknown[]) => unknown[]>
  try {
    const copy = Reflect.apply(methods[method] as never, list, args as never) as unknown[]
    return { value: Array.from(copy, member => (member === undefined ? 'undefined' : member)) }
  } catch (error) {
    return { error: (error as Error).name }
  }
}

describe('the methods that copy an array', () => {
  test('give what those of the host give', async () => {
    const program = `${RUN}return ${JSON.stringify(calls)}.map(([method, list, args]) => run(method, list, args))`
    expect(await returned(program)).toEqual(calls.map(expected))
  })

  const rules: readonly (readonly [string, string, unknown])[] = [
    [
      'have the names and lengths that they have elsewhere',
      `return ['with', 'toReversed', 'toSorted', 'toSpliced'].map(k => { const f = [][k]; return [f.name, f.length, Object.keys(Array.prototype).includes(k)] })`,
      [
        ['with', 2, false],
        ['toReversed', 0, false],
        ['toSorted', 1, false],
        ['toSpliced', 2, false],
      ],
    ],
    [
      'are no constructors',
      `return ['with', 'toReversed', 'toSorted', 'toSpliced'].map(k => { try { new ([][k])(); return 'made' } catch (e) { return e.name } })`,
      ['TypeError', 'TypeError', 'TypeError', 'TypeError'],
    ],
    [
      'fill holes',
      'return [[1, , 3].toReversed(), [, 2].with(0, 1)].map(a => a.map(String).concat(Object.keys(a).length))',
      [
        ['3', 'undefined', '1', 3],
        ['1', '2', 2],
      ],
    ],
    ['sort by a comparator', 'return [3, 1, 2].toSorted((a, b) => b - a)', [3, 2, 1]],
    [
      'make plain arrays, of members that no setter sees',
      `class A extends Array {}; const seen = []
Object.defineProperty(Array.prototype, 5, { set(x) { seen.push(x) }, configurable: true })
const a = A.from([1, 2, 3, 4, 5, 6]).toReversed(); delete Array.prototype[5]
return [a instanceof A, Array.isArray(a), a, seen]`,
      [false, true, [6, 5, 4, 3, 2, 1], []],
    ],
    [
      'hold while the collector runs in a getter of a member',
      `const make = () => { for (let i = 0; i < 60_000; i++) { const o = {}; o.o = o } return 1 }
const out = []
for (const call of [a => a.with(1, 2), a => a.toReversed(), a => a.toSorted(), a => a.toSpliced(1, 1)]) {
  let dropped = Array.from({ length: 1000 }, (_, i) => ({ i }))
  const a = new Array(1000).fill(0)
  for (const at of [0, 999]) Object.defineProperty(a, at, { get: make })
  dropped = undefined
  out.push(call(a).length)
}
return out`,
      [1000, 1000, 1000, 999],
    ],
  ]
  test.each(rules)('%s', async (_what, program, value) => {
    expect(await returned(program)).toEqual(value)
  })
})
