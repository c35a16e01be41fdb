import { createServer } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { failureReason } from '../../src/cli/failure-reason.js'
import { configFile, type Finished, runCommand, serverPath } from './run-command.js'

/** What a terminal acts on, line ends aside. */
const STEERING = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/
const SECRET = 'correct-horse-battery'

const hostile = (...more: string[]): object => ({
  command: process.execPath,
  args: [serverPath('hostile.mjs'), ...more],
})

describe('an inspection of servers that mean harm', () => {
  let config: Awaited<ReturnType<typeof configFile>>
  let finished: Finished
  let asJson: Finished
  const lineWith = (text: string): string =>
    finished.stdout.split('\n').find(line => line.includes(text)) ?? ''
  beforeAll(async () => {
    // A port that was free a moment ago: nobody answers there.
    const taken = createServer()
    const port = await new Promise<number>(resolve =>
      taken.listen(0, '127.0.0.1', () => resolve((taken.address() as { port: number }).port)),
    )
    await new Promise(resolve => taken.close(resolve))
    config = await configFile({
      mcpServers: {
        up: { ...hostile(), toolgate: { ask: ['okk'] } },
        down: { ...hostile('die'), env: { API_KEY: SECRET } },
        away: { url: `http://127.0.0.1:${port}/mcp` },
      },
    })
    finished = await runCommand('inspect', config.path)
    asJson = await runCommand('inspect', config.path, '--json')
  })
  afterAll(() => config.remove())

  test('prints nothing that steers the terminal, and no more than can be read', () => {
    expect(finished.code).toBe(1)
    expect(lineWith('up__ok')).not.toBe('')
    expect(lineWith('"typed"')).toContain('INVALID_TOOL')
    expect(lineWith('"patterned"')).toContain('UNSUPPORTED_SCHEMA')
    expect(finished.stdout + finished.stderr).not.toMatch(STEERING)
    expect(Math.max(...finished.stdout.split('\n').map(line => line.length))).toBeLessThan(2_000)
  })

  test('shows where something cannot be seen', () => {
    expect(lineWith('up__ok')).toContain('�]0;steered��[31m�31m�  ��� end')
  })

  test('prints JSON of which a terminal sees nothing but text, and a program all of it', () => {
    const isPlain = [...asJson.stdout].every(char => char === '\n' || /[^\p{C}\p{Z}]|[ \u200d]/u.test(char))
    expect(isPlain).toBe(true)
    const [up] = JSON.parse(asJson.stdout).servers
    expect(up.tools[0].description).toBe(
      '\u001b]0;steered\u0007\u001b[31m\u009b31m\u202e\u2028 \u{e0041}\u200b\ufeff end',
    )
  })

  test('gives the last words of a server that ended, without its secrets', () => {
    expect(lineWith('down (failed: ')).toContain('it ended before it was ready; it said: ')
    expect(lineWith('down (failed: ')).toMatch(
      /no entry for \[redacted [^\]]+\] or \[redacted github-token\]/,
    )
    expect(finished.stdout).not.toContain(SECRET)
  })

  test('says why an address does not answer', () => {
    expect(lineWith('away (failed: ')).toContain('ECONNREFUSED')
  })

  test('names a tool that is to be asked for and is not there: the one that is meant would run unasked', () => {
    expect(lineWith('UNKNOWN_TOOL')).toContain('"okk"')
  })
})

test.each([
  [undefined, 'undefined'],
  [null, 'null'],
  ['a text', 'a text'],
  [new Error('outer', { cause: new Error('inner') }), 'inner'],
  [
    new Error('outer', { cause: new TypeError('failed', { cause: { code: 'E1', message: '' } }) }),
    'failed: E1',
  ],
  [new Error(`refused: Bearer ${SECRET}`), 'refused: [redacted'],
])('the reason of a failure is told whatever was thrown: %s', (error, expected) => {
  const url = new URL('http://127.0.0.1/')
  const headers = { authorization: `Bearer ${SECRET}` }
  const reason = failureReason(error, { kind: 'http', name: 'a', rules: {}, url, headers })
  expect(reason).toContain(expected)
  expect(reason).not.toContain(SECRET)
})
