import { describe, expect, test } from 'vitest'
import { returned } from '../support/run-code.js'

const inSandbox = (texts: readonly string[]): Promise<unknown> =>
  returned(
    `return ${JSON.stringify(texts)}.map(text => [new Date(text).getTime(), Date.parse(text)].map(time => time === time ? time : null))`,
  )
const inHost = (texts: readonly string[]): unknown =>
  texts.map(text =>
    [new Date(text).getTime(), Date.parse(text)].map(time => (Number.isNaN(time) ? null : time)),
  )

describe('a text is a date where it is one elsewhere', () => {
  test.each([
    [
      'fields that would have to change places',
      ['12/32/20', '6/0/5', '25/12/2020', '13-06-2020', '15.06.2020'],
    ],
    [
      'an offset without a time',
      ['2 Feb 2020 -0500', 'Feb 2 2020 -0500', '2020-02-02 -0500', 'Dec 17, 1999 +0530'],
    ],
    ['two numbers of which one is no day', ['2/99', '9/2020']],
  ])('not with %s', async (_what, texts) => {
    expect(inHost(texts)).toEqual(texts.map(() => [null, null]))
    expect(await inSandbox(texts)).toEqual(inHost(texts))
  })

  test('as with a zone that is named, with or without a time', async () => {
    const texts = [
      'Feb 2 2020 GMT-0500',
      'Feb 2 2020 10:20 GMT-0500',
      'Wed, 1 Jan 2020 10:20:30 +0200',
      '1/2/2020 3:04 PM GMT',
      '99/9/9 10:20 GMT',
      '6-Feb-2020 UTC',
      '2020-01-01T00:00:00+02:00',
      '2020-02-30',
      'Tue Mar 01 2022 10:00:00 GMT-0800 (Pacific Standard Time)',
    ]
    expect(await inSandbox(texts)).toEqual(inHost(texts))
  })
})
