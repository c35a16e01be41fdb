import fc from 'fast-check'
import { isLosslessJson, snapshotJson } from 'toolgate'
import { describe, expect, it } from 'vitest'
import { isDeepFrozen } from '../support/tools.js'

// What JSON gives back has no negative zero.
const json = fc.jsonValue().map(value => JSON.parse(JSON.stringify(value)) as unknown)

describe('a snapshot', () => {
  it('of JSON is equal to it, detached from it and frozen', () => {
    fc.assert(
      fc.property(json, value => {
        const copy = snapshotJson(value)
        expect(JSON.stringify(copy)).toBe(JSON.stringify(value))
        expect(isDeepFrozen(copy)).toBe(true)
        if (typeof value === 'object' && value !== null) expect(copy).not.toBe(value)
      }),
    )
  })

  it('is taken exactly of what JSON gives back unchanged', () => {
    fc.assert(
      fc.property(
        fc.anything({
          withDate: true,
          withMap: true,
          withSet: true,
          withBigInt: true,
          withSparseArray: true,
          withNullPrototype: true,
        }),
        value => {
          let lossless: boolean
          try {
            const text = JSON.stringify(value)
            lossless = text !== undefined && fc.stringify(JSON.parse(text)) === fc.stringify(value)
          } catch {
            lossless = false
          }
          // Null-prototype objects come out plain, which is no loss of data.
          if (!fc.stringify(value).includes('__proto__')) expect(isLosslessJson(value)).toBe(lossless)
          else expect(() => isLosslessJson(value)).not.toThrow()
        },
      ),
      { numRuns: 2_000 },
    )
  })

  it('of a shared graph is refused by its size, not by the time it takes', () => {
    let graph: unknown = ['leaf']
    for (let i = 0; i < 40; i++) graph = [graph, graph]
    expect(() => snapshotJson(graph)).toThrow(expect.objectContaining({ code: 'LIMIT_EXCEEDED' }))
  })

  it('does not recurse: a hundred thousand levels are a limit, ten thousand are a value', () => {
    const nest = (levels: number): unknown => {
      let value: unknown = 1
      for (let i = 0; i < levels; i++) value = { a: value }
      return value
    }
    expect(isLosslessJson(nest(10_000))).toBe(true)
    expect(() => snapshotJson(nest(100_000))).toThrow(expect.objectContaining({ code: 'LIMIT_EXCEEDED' }))
  })
})
