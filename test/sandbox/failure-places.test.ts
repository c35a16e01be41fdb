import { describe, expect, test } from 'vitest'
import { run } from './support/run-code.js'

/** Each program fails at the place told, behind statements that do not. */
const BEFORE = 'let a, o = {}, list = [{ id: 1 }];\n[1].map(x => x)\n'

const places: readonly (readonly [what: string, program: string, place: string])[] = [
  ['a list pattern', 'const b = 1\nconst [first] = o.items\nreturn first', '4:7'],
  ['an object pattern', 'const b = 1\nconst { first } = o.items', '4:7'],
  ['an object pattern with a rest', 'const { first, ...rest } = undefined', '3:7'],
  ['a pattern in a pattern', 'const b = 1\nconst { c: { d: [e] } } = { c: { d: null } }', '4:17'],
  ['a pattern in an assignment', 'const b = 1\n;({ a } = null)', '4:3'],
  ['a list pattern in an assignment', 'const b = 1\n;[a] = 5', '4:2'],
  ['what a loop goes through', 'const b = 1\nfor (const x of o) {\n  a = x\n}', '4:17'],
  ['what a loop goes through, on a line of its own', 'for (const x of\n  o.items) a = x', '4:3'],
  ['what a waiting loop goes through', 'const b = 1\nfor await (const x of 5) {\n  a = x\n}', '4:23'],
  ['the pattern of a loop', 'for (const { id, owner: { name } } of list) {\n  a = id\n}', '3:25'],
  ['the list pattern of a loop', 'for (const [k, v] of [1]) {\n  a = k\n}', '3:12'],
  ['the pattern of a parameter', 'const f = (b,\n  { c }) => c\nreturn f(1)', '4:3'],
  ['the pattern of a catch', 'try {\n  throw null\n} catch ({ message }) {\n  return message\n}', '5:10'],
  ['a pattern in a function', 'function f() {\n  const b = 1\n  const [c] = null\n}\nreturn f()', '5:9'],
  ['a pattern in a generator', 'function* g() {\n  yield 1\n  const [c] = null\n}\nreturn [...g()]', '5:9'],
  ['a constant that is assigned', 'const c = 1\nc = 2\nreturn c', '4:1'],
  ['a constant that is counted up', 'const c = 1\nif (c) {\n  c++\n}\nreturn c', '5:4'],
  ['a constant that is added to', 'const c = 1\nc += 1\nconst d = c\nreturn d', '4:3'],
  ['a variable that is not there yet', 'const b = 1\nlate\nlet late = 1', '4:1'],
  ['what is thrown', 'const b = 1\nthrow new Error("x")\nreturn 1', '4:16'],
  ['a pattern behind a wait', 'await null\nconst [c] = await null', '4:7'],
]

describe('a failure of what is taken apart, gone through or written to is told where that stands', () => {
  test.each(places)('%s', async (_what, program, place) => {
    const { error } = await run(BEFORE + program)
    expect(error?.kind).toBe('exception')
    expect(error?.message).toMatch(new RegExp(`\\n {4}at (\\w+ \\()?${place}\\)?(\\n|$)`))
    expect(error?.message).toContain(`> ${place.split(':')[0]} | `)
  })

  test('in the first statement, which nothing stands before', async () => {
    for (const program of ['let { length } = null', 'for (const x of {}) x', 'const [x] = null'])
      expect((await run(program)).error?.message).toMatch(/\n> 1 \| .*\n.*\^\n\n {4}at 1:\d+$/)
  })

  test('and a list that fails while it is gone through is told at the list, not at what ran last', async () => {
    const program = 'function* rows() { yield 1; null.x }\nfor (const row of rows()) {\n  await row\n}'
    expect((await run(program)).error?.message).toMatch(/at rows \(1:\d+\)\n {4}at 2:19$/)
  })
})
