import type { ToolExecutionInput } from 'toolgate'
import { googleContent } from 'toolgate/google'
import { describe, expect, it } from 'vitest'
import { answers, begin, chunk, END, piece, roundTrip, STOPPED, text } from './stream-support.js'

const deep = `$${'.a'.repeat(2_000)}`

describe('pieces that are not the arguments of one call', () => {
  it.each<[string, object[], string]>([
    ['a path to several values', [{ jsonPath: '$.a[*]', numberValue: 1 }], 'no path to one value'],
    ['a path from the end', [{ jsonPath: '$.a[-1]', numberValue: 1 }], 'no path to one value'],
    ['a path that descends', [{ jsonPath: '$..a', numberValue: 1 }], 'no path to one value'],
    ['a slice', [{ jsonPath: '$.a[0:2]', numberValue: 1 }], 'no path to one value'],
    ['an escape that is none', [{ jsonPath: '$["\\x"]', numberValue: 1 }], 'no path to one value'],
    ['a path without its root', [{ jsonPath: 'a', numberValue: 1 }], 'no path to one value'],
    ['an empty path', [{ jsonPath: '', numberValue: 1 }], 'no path to one value'],
    ['no path', [{ numberValue: 1 }], 'no jsonPath'],
    ['no piece', [null as never], 'no jsonPath'],
    ['the root itself', [{ jsonPath: '$', stringValue: '{}' }], 'the arguments are an object'],
    ['a root that is an array', [{ jsonPath: '$[0]', numberValue: 1 }], 'the arguments are an object'],
    ['a huge index', [{ jsonPath: '$.a[4294967295]', numberValue: 1 }], 'no item 0'],
    ['an index past all numbers', [{ jsonPath: `$.a[${'9'.repeat(400)}]`, numberValue: 1 }], 'no item 0'],
    ['a hole', [0, 2].map(i => ({ jsonPath: `$.a[${i}]`, numberValue: i })), 'no item 1'],
    ['a path too deep', [{ jsonPath: deep, numberValue: 1 }], 'more than 1000 steps'],
    ['a value given twice', [text('$.a', 'x'), text('$.a', 'y')], 'given twice'],
    ['a value of two kinds', [text('$.a', 'x', true), { jsonPath: '$.a', numberValue: 1 }], 'two values'],
    ['two values in one', [{ jsonPath: '$.a', numberValue: 1, stringValue: '1' }], 'several values'],
    ['a value through another', [text('$.a', 'x'), text('$.a.b', 'y')], 'leads through'],
    ['a value over others', [text('$.a.b', 'x'), text('$.a', 'y')], 'given twice'],
    ['an object that is an array', [text('$.a.b', 'x'), text('$.a[0]', 'y')], 'leads through'],
    ['no value', [{ jsonPath: '$.a' }], 'has no value'],
    ['no value in the end', [{ jsonPath: '$.a', willContinue: true }, { jsonPath: '$.a' }], 'has no value'],
    ['a number that is none', [{ jsonPath: '$.a', numberValue: 'NaN' }], 'is none'],
    ['a text that is none', [{ jsonPath: '$.a', stringValue: { b: 1 } }], 'is none'],
    ['a value that never ends', [text('$.ok', 'x'), text('$.a', 'x', true)], 'never came to its end'],
    ['pieces that are none', 'pieces' as never, 'partialArgs is no list'],
  ])('never run: %s', async (_what, pieces, why) => {
    for (const chunks of [
      [chunk({ name: 'echo', partialArgs: pieces }, {}, 'STOP')],
      [
        begin(),
        chunk({ partialArgs: [text('$.first', 'x')], willContinue: true }),
        chunk({ partialArgs: pieces }),
        END,
      ],
    ]) {
      for (const collect of [true, false]) {
        const run = await roundTrip(chunks, { collect })
        expect(run.echo.runs()).toBe(0)
        const [answer, ...others] = answers(run)
        expect(others).toEqual([])
        if (typeof pieces === 'string' && chunks.length > 1) continue
        expect(run.codes).toEqual(['ARGUMENTS_NOT_JSON'])
        expect(answer.error).toContain('arguments are not JSON')
        expect(answer.error).toContain(why)
        expect(answer.error.length).toBeLessThan(500)
      }
    }
  })

  it.each<[string, object[]]>([
    ['ends without the end of the call', [begin(), piece(text('$.a', 'x')), STOPPED]],
    ['begins another call', [begin(), piece(text('$.a', 'x')), begin(), STOPPED]],
    [
      'says two things of one name',
      [
        chunk({ id: 'a', name: 'echo', willContinue: true }),
        chunk({ id: 'a', name: 'other', partialArgs: [text('$.a', 'x')] }),
        STOPPED,
      ],
    ],
    [
      'gives whole arguments that differ',
      [begin(), piece(text('$.a', 'x')), chunk({ args: { a: 'y' } }), STOPPED],
    ],
    [
      'gives whole arguments twice',
      [chunk({ name: 'echo', args: { a: 1 }, willContinue: true }), chunk({ args: { b: 2 } }), STOPPED],
    ],
    ['gives whole arguments that are none', [begin(), piece(text('$.a', 'x')), chunk({ args: 5 }), STOPPED]],
    [
      'mixes pieces of calls without ids',
      [begin(), begin(), piece(text('$.a', 'x')), chunk({}), chunk({}), STOPPED],
    ],
    ['has a piece of no call', [piece(text('$.a', 'x')), STOPPED]],
    [
      'is cut off by the end of the tokens',
      [
        begin(),
        {
          candidates: [
            {
              content: { parts: [{ functionCall: { partialArgs: [text('$.a', 'x')], willContinue: true } }] },
              finishReason: 'MAX_TOKENS',
            },
          ],
        },
      ],
    ],
  ])('never run where the stream %s', async (_what, chunks) => {
    for (const collect of [true, false]) {
      const run = await roundTrip(chunks, { collect })
      expect(run.echo.runs()).toBe(0)
      expect(answers(run).length).toBeGreaterThan(0)
      for (const answer of answers(run)) expect(answer.error).toMatch(/did not run|not JSON|name/)
    }
  })

  it('leave the calls beside them alone', async () => {
    const run = await roundTrip([
      begin(),
      piece({ jsonPath: '$..a', numberValue: 1 }),
      chunk({}),
      begin(),
      piece(text('$.b', 'x')),
      END,
    ])
    expect(run.codes).toEqual(['ARGUMENTS_NOT_JSON', undefined])
    expect(answers(run)[1]).toEqual({ output: '{"b":"x"}' })
  })

  it('cost time that grows with them, however many they are', async () => {
    const one = 'x'.repeat(10)
    const pieces = Array.from({ length: 50_000 }, () => text('$.a', one, true))
    const items = Array.from({ length: 50_000 }, (_, i) => ({
      jsonPath: `$.list[${50_000 - i - 1}]`,
      numberValue: i,
    }))
    const opens = Array.from({ length: 20_000 }, (_, i) => ({
      functionCall: { id: String(i), name: 'echo', willContinue: true },
    }))
    const parts = [
      { functionCall: { name: 'echo', partialArgs: [...pieces, text('$.a', ''), ...items] } },
      ...opens,
      ...opens.map(({ functionCall: { id } }) => ({ functionCall: { id } })),
    ]
    const turn = googleContent([]).turn({ candidates: [{ content: { parts } }] })
    expect(turn.calls).toHaveLength(20_001)
    const { a, list } = (turn.calls[0] as ToolExecutionInput).arguments as { a: string; list: number[] }
    expect([a.length, list[49_999]]).toEqual([500_000, 0])
  }, 20_000)
})
