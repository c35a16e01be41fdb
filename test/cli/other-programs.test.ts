import { homedir } from 'node:os'
import { sep } from 'node:path'
import { describe, expect, test } from 'vitest'
import { checkConfig } from '../../src/cli/read-config.js'

/** A reference as such files have it. */
const ref = (text: string): string => `\${${text}}`

const check = (value: unknown, environment: Record<string, string> = {}) =>
  checkConfig('c.json', value, environment)

const refusal = (value: unknown, environment: Record<string, string> = {}): string => {
  try {
    check(value, environment)
  } catch (error) {
    return (error as Error).message
  }
  throw new Error('nothing was refused')
}

const one = (entry: object, environment: Record<string, string> = {}) =>
  check({ mcpServers: { one: entry } }, environment)

describe('a file that another program wrote is read as that program reads it', () => {
  test('VS Code: servers, types and inputs that nothing needs', () => {
    const { servers, warnings } = check(
      {
        inputs: [{ type: 'promptString', id: 'token', password: true }],
        servers: {
          files: { type: 'stdio', command: 'npx', args: ['x', ref('userHome')], cwd: ref('env:WHERE') },
          far: { type: 'http', url: 'https://a.example/mcp', headers: { 'X-Key': ref('env:KEY') } },
          old: { type: 'sse', url: 'https://a.example/sse' },
        },
      },
      { WHERE: '/w', KEY: 'k' },
    )
    expect(servers).toMatchObject([
      { kind: 'stdio', args: ['x', homedir()], cwd: '/w' },
      { kind: 'http', headers: { 'X-Key': 'k' } },
      { kind: 'sse' },
    ])
    expect(warnings).toEqual([])
  })

  test('Cursor: its own variables', () => {
    const args = [`${ref('userHome')}${ref('/')}a${ref('pathSeparator')}b`]
    expect(one({ command: 'x', args }).servers).toMatchObject([{ args: [`${homedir()}${sep}a${sep}b`] }])
  })

  test('Windsurf: serverUrl, and tools that are switched off', () => {
    const { servers, warnings } = one({ serverUrl: 'https://a.example/mcp', disabledTools: ['a'] })
    expect(servers).toMatchObject([
      { kind: 'http-or-sse', url: new URL('https://a.example/mcp'), rules: { exclude: ['a'] } },
    ])
    expect(warnings).toEqual([])
  })

  test('Gemini CLI: httpUrl, tools to take and to leave out', () => {
    const { servers } = one({
      httpUrl: 'https://a.example/mcp',
      includeTools: ['a', 'b'],
      excludeTools: ['b'],
    })
    expect(servers).toMatchObject([{ kind: 'http', rules: { include: ['a', 'b'], exclude: ['b'] } }])
  })

  test.each([
    ['all', ['*'], undefined],
    ['some', ['a'], ['a']],
    ['none', [], []],
  ])('Copilot: local servers, and tools: %s', (_what, tools, include) => {
    const { servers } = one({ type: 'local', command: 'x', tools })
    expect(servers[0]).toMatchObject({ kind: 'stdio' })
    expect(servers[0]?.rules.include).toEqual(include)
  })

  test.each([
    ['disabled: true', { disabled: true }],
    ['enabled: false', { enabled: false }],
  ])('a server with %s does not run, whatever else is wrong with it', (_what, off) => {
    const mcpServers = { off: { ...off, comand: 1 }, on: { command: 'x', disabled: false, enabled: true } }
    expect(check({ mcpServers }).servers.map(({ name }) => name)).toEqual(['on'])
  })

  test('what is null is not there', () => {
    const { servers } = one({ command: 'x', url: null, cwd: null, args: null, env: null, disabled: null })
    expect(servers).toMatchObject([{ kind: 'stdio', args: [], env: {} }])
  })
})

