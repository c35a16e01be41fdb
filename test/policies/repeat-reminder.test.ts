/**
 * Decided otherwise:
 * - RPT-01 counted for each scope and caller; there is no agent.
 */
import { repeatReminder, type Stages } from 'toolgate'
import { describe, expect, it } from 'vitest'
import { reminders, setupReminder } from './repeat-reminder-support.js'

describe('the repeat reminder', () => {
  it('counts equal calls in a row for each scope and caller, and blocks nothing (RPT-01)', async () => {
    const { fires, read } = setupReminder({ thresholds: [2] })
    const ada = { name: 'Ada' }
    const places = [
      {},
      { scope: 'a' },
      { scope: 'b' },
      { caller: ada },
      { caller: { ...ada } },
      { caller: 'ada' },
      { caller: 1 },
      { caller: '1' },
      { caller: Symbol('ada') },
      { caller: Symbol.for('ada') },
      { caller: () => ada },
    ]
    for (const place of places) expect(await fires(1, 'read', {}, place)).toEqual([])
    // Each of them has made the call once; none was counted for another.
    for (const place of places) {
      expect(await fires(1, 'read', {}, place)).toEqual([1])
      expect(await fires(1, 'write', {}, place)).toEqual([])
    }
    expect(read.runs()).toBe(2 * places.length)
  })

  it('fires at exactly 3, 5 and 8 by default and is silent beyond (RPT-02)', async () => {
    expect(await setupReminder().fires(20, 'read')).toEqual([3, 5, 8])
    expect(await setupReminder({ thresholds: [2, 4] }).fires(10, 'read')).toEqual([2, 4])
  })

  it('nudges first, and later names tool, count and arguments, cut with a count (RPT-03)', async () => {
    const { call } = setupReminder({ thresholds: [2, 3], argumentsPreviewChars: 10 })
    const args = { path: 'a/very/long/path' }
    await call('read', args)
    const [first = ''] = reminders(await call('read', args))
    expect(first).toMatch(/^The same call was made 2 times in a row\./)
    expect(first).not.toContain('path')
    const [second = ''] = reminders(await call('read', args))
    expect(second).toContain('Tool "read" was called 3 times in a row with the same arguments')
    // {"path":"a/very/long/path"} has 27 characters.
    expect(second).toContain('{"path":"a… [17 more characters]')
    expect(second).not.toContain('a/')
  })

  it.each([
    [26, '{"path":"a/very/long/path"… [1 more characters]'],
    [27, '{"path":"a/very/long/path"}\n'],
    [1, '{… [26 more characters]'],
  ])('shows %i characters of the arguments and counts the rest (RPT-03)', async (chars, shown) => {
    const { call } = setupReminder({ thresholds: [2, 3], argumentsPreviewChars: chars })
    let last: string[] = []
    for (let i = 0; i < 3; i++) last = reminders(await call('read', { path: 'a/very/long/path' }))
    expect(last[0]).toContain(shown)
  })

  it('cuts no character outside the first plane in two (RPT-03)', async () => {
    const { call } = setupReminder({ thresholds: [2, 3], argumentsPreviewChars: 7 })
    let last: string[] = []
    for (let i = 0; i < 3; i++) last = reminders(await call('read', { a: '😀😀' }))
    expect(last[0]).toContain('{"a":"… [6 more characters]')
  })

  it('shows 500 characters by default, and no more of a name than a reader needs (RPT-03)', async () => {
    const { call } = setupReminder({ thresholds: [2, 3] })
    let last: string[] = []
    for (let i = 0; i < 3; i++) last = reminders(await call('x'.repeat(1_000), { a: 'y'.repeat(1_000) }))
    expect(last[0]).toContain(`{"a":"${'y'.repeat(494)}… [508 more characters]`)
    expect(last[0]).toContain(`"${'x'.repeat(80)}… [920 more characters]"`)
  })

  it.each<[string, unknown]>([
    ['no thresholds', { thresholds: [] }],
    ['a fraction', { thresholds: [2.5] }],
    ['one', { thresholds: [1, 3] }],
    ['a number as text', { thresholds: ['3'] }],
    ['no number', { thresholds: [Number.NaN] }],
    ['an endless one', { thresholds: [Number.POSITIVE_INFINITY] }],
    ['a hole', { thresholds: new Array(1) }],
    ['a number twice', { thresholds: [3, 3] }],
    ['no list', { thresholds: 3 }],
    ['null for a list', { thresholds: null }],
    ['a preview of nothing', { argumentsPreviewChars: 0 }],
    ['a fraction of a character', { argumentsPreviewChars: 1.5 }],
    ['an endless preview', { argumentsPreviewChars: Number.POSITIVE_INFINITY }],
    ['names that are no list', { include: 'read' }],
    ['an empty name', { exclude: [''] }],
    ['a name that is none', { include: [1] }],
    ['a misspelt option', { treshold: [3] }],
    ['null', null],
    ['a list', []],
  ])('refuses %s (RPT-04)', (_what, options) => {
    expect(() => repeatReminder(options as never)).toThrow(
      expect.objectContaining({ code: 'INVALID_OPTIONS' }),
    )
  })

  it('names the options it has when it is given another (RPT-04)', () => {
    expect(() => repeatReminder({ limit: 3 } as never)).toThrow(
      'repeatReminder has no option "limit"; it has thresholds, argumentsPreviewChars, include, exclude',
    )
  })

  it('sorts thresholds, and keeps none that are changed afterwards (RPT-04)', async () => {
    const thresholds = [5, 2]
    const { fires } = setupReminder({ thresholds })
    thresholds.push(3)
    expect(await fires(6, 'read')).toEqual([2, 5])
  })

  it('stands before the contexts of stages further in, whose decision is kept (RPT-09)', async () => {
    const note = (source: string) => [{ source, content: [{ type: 'text', text: source }] }] as const
    const kept: [string, Stages['postExecute'], unknown][] = [
      ['accepted', () => ({ kind: 'accept', additionalContexts: note('inner') }), 'ok: done'],
      [
        'shown otherwise',
        () => ({
          kind: 'accept',
          content: [{ type: 'text', text: 'other' }],
          additionalContexts: note('inner'),
        }),
        'ok: other',
      ],
      ['replaced', () => ({ kind: 'accept', value: 'new', additionalContexts: note('inner') }), 'ok: new'],
      [
        'blocked',
        () => ({
          kind: 'block',
          feedback: [{ type: 'text', text: 'stop' }],
          additionalContexts: note('inner'),
        }),
        'BLOCKED: stop',
      ],
    ]
    for (const [what, postExecute, shown] of kept) {
      const { call } = setupReminder({ thresholds: [2] }, [{ postExecute: postExecute as never }])
      await call('read')
      const result = await call('read')
      const [block] = result.content
      const text = block?.type === 'text' ? block.text : ''
      expect([what, `${result.isError ? result.error.code : 'ok'}: ${text}`]).toEqual([what, shown])
      expect(result.additionalContexts?.map(({ source }) => source)).toEqual(['repeat-reminder', 'inner'])
    }
  })

  it('has counted a call before the stages further in are asked (RPT-09)', async () => {
    let broken = true
    const { call } = setupReminder({ thresholds: [2] }, [
      {
        postExecute: (_call, _result, next) => {
          if (broken) throw new Error('inner')
          return next()
        },
      },
    ])
    expect((await call('read')).isError).toBe(true)
    broken = false
    expect(reminders(await call('read'))).toHaveLength(1)
  })
})
