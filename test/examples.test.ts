import { spawn } from 'node:child_process'
import { readdir, readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { fakeOpenAi } from './examples/fake-openai.js'

const root = fileURLToPath(new URL('..', import.meta.url))

function run(example: string, env: Record<string, string> = {}) {
  const child = spawn(process.execPath, ['--import', 'tsx', `examples/${example}`], {
    cwd: root,
    env: { ...process.env, CI: 'true', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  child.stdout.on('data', chunk => (output += chunk))
  child.stderr.on('data', chunk => (output += chunk))
  const ended = new Promise<{ code: number | null; output: string }>(resolve =>
    child.on('close', code => resolve({ code, output })),
  )
  return { child, ended, output: () => output }
}

describe('the examples', () => {
  it('all run and end well', { timeout: 120_000 }, async () => {
    const files = (await readdir(new URL('../examples', import.meta.url))).filter(file =>
      file.endsWith('.ts'),
    )
    // A module that only exports is an example too: it must load.
    for (const file of files) {
      const { code, output } = await run(file).ended
      expect({ file, code, output: code === 0 ? '' : output }).toEqual({ file, code: 0, output: '' })
    }
  })
})

describe('the README', () => {
  const read = (path: string): Promise<string> => readFile(new URL(`../${path}`, import.meta.url), 'utf8')

  it.each(['examples/readme.ts', 'examples/code-mode.ts'])('shows %s as it is', async example => {
    expect(await read('README.md')).toContain(`\`\`\`ts\n${(await read(example)).trimEnd()}\n\`\`\``)
  })

  it('opens with the two commands', async () => {
    const text = await read('README.md')
    expect(text).toContain('npm install && npm run demo')
    expect(text).toContain('npm install && npm test')
  })
})

describe('the demo', () => {
  it('asks, denies, runs in parallel, and compares both ways', { timeout: 60_000 }, async () => {
    const { code, output } = await run('demo.ts').ended
    expect(code).toBe(0)
    expect(output).toContain('RECORDED')
    expect(output).toContain('so the stated answer is "allowed-once"')
    expect(output).toContain('GUARD_DENIED: The lockfile is generated')
    expect(output).toMatch(/✓ Read src\/.+ → \d+ lines/)
    expect(output).toMatch(/✓ Write NOTES\.md → Wrote NOTES\.md/)
    expect(output).toMatch(/not done: GUARD_DENIED/)
    const table = output.slice(output.lastIndexOf('native'))
    const [native = 0, code_ = 0] = (/bytes into the context\s+([\d,]+)\s+([\d,]+)/.exec(table) ?? [])
      .slice(1)
      .map(n => Number(n.replaceAll(',', '')))
    expect(native).toBeGreaterThan(code_)
    expect(code_).toBeGreaterThan(0)
  })

  it('talks to an endpoint when it is given one', { timeout: 60_000 }, async () => {
    const server = await fakeOpenAi([
      { calls: [{ id: 'a', name: 'list_files', arguments: '{"dir":"src/json"}' }] },
      { content: 'Native answer.' },
      {
        calls: [
          {
            id: 'b',
            name: 'run_code',
            arguments: JSON.stringify({
              code: 'return (await tools.list_files({ dir: "src/json" })).length',
              description: 'Count files',
            }),
          },
        ],
      },
      { content: 'Code answer.' },
    ])
    const { code, output } = await run('demo.ts', { OPENAI_BASE_URL: server.baseUrl, OPENAI_API_KEY: 'none' })
      .ended
    await server.close()
    expect(output).toContain('Native answer.')
    expect(output).toContain('Code answer.')
    expect(code).toBe(0)
  })

  it('stops cleanly on an interrupt and says what was done', { timeout: 60_000 }, async () => {
    const server = await fakeOpenAi([
      { calls: [{ id: 'a', name: 'list_files', arguments: '{"dir":"src/json"}' }] },
      { hang: true },
    ])
    const { child, ended } = run('demo.ts', { OPENAI_BASE_URL: server.baseUrl, OPENAI_API_KEY: 'none' })
    await server.received(2)
    child.kill('SIGINT')
    const { code, output } = await ended
    await server.close()
    expect(output).toContain('Interrupted')
    expect(output).toContain('done: list_files (a)')
    expect(code).toBe(130)
  })
})
