import type { ChildProcess } from 'node:child_process'
import spawn from 'cross-spawn'

/** A program to start. */
export interface ServerCommand {
  readonly command: string
  readonly args: readonly string[]
  readonly env: { readonly [name: string]: string }
  readonly cwd?: string
}

/** How long a program may take to end, and then what it started. */
export interface EndLimits {
  /** Milliseconds after the end of its input. */
  readonly inputMs: number
  /** Milliseconds after SIGTERM. */
  readonly signalMs: number
}

/** Together less than the two seconds that clients commonly give to a server before they kill it. */
export const END_LIMITS: EndLimits = { inputMs: 1_000, signalMs: 500 }

const LOOK_MS = 10
const isWindows = process.platform === 'win32'
const running = new Set<ServerProcess>()

const within = (ms: number, promise: Promise<unknown>): Promise<boolean> =>
  new Promise(resolve => {
    const timer = setTimeout(() => resolve(false), ms)
    void promise.then(() => {
      clearTimeout(timer)
      resolve(true)
    })
  })

/** A started program with whatever it starts itself: they end together. */
export class ServerProcess {
  readonly child: ChildProcess
  /** Resolves when the program has ended, or could not be started; what it started may still be there. */
  readonly ended: Promise<void>
  #closing: Promise<void> | undefined
  #isGone = false

  constructor({ command, args, env, cwd }: ServerCommand) {
    this.child = spawn(command, [...args], {
      env: { ...env },
      stdio: 'pipe',
      shell: false,
      windowsHide: isWindows,
      // A group of its own: a launcher such as npx does not always take along what it has started.
      detached: !isWindows,
      ...(cwd !== undefined && { cwd }),
    })
    this.ended = new Promise(resolve => {
      this.child.once('exit', () => resolve())
      this.child.on('error', () => resolve())
    })
    if (running.size === 0) process.on('exit', killAll)
    running.add(this)
  }

  /** Ends it: by the end of its input, by SIGTERM, by SIGKILL. Resolves when all of it is gone. */
  close(limits: EndLimits = END_LIMITS): Promise<void> {
    this.#closing ??= this.#close(limits)
    return this.#closing
  }

  async #close({ inputMs, signalMs }: EndLimits): Promise<void> {
    this.child.stdin?.end()
    await within(inputMs, this.ended)
    // After the last signal nothing lives; what nobody has taken note of may still be in the table of processes.
    const signals = [
      ['SIGTERM', signalMs],
      ['SIGKILL', Math.min(signalMs, 100)],
    ] as const
    for (const [signal, mostMs] of signals) {
      if (this.#isAllGone()) break
      this.kill(signal)
      await this.#allGone(mostMs)
    }
    this.#isGone = true
    running.delete(this)
    if (running.size === 0) process.off('exit', killAll)
  }

  /** Sends a signal to the program and to what it has started. */
  kill(signal: 'SIGTERM' | 'SIGKILL'): void {
    const { pid } = this.child
    if (pid === undefined || this.#isGone) return
    try {
      if (isWindows) this.child.kill(signal)
      else process.kill(-pid, signal)
    } catch {
      // There is nothing of it any more.
    }
  }

  /** Whether neither the program nor anything that it has started is there. */
  #isAllGone(): boolean {
    const { pid, exitCode, signalCode } = this.child
    if (pid === undefined || this.#isGone) return true
    if (isWindows) return exitCode !== null || signalCode !== null
    try {
      process.kill(-pid, 0)
      return false
    } catch {
      return true
    }
  }

  async #allGone(mostMs: number): Promise<void> {
    const until = performance.now() + mostMs
    while (!this.#isAllGone() && performance.now() < until)
      await new Promise(resolve => setTimeout(resolve, LOOK_MS))
  }
}

/** The last thing that this process does, however it comes to end. */
function killAll(): void {
  for (const server of running) server.kill('SIGKILL')
}
