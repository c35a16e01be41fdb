import { createToolRegistry, type ToolRegistry } from 'toolgate'
import { quickJsRuntime } from 'toolgate/quickjs'
import { CliError } from './cli-error.js'
import { jsonText } from './json-text.js'
import { oneLine } from './one-line.js'
import { type ProviderReport, printProviders, providerReports } from './provider-report.js'
import { readConfig } from './read-config.js'
import { ServerState } from './server-state.js'
import { table } from './table.js'
import { tokenEstimate } from './token-estimate.js'
import { untilShutdown } from './until-shutdown.js'

/** What the command line says of an inspection. */
export interface RunInspectOptions {
  readonly configFile: string
  readonly json: boolean
  readonly version: string
}

interface ToolReport {
  readonly name: string
  readonly description: string
  /** What a program gets: `structured` data or `text`. */
  readonly value: 'structured' | 'text'
  readonly hints: readonly string[]
  /** What one request costs to declare it natively. */
  readonly tokens: number
}

interface ServerReport {
  readonly name: string
  readonly status: string
  readonly tools: readonly ToolReport[]
  readonly problems: readonly { readonly tool?: string; readonly code: string; readonly message: string }[]
}

function toolReports(registry: ToolRegistry, prefix: string, own: ReadonlySet<string>): ToolReport[] {
  return registry
    .visible()
    .filter(tool => own.has(tool.name) && tool.name.startsWith(prefix))
    .map(({ name, description, parameters, output, annotations = {} }) => ({
      name,
      description,
      value: output === undefined ? 'text' : 'structured',
      hints: Object.entries(annotations).flatMap(([hint, value]) =>
        value === true ? [hint.replace(/Hint$/, '')] : [],
      ),
      tokens: tokenEstimate(JSON.stringify({ name, description, parameters })),
    }))
}

function serverReport(registry: ToolRegistry, server: ServerState): ServerReport {
  const { status, tools, entry } = server
  const own = new Set(tools?.tools.map(tool => tool.name))
  return {
    name: entry.name,
    status: status.kind === 'failed' ? `failed: ${status.reason}` : status.kind,
    tools: toolReports(registry, server.prefix, own),
    problems: server.problems.map(({ tool, code, message }) => ({
      ...(tool !== undefined && { tool }),
      code,
      message,
    })),
  }
}

/** What a model is told of all tools, each way, in tokens. */
function costs(registry: ToolRegistry): { readonly native: number; readonly code: number } {
  const cost = (mode: 'native' | 'code'): number => {
    const { tools, sections } = registry.createScope({ id: `cost of ${mode}`, mode }).present()
    return tokenEstimate(JSON.stringify(tools) + sections.map(({ text }) => text).join(''))
  }
  return { native: cost('native'), code: cost('code') }
}

const count = (tools: number): string => `${tools} ${tools === 1 ? 'tool' : 'tools'}`

interface Report {
  readonly servers: readonly ServerReport[]
  readonly providers: readonly ProviderReport[]
  readonly cost: { readonly native: number; readonly code: number }
}

function printServer({ name, status, tools, problems }: ServerReport): string {
  const rows = tools.map(({ name: tool, value, hints, tokens, description }) => [
    tool,
    value,
    hints.join(' '),
    String(tokens),
    description.trim().split('\n', 1)[0] ?? '',
  ])
  const heading = ['tool', 'value', 'hints', 'tokens', 'description']
  const listed = rows.length === 0 ? '' : `\n${table(heading, rows)}`
  const wrong = problems.map(({ code, message }) => `\n  ! ${code}: ${oneLine(message)}`).join('')
  return `${oneLine(name)} (${status}, ${count(tools.length)})${listed}${wrong}`
}

function print({ servers, providers, cost }: Report): string {
  const all = servers.reduce((sum, { tools }) => sum + tools.length, 0)
  const total = `${count(all)}. In each request they cost about ${cost.native} tokens natively, ${cost.code} in Code Mode (4 characters to a token).`
  const sections = [...servers.map(printServer), ...(all > 0 ? [printProviders(providers)] : []), total]
  return `${sections.join('\n\n')}\n`
}

const PATIENCE_MS = 5_000

/** Says whom the command waits for, so that nobody takes it for dead. */
function tellWaiting(servers: readonly ServerState[]): void {
  const names = servers.filter(({ status }) => status.kind === 'starting').map(({ entry }) => entry.name)
  process.stderr.write(`toolgate: ${oneLine(`still waiting for ${names.join(', ')}`)}\n`)
}

/** Connects every server once and shows what it offers. True if all of it can be used. */
export async function runInspect(options: RunInspectOptions): Promise<boolean> {
  const { configFile, json, version } = options
  const config = await readConfig(configFile, process.env)
  for (const warning of config.warnings) process.stderr.write(`toolgate: ${oneLine(warning)}\n`)
  // The programs must not outlive the command: they are told to end before it does.
  const shutdown = untilShutdown(false)
  const registry = createToolRegistry({ codeRuntime: () => quickJsRuntime() })
  // What servers print is of interest only where they fail, and is part of the reason then.
  const log = (): void => {}
  const servers = config.servers.map(
    entry => new ServerState(entry, { registry, version, configPath: config.path, log }),
  )
  const patience = setTimeout(() => tellWaiting(servers), PATIENCE_MS)
  try {
    const settled = Promise.all(servers.map(server => server.settled)).then(() => 'settled' as const)
    const ended = await Promise.race([settled, shutdown])
    if (ended !== 'settled') throw new CliError(`ended by ${ended} before every server had answered`, 1)
    const report: Report = {
      servers: servers.map(server => serverReport(registry, server)),
      providers: providerReports(registry),
      cost: costs(registry),
    }
    process.stdout.write(json ? `${jsonText(report)}\n` : print(report))
    return report.servers.every(({ status, problems }) => status === 'ready' && problems.length === 0)
  } finally {
    clearTimeout(patience)
    await Promise.allSettled(servers.map(server => server.close()))
    await registry.dispose()
  }
}
