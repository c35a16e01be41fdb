import type { Namer } from './named-types.js'

const MAX_PREFIX = 40

/** The identifier characters of a name; `$` is left to separate the parts of a type's name. */
export function identifierPart(name: string): string {
  const part = name.replace(/[^A-Za-z0-9_]/g, '_').slice(0, MAX_PREFIX)
  return /[A-Za-z0-9]/.test(part) ? part : 'tool'
}

/** Names types `prefix$Hint`, with a number after the second of one name. */
export function createNamer(prefix: string): Namer {
  const counts = new Map<string, number>()
  const start = /^\d/.test(prefix) ? `_${prefix}` : prefix
  return hint => {
    const base = `${start}$${identifierPart(hint)}`
    let count = counts.get(base) ?? 0
    let name = base
    while (count > 0 && counts.has(name)) name = `${base}${++count}`
    counts.set(base, Math.max(count, 1))
    if (name !== base) counts.set(name, 1)
    return name
  }
}

/**
 * A prefix for each tool, no two alike. A tool whose name is an identifier keeps it, so that only tools
 * with rewritten names ever depend on each other.
 */
export function toolPrefixes(names: readonly string[]): ReadonlyMap<string, string> {
  const prefixes = new Map<string, string>()
  const taken = new Set<string>()
  for (const name of names) {
    if (identifierPart(name) !== name) continue
    prefixes.set(name, name)
    taken.add(name)
  }
  const next = new Map<string, number>()
  for (const name of names) {
    if (prefixes.has(name)) continue
    const part = identifierPart(name)
    let count = next.get(part) ?? 1
    let prefix = part
    while (taken.has(prefix)) prefix = `${part}_${++count}`
    next.set(part, count)
    prefixes.set(name, prefix)
    taken.add(prefix)
  }
  return prefixes
}
