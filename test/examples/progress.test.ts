import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { createToolRegistry, type ToolContext } from 'toolgate'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { type ProgressStream, showProgress } from '../../examples/support/progress-bars.js'
import { countedTool, gate } from '../support/tools.js'

const root = fileURLToPath(new URL('../..', import.meta.url))

function run(env: Record<string, string>) {
  const child = spawn(process.execPath, ['--import', 'tsx', 'examples/progress.ts'], {
    cwd: root,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  const waiting: { text: string; resolve: () => void }[] = []
  const hear = (chunk: Buffer): void => {
    output += chunk
    for (const { text, resolve } of waiting) if (output.includes(text)) resolve()
  }
  child.stdout.on('data', hear)
  child.stderr.on('data', hear)
  const ended = new Promise<{ code: number | null; output: string }>(resolve =>
    child.on('close', code => resolve({ code, output })),
  )
  const said = (text: string) => new Promise<void>(resolve => waiting.push({ text, resolve }))
  return { child, ended, said }
}

describe('the example of progress', () => {
  it('prints a line for each step where there is no terminal', { timeout: 60_000 }, async () => {
    const { code, output } = await run({ TICK_MS: '20' }).ended
    expect(output).toBe(`download (one): 0% a.txt
download (two): 0% b.bad
download (one): 25% a.txt
download (two): 50% b.bad
download (one): 50% a.txt
download (one): 75% a.txt
download (one): ✓
download (two): ✗ TOOL_FAILED
run_code (all): starts
  download (all:code:1): starts
  download (all:code:1): 0% c.txt
  download (all:code:2): starts
  download (all:code:2): 0% d.txt
  download (all:code:1): 50% c.txt
  download (all:code:2): 33% d.txt
  download (all:code:2): 66% d.txt
  download (all:code:1): ✓
  download (all:code:2): ✓
run_code (all): ✓
one: "a.txt: 4 parts"
two: TOOL_FAILED
all: {"logs":[],"result":["c.txt: 2 parts","d.txt: 3 parts"]}
`)
    expect(code).toBe(0)
  })

  it('ends cleanly when it is interrupted, with a result for each call', { timeout: 60_000 }, async () => {
    const { child, ended, said } = run({ TICK_MS: '100000' })
    await said('download (two): 0%')
    child.kill('SIGINT')
    const { code, output } = await ended
    expect(output).toMatch(/one: ABORTED\ntwo: ABORTED\nall: ABORTED_BEFORE_DISPATCH\n$/)
    expect(code).toBe(130)
  })
})

/** What a terminal shows after what was written to it: enough of one for what the bars do. */
function screenOf(written: string): { readonly lines: string[]; readonly isCursorShown: boolean } {
  const lines: string[] = ['']
  let row = 0
  let isCursorShown = true
  for (const part of written.split(/(\u001b\[\??\d*[A-Za-z]|\n|\r)/)) {
    const up = /^\u001b\[(\d+)A$/.exec(part)
    if (up !== null) row -= Number(up[1])
    else if (part === '\u001b[J') lines.splice(row, lines.length, '')
    else if (part === '\u001b[?25l') isCursorShown = false
    else if (part === '\u001b[?25h') isCursorShown = true
    else if (part === '\n') lines[++row] ??= ''
    else if (part !== '\r') lines[row] += part
  }
  return { lines: lines.filter(line => line !== ''), isCursorShown }
}

describe('bars on a terminal', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }))
  afterEach(() => void vi.useRealTimers())

  const terminal = (more: Partial<ProgressStream> = {}) => {
    let written = ''
    const stream = { isTTY: true, columns: 70, rows: 20, write: (text: string) => (written += text), ...more }
    return { stream, screen: () => screenOf(written), written: () => written }
  }
  const started = async () => {
    const contexts = new Map<string, ToolContext>()
    const ends = new Map(['a', 'b', 'c'].map(id => [id, gate<string>()]))
    const tool = countedTool(
      'work',
      (_args, context) => {
        contexts.set(context.callId, context)
        return ends.get(context.callId)?.promise
      },
      { isConcurrencySafe: () => true },
    )
    const registry = createToolRegistry({ tools: [tool] })
    const batch = registry.executeAll(['a', 'b', 'c'].map(callId => ({ callId, name: 'work' })))
    await vi.waitFor(() => expect(contexts.size).toBe(3))
    return { registry, contexts, ends, batch }
  }
  const FULL = '█'.repeat(20)

  it('stand one for each call, are drawn in place, and stay when the call has ended', async () => {
    const { registry, contexts, ends, batch } = await started()
    const { stream, screen } = terminal()
    const bars = showProgress(registry, stream)
    contexts.get('a')?.progress({ message: 'reads', completed: 1, total: 4 })
    contexts.get('b')?.progress({ message: 'thinks' })
    vi.advanceTimersByTime(40)
    const name = 'work'.padEnd(24)
    expect(screen()).toEqual({
      lines: [`${name} █████░░░░░░░░░░░░░░░  25% reads`, `${name} ${' '.repeat(20)}      thinks`],
      isCursorShown: false,
    })
    contexts.get('a')?.progress({ completed: 3 })
    vi.advanceTimersByTime(40)
    expect(screen().lines[0]).toBe(`${name} ███████████████░░░░░  75% reads`)
    ends.get('a')?.open('done')
    ends.get('b')?.fail(new Error('no'))
    ends.get('c')?.open('done')
    await batch
    bars.stop()
    expect(screen()).toEqual({
      lines: [`${name} ${FULL} ✓`, `${name} ${' '.repeat(20)} ✗ TOOL_FAILED`],
      isCursorShown: true,
    })
    expect(vi.getTimerCount()).toBe(0)
  })

  it('let no tool write on the terminal, and fit it', async () => {
    const { registry, contexts, ends, batch } = await started()
    const { stream, screen, written } = terminal({ columns: 60, rows: 4 })
    const bars = showProgress(registry, stream)
    for (const context of contexts.values())
      context.progress({ message: `\u001b[2J\n${'x'.repeat(200)}\u202e`, completed: Number.NaN, total: 0 })
    vi.advanceTimersByTime(40)
    expect(written()).not.toMatch(/\u001b\[2J|\u202e/)
    const { lines } = screen()
    expect(lines).toHaveLength(2)
    expect(lines[1]).toBe('… 2 more')
    for (const line of lines) expect(line.length).toBeLessThan(60)
    bars.stop()
    for (const end of ends.values()) end.open('done')
    await batch
    expect(screen().isCursorShown).toBe(true)
    expect(vi.getTimerCount()).toBe(0)
  })
})
