/** Bars for calls that run at the same time, and for those of a program. Run it: npx tsx examples/progress.ts */
import { createToolRegistry, defineTool } from 'toolgate'
import { quickJsRuntime } from 'toolgate/quickjs'
import { showProgress } from './support/progress-bars.js'

// All work goes by one clock, so that the example prints the same each time.
const waiting: (() => void)[] = []
const clock = setInterval(
  () => {
    for (const go of waiting.splice(0)) go()
  },
  Number(process.env.TICK_MS ?? 150),
)
const tick = (signal: AbortSignal) =>
  new Promise<void>((resolve, reject) => {
    if (signal.aborted) reject(signal.reason)
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
    waiting.push(resolve)
  })

const download = defineTool({
  name: 'download',
  description: 'Downloads a file.',
  parameters: {
    file: { type: 'string', required: true },
    parts: { type: 'integer', required: true },
  },
  isConcurrencySafe: () => true,
  async execute({ file, parts }, { progress, signal }) {
    for (let completed = 0; completed < parts; completed++) {
      progress({ message: file, completed, total: parts })
      await tick(signal)
    }
    if (file.endsWith('.bad')) throw new Error(`${file} is not there`)
    return `${file}: ${parts} parts`
  },
})

const registry = createToolRegistry({ tools: [download], mode: 'both', codeRuntime: quickJsRuntime() })

const code = `
const files = await Promise.all([
  tools.download({ file: 'c.txt', parts: 2 }),
  tools.download({ file: 'd.txt', parts: 3 }),
])
return files`

const interrupted = new AbortController()
process.once('SIGINT', () => interrupted.abort(new Error('Interrupted')))

const bars = showProgress(registry, process.stdout)
try {
  const results = await registry.executeAll(
    [
      { callId: 'one', name: 'download', arguments: { file: 'a.txt', parts: 4 } },
      { callId: 'two', name: 'download', arguments: { file: 'b.bad', parts: 2 } },
      { callId: 'all', name: 'run_code', arguments: { code, description: 'Downloads two files' } },
    ],
    { signal: interrupted.signal },
  )
  bars.stop()
  for (const result of results)
    console.log(`${result.callId}: ${result.isError ? result.error.code : JSON.stringify(result.value)}`)
} finally {
  clearInterval(clock)
  await registry.dispose()
}
if (interrupted.signal.aborted) process.exitCode = 130
