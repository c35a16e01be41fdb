import { describe, expect, test } from 'vitest'
import { readCommandLine } from '../../src/cli/command-line.js'
import { parseConfigText } from '../../src/cli/parse-config-text.js'
import { checkConfig, readConfig } from '../../src/cli/read-config.js'
import { isMeantForHere } from '../../src/cli/serve-http.js'
import { table } from '../../src/cli/table.js'

const messageOf = (run: () => unknown): string => {
  try {
    run()
  } catch (error) {
    return (error as Error).message
  }
  throw new Error('nothing was thrown')
}

/** A reference to a variable of the environment. */
const variable = (text: string): string => `\${${text}}`

const check = (servers: unknown, environment: Record<string, string> = {}) =>
  checkConfig('c.json', { mcpServers: servers }, environment)

describe('a configuration file', () => {
  test('may have comments and trailing commas, as editors write them', () => {
    expect(parseConfigText('c.json', '\ufeff{ // servers\n "mcpServers": { "a": {}, }, /* end */ }')).toEqual(
      {
        mcpServers: { a: {} },
      },
    )
  })

  test.each([
    ['{"mcpServers": {"a": {"command": "x" "args": []}}}', 'line 1, column 38', 'a comma is expected here'],
    ['{\n  "mcpServers": {\n    a: {}\n  }\n}', 'line 3, column 5', 'this is no JSON value'],
    ['{"mcpServers": {"a": "x', 'line 1, column 22', 'this string is not closed'],
    ['{"mcpServers": {', 'line 1, column 17', 'a closing brace is expected here'],
  ])('that is broken says where: %j', (text, place, meaning) => {
    const message = messageOf(() => parseConfigText('c.json', text))
    expect(message).toContain(place)
    expect(message).toContain(meaning)
    expect(message).toContain('^')
  })

  test.each([
    ['', 'is empty'],
    ['[]', 'must hold an object with "mcpServers"'],
    ['{"mcpServers": []}', '"mcpServers" must be an object'],
    ['{"mcpservers": {}}', 'did you mean "mcpServers" where it says "mcpservers"?'],
    ['{"context_servers": {}}', 'rename "context_servers" to it'],
    ['{"mcp": {"servers": {}}}', 'take "servers" out of "mcp" and put it at the top'],
    ['{"servers": {}}', 'names no server'],
    ['{"servers": {}, "mcpServers": {}}', 'put all of them under one of the two'],
    ['{"mcpServers": {}}', 'names no server'],
    ['{"mcpServers": {"a": {"command": "x", "disabled": true}}}', 'names no server that is switched on'],
  ])('of the wrong shape says what is missing: %j', (text, expected) => {
    expect(messageOf(() => checkConfig('c.json', parseConfigText('c.json', text), {}))).toContain(expected)
  })

  test('shows only what stands around a fault, and none of its tokens', () => {
    const token = `ghp_${'Ab1'.repeat(12)}`
    const env = `"env": {"GITHUB_TOKEN": "${token}", "API_KEY": "correct-horse-battery"`
    const text = `{"mcpServers": {"a": {"command": "x", "args": [${'"y", '.repeat(5_000)}], ${env} "B": "1"}, ${env}}}}`
    const message = messageOf(() => parseConfigText('c.json', text))
    expect(message).toContain('a comma is expected here')
    expect(message).not.toContain(token)
    expect(message).not.toContain('correct-horse')
    const [shown = '', mark = ''] = message.split('\n').slice(-2)
    expect(shown.length).toBeLessThan(200)
    expect(shown.slice(mark.indexOf('^')).startsWith('"B"')).toBe(true)
  })

  test('shows no value of a name that tells a secret, though the fault is that it does not end', () => {
    const text = '{"mcpServers": {"a": {"env": {"API_KEY": "correct-horse-battery\n"}}}}'
    const message = messageOf(() => parseConfigText('c.json', text))
    expect(message).toContain('"API_KEY"')
    expect(message).not.toContain('correct-horse')
  })

  test('that is not there, or is a folder, is said to be', async () => {
    const said = (file: string): Promise<string> => readConfig(file, {}).catch(error => error.message)
    expect(await said('/no/such/file.json')).toBe('There is no file /no/such/file.json')
    expect(await said('/')).toContain('/ is a folder')
  })

  test('has servers that are started and servers at addresses', () => {
    const { servers, warnings } = check({
      files: { command: 'npx', args: ['-y', 'x'], env: { A: '1', B: 2 }, cwd: '/tmp' },
      remote: { url: 'https://example.com/mcp', headers: { Authorization: 'Bearer x' } },
      old: { type: 'sse', url: 'http://localhost:1/sse' },
      new: {
        type: 'streamable-http',
        url: 'http://localhost:1/mcp',
        toolgate: { include: ['a'], ask: true },
      },
    })
    expect(servers).toMatchObject([
      {
        kind: 'stdio',
        name: 'files',
        command: 'npx',
        args: ['-y', 'x'],
        env: { A: '1', B: '2' },
        cwd: '/tmp',
      },
      { kind: 'http-or-sse', headers: { Authorization: 'Bearer x' } },
      { kind: 'sse' },
      { kind: 'http', rules: { include: ['a'], ask: true } },
    ])
    expect(warnings).toEqual([])
  })

  test.each([
    ['a slip', { comand: 'x' }, '"comand" is unknown; did you mean "command"?'],
    ['a slip in our own part', { command: 'x', toolgate: { incldue: [] } }, 'did you mean "include"?'],
    ['nothing to reach it by', {}, 'it needs a "command" or a "url"'],
    ['two ways to reach it', { command: 'x', url: 'http://a' }, 'only one can be meant'],
    ['an entry that is none', 'x', 'its entry must be an object'],
    ['arguments that are no list', { command: 'x', args: 'y' }, '"args" must be an array of texts'],
    ['an environment that is none', { command: 'x', env: { A: {} } }, '"env.A" must be a text'],
    ['an address that is none', { url: 'files' }, 'must be an address'],
    ['an address of another kind', { url: 'file:///etc' }, 'must be an address'],
    ['a type that there is none of', { url: 'http://a', type: 'ws' }, '"type" must be one of'],
    ['a type that does not fit', { command: 'x', type: 'sse' }, 'cannot be of the type "sse"'],
    [
      'a variable that is not set',
      { command: 'x', env: { A: variable('NONE') } },
      'environment variable NONE',
    ],
    [
      'rules that are none',
      { command: 'x', toolgate: { ask: 'all' } },
      '"toolgate.ask" must be true or an array',
    ],
  ])('with %s in a server is refused, and the server named', (_what, entry, expected) => {
    const message = messageOf(() => check({ odd: entry, fine: { command: 'x' } }))
    expect(message).toContain('server "odd"')
    expect(message).toContain(expected)
  })

  test('tells all faults at once', () => {
    const message = messageOf(() => check({ a: {}, b: { comand: 'x' } }))
    expect(message.split('\n- ')).toHaveLength(4)
  })

  test('keeps quiet harm: keys of other programs are warned of, not refused', () => {
    const { warnings } = check({ a: { command: 'x', gallery: true } })
    expect(warnings).toEqual(['c.json: server "a": "gallery" is not used'])
    const value = { mcpServers: { a: { command: 'x' } }, theme: 'dark', fontSize: 12 }
    expect(checkConfig('c.json', value, {}).warnings).toEqual(['c.json: "theme", "fontSize" are not used'])
  })

  test('reads variables of the environment, with defaults', () => {
    const { servers } = check(
      {
        a: {
          command: 'x',
          args: [variable('A'), `${variable('env:A')}/b`, variable('B:-none'), variable('B:-')],
        },
      },
      { A: 'here' },
    )
    expect(servers).toMatchObject([{ args: ['here', 'here/b', 'none', ''] }])
  })
})

