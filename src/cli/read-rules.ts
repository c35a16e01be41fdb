import { type EntryReader, isObject, isTexts } from './entry-reader.js'
import type { ServerRules } from './gateway-config.js'

const RULE_KEYS = ['include', 'exclude', 'ask', 'trustAnnotations', 'timeoutMs']

/** Keys beside `toolgate` by which other programs name the tools to take, or to leave out. */
const LISTS = {
  include: ['includeTools', 'tools', 'enabled_tools'],
  exclude: ['excludeTools', 'disabledTools', 'disabled_tools'],
} as const

/** Those keys. */
export const LIST_KEYS: readonly string[] = [...LISTS.include, ...LISTS.exclude]

/** Names of tools from whichever key has them; with `*` among those to take it is all of them. */
function listOf(
  reader: EntryReader,
  rule: 'include' | 'exclude',
  given: { readonly [key: string]: unknown },
  own: unknown,
): readonly string[] | undefined {
  const keys = LISTS[rule].filter(key => given[key] !== undefined)
  const lists = [
    ...(own === undefined ? [] : [[`toolgate.${rule}`, own] as const]),
    ...keys.map(key => [key, given[key]] as const),
  ]
  for (const [key, list] of lists) if (!isTexts(list)) reader.fault(`"${key}" must be an array of tool names`)
  if (lists.length > 1)
    reader.fault(`it has ${lists.map(([key]) => `"${key}"`).join(' and ')}; only one can be meant`)
  const [[key = '', list] = []] = lists
  if (!isTexts(list)) return undefined
  return rule === 'include' && key === 'tools' && list.includes('*') ? undefined : list
}

/** Reads what the gateway itself heeds: its own key, and what other programs call the same. */
export function readRules(reader: EntryReader, given: { readonly [key: string]: unknown }): ServerRules {
  const own = given.toolgate ?? {}
  if (!isObject(own)) {
    reader.fault('"toolgate" must be an object')
    return {}
  }
  reader.keys(own, RULE_KEYS, 'toolgate: ')
  const { ask, trustAnnotations, timeoutMs } = own
  const include = listOf(reader, 'include', given, own.include)
  const exclude = listOf(reader, 'exclude', given, own.exclude)
  if (ask !== undefined && ask !== true && !isTexts(ask))
    reader.fault('"toolgate.ask" must be true or an array of tool names')
  if (trustAnnotations !== undefined && typeof trustAnnotations !== 'boolean')
    reader.fault('"toolgate.trustAnnotations" must be true or false')
  if (timeoutMs !== undefined && !(typeof timeoutMs === 'number' && timeoutMs > 0))
    reader.fault('"toolgate.timeoutMs" must be a positive number of milliseconds')
  return {
    ...(include !== undefined && { include }),
    ...(exclude !== undefined && { exclude }),
    ...(ask !== undefined && { ask: ask as true | readonly string[] }),
    ...(trustAnnotations !== undefined && { trustAnnotations: trustAnnotations as boolean }),
    ...(timeoutMs !== undefined && { timeoutMs: timeoutMs as number }),
  }
}
