import { createRedactor } from 'toolgate'
import { describe, expect, it } from 'vitest'
import { SECRET_SHAPES } from '../../src/policies/secret-shapes.js'
import { GITHUB, privateKey, SAMPLES } from './redact-support.js'

const redactor = createRedactor({ keys: false })
const shown = (text: string): string => redactor.text(text).value
const title = ([kind, secret]: readonly [string, string]) => [kind, secret.slice(0, 12), secret] as const

describe('a secret of a known shape', () => {
  it.each(SAMPLES.map(title))('is hidden wherever it stands: %s %s', (kind, _start, secret) => {
    const mask = `[redacted ${kind}]`
    for (const [before, after] of [
      ['', ''],
      ['the key ', ' is new'],
      ['("', '")'],
      ['key=', '&x=1'],
      ['first\n', '\nlast'],
      ['a\\n', '\\n'],
      ['a\\u003d', '\\u0026'],
      ['a%3D', '%26'],
      ['\u001b[32m', '\u001b[0m'],
      ['<td>', '</td>'],
      ['ключ:', '。'],
    ])
      expect(shown(before + secret + after)).toBe(before + mask + after)
    expect(redactor.text(`${secret} ${secret}\n${secret}`).count).toBe(3)
  })

  it('has a sample for each kind, save those that only a part is of', () => {
    const sampled = new Set(SAMPLES.map(([kind]) => kind))
    const missing = new Set(SECRET_SHAPES.map(({ kind }) => kind).filter(kind => !sampled.has(kind)))
    expect([...missing]).toEqual([
      'slack-webhook',
      'azure-key',
      'private-key',
      'url-password',
      'bearer-token',
      'basic-credentials',
    ])
  })

  it('is sought by texts of which the longer comes first where one begins another', () => {
    const anchors = SECRET_SHAPES.flatMap(shape => shape.anchors)
    const clashes = anchors.filter((a, i) => anchors.some((b, k) => k > i && a !== b && b.startsWith(a)))
    expect(clashes).toEqual([])
    for (const { expression } of SECRET_SHAPES) expect(expression.flags).toBe('y')
  })

  it.each([
    ['a password in a URL', 'postgres://ada:pa55w0rd@db/x', 'postgres://ada:[redacted url-password]@db/x'],
    ['one without a user', 'redis://:pa55@cache', 'redis://:[redacted url-password]@cache'],
    [
      'a URL whose slashes are escaped',
      String.raw`say "https:\/\/ada:pa55@host\/x"`,
      String.raw`say "https:\/\/ada:[redacted url-password]@host\/x"`,
    ],
    [
      'a bearer token',
      'curl -H "Authorization: Bearer abc123def456ghi789" x',
      'curl -H "Authorization: Bearer [redacted bearer-token]" x',
    ],
    [
      'basic credentials',
      'authorization: Basic YWRhOnBhNTV3MHJk\r\n',
      'authorization: Basic [redacted basic-credentials]\r\n',
    ],
    [
      'a storage key',
      `AccountName=a;AccountKey=${'Ab1/'.repeat(21)}AA==;EndpointSuffix=core`,
      'AccountName=a;AccountKey=[redacted azure-key];EndpointSuffix=core',
    ],
    [
      'a web hook',
      `https://hooks.slack.com/services/T0000/B0000/${'a1'.repeat(12)}`,
      'https://hooks.slack.com/services/[redacted slack-webhook]',
    ],
  ])('is hidden as far as it is secret: %s', (_what, text, expected) => {
    expect(shown(text)).toBe(expected)
  })

  it('is a private key with all its lines, also escaped, of which the end is missing, and two in a row', () => {
    for (const newline of ['\n', '\r\n', '\\n', '\\\\n', '\\r\\n'])
      expect(shown(`a ${privateKey(newline)} b`)).toBe('a [redacted private-key] b')
    const cut = privateKey().slice(0, 120)
    expect(shown(`${cut}"}`)).toBe('[redacted private-key]"}')
    expect(shown(`${privateKey()}\n\n${privateKey()}`)).toBe(
      '[redacted private-key]\n\n[redacted private-key]',
    )
    const openssh = privateKey().replaceAll('RSA', 'OPENSSH')
    expect(shown(JSON.stringify({ key: openssh, id: 1 }))).toBe('{"key":"[redacted private-key]","id":1}')
  })

  it.each([
    ['a hash', 'commit 0a1b2c3d4e5f60718293a4b5c6d7e8f901234567'],
    ['a UUID', 'id 123e4567-e89b-12d3-a456-426614174000'],
    [
      'words with a prefix inside',
      'task-force disk-0123456789abcdef0123456789abcdef desk_test_aaaaaaaaaaaaaaaaaaaaaa',
    ],
    ['a short prefix alone', 'ghp_ ghp_short sk-ant- AKIA xoxb- npm_config_registry=https npm_package_name'],
    ['a time in a URL', 'https://host:8080/a:b@c http://[::1]:3000/'],
    ['words after bearer and basic', 'Bearer authentication-is-required, Basic understanding of things'],
    ['a public key', '-----BEGIN PUBLIC KEY-----\nMIIBIjANBg\n-----END PUBLIC KEY-----'],
    ['base64', Buffer.from('nothing to see in this text at all, is there').toString('base64')],
    ['file names', 'a.bcdefg.h src/very-long-name-of-a-file.module.test.ts'],
  ])('is not %s', (_what, text) => {
    expect(redactor.text(text)).toEqual({ value: text, count: 0 })
  })

  it('is not sought where that is said', () => {
    expect(createRedactor({ known: false }).text(GITHUB)).toEqual({ value: GITHUB, count: 0 })
  })
})
