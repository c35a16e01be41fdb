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
    [
      'a number that stands in a word, or beside a sign that is one',
      [
        'FY2024-03',
        'v2024/03/05',
        '~3/5/24',
        '[2024-03',
        '2024-3-5]',
        '2024-03-05+',
        '5 Mar 2024}',
        'é3/5/24',
      ],
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

  test.each([
    '',
    ' ',
    '\t',
    '\n',
    '\r\n',
    '\u00a0',
    '\ufeff',
    '"',
    '#',
    '*',
    '- ',
    '-',
    '+',
    '=',
    'Due:\t',
    'on ',
  ])('as without it where %j stands before, and what is like it behind', async before => {
    const dates = ['2024-03-05', '2024/03/05', '3/5/24', 'Mar 5, 2024', '5 Mar 2024', '5-Mar-2024']
    const texts = dates.flatMap(date =>
      ['', '\r', '\t', '"', ';', '\u00a0', '\ufeff'].map(behind => before + date + behind),
    )
    expect(inHost(texts)).not.toContainEqual([null, null])
    expect(await inSandbox(texts)).toEqual(inHost(texts))
  })

  test('with white space of any kind in it', async () => {
    const texts = [
      '3/1/2022, 2:05:06\u202fPM',
      'Mar\t5,\n2024',
      '5\u00a0Mar\u00a02024',
      '2024-03-05\t10:20',
      '\ufeff2024-03-05 10:20\r\n',
    ]
    expect(await inSandbox(texts)).toEqual(inHost(texts))
  })

  test('the lines of a table end as they like', async () => {
    const program = `const table = 'id,day\\r\\n1,2024-03-05\\r\\n2,3/6/2024\\r\\n'
return table.split('\\n').slice(1, 3).map(line => new Date(line.split(',')[1]).toISOString().slice(0, 10))`
    expect(await returned(program)).toEqual(['2024-03-05', '2024-03-06'])
  })
})
