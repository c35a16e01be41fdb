import { readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { COMMAND, configFile, serverPath, startCommand } from './run-command.js'

const attacker = (...way: string[]): object => ({
  command: process.execPath,
  args: [serverPath('attacker.mjs'), ...way],
})

/** Not there, or only its entry in the table of processes is. */
function isGone(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return /^State:\s+[ZX]/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'))
  } catch {
    return true
  }
}

const textOf = (result: any): string => result.content.map((block: { text: string }) => block.text).join()

describe('a gateway to servers that break what they can', () => {
  let config: Awaited<ReturnType<typeof configFile>>
  let client: Client
  let stderr = ''
  const call = async (name: string, options = {}): Promise<string> =>
    textOf(await client.callTool({ name, arguments: {} }, undefined, options))
  beforeAll(async () => {
    config = await configFile({
      mcpServers: {
        one: attacker(),
        garbage: attacker('garbage'),
        many: attacker('many'),
        names: attacker('names'),
        loud: attacker('loud'),
      },
    })
    const transport = new StdioClientTransport({
      ...COMMAND,
      args: [...COMMAND.args, 'gateway', config.path, '--mode', 'both'],
      stderr: 'pipe',
      maxBufferSize: 100 * 1024 * 1024,
    })
    transport.stderr?.on('data', chunk => {
      stderr += chunk
    })
    client = new Client({ name: 'test', version: '1' })
    await client.connect(transport)
  })
  const listed = async (): Promise<string[]> => {
    const names: string[] = []
    let cursor: string | undefined
    do {
      const page = await client.listTools(cursor === undefined ? undefined : { cursor })
      names.push(...page.tools.map(({ name }) => name))
      cursor = page.nextCursor
    } while (cursor !== undefined)
    return names
  }
  afterAll(async () => {
    await client.close()
    await config.remove()
  })

  test('hands on an answer of 20 MB, and lets a program read it', async () => {
    expect((await call('one__huge')).length).toBe(20 * 1024 * 1024)
    const code = 'return (await tools.one__huge({})).length'
    const run = await client.callTool({ name: 'run_code', arguments: { code, description: 'Measure' } })
    expect(textOf(run)).toContain('20971520')
  })

  test('tells of 20 000 steps in part, and of lines for a log not at all', async () => {
    const heard: number[] = []
    await call('one__progress', { onprogress: ({ progress }: { progress: number }) => heard.push(progress) })
    expect(heard.length).toBeLessThan(500)
    // Those that stand right before the answer the client's own SDK drops.
    expect(heard.at(-1)).toBeGreaterThan(10_000)
    expect(await call('one__logs')).toBe('done')
  })

  test('refuses what servers ask of it: a model, a user, folders', async () => {
    expect(await call('one__asks')).toBe(
      'sampling/createMessage: -32601,elicitation/create: -32601,roots/list: -32601,ping: {}',
    )
  })

  test('takes one answer for a call', async () => {
    expect(await call('one__twice')).toBe('first')
  })

  test('fails the call in which a server dies, and starts it again', async () => {
    const pid = await call('one__pid')
    expect(await call('one__die')).toContain('is not connected any more')
    const again = await call('one__pid')
    expect(again).toMatch(/^\d+$/)
    expect(again).not.toBe(pid)
  })

  test('follows a list that changes under a call', async () => {
    expect(await call('one__changes')).toBe('changed')
    await expect.poll(async () => (await listed()).includes('one__later')).toBe(true)
    await expect(call('one__changes')).rejects.toThrow('There is no tool')
  })

  test('reads the messages among what is none, and tells of it once', async () => {
    expect(await call('garbage__pid')).toMatch(/^\d+$/)
    const told = stderr.split('\n').filter(line => line.includes('no message of the protocol'))
    expect(told).toEqual([expect.stringContaining('[garbage] ')])
  })

  test('quotes a server that says very much in part, and says how it is doing all the same', () => {
    const lines = stderr.split('\n').filter(line => line.includes('[loud] '))
    expect(lines.length).toBeLessThan(300)
    expect(lines).toContainEqual(expect.stringContaining('[loud] ready'))
  })

  test('takes as many tools as a list may have, and the first of two of one name', async () => {
    const names = await listed()
    expect(names.filter(name => name.startsWith('many__'))).toHaveLength(2_000)
    expect(names.filter(name => name.startsWith('names__'))).toEqual(['names__pid'])
    expect(stderr).toContain('[many] refused: The server lists more than 2000 tools')
    expect(stderr).toContain('[names] refused: Tool "pid": the server lists the name twice')
  })
})

test.each([
  ['its input ends', (child: any) => child.stdin.end()],
  ['SIGTERM', (child: any) => child.kill('SIGTERM')],
  ['SIGHUP', (child: any) => child.kill('SIGHUP')],
  [
    'SIGINT twice',
    (child: any) => {
      child.kill('SIGINT')
      child.kill('SIGINT')
    },
  ],
  ['its output is not read any more', (child: any) => child.stdout.destroy()],
])('a gateway that ends by %s leaves nothing behind that its servers have started', async (_how, end) => {
  const config = await configFile({ mcpServers: { stays: attacker('stays') } })
  const { child, finished, stderrHas } = startCommand(['gateway', config.path])
  const pid = Number(/started (\d+)/.exec(await stderrHas('[stays] started '))?.[1])
  await stderrHas('[stays] ready')
  expect(isGone(pid)).toBe(false)
  end(child)
  if (_how.includes('output')) child.stdin?.write('{"jsonrpc":"2.0","id":1,"method":"ping"}\n')
  await finished
  expect(isGone(pid)).toBe(true)
  await config.remove()
})

test('an inspection that waits says for whom, and leaves nothing behind when it is interrupted', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'toolgate-test-'))
  const pidFile = join(folder, 'pid')
  const config = await configFile({ mcpServers: { fine: attacker(), mute: attacker('mute', pidFile) } })
  const { child, finished, stderrHas } = startCommand(['inspect', config.path])
  await stderrHas('still waiting for mute')
  const pid = Number(readFileSync(pidFile, 'utf8'))
  expect(isGone(pid)).toBe(false)
  child.kill('SIGINT')
  const { code, stderr } = await finished
  expect(code).toBe(1)
  expect(stderr).toContain('ended by SIGINT')
  expect(isGone(pid)).toBe(true)
  await config.remove()
  await rm(folder, { recursive: true })
})

test('a gateway over a mode in which names count warns of those that some clients refuse', async () => {
  const config = await configFile({ mcpServers: { 'My Server': attacker(), fine: attacker() } })
  const { child, finished, stderrHas } = startCommand(['gateway', config.path, '--mode', 'native'])
  await stderrHas('[fine] ready')
  child.stdin?.end()
  const { stderr } = await finished
  expect(stderr).toContain('server "My Server": its name begins those of its tools')
  expect(stderr).not.toContain('server "fine"')
  await config.remove()
})