describe('the command line', () => {
  const sessions = { idleMs: 1_800_000, maxSessions: 100 }
  test.each([
    [[], { kind: 'help' }],
    [['--help'], { kind: 'help' }],
    [['gateway', '-h'], { kind: 'help' }],
    [['--version'], { kind: 'version' }],
    [['gateway'], { kind: 'gateway', configFile: '.mcp.json', mode: 'code', startMs: 20_000, sessions }],
    [
      ['gateway', 'a.json', '--http', '8080', '--mode', 'both', '--start-timeout=5'],
      { kind: 'gateway', configFile: 'a.json', mode: 'both', port: 8080, startMs: 5_000, sessions },
    ],
    [
      ['gateway', '--http', '0', '--session-idle', '60', '--max-sessions=3'],
      {
        kind: 'gateway',
        configFile: '.mcp.json',
        mode: 'code',
        port: 0,
        startMs: 20_000,
        sessions: { idleMs: 60_000, maxSessions: 3 },
      },
    ],
    [
      ['gateway', '--http', '0', '--session-idle', '0'],
      {
        kind: 'gateway',
        configFile: '.mcp.json',
        mode: 'code',
        port: 0,
        startMs: 20_000,
        sessions: { idleMs: Number.POSITIVE_INFINITY, maxSessions: 100 },
      },
    ],
    [['inspect', 'a.json', '--json'], { kind: 'inspect', configFile: 'a.json', json: true }],
  ])('%j', (args, command) => {
    expect(readCommandLine(args)).toEqual(command)
  })

  test.each([
    [['gatway'], 'There is no command "gatway". Did you mean gateway?'],
    [['gateway', '--htpp', '1'], 'There is no option --htpp. Did you mean --http?'],
    [['gateway', '--http', 'x'], '--http takes a whole number from 0 to 65535, not "x"'],
    [['gateway', '--http', '70000'], 'from 0 to 65535'],
    [['gateway', '--mode', 'codee'], '--mode takes code, native or both'],
    [['gateway', 'a', 'b'], '"b" is one too many'],
    [
      ['gateway', '--http', '1', '--max-sessions', '0'],
      '--max-sessions takes a whole number from 1 to 10000',
    ],
    [['gateway', '--session-idle', '1'], '--session-idle belongs to --http'],
    [['inspect', '--http', '1'], '--http belongs to gateway'],
    [['gateway', '--json'], '--json belongs to inspect'],
  ])('%j is refused with what would work', (args, expected) => {
    expect(messageOf(() => readCommandLine(args))).toContain(expected)
  })
})

describe('a request at the loopback port', () => {
  test.each([
    [{ host: 'localhost:7000' }, true],
    [{ host: '127.0.0.1:7000', origin: 'http://localhost:3000' }, true],
    [{ host: '[::1]:7000', origin: 'http://[::1]:7000' }, true],
    [{ host: 'evil.example:7000' }, false],
    [{ host: 'localhost:7001' }, false],
    [{ host: 'localhost:7000', origin: 'http://evil.example' }, false],
    [{ host: 'localhost:7000', origin: 'http://localhost.evil.example' }, false],
    [{ host: 'localhost:7000', origin: 'null' }, false],
    [{}, false],
  ])('%j is let in: %s', (headers, expected) => {
    expect(isMeantForHere(headers, 7000)).toBe(expected)
  })
})

test('a table keeps to its columns and lets no text steer the terminal', () => {
  const text = table(['tool', 'about'], [['a', `\u001b[31mred ${'x'.repeat(200)}`]])
  expect(text.split('\n')).toHaveLength(2)
  expect(text).not.toContain('\u001b')
  expect(Math.max(...text.split('\n').map(line => line.length))).toBeLessThanOrEqual(120)
})
