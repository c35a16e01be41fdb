#!/usr/bin/env node
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { CliError } from './cli-error.js'
import { HELP, readCommandLine } from './command-line.js'
import { runGateway } from './run-gateway.js'
import { runInspect } from './run-inspect.js'

function ownVersion(): string {
  const manifest = createRequire(import.meta.url).resolve('toolgate/package.json')
  return (JSON.parse(readFileSync(manifest, 'utf8')) as { version: string }).version
}

/** Runs the command and gives its exit code: 0 if all is well, 1 if something failed, 2 if it was asked wrongly. */
async function main(args: readonly string[]): Promise<number> {
  const command = readCommandLine(args)
  switch (command.kind) {
    case 'help':
      process.stdout.write(HELP)
      return 0
    case 'version':
      process.stdout.write(`${ownVersion()}\n`)
      return 0
    case 'gateway':
      await runGateway({ ...command, version: ownVersion() })
      return 0
    case 'inspect':
      return (await runInspect({ ...command, version: ownVersion() })) ? 0 : 1
    default:
      return command satisfies never
  }
}

main(process.argv.slice(2)).then(
  code => process.exit(code),
  error => {
    const known = error instanceof CliError
    process.stderr.write(`toolgate: ${known ? error.message : (error as Error).stack}\n`)
    process.exit(known ? error.exitCode : 1)
  },
)
