import { request as httpRequest } from 'node:http'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { COMMAND, configFile, type Finished, runCommand, serverPath, startCommand } from './run-command.js'

const plain = (name: string, rest: object = {}): object => ({
  command: process.execPath,
  args: [serverPath('plain.mjs'), name],
  ...rest,
})
const SERVERS = {
  one: plain('one', { env: { GREETING: 'hello' }, toolgate: { ask: ['env'] } }),
  two: plain('two'),
  gone: { command: 'no-such-program-anywhere' },
  failing: { command: process.execPath, args: [serverPath('failing.mjs')] },
}

const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

const textOf = (result: any): string => result.content[0].text

const program = async (client: Client, code: string): Promise<string> =>
  textOf(await client.callTool({ name: 'run_code', arguments: { code, description: 'Try something' } }))

let config: Awaited<ReturnType<typeof configFile>>
beforeAll(async () => {
  config = await configFile({ mcpServers: SERVERS })
})
afterAll(() => config.remove())

describe('a gateway over stdio', () => {
  let client: Client
  const heard: unknown[] = []
  let stderr = ''
  beforeAll(async () => {
    const transport = new StdioClientTransport({
      ...COMMAND,
      args: [...COMMAND.args, 'gateway', config.path],
      stderr: 'pipe',
    })
    transport.stderr?.on('data', chunk => {
      stderr += chunk
    })
    client = new Client({ name: 'test', version: '1' }, { capabilities: { elicitation: {} } })
    client.onerror = error => heard.push(error)
    client.setRequestHandler(ElicitRequestSchema, ({ params }) => {
      asked.push(params.message)
      return { action: 'accept', content: { decision: answer } }
    })
    await client.connect(transport)
  })
  afterAll(() => client.close())
  const asked: string[] = []
  let answer = 'Allow once'

  test('serves one tool, which runs programs', async () => {
    expect((await client.listTools()).tools.map(tool => tool.name)).toEqual(['run_code'])
  })

  test('names every server in its instructions, those that failed with the reason', () => {
    const instructions = client.getInstructions()
    expect(instructions).toContain('- one: 4 tools, named one__…; 1 of its tools cannot be used')
    expect(instructions).toContain('- gone: did not start')
    expect(instructions).toContain('"no-such-program-anywhere" was not found')
    expect(instructions).toMatch(/- failing: did not start.*the licence has expired/)
    expect(instructions).toContain('one__echo')
  })

  test('tells whoever runs it the same on standard error, with what the servers say', () => {
    expect(stderr).toContain('[one] plain is up')
    expect(stderr).toContain('[one] refused: ')
    expect(stderr).toContain('[gone] did not start')
  })

  test('lets a program use the tools of all servers', async () => {
    const code = `const both = await Promise.all([tools.one__echo({ text: 'a' }), tools.two__echo({ text: 'b' })])
      return both.join('+')`
    expect(await program(client, code)).toContain('a+b')
  })

  test('asks the user where the configuration says so, and takes a no for one', async () => {
    const code = `return await tools.one__env({ name: 'GREETING' }).catch(error => error.code)`
    expect(await program(client, code)).toContain('hello')
    answer = 'Refuse'
    expect(await program(client, code)).toContain('APPROVAL_REJECTED')
    expect(asked).toHaveLength(2)
    expect(asked[0]).toContain('"one__env"')
  })

  test('starts a server again that has crashed; the call that it crashed in has failed', async () => {
    const pid = await program(client, 'return await tools.two__pid({})')
    const crashed = await program(client, 'return await tools.two__crash({}).catch(error => error.code)')
    expect(crashed).toContain('CONNECTION_LOST')
    const code = 'return await tools.two__pid({})'
    const again = await program(client, code)
    expect(again).toMatch(/\d+/)
    expect(again).not.toBe(pid)
  })

  test('writes nothing but the protocol to standard output', () => {
    expect(heard).toEqual([])
  })
})

describe('the end of a gateway', () => {
  const INITIALIZE = JSON.stringify({
    jsonrpc: '2.0',
    id: 1,
    method: 'initialize',
    params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'raw', version: '1' } },
  })
  const CALL = JSON.stringify({
    jsonrpc: '2.0',
    id: 2,
    method: 'tools/call',
    params: { name: 'one__pid', arguments: {} },
  })

  test.each([
    ['its input ends', (child: { stdin: any }) => child.stdin.end()],
    ['it is told to by SIGTERM', (child: any) => child.kill('SIGTERM')],
    ['it is told to by SIGINT', (child: any) => child.kill('SIGINT')],
  ])('when %s leaves no server behind, and only messages on standard output', async (_when, end) => {
    const { child, finished } = startCommand(['gateway', config.path, '--mode', 'native'])
    const answered = new Promise<number>(resolve => {
      let out = ''
      child.stdout?.on('data', chunk => {
        out += chunk
        const pid = /"text":"(\d+)"/.exec(out)?.[1]
        if (pid !== undefined) resolve(Number(pid))
      })
    })
    child.stdin?.write(`${INITIALIZE}\n{"jsonrpc":"2.0","method":"notifications/initialized"}\n${CALL}\n`)
    const pid = await answered
    expect(isAlive(pid)).toBe(true)
    end(child as never)
    const { code, stdout } = await finished
    expect(code).toBe(0)
    expect(isAlive(pid)).toBe(false)
    for (const line of stdout.trim().split('\n')) expect(JSON.parse(line)).toMatchObject({ jsonrpc: '2.0' })
  })
})

