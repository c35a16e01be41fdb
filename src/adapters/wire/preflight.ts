import { PROVIDER_LIMITS, type ProviderName } from './provider-limits.js'
import { checkChoice, checkOptions } from './wire-adapter.js'
import { DefinitionMaker } from './wire-definitions.js'
import type { WireFinding } from './wire-finding.js'
import { WireNames } from './wire-names.js'
import { readTools, type ToolSource } from './wire-tools.js'

/** How `preflight` looks at tools. */
export interface PreflightOptions {
  /** Whether strict mode is wanted where the provider has one. Default false: nothing is said about it. */
  readonly strict?: boolean | undefined
}

/**
 * What a provider would not take of these tools as they stand, by tool, path and rule, and what the adapter makes of it. What
 * is `refused` fails the request; the rest is sent in another way. What has another spelling there is written in it without a
 * word, since nothing is lost: `const` as `enum`, null beside a type, references written out, `$schema` left out. An empty
 * list is about what the adapter sends, so it does not say that the provider takes the schemas unadapted.
 * @throws ToolgateError `INVALID_OPTIONS`
 */
export function preflight(
  source: ToolSource,
  provider: ProviderName,
  options: PreflightOptions = {},
): readonly WireFinding[] {
  checkOptions('preflight', options, ['strict'])
  checkChoice('preflight', 'strict', options.strict, [true, false])
  const providers = Object.keys(PROVIDER_LIMITS) as ProviderName[]
  checkChoice<string>('preflight', 'provider', String(provider), providers)
  const names = new WireNames(PROVIDER_LIMITS[provider].names)
  return new DefinitionMaker(provider, names, options.strict ?? false).make(readTools(source)).findings
}
