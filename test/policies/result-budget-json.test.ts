import { describe, expect, it } from 'vitest'
import { countedTool } from '../support/tools.js'
import { readBytes, runWithin, textsOf } from './result-budget-support.js'

const MIB = 1024 * 1024

/** What the model reads of a tool's text, without the note; fails where it is over the budget. */
async function shownOf(text: string, maxBytes = 2_000, maxStringBytes?: number): Promise<string> {
  const result = await runWithin(
    { maxBytes, ...(maxStringBytes !== undefined && { maxStringBytes }) },
    countedTool('tool', () => text),
  )
  expect(readBytes(result)).toBeLessThanOrEqual(maxBytes)
  return textsOf(result.content)[0] ?? ''
}
const rows = (count: number, row: (i: number) => unknown) =>
  JSON.stringify(Array.from({ length: count }, (_, i) => row(i)))

describe('JSON that is cut to a budget', () => {
  it('keeps the first items of a list whole rather than a sliver of each', async () => {
    const row = (i: number) => ({ id: i, name: `name of ${i}`, note: 'y'.repeat(40) })
    const read = JSON.parse(await shownOf(rows(1_000, row)))
    const kept = read.length - 1
    expect(read.slice(0, kept)).toEqual(Array.from({ length: kept }, (_, i) => row(i)))
    expect(read[kept]).toBe(`… ${1_000 - kept} more items`)
    expect(kept).toBeGreaterThan(15)
  })

  it('shows something of each where there are few', async () => {
    const read = JSON.parse(
      await shownOf(
        rows(3, i => `${i}${'y'.repeat(MIB)}`),
        8_000,
      ),
    )
    expect(read.map((item: string) => item.slice(0, 1_500).replace(/y+/, 'y…'))).toEqual([
      '0y…',
      '1y…',
      '2y…',
    ])
    expect(read[1]).toMatch(/^1y{2000,}… \[1,04\d,\d\d\d more characters\]$/)
  })

  it('shows all keys of an object and shares the room among large values', async () => {
    const value = {
      a: 'y'.repeat(MIB),
      b: 1,
      c: Array(10_000).fill(0),
      d: { e: 'y'.repeat(MIB) },
      f: 'short',
    }
    const read = JSON.parse(await shownOf(JSON.stringify(value), 5_000))
    expect(Object.keys(read)).toEqual(['a', 'b', 'c', 'd', 'f'])
    expect([read.b, read.f]).toEqual([1, 'short'])
    expect(read.a).toMatch(/^y{1000,}… \[1,04\d,\d\d\d more characters\]$/)
    expect(read.c.at(-1)).toMatch(/^… 9,\d\d\d more items$/)
    expect(read.d.e).toMatch(/^y{1000,}…/)
  })

  it('counts the properties that have no room', async () => {
    const value = Object.fromEntries(Array.from({ length: 5_000 }, (_, i) => [`key ${i}`, 'y'.repeat(500)]))
    const read = JSON.parse(await shownOf(JSON.stringify(value)))
    const keys = Object.keys(read)
    expect(read['…']).toBe(`${(5_000 - keys.length + 1).toLocaleString('en-US')} more properties`)
    expect(keys.length).toBeGreaterThan(10)
  })

  it('names what there is no room to open, and goes into what stands alone', async () => {
    const wide = { a: Array.from({ length: 40 }, () => ({ b: [[Array(99).fill(0)], 'y'.repeat(400)] })) }
    expect(await shownOf(JSON.stringify(wide), 1_024)).toMatch(/"… \[(?:array|object), \d+ \w+\]"/)
    const alone = Array(9).fill({ b: { c: { d: 'y'.repeat(900) } } })
    const [first, ...rest] = JSON.parse(await shownOf(JSON.stringify(alone), 2_000))
    expect(first.b.c.d).toMatch(/^y+… \[\d+ more characters\]$/)
    expect(rest.at(-1)).toMatch(/^… \d+ more items$/)
  })

  it('marks what is left out under a key of its own, whatever keys there are', async () => {
    const value = {
      '…': 1,
      '….': 2,
      ...Object.fromEntries(Array.from({ length: 500 }, (_, i) => [`k${i}`, i])),
    }
    const read = JSON.parse(await shownOf(JSON.stringify(value), 1_024))
    expect([read['…'], read['….']]).toEqual([1, 2])
    expect(read['…..']).toMatch(/^\d+ more properties$/)
  })

  it('keeps all digits of numbers, and keys that stand twice', async () => {
    const text = `{"id":12345678901234567890,"one":1.0,"e":1e400,"id":-0,"rest":"${'y'.repeat(5_000)}"}`
    expect(await shownOf(text)).toMatch(
      /^\{"id":12345678901234567890,"one":1\.0,"e":1e400,"id":-0,"rest":"y+… \[/,
    )
  })

  it('cuts keys and numbers that are endless', async () => {
    const text = `{"${'k'.repeat(MIB)}":1,"n":${'9'.repeat(MIB)},"last":true}`
    const shown = await shownOf(text)
    expect(shown).toMatch(
      /^\{"k{80,}… \[1,048,\d{3} more characters\]":1,"n":"… \[a number of 1,048,576 digits\]","last":true\}$/,
    )
  })

  it('bounds each string if it is told to, also where all of it would fit', async () => {
    const value = { a: 'y'.repeat(300), b: ['z'.repeat(65), 'z'.repeat(62)], c: 'short' }
    const read = JSON.parse(await shownOf(JSON.stringify(value), 5_000, 64))
    expect(read.a).toMatch(/^y{10,}… \[2\d\d more characters\]$/)
    expect(read.b).toEqual([expect.stringMatching(/^z+… \[\d\d more characters\]$/), 'z'.repeat(62)])
    expect(read.c).toBe('short')
    // Strings that are short enough leave the text as it is, white space and all.
    const text = JSON.stringify({ a: Array(50).fill('z'.repeat(60)) }, null, 2)
    expect(await shownOf(text, 50_000, 64)).toBe(text)
  })

  it('is within the budget even where only strings were too long and the note comes on top', async () => {
    const text = JSON.stringify({ rest: Array(16).fill('z'.repeat(50)), a: 'y'.repeat(90) })
    expect(Buffer.byteLength(text)).toBeLessThan(1_024)
    JSON.parse(await shownOf(text, 1_024, 64))
  })

  it('leaves no white space where a part does not fit, and keeps that of whole parts', async () => {
    const text = JSON.stringify({ a: { b: 1 }, c: Array(2_000).fill({ d: [1, 2] }) }, null, 2)
    expect(await shownOf(text)).toMatch(/^\{"a":\{\n {4}"b": 1\n {2}\},"c":\[\{\n {6}"d": \[/)
  })

  it.each([
    ['a cut text', `{"a":"${'y'.repeat(5_000)}`],
    ['two values', `{"a":"${'y'.repeat(5_000)}"} {}`],
    ['a string', JSON.stringify('y'.repeat(5_000))],
    ['brackets', `[${'y'.repeat(5_000)}]`],
  ])('is what is JSON as a whole: %s is plain text', async (_what, text) => {
    expect(await shownOf(text)).toMatch(/\n… \[[\d,]+ bytes left out\] …\n/)
  })

  it.each<[string, () => string]>([
    ['a million levels', () => '['.repeat(MIB) + ']'.repeat(MIB)],
    ['a million levels of objects', () => `${'{"a":'.repeat(MIB)}1${'}'.repeat(MIB)}`],
    ['a million empty lists', () => `[${Array(MIB).fill('[]').join(',')}]`],
    ['a million keys', () => `{${Array.from({ length: MIB }, (_, i) => `"${i}":${i}`).join(',')}}`],
    ['a million escapes', () => `["${'\\\\'.repeat(MIB)}"]`],
    ['a million quotes', () => `["${'\\"'.repeat(MIB)}"]`],
    ['a million escaped pairs', () => `["${'\\ud83d\\ude00'.repeat(MIB)}"]`],
    ['a million pairs', () => `["${'😀'.repeat(MIB)}"]`],
    ['a million strings', () => `[${Array(MIB).fill('"é"').join(',')}]`],
    ['a million spaces', () => `[1,${' '.repeat(MIB)}2]`],
    [
      'long strings at every one of a thousand levels',
      () => `${`{"s":"${'y'.repeat(999)}","a":`.repeat(1_000)}1${'}'.repeat(1_000)}`,
    ],
  ])('is cut in one pass: %s', async (_what, text) => {
    const shown = await shownOf(text(), 10_000)
    expect(shown.length).toBeGreaterThan(2)
    JSON.parse(shown)
  })
})
