import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { StdioTransport, type StdioTransportOptions } from '../../src/cli/stdio-transport.js'

const LIMITS = { inputMs: 300, signalMs: 300 }

/** A program and what is heard of it. `script` runs in Node. */
function speak(script: string, options: Partial<StdioTransportOptions> = {}) {
  const heard: any[] = []
  const lines: string[] = []
  const garbage: string[] = []
  const waiting: { test: () => boolean; done: () => void }[] = []
  const look = (): void => {
    for (const { test: isThere, done } of waiting) if (isThere()) done()
  }
  const command = { command: process.execPath, args: ['-e', script], env: { PATH: process.env.PATH ?? '' } }
  const transport = new StdioTransport(command, {
    onLine: line => {
      lines.push(line)
      look()
    },
    onGarbage: line => {
      garbage.push(line)
      look()
    },
    endLimits: LIMITS,
    ...options,
  })
  transport.onmessage = message => {
    heard.push(message)
    look()
  }
  const closed = new Promise<void>(resolve => {
    transport.onclose = resolve
  })
  const until = (isThere: () => boolean): Promise<void> =>
    new Promise(done => {
      if (isThere()) done()
      waiting.push({ test: isThere, done })
    })
  return { transport, heard, lines, garbage, closed, until }
}

/** Not there, or only its entry in the table of processes is. */
function isGone(pid: number): boolean {
  try {
    process.kill(pid, 0)
  } catch {
    return true
  }
  try {
    return /^State:\s+[ZX]/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'))
  } catch {
    return true
  }
}

const note = (params: object): string => JSON.stringify({ jsonrpc: '2.0', method: 'note', params })
const STAYS = 'setInterval(() => {}, 1000);'
const HEEDS_NOTHING = `${STAYS}process.on('SIGTERM', () => {});`
/** Starts another program that inherits everything, and tells its id. */
const STARTS = (script: string): string =>
  `const { pid } = require('node:child_process').spawn(process.execPath, ['-e', ${JSON.stringify(
    `${script}console.error('up')`,
  )}], { stdio: 'inherit' }); console.log(JSON.stringify({ jsonrpc: '2.0', method: 'note', params: { pid } }));`

describe('messages of a program', () => {
  test('come whole, however they are cut into pieces', async () => {
    const text = 'ä'.repeat(3 * 1024 * 1024)
    const { transport, heard, until } = speak(
      `const text = 'ä'.repeat(3 * 1024 * 1024); const m = JSON.stringify({ jsonrpc: '2.0', method: 'note', params: { text } });
       process.stdout.write(m + '\\r\\n' + m.slice(0, 100)); setTimeout(() => process.stdout.write(m.slice(100) + '\\n\\n'), 50)`,
    )
    await transport.start()
    await until(() => heard.length === 2)
    expect(heard.map(({ params }) => params.text === text)).toEqual([true, true])
    await transport.close()
  })

  test('go to it, until it has ended', async () => {
    const { transport, heard, closed, until } = speak(
      `process.stdin.on('data', d => process.stdout.write(d)); process.stdin.on('end', () => process.exit())`,
    )
    await transport.start()
    await transport.send(JSON.parse(note({ a: 1 })))
    await until(() => heard.length === 1)
    await transport.close()
    await closed
    await expect(transport.send(JSON.parse(note({})))).rejects.toThrow('Not connected')
  })

  test('are told from what is none, which loses no other one', async () => {
    const { transport, heard, garbage, until } = speak(
      `console.log('starting up...\\n[1]\\nnull\\n{"jsonrpc":"2.0"}\\n${note({}).replaceAll('"', '\\"')}'); ${STAYS}`,
    )
    await transport.start()
    await until(() => heard.length === 1)
    expect(garbage).toEqual(['starting up...', '[1]', 'null', '{"jsonrpc":"2.0"}'])
    await transport.close()
  })

  test('that never end close the connection, and are kept no longer', async () => {
    const { transport, heard, lines, closed } = speak(
      `const write = () => { while (process.stdout.write('x'.repeat(65536))); process.stdout.once('drain', write) }; write()`,
      { maxMessageBytes: 1_000_000 },
    )
    await transport.start()
    await closed
    await transport.close()
    expect(heard).toEqual([])
    expect(lines).toEqual([
      'wrote a message of more than 1000000 bytes to standard output, which ends the connection',
    ])
  })

  test('of just the most bytes are taken', async () => {
    const message = note({})
    const { transport, heard, until } = speak(`console.log(${JSON.stringify(message)}); ${STAYS}`, {
      // With the end of its line.
      maxMessageBytes: message.length + 1,
    })
    await transport.start()
    await until(() => heard.length === 1)
    await transport.close()
  })
})

