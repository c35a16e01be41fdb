import { expect, test } from 'vitest'
import { WholeLines } from '../../src/cli/whole-lines.js'
import { configFile, serverPath, startCommand } from './run-command.js'

/** The chunks that come out, and how many lines were too long. */
async function passed(
  maxBytes: number,
  chunks: readonly string[],
): Promise<{ out: string[]; tooLong: number }> {
  let tooLong = 0
  const lines = new WholeLines(maxBytes, () => {
    tooLong += 1
  })
  const out: string[] = []
  lines.on('data', (chunk: Buffer) => out.push(chunk.toString('utf8')))
  for (const chunk of chunks) lines.write(chunk)
  await new Promise<void>(resolve => lines.end(resolve))
  return { out, tooLong }
}

test.each([
  ['in one piece', 10, ['ab\n'], ['ab\n'], 0],
  ['in pieces', 10, ['a', 'b', '\nc', '\n'], ['ab\n', 'c\n'], 0],
  ['several in a piece', 10, ['a\nb\n\nc'], ['a\n', 'b\n', '\n'], 0],
  ['of just the most bytes', 3, ['ab\n', 'abc\n', 'ab\n'], ['ab\n', 'ab\n'], 1],
  ['too long in pieces', 3, ['ab', 'cd', 'ef', '\nab\n'], ['ab\n'], 1],
  ['two too long', 2, ['abc\nabc\na\n'], ['a\n'], 2],
  ['that never ends', 3, ['abcdef', 'ghi'], [], 1],
])('lines come whole: %s', async (_what, maxBytes, chunks, out, tooLong) => {
  expect(await passed(maxBytes, chunks)).toEqual({ out, tooLong })
})

test('a client that sends what it should not is answered all the same, and what it sent is told', async () => {
  const server = { command: process.execPath, args: [serverPath('attacker.mjs')] }
  const config = await configFile({ mcpServers: { one: server } })
  const { child, finished } = startCommand(['gateway', config.path, '--mode', 'native'])
  const answered = new Map<number, any>()
  const waiting = new Map<number, (answer: any) => void>()
  let out = ''
  child.stdout?.on('data', chunk => {
    out += chunk
    const lines = out.split('\n')
    out = lines.pop() ?? ''
    for (const line of lines) {
      const answer = JSON.parse(line)
      answered.set(answer.id, answer)
      waiting.get(answer.id)?.(answer)
    }
  })
  const ask = (id: number, method: string, params: object = {}): Promise<any> => {
    const answer = new Promise<any>(resolve => waiting.set(id, resolve))
    child.stdin?.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`)
    return answer
  }
  const call = (name: string, args: object): object => ({ name, arguments: args })
  // Before "initialize".
  expect((await ask(1, 'tools/list')).result.tools).toHaveLength(9)
  child.stdin?.write(
    `not json\n[]\n[{"jsonrpc":"2.0","id":90,"method":"ping"}]\nnull\n\n{"jsonrpc":"2.0"}\n{}\n`,
  )
  const text = 'y'.repeat(12 * 1024 * 1024)
  const long = await ask(2, 'tools/call', call('one__measure', { text }))
  expect(long.result.content[0].text).toBe(String(text.length))
  const longer = await ask(3, 'tools/call', call('one__measure', { text: text + text }))
  expect(longer.result).toMatchObject({ isError: true, _meta: { 'toolgate/code': 'LIMIT_EXCEEDED' } })
  const initialize = {
    protocolVersion: '2025-06-18',
    capabilities: {},
    clientInfo: { name: 'raw', version: '1' },
  }
  for (const id of [4, 5])
    expect((await ask(id, 'initialize', initialize)).result.serverInfo.name).toContain('toolgate')
  child.stdin?.end()
  const { code, stderr } = await finished
  expect(code).toBe(0)
  expect(stderr.split('a client sent what cannot be used').length - 1).toBe(5)
  expect([...answered.keys()]).toEqual([1, 2, 3, 4, 5])
  await config.remove()
})
