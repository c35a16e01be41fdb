import type { ToolRegistry } from 'toolgate'
import { type ProviderName, preflight, type WireFinding } from 'toolgate/openai'
import { oneLine } from './one-line.js'

/** What a provider would make of the tools if they were declared to it natively. */
export interface ProviderReport {
  readonly provider: ProviderName
  readonly findings: readonly WireFinding[]
}

const PROVIDERS: readonly ProviderName[] = ['openai', 'anthropic', 'google']

/** Asks about every provider. The findings are about native declarations: Code Mode has one plain tool. */
export const providerReports = (registry: ToolRegistry): ProviderReport[] =>
  PROVIDERS.map(provider => ({ provider, findings: preflight(registry, provider) }))

const distinct = (texts: readonly string[]): string[] => [...new Set(texts)].toSorted()

function lines({ provider, findings }: ProviderReport): string[] {
  const refused = findings.filter(({ outcome }) => outcome === 'refused')
  const adapted = findings.filter(({ outcome }) => outcome !== 'refused')
  const tools = distinct(adapted.map(({ tool }) => tool))
  const rules = distinct(adapted.map(({ rule }) => rule))
  const rest =
    adapted.length === 0
      ? refused.length === 0
        ? 'takes all of them without loss'
        : ''
      : `needs another form of ${tools.length} of them (${rules.join(', ')}): ${tools.join(', ')}`
  return [
    ...(rest === '' ? [] : [`  ${provider} ${rest}`]),
    ...refused.map(({ tool, path, message }) =>
      oneLine(`  ! ${provider} refuses ${tool || 'them'} at ${path}: ${message}`),
    ),
  ]
}

/** The reports as lines of text. */
export const printProviders = (reports: readonly ProviderReport[]): string =>
  `Declared natively, by the wire adapters of this package:\n${reports.flatMap(lines).join('\n')}`
