import { createRedactor, createToolRegistry, redact, type SecretFinder } from 'toolgate'
import { describe, expect, it } from 'vitest'
import { countedTool } from '../support/tools.js'
import { GITHUB, runRedacted, text, textsOf } from './redact-support.js'

const codeWith = async (options: object, body: unknown = 'plain text') => {
  const result = await runRedacted(
    countedTool('tool', () => body),
    options,
  )
  return result.isError ? result.error.code : textsOf(result.content).join()
}

describe('patterns of one’s own', () => {
  it('are expressions, of which the group "secret" is hidden if there is one', async () => {
    expect(await codeWith({ patterns: [/\bcase \d+/i] }, 'Case 12 and case 7')).toBe(
      '[redacted secret] and [redacted secret]',
    )
    expect(await codeWith({ patterns: [/id=(?<secret>\w+)(?<rest>;)?/] }, 'id=a1; id=b2')).toBe(
      'id=[redacted secret]; id=[redacted secret]',
    )
    // Flags that would make them forget or skip are not theirs to have.
    const sticky = /a/y
    sticky.lastIndex = 5
    expect(await codeWith({ patterns: [sticky] }, 'b a')).toBe('b [redacted secret]')
    expect(await codeWith({ patterns: [/x*/] }, 'axxb')).toBe('a[redacted secret]b')
    expect(await codeWith({ patterns: [/^plain/] }, 'plain plain')).toBe('[redacted secret] plain')
  })

  it('are functions that say where a secret is', async () => {
    const find: SecretFinder = function* (given) {
      for (let at = given.indexOf('ab'); at >= 0; at = given.indexOf('ab', at + 1))
        yield { start: at, end: at + 2, kind: 'pair' }
    }
    expect(await codeWith({ patterns: [find] }, 'ab cab')).toBe('[redacted pair] c[redacted pair]')
    expect(
      await codeWith({
        patterns: [
          () => [
            { start: 0, end: 3 },
            { start: 2, end: 5 },
          ],
        ],
      }),
    ).toBe('[redacted secret] text')
  })

  it.each<[string, unknown]>([
    ['no list', () => undefined],
    ['a promise', () => Promise.reject(new Error('late'))],
    ['a range that is none', () => [null]],
    ['a start before the text', () => [{ start: -1, end: 2 }]],
    ['an end after the text', () => [{ start: 0, end: 1e9 }]],
    ['an end before its start', () => [{ start: 3, end: 2 }]],
    ['half a unit', () => [{ start: 0.5, end: 2 }]],
    ['no number', () => [{ start: Number.NaN, end: 2 }]],
    ['a kind that is no text', () => [{ start: 0, end: 2, kind: {} }]],
    [
      'ranges without end',
      function* () {
        for (;;) yield { start: 0, end: 1 }
      },
    ],
  ])('withhold the result when they answer %s', async (_what, find) => {
    expect(await codeWith({ patterns: [find] })).toBe('INVALID_DECISION')
  })

  it('withhold the result when they throw', async () => {
    const find = () => {
      throw new Error('broken')
    }
    expect(await codeWith({ patterns: [find] })).toBe('STAGE_FAILED')
  })
})

describe('secrets that the program knows', () => {
  const secret = 'pa"ss\\wörd/+?'

  it('are hidden as they are, in JSON, in JSON in JSON, in URLs and in base64', () => {
    const redactor = createRedactor({ secrets: [secret], known: false, keys: false })
    const mask = '[redacted secret]'
    expect(redactor.text(`a ${secret} b`).value).toBe(`a ${mask} b`)
    expect(redactor.text(JSON.stringify({ a: secret })).value).toBe(`{"a":"${mask}"}`)
    const twice = JSON.stringify({ a: JSON.stringify({ b: secret }) })
    expect(redactor.text(twice).value).toBe(JSON.stringify({ a: `{"b":"${mask}"}` }))
    expect(redactor.text(`?q=${encodeURIComponent(secret)}&r`).value).toBe(`?q=${mask}&r`)
    for (const before of ['', 'a', 'ab', 'user:'])
      for (const encoding of ['base64', 'base64url'] as const) {
        const encoded = Buffer.from(`${before}${secret}:after`).toString(encoding)
        const { value, count } = redactor.text(`x ${encoded} y`)
        expect([before, encoding, count]).toEqual([before, encoding, 1])
        expect(value.length).toBeLessThan(encoded.length + mask.length)
      }
  })

  it('may change from call to call', async () => {
    let secrets = ['first-one']
    const stage = redact({ secrets: () => secrets })
    const registry = createToolRegistry({
      tools: [countedTool('tool', () => 'first-one second-one')],
      stages: [stage],
    })
    const shown = async () => textsOf((await registry.execute({ callId: '1', name: 'tool' })).content).join()
    expect(await shown()).toBe('[redacted secret] second-one')
    secrets = ['second-one']
    expect(await shown()).toBe('first-one [redacted secret]')
    secrets = ['short']
    expect(await shown()).toContain('at least 6 characters')
    secrets = undefined as never
    expect(await shown()).toContain('at least 6 characters')
  })

  it('are found in numbers and keys', () => {
    const redactor = createRedactor({ secrets: ['4111111111'] })
    expect(redactor.json({ a: 4111111111, '4111111111': 1, b: 42 }).value).toEqual({
      a: '[redacted secret]',
      '[redacted secret]': 1,
      b: 42,
    })
    expect(redactor.text('{"a":4111111111,"b":42}').value).toBe('{"a":"[redacted secret]","b":42}')
  })
})

