import fc from 'fast-check'
import { collectGoogleStream, type GooglePartialArg, googleContent } from 'toolgate/google'
import { describe, expect, it } from 'vitest'

type Json = null | boolean | number | string | Json[] | { [key: string]: Json }

const leaf: fc.Arbitrary<Json> = fc.oneof(
  fc.constant(null),
  fc.boolean(),
  fc.integer(),
  fc.double({ noNaN: true, noDefaultInfinity: true }).map(value => (value === 0 ? 0 : value)),
  fc.string({ unit: 'binary' }),
)
const key = fc.oneof(
  fc.constantFrom(
    'a',
    'b1',
    '__proto__',
    'constructor',
    '0',
    "it's",
    'a.b',
    'a[0]',
    '"',
    '\\',
    '\n',
    '',
    'ü',
  ),
  fc.string(),
)
// What has nothing in it has no path to say so.
const value = fc.letrec<{ value: Json }>(tie => ({
  value: fc.oneof(
    { depthSize: 'small' },
    leaf,
    fc.array(tie('value'), { minLength: 1, maxLength: 3 }),
    fc.dictionary(key, tie('value'), { minKeys: 1, maxKeys: 3, noNullPrototype: true }),
  ),
})).value
const args = fc.dictionary(key, value, { maxKeys: 4, noNullPrototype: true })

const stepOf = (step: string | number): string =>
  typeof step === 'number' || !/^[a-z]\w*$/i.test(step) ? `[${JSON.stringify(step)}]` : `.${step}`

/** The pieces of a value, texts in up to three, by cuts that are drawn. */
function* piecesOf(given: Json, path: string, cut: () => number): Generator<GooglePartialArg> {
  if (typeof given === 'object' && given !== null) {
    const entries = Array.isArray(given) ? [...given.entries()] : Object.entries(given)
    for (const [step, child] of entries) yield* piecesOf(child, path + stepOf(step), cut)
  } else if (typeof given === 'string') {
    const at = cut() % (given.length + 1)
    yield { jsonPath: path, stringValue: given.slice(0, at), willContinue: true }
    yield { jsonPath: path, stringValue: given.slice(at) }
  } else if (typeof given === 'number') yield { jsonPath: path, numberValue: given }
  else if (given === null) yield { jsonPath: path, nullValue: 'NULL_VALUE' }
  else yield { jsonPath: path, boolValue: given }
}

async function read(parts: readonly object[]): Promise<readonly unknown[]> {
  async function* chunks() {
    for (const part of parts) yield { candidates: [{ content: { role: 'model', parts: [part] } }] }
  }
  const wire = googleContent([])
  const collected = await collectGoogleStream(chunks())
  const [once] = [wire.turn(collected).calls]
  // What was collected is read as what was not.
  expect(
    wire.turn({ candidates: [{ content: { role: 'model', parts } }] }).calls.map(call => call.arguments),
  ).toEqual(once.map(call => call.arguments))
  return once.map(call => call.arguments)
}

const streamed = (pieces: readonly GooglePartialArg[], sizes: readonly number[]): object[] => {
  const parts: object[] = [{ functionCall: { name: 'echo', willContinue: true } }]
  for (let at = 0, i = 0; at < pieces.length; i++) {
    const size = sizes[i % sizes.length] ?? 1
    parts.push({ functionCall: { partialArgs: pieces.slice(at, at + size), willContinue: true } })
    at += size
  }
  return [...parts, { functionCall: {} }]
}
const sizes = fc.array(fc.integer({ min: 1, max: 3 }), { minLength: 1, maxLength: 4 })
const cuts = fc.infiniteStream(fc.nat())

const isRunnable = (given: unknown): boolean => {
  if (typeof given !== 'string') return true
  try {
    JSON.parse(given)
    return true
  } catch {
    return false
  }
}

describe('the arguments that Google streams', () => {
  it('law: are what the model wrote, however they are cut', async () => {
    await fc.assert(
      fc.asyncProperty(args, cuts, sizes, async (written, cut, sizes) => {
        const pieces = [...piecesOf(written, '$', () => cut.next().value as number)]
        expect(await read(streamed(pieces, sizes))).toEqual([written])
      }),
      { numRuns: 300 },
    )
  })

  it('law: are never anything that was not written, where a piece is lost, comes twice or is another', async () => {
    let refused = 0
    await fc.assert(
      fc.asyncProperty(
        args,
        cuts,
        sizes,
        fc.nat(),
        fc.constantFrom('lost', 'twice', 'other'),
        async (written, cut, sizes, at, fault) => {
          const pieces = [...piecesOf(written, '$', () => cut.next().value as number)]
          if (pieces.length === 0) return
          const where = at % pieces.length
          const piece = pieces[where] as GooglePartialArg
          const put = {
            lost: [],
            twice: [piece, piece],
            other: [{ ...piece, jsonPath: `${piece.jsonPath}.x` }],
          }[fault]
          const [read1] = await read(streamed(pieces.toSpliced(where, 1, ...put), sizes))
          const [isText, ends] = [typeof piece.stringValue === 'string', piece.willContinue !== true]
          // What is lost, or comes twice, before the end of a text cannot be known, nor what becomes of a value that is whole.
          if (!{ lost: isText && ends, twice: ends, other: isText }[fault]) return
          refused++
          expect(isRunnable(read1)).toBe(false)
        },
      ),
      { numRuns: 300 },
    )
    expect(refused).toBeGreaterThan(50)
  })
})
