// The command as `npx` finds it, in a project that has installed this package and nothing else.
import { spawn } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { createInterface } from 'node:readline'

const server = { command: process.execPath, args: ['raw-server.mjs'] }
await writeFile('command-config.json', JSON.stringify({ mcpServers: { raw: server } }))
const child = spawn(process.execPath, ['node_modules/.bin/toolgate', 'gateway', 'command-config.json'], {
  stdio: ['pipe', 'pipe', 'inherit'],
})
const send = message => child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
const clientInfo = { name: 'test', version: '1' }
send({
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo },
})
send({ method: 'notifications/initialized' })
const args = { code: "return await tools.raw__shout({ text: 'hello' })", description: 'Shout hello' }
send({ id: 2, method: 'tools/call', params: { name: 'run_code', arguments: args } })
for await (const line of createInterface({ input: child.stdout })) {
  const { id, result } = JSON.parse(line)
  if (id !== 2) continue
  if (!result.content[0].text.includes('HELLO')) throw new Error(line)
  child.stdin.end()
}
if (child.exitCode === null) await new Promise(resolve => child.once('close', resolve))
if (child.exitCode !== 0) throw new Error(`the command ended with ${child.exitCode}`)
console.log('ok')