describe('the end of a program', () => {
  test('by itself is told, with its last words', async () => {
    const { transport, lines, closed } = speak(`process.stderr.write('it is over'); process.exitCode = 3`)
    await transport.start()
    await closed
    expect(lines).toEqual(['it is over'])
  })

  test('comes before the failure of what was sent to it, and so do its last words', async () => {
    const { transport, lines, closed } = speak(`console.error('no licence'); process.exit(1)`)
    await transport.start()
    const order: string[] = []
    void closed.then(() => order.push('closed'))
    // More than its input holds while it does not read.
    const sent = transport.send(JSON.parse(note({ text: 'x'.repeat(1_000_000) })))
    await sent.catch(() => order.push('failed'))
    expect(order).toEqual(['closed', 'failed'])
    expect(lines).toEqual(['no licence'])
  })

  test('is made where it does not read any more', async () => {
    const { transport, heard, until } = speak(
      `require('node:fs').closeSync(0); console.log('${note({})}'); ${STAYS}`,
    )
    await transport.start()
    await until(() => heard.length === 1)
    await expect(transport.send(JSON.parse(note({ text: 'x'.repeat(1_000_000) })))).rejects.toThrow()
    await expect(transport.send(JSON.parse(note({})))).rejects.toThrow('Not connected')
    await transport.close()
  })

  test('is told though something that it started still holds its output open', async () => {
    const { transport, heard, closed, lines, until } = speak(
      `${STARTS(STAYS)} process.stdin.on('data', () => process.exit())`,
    )
    await transport.start()
    await until(() => heard.length === 1 && lines.includes('up'))
    await transport.send(JSON.parse(note({})))
    await closed
    await transport.close()
    expect(isGone(heard[0].params.pid)).toBe(true)
  })

  test.each([
    ['that ends with its input', `process.stdin.on('end', () => process.exit()).resume();`],
    ['that ends by SIGTERM', STAYS],
    ['that heeds nothing', HEEDS_NOTHING],
  ])('takes what it has started with it: a program %s', async (_what, script) => {
    const { transport, heard, lines, until } = speak(`${script}${STARTS(HEEDS_NOTHING)}`)
    await transport.start()
    await until(() => heard.length === 1 && lines.includes('up'))
    const { pid } = heard[0].params
    expect(isGone(pid)).toBe(false)
    await transport.close()
    expect(isGone(pid)).toBe(true)
  })

  test('is waited for where it does as it is told', async () => {
    const { transport, lines, until } = speak(
      `console.error('up'); process.stdin.on('end', () => setTimeout(() => { console.error('saved'); process.exit() }, 100)).resume()`,
    )
    await transport.start()
    await until(() => lines.includes('up'))
    await transport.close()
    expect(lines).toContain('saved')
  })

  test('that never began is an error', async () => {
    const options = { onLine: () => {}, onGarbage: () => {} }
    const transport = new StdioTransport({ command: 'no-such-program', args: [], env: {} }, options)
    await expect(transport.start()).rejects.toMatchObject({ code: 'ENOENT' })
    await transport.close()
  })
})
