import { describe, expect, test } from 'vitest'
import { returned, run } from './support/run-code.js'

const AsyncFunction = (async () => {}).constructor as new (body: string) => () => Promise<unknown>

describe('a loop with several labels', () => {
  test.each([
    'a: b: for (let i = 0; i < 3; i++) { for (;;) { log.push(i); continue a } }',
    'a: b: c: for (const i of [1, 2]) for (const j of [1, 2]) { log.push([i, j]); if (i > 1) continue b; if (j > 1) continue c; continue a }',
    'let i = 0; a: b: while (i++ < 3) { switch (i) { case 1: continue a; default: log.push(i); continue b } }',
    'let i = 0; a : /* one */ b : do { try { if (i < 2) continue a; log.push(i) } finally { log.push("f" + i) } } while (i++ < 3)',
    'a: b: for (const i of [1, 2, 3]) { for (const j of [1, 2]) { if (i > 1) break a; log.push(i * j) } }',
    'a: b: for (const i in { x: 1, y: 2 }) { c: d: for (const j of [1, 2]) { log.push(i + j); if (j > 1) continue a; continue c } }',
    'a: b: for await (const i of [1, 2]) { for (;;) { log.push(i); continue a } }',
    'a: b: for (const i of [1, 2]) { const f = () => { a: for (const j of [1, 2, 3]) { for (;;) { log.push(j); continue a } } }; f(); continue a }',
    'a: b: for (const i of [1, 2]) { const f = () => { a: c: for (const j of [1, 2, 3]) { for (;;) { log.push(j); continue a } } }; f(); for (;;) continue a }',
    'a: b: for (const i of [1, 2]) log.push(i)\na: for (const i of [3, 4]) for (;;) { log.push(i); continue a }',
    'a: { b: for (const i of [1, 2]) { if (i > 1) break a; log.push(i); continue b } }',
    'const a = 1, x = 1; b: for (const i of [1, 2]) { switch (x) { case b2: a1: for (const j of [1, 2]) { log.push(j); continue b } } var b2 = 1 }',
    'const o = { continue: 1 }; let a = 5; a: b: for (const i of [1, 2]) { if (i > 1) { continue\na } log.push(o.continue, a) }',
    'a: b: for (let i = 0; i < 2; i++) { log.push(i); if (i) continue /* on */ a; continue a }',
  ])('%s', async program => {
    const whole = `const log = []; ${program}\nreturn log`
    expect(await returned(whole)).toEqual(await new AsyncFunction(`"use strict"; ${whole}`)())
  })

  test('keeps the places of what stands behind', async () => {
    const { error } = await run(
      'outermost: b: for (const i of [1]) { if (i > 1) continue outermost; null.x }',
    )
    expect(error?.message).toMatch(/^TypeError[\s\S]*\b1:73\b/)
  })

  test.each([
    'a: b: { for (;;) continue a }',
    'a: b: for (;;) { (() => { for (;;) continue a })() }',
    'a: b: for (;;) { break } for (;;) continue a',
    'a: a: for (;;) break',
  ])('does not make a program of %s', async program => {
    expect((await run(program)).error?.kind).toBe('syntax')
  })
})

test('a label is not written again without end', async () => {
  const { error } = await run(`a: ${'L'.repeat(180_000)}: for (;;) { ${'continue a; '.repeat(2800)} }`)
  expect(error).toMatchObject({ kind: 'syntax', message: expect.stringContaining('give it a short name') })
})