describe('a redactor', () => {
  it('hides the same in what stages do not see', () => {
    const redactor = createRedactor()
    const registry = createToolRegistry({
      tools: [countedTool('tool', (_args, context) => context.progress({ message: `with ${GITHUB}` }))],
    })
    const seen: string[] = []
    registry.on('progress', ({ message = '' }) => seen.push(redactor.text(message).value))
    return registry.execute({ callId: '1', name: 'tool' }).then(() => {
      expect(seen).toEqual(['with [redacted github-token]'])
    })
  })

  it('gives back the same value where there is nothing to hide', () => {
    const value = { a: [1, 'b', null, { c: true }] }
    expect(createRedactor().json(value).value).toBe(value)
  })

  it('masks as it is told, and not what is masked', () => {
    const redactor = createRedactor({ mask: kind => `<${kind}>` })
    const once = redactor.text(`{"password":"hunter2","b":"${GITHUB}"}`)
    expect(once).toEqual({ value: '{"password":"<password>","b":"<github-token>"}', count: 2 })
    expect(redactor.text(once.value).count).toBe(0)
  })

  it('keeps JSON JSON, whatever is hidden across its structure', () => {
    const redactor = createRedactor({ patterns: [/"a":\{"b":1/], known: false })
    const { value } = redactor.text('{"a":{"b":1},"c":2}')
    expect(JSON.parse(value)).toBe('{[redacted secret]},"c":2}')
    const number = createRedactor({ patterns: [/\d{6}/] })
    expect(JSON.parse(number.text('{"a":123456,"b":"x 654321"}').value)).toEqual({
      a: '[redacted secret]',
      b: 'x [redacted secret]',
    })
  })

  it('reads JSON whose letters are written as escapes', () => {
    const hidden = createRedactor().text(`{"k":"\\u0067${GITHUB.slice(1)}","u":"a\\/b"}`)
    expect(hidden).toEqual({ value: '{"k":"[redacted github-token]","u":"a/b"}', count: 1 })
    const harmless = '{"k":"\\u0067o","u":"a\\/b"}'
    expect(createRedactor().text(harmless)).toEqual({ value: harmless, count: 0 })
  })

  it('takes a value nested a hundred thousand levels deep, and keys that are no names', () => {
    let deep: unknown = GITHUB
    for (let i = 0; i < 100_000; i++) deep = i % 2 === 0 ? [deep] : { a: deep }
    expect(createRedactor().json(deep as never).count).toBe(1)
    const odd = JSON.parse(`{"__proto__":{"x":"${GITHUB}"},"constructor":"${GITHUB}"}`)
    const made = createRedactor().json(odd).value
    expect(JSON.stringify(made)).toBe(
      '{"__proto__":{"x":"[redacted github-token]"},"constructor":"[redacted github-token]"}',
    )
  })

  it.each<[string, unknown]>([
    ['no object', 'all'],
    ['a misspelt option', { pattern: [] }],
    ['a pattern that is text', { patterns: ['abc'] }],
    ['patterns that are one', { patterns: /a/ }],
    ['a secret too short to be one', { secrets: ['abc'] }],
    ['a secret that is none', { secrets: [undefined] }],
    ['keys that are none', { keys: [''] }],
    ['a flag that is none', { known: 1 }],
    ['a mask that is no function', { mask: '***' }],
    ['a mask that breaks JSON', { mask: () => '"' }],
    ['a mask that is none', { mask: () => undefined }],
  ])('refuses %s', (_what, options) => {
    const refusal = expect.objectContaining({ code: 'INVALID_OPTIONS' })
    expect(() => createRedactor(options as never)).toThrow(refusal)
    expect(() => redact(options as never)).toThrow(refusal)
  })

  it('refuses what only redact can be given', () => {
    expect(() => createRedactor({ include: ['a'] } as never)).toThrow('include')
    expect(() => redact({ include: [5] } as never)).toThrow('include')
    expect(() => redact({ values: 'no' } as never)).toThrow('values')
    expect(text('a').type).toBe('text')
  })
})

describe('options that answer with a promise where an answer is wanted at once', () => {
  // A rejection that nobody takes fails this file.
  const late = () => Promise.reject(new Error('late'))

  it('withhold the result as secrets, or are refused', async () => {
    expect(await codeWith({ secrets: late })).toBe('INVALID_DECISION')
    expect(() => redact({ secrets: late() as never })).toThrow('secrets must be an array')
    await new Promise(resolve => setImmediate(resolve))
  })

  it('are refused as masks', async () => {
    expect(() => redact({ mask: late as never })).toThrow('mask must give a text')
    await new Promise(resolve => setImmediate(resolve))
  })
})

describe('who says a context', () => {
  it('is said without secrets, as the model may read it', async () => {
    const tool = countedTool('tool', (_args, body) => {
      body.deferContext({ source: `user ${GITHUB}`, content: [text('hello')] })
      return 'done'
    })
    expect(await runRedacted(tool)).toMatchObject({
      additionalContexts: [{ source: 'user [redacted github-token]', content: [text('hello')] }],
      meta: { redacted: { count: 1 } },
    })
  })
})
