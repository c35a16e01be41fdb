// Child processes that do not outlive the run.
import { spawn } from 'node:child_process'

const running = new Set()

/** Starts a process; `endAll` ends it. */
export function start(command, args, options = {}) {
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'], ...options })
  running.add(child)
  child.once('close', () => running.delete(child))
  return child
}

/** Resolves to what a command printed; rejects with it when the command fails or takes too long. */
export function run(command, args, { cwd, timeoutMs }) {
  return new Promise((resolve, reject) => {
    const child = start(command, args, { cwd })
    let output = ''
    const timer = setTimeout(() => {
      output += `\nstopped after ${timeoutMs} ms`
      child.kill('SIGKILL')
    }, timeoutMs)
    child.stdout.on('data', data => (output += data))
    child.stderr.on('data', data => (output += data))
    child.once('error', reject)
    child.once('close', (code, signal) => {
      clearTimeout(timer)
      if (code === 0) resolve(output)
      else reject(new Error(`${command} ${args.join(' ')}: exit ${code ?? signal}\n${output.trim()}`))
    })
  })
}

/** Ends every process that still runs. */
export function endAll() {
  for (const child of running) child.kill('SIGKILL')
}
