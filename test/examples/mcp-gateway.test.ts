import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const root = fileURLToPath(new URL('../..', import.meta.url))

test('the example of a gateway starts its servers, has one tool and runs a program over two of them', async () => {
  const child = spawn(process.execPath, ['--import', 'tsx', 'examples/mcp-gateway/ask-gateway.ts'], {
    cwd: root,
    env: { ...process.env, TOOLGATE: `${process.execPath} --import tsx src/cli/main.ts`, NO_COLOR: '1' },
    stdio: 'pipe',
  })
  let output = ''
  child.stdout.on('data', chunk => (output += chunk))
  child.stderr.on('data', chunk => (output += chunk))
  const code = await new Promise(resolve => child.on('close', resolve))
  expect(output).toContain("[ 'run_code' ]")
  expect(output).toContain('- memory: 2 tools, named memory__…')
  expect(output).toContain('The sum of 2 and 40 is 42.')
  expect(code).toBe(0)
})
