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
  return hint => {
    const base = `${prefix}$${identifierPart(hint)}`
    let count = counts.get(base) ?? 0
    let name = base
    while (count > 0 && counts.has(name)) name = `${base}${++count}`
    counts.set(base, Math.max(count, 1))
    if (name !== base) counts.set(name, 1)
    return name
  }
}

/**
 * A prefix for each tool, no two alike. One whose name is an identifier keeps it; the names of others are rewritten
 * and numbered in the order given, behind a `$` that no identifier among them has. So a prefix depends on earlier
 * tools alone.
 */
export function toolPrefixes(names: readonly string[]): ReadonlyMap<string, string> {
  const prefixes = new Map<string, string>()
  const counts = new Map<string, number>()
  for (const name of names) {
    const part = toolPrefix(name)
    if (part === name) prefixes.set(name, name)
    if (prefixes.has(name)) continue
    const count = (counts.get(part) ?? 0) + 1
    counts.set(part, count)
    prefixes.set(name, `${part}$${count}`)
  }
  return prefixes
}

/** The prefix of a tool that stands alone. */
export function toolPrefix(name: string): string {
  const part = identifierPart(name)
  return /^\d/.test(part) ? `_${part}` : part
}