test('a gateway whose server never gets ready serves the others, and takes it with it', async () => {
  const hanging = { command: process.execPath, args: [serverPath('hanging.mjs')] }
  const own = await configFile({ mcpServers: { hanging, one: plain('one') } })
  const { child, finished, stderrHas } = startCommand(['gateway', own.path, '--start-timeout', '2'])
  const pid = Number(/hanging as (\d+)/.exec(await stderrHas('hanging as '))?.[1])
  await stderrHas('[one] ready')
  expect(isAlive(pid)).toBe(true)
  child.kill('SIGTERM')
  expect((await finished).code).toBe(0)
  expect(isAlive(pid)).toBe(false)
  await own.remove()
})

describe('a gateway over HTTP', () => {
  let running: ReturnType<typeof startCommand>
  let url: URL
  beforeAll(async () => {
    running = startCommand(['gateway', config.path, '--http', '0'])
    const said = await running.stderrHas('serving at ')
    url = new URL(/serving at (\S+)/.exec(said)?.[1] ?? '')
  })
  afterAll(async () => {
    running.child.kill('SIGTERM')
    await running.finished
  })

  const connect = async (): Promise<Client> => {
    const client = new Client({ name: 'test', version: '1' })
    await client.connect(new StreamableHTTPClientTransport(url) as never)
    return client
  }

  const statusOf = (
    headers: Record<string, string>,
    path: string = url.pathname,
  ): Promise<number | undefined> =>
    new Promise((resolve, reject) => {
      const options = { host: '127.0.0.1', port: url.port, path, method: 'POST', headers }
      httpRequest(options, response => {
        response.resume()
        resolve(response.statusCode)
      })
        .on('error', reject)
        .end('{}')
    })

  test('listens on the loopback interface only', () => {
    expect(url.hostname).toBe('127.0.0.1')
  })

  test('serves several clients at a time', async () => {
    const clients = await Promise.all([connect(), connect()])
    const texts = await Promise.all(
      clients.map((client, i) => program(client, `return await tools.one__echo({ text: 'client ${i}' })`)),
    )
    expect(texts).toEqual([expect.stringContaining('client 0'), expect.stringContaining('client 1')])
    for (const client of clients) await client.close()
  })

  test.each([
    ['a host of another name', { host: 'evil.example' }, 403],
    ['a page of another origin', { origin: 'http://evil.example' }, 403],
    ['a session that there is none of', { 'mcp-session-id': 'x' }, 404],
    ['something that begins no session', { 'content-type': 'application/json' }, 406],
  ])('refuses %s', async (_what, headers, status) => {
    expect(await statusOf(headers as Record<string, string>)).toBe(status)
  })

  test.each(['/', '//', 'http://[/mcp'])(
    'has nothing at other paths, nor at what is none: %s',
    async path => {
      expect(await statusOf({}, path)).toBe(404)
    },
  )
})

/** Where the configuration finds its own path. */
const selfReference = ['$', '{SELF}'].join('')

describe('the command', () => {
  const shows = ({ code, stderr }: Finished): object => ({ code, stderr })

  test('refuses a port that is taken', async () => {
    const first = startCommand(['gateway', config.path, '--http', '0'])
    const port = /:(\d+)\/mcp/.exec(await first.stderrHas('serving at '))?.[1] ?? ''
    const second = await runCommand('gateway', config.path, '--http', port)
    expect(shows(second)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining(`port ${port} cannot be used`),
    })
    first.child.kill('SIGTERM')
    await first.finished
  })

  test('refuses a configuration that would start it again, and again', async () => {
    const own = await configFile({
      mcpServers: {
        me: { ...COMMAND, args: [...COMMAND.args, 'gateway', selfReference], env: { SELF: selfReference } },
        one: plain('one'),
      },
    })
    const { child, finished, stderrHas } = startCommand(['gateway', own.path], { SELF: own.path })
    expect(await stderrHas('[me] did not start')).toContain('starts this gateway itself')
    child.stdin?.end()
    await finished
    await own.remove()
  })

  test('shows the tools of every server, what is wrong with them and what they cost', async () => {
    const { code, stdout } = await runCommand('inspect', config.path)
    expect(code).toBe(1)
    expect(stdout).toContain('one (ready, 4 tools)')
    expect(stdout).toMatch(/one__echo +text +\d+ +The tool echo\./)
    expect(stdout).toContain('! INVALID_TOOL')
    expect(stdout).toMatch(/gone \(failed: .*was not found, 0 tools\)/)
    expect(stdout).toContain('openai takes all of them without loss')
    expect(stdout).toMatch(/8 tools\. In each request they cost about \d+ tokens natively, \d+ in Code Mode/)
  })

  test('shows the same as JSON for programs', async () => {
    const { stdout } = await runCommand('inspect', config.path, '--json')
    const { servers, providers, cost } = JSON.parse(stdout)
    expect(servers.map((server: { name: string }) => server.name)).toEqual(['one', 'two', 'gone', 'failing'])
    expect(providers.map((report: { provider: string }) => report.provider)).toEqual([
      'openai',
      'anthropic',
      'google',
    ])
    expect(cost).toMatchObject({ native: expect.any(Number), code: expect.any(Number) })
  })

  test('ends with 2 where it cannot begin, and says why without a stack', async () => {
    const { code, stdout, stderr } = await runCommand('gateway', '/no/such/file.json')
    expect({ code, stdout, stderr }).toEqual({
      code: 2,
      stdout: '',
      stderr: 'toolgate: There is no file /no/such/file.json\n',
    })
  })

  test('tells its version', async () => {
    const { code, stdout } = await runCommand('--version')
    expect(code).toBe(0)
    expect(stdout).toMatch(/^\d+\.\d+\.\d+\n$/)
  })
})
