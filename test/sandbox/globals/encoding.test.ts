import { describe, expect, test } from 'vitest'
import { returned } from '../support/run-code.js'
import { sameAsHost } from './same-as-host.js'

const bytes = (...list: readonly number[]): string => `new Uint8Array([${list.join()}])`
const decode = (label: string, list: readonly number[], options = '{}'): string =>
  `new TextDecoder(${JSON.stringify(label)}, ${options}).decode(${bytes(...list)})`

describe('TextEncoder', () => {
  sameAsHost([
    ...['""', '"abc"', '"é€"', '"\\u{1f600}"', '"\\ud800"', '"a\\udc00b"', '"\\0"', '123', 'undefined'].map(
      text => `[...new TextEncoder().encode(${text})]`,
    ),
    'new TextEncoder().encoding',
    'new TextEncoder().encode("a") instanceof Uint8Array',
    '(b => [new TextEncoder().encodeInto("aé€x", b), [...b]])(new Uint8Array(5))',
    '(b => [new TextEncoder().encodeInto("\\u{1f600}", b), [...b]])(new Uint8Array(3))',
    'TextEncoder()',
  ])
})

describe('TextDecoder', () => {
  sameAsHost([
    decode('utf-8', [104, 105]),
    decode('utf8', [0xe2, 0x82, 0xac]),
    decode('utf-8', [0xef, 0xbb, 0xbf, 65]),
    decode('utf-8', [0xef, 0xbb, 0xbf, 65], '{ ignoreBOM: true }'),
    decode('utf-8', [0xff, 65, 0xc3]),
    decode('utf-8', [0xc0, 0x80]),
    decode('utf-8', [0xed, 0xa0, 0x80]),
    decode('utf-8', [0xf4, 0x90, 0x80, 0x80]),
    decode('utf-8', [0xff], '{ fatal: true }'),
    decode('utf-8', [0xe2, 0x82], '{ fatal: true }'),
    decode('utf-16le', [65, 0, 0x3d, 0xd8, 0x00, 0xde]),
    decode('utf-16le', [0x3d, 0xd8, 65]),
    decode('utf-16be', [0, 65]),
    decode('nonsense', [65]),
    'new TextDecoder("latin1").encoding',
    'new TextDecoder().fatal',
    'new TextDecoder().decode()',
    'new TextDecoder().decode(new Uint16Array([0x4241]))',
    'new TextDecoder().decode(new DataView(new Uint8Array([65, 66, 67]).buffer, 1, 1))',
    'new TextDecoder().decode(new Uint8Array([65]).buffer)',
    'new TextDecoder().decode("text")',
    '(d => [d.decode(new Uint8Array([0xe2]), { stream: true }), d.decode(new Uint8Array([0x82, 0xac]), { stream: true }), d.decode()])(new TextDecoder())',
  ])
})

test('latin1 is windows-1252, as the standard says and not every runtime', async () => {
  expect(await returned(`return ${decode('latin1', [0xe9, 0x80, 0x8d, 0x9f])}`)).toBe('é€\u008dŸ')
})

describe('atob and btoa', () => {
  sameAsHost([
    ...['""', '"a"', '"ab"', '"abc"', '"\\xff\\0"', '123', 'null'].map(text => `btoa(${text})`),
    ...['"YQ=="', '"YWI"', '" Y W J j "', '""', '"YQ"', 'btoa("\\xff\\0\\x80")', '"YR=="'].map(
      text => `atob(${text})`,
    ),
  ])
})

test('a file of some megabytes goes through btoa and atob', async () => {
  const program = `let text = ''
for (let i = 0; i < 256; i++) text += String.fromCharCode(i)
text = text.repeat(4000) + 'x'
const coded = btoa(text)
return [coded.length, coded.slice(0, 40), coded.slice(-8), atob(coded) === text]`
  const text = String.fromCharCode(...Array(256).keys()).repeat(4000)
  const coded = btoa(`${text}x`)
  expect(await returned(program)).toEqual([coded.length, coded.slice(0, 40), coded.slice(-8), true])
})
