import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ServerEntry } from '../../src/cli/gateway-config.js'
import { serverLog } from '../../src/cli/server-log.js'
import { configFile, serverPath, startCommand } from './run-command.js'

const STEERING = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/

const stdio = (env: Record<string, string>, args: string[] = []): ServerEntry => ({
  kind: 'stdio',
  name: 'one',
  rules: {},
  command: 'x',
  args,
  env,
})
const http = (url: string, headers: Record<string, string> = {}): ServerEntry => ({
  kind: 'http',
  name: 'one',
  rules: {},
  url: new URL(url),
  headers,
})

/** What is logged of a server's lines; the clock stands still unless a test moves it. */
function logOf(entry: ServerEntry, clock: { ms: number } = { ms: 0 }) {
  const lines: string[] = []
  const say = serverLog(entry, { log: line => lines.push(line), now: () => clock.ms })
  return { lines, say }
}

describe('what a server says', () => {
  test('is told under its name', () => {
    const { lines, say } = logOf(stdio({}))
    say('is up')
    expect(lines).toEqual(['[one] is up'])
  })

  test.each([
    ['a key', stdio({ API_KEY: 'correct-horse' }), 'correct-horse'],
    ['a value that no name tells of', stdio({ DATABASE: 'postgres://u:horse-1234@h/db' }), 'horse-1234@h/db'],
    ['a password inside of it', stdio({ DATABASE: 'postgres://u:horse-1234@h/db' }), 'horse-1234'],
    ['an argument after a flag', stdio({}, ['--api-key', 'correct-horse']), 'correct-horse'],
    ['an argument in a flag', stdio({}, ['--token=correct-horse']), 'correct-horse'],
    ['a header', http('http://a', { 'X-Custom': 'correct-horse' }), 'correct-horse'],
    ['a bearer token', http('http://a', { Authorization: 'Bearer correct-horse' }), 'correct-horse'],
    ['a parameter of the address', http('http://a/?k=correct-horse'), 'correct-horse'],
    ['a part of the address', http('http://a/s/Ab12Cd34Ef56Gh78Ij/mcp'), 'Ab12Cd34Ef56Gh78Ij'],
    ['a password of the address', http('http://u:correct%2Dhorse@a/'), 'correct-horse'],
  ])('is told without its secrets: %s', (_what, entry, secret) => {
    const { lines, say } = logOf(entry)
    say(`could not sign in with ${secret}, says ${secret}`)
    say(`in base64: ${Buffer.from(secret).toString('base64')}`)
    expect(lines[0]).toMatch(/^\[one\] could not sign in with \[redacted [^\]]+\]\S*, says \[redacted/)
    expect(lines.join()).not.toContain(secret)
    expect(lines[1]).toContain('[redacted')
  })

  test('stays readable: words, paths and plain addresses of its environment are no secrets', () => {
    const env = {
      NODE_ENV: 'production',
      HOME_DIR: '/home/somebody',
      API: 'https://api.example.com/v/',
      N: '1',
    }
    const { lines, say } = logOf(stdio(env))
    const line = 'production: /home/somebody/x at https://api.example.com/v/ is 1'
    say(line)
    expect(lines).toEqual([`[one] ${line}`])
  })

  test('is quoted in part where it is very much, and how much was left out is told', () => {
    const clock = { ms: 0 }
    const { lines, say } = logOf(stdio({}), clock)
    for (let i = 0; i < 10_000; i++) say(`line ${i}`)
    expect(lines).toHaveLength(200)
    clock.ms = 100
    say('after a while')
    expect(lines.slice(200)).toEqual(['[one] (9800 more lines were left out)', '[one] after a while'])
    clock.ms = 3_600_000
    for (let i = 0; i < 10_000; i++) say(`line ${i}`)
    expect(lines).toHaveLength(402)
  })
})

describe('a gateway whose server writes to standard error', () => {
  const SECRET = 'correct-horse-battery'
  let config: Awaited<ReturnType<typeof configFile>>
  let stderr: string
  beforeAll(async () => {
    const server = {
      command: process.execPath,
      args: [serverPath('talkative.mjs')],
      env: { DB: `a1:${SECRET}` },
    }
    config = await configFile({ mcpServers: { talkative: server } })
    const { child, finished, stderrHas } = startCommand(['gateway', config.path])
    await stderrHas('[talkative] no end of line')
    child.stdin?.end()
    stderr = (await finished).stderr
  })
  afterAll(() => config.remove())

  test('tells whose each line is, and none of its secrets', () => {
    for (const line of stderr.trim().split('\n')) expect(line).toMatch(/^toolgate: /)
    expect(stderr).toContain('[talkative] I have [redacted')
    expect(stderr).not.toContain(SECRET)
  })

  test('lets none of it steer the terminal, or look like a line of its own', () => {
    expect(stderr).not.toMatch(STEERING)
    expect(stderr).toContain('[talkative] [one] ready')
  })

  test('tells last words that no line end follows', () => {
    expect(stderr).toContain('[talkative] no end of line')
  })
})
