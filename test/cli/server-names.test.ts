import { describe, expect, test } from 'vitest'
import { parseConfigText } from '../../src/cli/parse-config-text.js'
import { checkConfig } from '../../src/cli/read-config.js'
import { configFile, runCommand, serverPath } from './run-command.js'

const said = (run: () => unknown): string => {
  try {
    run()
  } catch (error) {
    return (error as Error).message
  }
  throw new Error('nothing was refused')
}

/** As a file says it: no object literal has a key of this name twice, or `__proto__`. */
const read = (text: string) => checkConfig('c.json', parseConfigText('c.json', text), {})
const fileOf = (...names: string[]): string =>
  `{"mcpServers": {${names.map(name => `${JSON.stringify(name)}: {"command": "x"}`).join(', ')}}}`

const LONG = 'n'.repeat(200)
const FINE = ['__proto__', 'constructor', 'toString', 'My Server', 'sérveur', '日本', '👩‍💻', 'a__b', LONG]

describe('the name of a server', () => {
  test('may be whatever can be read, and no server is lost by it', () => {
    expect(read(fileOf(...FINE)).servers.map(({ name }) => name)).toEqual(FINE)
  })

  test('is that of its tools', async () => {
    const server = { command: process.execPath, args: [serverPath('plain.mjs')] }
    const entries = FINE.map(name => `${JSON.stringify(name)}: ${JSON.stringify(server)}`)
    const config = await configFile(`{"mcpServers": {${entries.join(', ')}}}`)
    const { stdout } = await runCommand('inspect', config.path, '--json')
    const { servers } = JSON.parse(stdout)
    const tools = servers.map(({ tools: own }: { tools: { name: string }[] }) => own.map(({ name }) => name))
    expect(tools).toEqual(FINE.map(name => ['echo', 'pid', 'env', 'crash'].map(tool => `${name}__${tool}`)))
    await config.remove()
  })

  test.each([
    ['', 'its name is blank'],
    ['  ', 'its name is blank'],
    [' a', 'begins or ends with a space'],
    ['a\n', 'begins or ends with a space'],
    ['a\u0000b', 'characters that cannot be seen'],
    ['a\u202eb', 'characters that cannot be seen'],
    ['a\ud800', 'characters that cannot be seen'],
    ['a\u{e0041}', 'characters that cannot be seen'],
  ])('is refused where it cannot be read: %j', (name, expected) => {
    expect(said(() => read(fileOf(name, 'fine')))).toContain(expected)
  })

  test.each([
    [['a', 'a__b'], 'server "a__b": its tools would be named "a__b__…", as tools of server "a" can be'],
    [['a_', 'a'], 'server "a_": its tools would be named "a___…", as tools of server "a" can be'],
    [['é', 'e\u0301'], 'its name reads like that of another server'],
    [['a', 'ａ'], 'its name reads like that of another server'],
  ])('is refused where tools of two servers could have one name: %j', (names, expected) => {
    expect(said(() => read(fileOf(...names)))).toContain(expected)
  })

  test('that begins as another one is no harm by itself, nor is one that is switched off', () => {
    expect(read(fileOf('a', 'ab', 'a_b')).servers).toHaveLength(3)
    const off = '{"mcpServers": {"a": {"command": "x"}, "a__b": {"command": "x", "disabled": true}}}'
    expect(read(off).servers).toHaveLength(1)
  })
})

describe('a name that stands twice in a file', () => {
  test.each([
    [
      '{"mcpServers": {"a": {"command": "x"},\n "a": {"command": "y"}}}',
      '"a" twice in one object, at line 1 and at line 2, column 2',
    ],
    ['{"mcpServers": {"a": {"command": "x", "disabled": true, "disabled": false}}}', '"disabled" twice'],
    ['{"mcpServers": {"a": {"command": "x"}}, "mcpServers": {}}', '"mcpServers" twice'],
    ['{"mcpServers": {"__proto__": {"command": "x"}, "__proto__": {}}}', '"__proto__" twice'],
    ['{"mcpServers": {"a": {"command": "x"}, "\\u0061": {}}}', '"a" twice'],
  ])('is refused, with both places: %j', (text, expected) => {
    const message = said(() => read(text))
    expect(message).toContain(expected)
    expect(message).toContain('^')
  })

  test('in two objects is none', () => {
    expect(read('{"mcpServers": {"a": {"command": "x", "env": {"a": "1"}}}}').servers).toHaveLength(1)
  })
})

test('the prototype of an entry says nothing', () => {
  const text = '{"mcpServers": {"a": {"__proto__": {"command": "evil", "disabled": true}}}}'
  const message = said(() => read(text))
  expect(message).toContain('it needs a "command" or a "url"')
})

test('a file that is nested without end is refused as any other', () => {
  expect(said(() => read(`{"mcpServers": ${'{"a":'.repeat(200_000)}`))).toContain('nested too deeply')
})
