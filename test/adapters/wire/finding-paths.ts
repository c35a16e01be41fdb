import type { ProviderName, WireTool } from 'toolgate/openai'

export const PROVIDERS: readonly ProviderName[] = ['openai', 'anthropic', 'google', 'google-json-schema']

/** Whether a JSON pointer leads to nothing in a tool. */
export function leadsNowhere(tool: WireTool, path: string): boolean {
  let at: unknown = tool
  for (const token of path.split('/').slice(1)) {
    const key = token.replaceAll('~1', '/').replaceAll('~0', '~')
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, key)) return true
    at = (at as { readonly [key: string]: unknown })[key]
  }
  return !path.startsWith('#')
}