describe('what another program means and this one does not do', () => {
  test.each([
    ['autoApprove', []],
    ['alwaysAllow', ['a']],
    ['trust', true],
    ['trust', false],
  ])('is warned of with what to write: %s of %j', (key, value) => {
    const { warnings } = one({ command: 'x', [key]: value })
    expect(warnings).toHaveLength(1)
    expect(warnings[0]).toContain(`server "one": "${key}" is not used; no call is asked for here unless`)
    expect(warnings[0]).toContain('"toolgate": {"ask": true}')
  })

  test.each([
    ['timeout', 60, 'programs do not agree on its unit: write "toolgate": {"timeoutMs": 60000}'],
    ['oauth', {}, 'nobody is signed in here: write "headers"'],
    ['auth', {}, 'nobody is signed in here'],
    ['headersHelper', 'x', 'nobody is signed in here'],
  ])('is warned of with what to write: %s', (key, value, expected) => {
    expect(one({ url: 'https://a.example', [key]: value }).warnings.join()).toContain(expected)
  })

  test.each([
    ['envFile', '.env', 'write its variables under "env"'],
    ['sandboxEnabled', true, 'the server would run without it'],
    ['sandbox', { network: {} }, 'the server would run without it'],
    ['environment', { A: 'b' }, 'write "env"'],
    ['working_directory', '/', 'write "cwd"'],
  ])('is refused where the server would be another one: %s', (key, value, expected) => {
    const message = refusal({ mcpServers: { one: { command: 'x', [key]: value } } })
    expect(message).toContain(`server "one": "${key}" is another program's; `)
    expect(message).toContain(expected)
  })

  test.each([
    ['input:token', 'nobody can be asked here'],
    ['workspaceFolder', 'there is no workspace here'],
    ['workspaceFolderBasename', 'there is no workspace here'],
    ['file:/etc/token', 'files are not put in'],
    ['config:a.b', 'there is no editor here'],
    ['command:pick', 'there is no editor here'],
    ['a-b', 'is no variable'],
    ['', 'is no variable'],
  ])('is refused where a text would go to the server as it stands: %j', (inner, expected) => {
    const message = refusal({ mcpServers: { one: { command: 'x', env: { A: `Bearer ${ref(inner)}` } } } })
    expect(message).toContain(`"env.A" has ${ref(inner)}`)
    expect(message).toContain(expected)
  })

  test('may be handed on as it stands by a second dollar sign', () => {
    const args = [`for f in $${ref('list[@]')}; do echo $f $$; done`]
    const { servers, warnings } = one({ command: 'sh', args })
    expect(servers).toMatchObject([{ args: [`for f in ${ref('list[@]')}; do echo $f $$; done`] }])
    expect(warnings).toEqual([])
  })

  test('is warned of where it may be a variable or a text', () => {
    const { servers, warnings } = one({ command: 'x', env: { A: '$KEY', B: '$NONE' } }, { KEY: 'k' })
    expect(servers).toMatchObject([{ env: { A: '$KEY', B: '$NONE' } }])
    expect(warnings).toEqual([
      `c.json: server "one": "env.A" is handed on as "$KEY"; for the environment variable write ${ref('KEY')}`,
    ])
  })

  test.each([
    ['excludeMCPServers', { excludeMCPServers: ['one'] }],
    ['mcp.allowed', { mcp: { allowed: ['two'] } }],
    ['mcp.excluded', { mcp: { excluded: ['one'] } }],
    ['disabledMcpjsonServers', { disabledMcpjsonServers: ['one'] }],
  ])('starts no server that is switched off elsewhere in the file: %s', (key, rest) => {
    const message = refusal({ mcpServers: { one: { command: 'x' } }, ...rest })
    expect(message).toContain(`"${key}" is not read; write "disabled": true`)
  })

  test.each([
    [{ command: 'x', disabled: 'true' }, '"disabled" must be true or false'],
    [{ command: 'x', enabled: 0 }, '"enabled" must be true or false'],
    [{ url: 'http://a', httpUrl: 'http://b' }, 'it has "url" and "httpUrl"; only one can be meant'],
    [{ httpUrl: 'http://b', type: 'sse' }, '"httpUrl" cannot be of the type "sse"'],
    [{ url: 'http://a', type: 'http', transport: 'sse' }, 'it tells two types'],
    [{ command: ['npx', 'x'] }, '"command" is the program alone'],
    [{ command: 'x', includeTools: 'a' }, '"includeTools" must be an array of tool names'],
    [{ command: 'x', tools: ['a'], toolgate: { include: ['b'] } }, 'only one can be meant'],
    [{ command: 'x', excludeTools: ['a'], disabledTools: ['b'] }, 'only one can be meant'],
    [{ command: 'x', excludeTool: ['a'] }, 'did you mean "excludeTools"?'],
  ])('is refused where it is not clear: %j', (entry, expected) => {
    expect(refusal({ mcpServers: { one: entry } })).toContain(expected)
  })

  test('is told of where it does not fit the kind of server', () => {
    expect(one({ url: 'http://a', env: { A: 'b' } }).warnings).toEqual([
      'c.json: server "one": "env" is not used for a "url"',
    ])
    expect(one({ command: 'x', headers: { A: 'b' } }).warnings).toEqual([
      'c.json: server "one": "headers" is not used for a "command"',
    ])
  })
})
