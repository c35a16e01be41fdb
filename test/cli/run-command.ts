import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../../', import.meta.url))

/** How the command is started from its sources. */
export const COMMAND: { readonly command: string; readonly args: readonly string[]; readonly cwd: string } = {
  command: process.execPath,
  args: ['--import', 'tsx', join(root, 'src/cli/main.ts')],
  cwd: root,
}

/** The path of a server for tests. */
export const serverPath = (name: string): string => join(root, 'test/cli/servers', name)

/** What a finished command has left. */
export interface Finished {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

/** Starts the command; `finished` resolves when it has ended. */
export function startCommand(
  args: readonly string[],
  env: { readonly [name: string]: string } = {},
): {
  readonly child: ChildProcess
  readonly finished: Promise<Finished>
  stderrHas(text: string): Promise<string>
} {
  const child = spawn(COMMAND.command, [...COMMAND.args, ...args], {
    cwd: COMMAND.cwd,
    env: { ...process.env, ...env },
    stdio: 'pipe',
  })
  let stdout = ''
  let stderr = ''
  const waiting: { text: string; done: (all: string) => void }[] = []
  child.stdout.on('data', chunk => {
    stdout += chunk
  })
  child.stderr.on('data', chunk => {
    stderr += chunk
    for (const { text, done } of waiting) if (stderr.includes(text)) done(stderr)
  })
  const finished = new Promise<Finished>(resolve => {
    child.on('close', code => resolve({ code, stdout, stderr }))
  })
  return {
    child,
    finished,
    stderrHas: text =>
      new Promise((done, fail) => {
        if (stderr.includes(text)) done(stderr)
        waiting.push({ text, done })
        void finished.then(() => fail(new Error(`The command ended without saying "${text}": ${stderr}`)))
      }),
  }
}

/** Runs the command to its end. */
export const runCommand = (...args: string[]): Promise<Finished> => startCommand(args).finished

/** A configuration in a folder of its own. */
export async function configFile(
  config: unknown,
): Promise<{ readonly path: string; remove(): Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), 'toolgate-test-'))
  const path = join(folder, 'config.json')
  await writeFile(path, typeof config === 'string' ? config : JSON.stringify(config))
  return { path, remove: () => rm(folder, { recursive: true, force: true }) }
}
