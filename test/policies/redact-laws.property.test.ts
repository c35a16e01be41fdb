import fc from 'fast-check'
import { createRedactor, type JsonValue } from 'toolgate'
import { describe, expect, it } from 'vitest'
import { countedTool } from '../support/tools.js'
import { GITHUB, privateKey, runRedacted, SAMPLES, text, textsOf } from './redact-support.js'

const secret = fc.constantFrom(...SAMPLES.map(([, token]) => token), privateKey())
const noise = fc.string({
  unit: fc.constantFrom('a', 'B', '7', ' ', '\n', '"', '\\', '{', ':', '-', 'é', '😀'),
  maxLength: 12,
})
const withSecrets = fc
  .array(
    fc.oneof(
      { weight: 2, arbitrary: noise },
      secret.map(token => ` ${token} `),
    ),
    { maxLength: 5 },
  )
  .map(parts => parts.join(''))
const json = fc.letrec<{ value: JsonValue }>(tie => ({
  value: fc.oneof(
    { maxDepth: 4 },
    withSecrets,
    fc.integer(),
    fc.constantFrom(null, true, 1.5, -0.5),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(fc.oneof(withSecrets, fc.constantFrom('password', 'token', 'a')), tie('value'), {
      maxKeys: 4,
      noNullPrototype: true,
    }),
  ),
})).value

const tokens = [...SAMPLES.map(([, token]) => token), privateKey()]
const flat = (shown: string): string => shown.replace(/\\+[nrtu"]/g, '\n')
const leaks = (shown: string): string[] => tokens.filter(token => flat(shown).includes(flat(token)))
const shapeOf = (value: JsonValue): unknown => {
  if (Array.isArray(value)) return value.map(shapeOf)
  if (typeof value === 'object' && value !== null) return Object.values(value).map(shapeOf)
  return typeof value === 'string' ? 'text' : value
}

describe('whatever is redacted', () => {
  const redactor = createRedactor()

  it('has no secret any more as a value, and has the shape that it had', () => {
    fc.assert(
      fc.property(json, value => {
        const hidden = redactor.json(value)
        expect(leaks(JSON.stringify(hidden.value))).toEqual([])
        if (hidden.count === 0) expect(hidden.value).toBe(value)
        const named = createRedactor({ keys: false }).json(value)
        expect(shapeOf(named.value)).toEqual(shapeOf(value))
        // Once more finds nothing.
        expect(redactor.json(hidden.value)).toEqual({ value: hidden.value, count: 0 })
      }),
      { numRuns: 400 },
    )
  })

  it.each([0, 2])('stays JSON where it was, with %i spaces, inside of JSON too', spaces => {
    fc.assert(
      fc.property(json, fc.boolean(), (value, isTwice) => {
        const whole = isTwice ? { body: JSON.stringify(value, null, spaces), n: 1 } : value
        const printed = JSON.stringify(whole, null, spaces)
        const { value: shown } = redactor.text(printed)
        expect(leaks(shown)).toEqual([])
        const read = JSON.parse(shown)
        expect(shapeOf(createRedactor({ keys: false }).json(read).value)).toBeDefined()
        if (!isTwice && Array.isArray(value)) expect(read).toHaveLength(value.length)
      }),
      { numRuns: 300 },
    )
  })

  it('has no secret over blocks, wherever they are cut', async () => {
    await fc.assert(
      fc.asyncProperty(secret, fc.array(fc.nat({ max: 300 }), { maxLength: 4 }), async (token, cuts) => {
        const body = `the key: ${token} and more`
        const ends = [...new Set([0, ...cuts.filter(cut => cut < body.length), body.length])].sort(
          (a, b) => a - b,
        )
        const blocks = ends.slice(1).map((end, i) => text(body.slice(ends[i], end)))
        const result = await runRedacted(countedTool('tool', () => blocks))
        const shown = textsOf(result.content).join('')
        expect(shown.startsWith('the key: ')).toBe(true)
        // At most the few letters of a tail that could be a word remain.
        for (let at = 0; at + 20 <= token.length; at++) expect(shown).not.toContain(token.slice(at, at + 20))
      }),
      { numRuns: 400 },
    )
  })

  it.each<[string, string]>([
    ['one prefix after the other', 'ghp_'],
    ['headers of tokens without end', 'eyJ'],
    ['tokens of one letter', '-eyJa.'],
    ['schemes', '://a:b'],
    ['private keys that do not end', '-----BEGIN PRIVATE KEY-----\n'],
    ['half a private key', '-----BEGIN AAAAAAAAAAAAAAAA'],
    ['backslashes', '\\'],
    ['escaped line ends', '\\n'],
    ['names', 'password: '],
    ['names with open quotes', 'password="'],
    ['names with escaped quotes', 'password=\\"\\'],
    ['names without end', 'key'],
    ['bearers', 'Bearer a'],
    ['anchors of bots', '1234567890:AA'],
    ['braces', '{"a":['],
    ['dots', 'Maaaaaaaaaaaaaaaaaaaaaaa.aaaaaa.'],
    ['quotes', '"'],
    ['masks', '[redacted github-token]'],
    ['masks that begin', '[redacted '],
  ])('is read once, be it megabytes of %s', (_what, unit) => {
    const body = unit.repeat(Math.ceil(2 ** 21 / unit.length))
    const { value } = redactor.text(`${body} ${GITHUB}`)
    expect(value).not.toContain(GITHUB.slice(0, 30))
  })

  it('holds no stack that grows with the text', () => {
    for (const start of [GITHUB, privateKey().slice(0, 60), 'password="', 'x-api-key: ', 'A_PASSWORD='])
      expect(redactor.text(start + 'a'.repeat(2 ** 24)).value.length).toBeLessThan(200)
  })
})
