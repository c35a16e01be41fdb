import { describe, expect, it } from 'vitest'
import { answers, begin, chunk, END, piece, roundTrip, STOPPED, text } from './stream-support.js'

describe('a call that Google streams in pieces', () => {
  it.each([{ collect: true }, { collect: false }])(
    'is one call with all its arguments, put together before it is read: $collect',
    async options => {
      const run = await roundTrip(
        [
          begin('echo', { thoughtSignature: 'c2ln' }),
          piece(text('$.recipe.items[0].amount', '16 ', true)),
          piece(text('$.recipe.items[0].amount', 'oz "', true)),
          piece(text('$.recipe.items[0].amount', '')),
          chunk({ willContinue: true }),
          piece(text('$.recipe.items[1].amount', ''), { jsonPath: '$.count', numberValue: 0 }),
          piece({ jsonPath: '$.hot', willContinue: true }),
          piece({ jsonPath: '$.hot', boolValue: false }),
          piece({ jsonPath: "$['odd key']['__proto__']", nullValue: null }),
          piece(
            { jsonPath: '$.list[1]', numberValue: 2 },
            { jsonPath: '$.list[0]', nullValue: 'NULL_VALUE' },
          ),
          END,
        ],
        options,
      )
      const args = JSON.parse(
        '{"recipe":{"items":[{"amount":"16 oz \\""},{"amount":""}]},"count":0,"hot":false,"odd key":{"__proto__":null},"list":[null,2]}',
      )
      expect(run.sent).toEqual([
        {
          role: 'model',
          parts: [{ functionCall: { name: 'echo', args }, thoughtSignature: 'c2ln' }],
        },
        {
          role: 'user',
          parts: [{ functionResponse: { name: 'echo', response: { output: JSON.stringify(args) } } }],
        },
      ])
      expect(run.echo.runs()).toBe(1)
      if (options.collect) expect(run.collected).toEqual(run.sent[0].parts)
    },
  )

  it('is told apart from the next one, and from one that came whole', async () => {
    const run = await roundTrip([
      begin(),
      piece(text('$.city', 'Boston')),
      chunk({}),
      begin(),
      chunk({ partialArgs: [text('$.city', 'Rome')] }),
      chunk({}),
      chunk({ name: 'echo', args: { city: 'Oslo' } }),
      chunk({ name: 'echo', partialArgs: [text('$.city', 'Kiel')] }),
      STOPPED,
    ])
    expect(answers(run)).toEqual(
      ['Boston', 'Rome', 'Oslo', 'Kiel'].map(city => ({ output: JSON.stringify({ city }) })),
    )
  })

  it('may have no arguments, or some that came whole', async () => {
    const run = await roundTrip([
      begin(),
      chunk({}),
      chunk({ name: 'echo', args: { a: 1 }, willContinue: true }),
      piece(text('$.b', 'x')),
      chunk({ args: { a: 1 } }),
      STOPPED,
    ])
    expect(answers(run)).toEqual([{ output: '{}' }, { output: '{"b":"x","a":1}' }])
  })

  it('may be mixed with others where the parts have ids', async () => {
    const part = (id: string, rest: object) => chunk({ id, ...rest })
    const run = await roundTrip([
      part('a', { name: 'echo', willContinue: true }),
      part('b', { name: 'echo', willContinue: true }),
      part('a', { partialArgs: [text('$.n', 'fir', true)], willContinue: true }),
      part('b', { name: 'echo', partialArgs: [text('$.n', 'second')] }),
      part('a', { partialArgs: [text('$.n', 'st')] }),
      STOPPED,
    ])
    expect(answers(run)).toEqual([{ output: '{"n":"first"}' }, { output: '{"n":"second"}' }])
    expect(run.calls.map(({ callId }) => callId)).toEqual(['a', 'b'])
  })
})
