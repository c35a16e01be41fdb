const MAX_SHOWN = 400

/** A value as failures show it and as values are compared: JSON, with what JSON leaves out. */
function textOf(value: unknown): string {
  const named = (_key: string, part: unknown): unknown => {
    if (part === undefined) return '\u00abundefined\u00bb'
    if (typeof part === 'function') return '\u00abfunction\u00bb'
    return typeof part === 'bigint' ? `\u00ab${part}n\u00bb` : part
  }
  return JSON.stringify(value, named) ?? String(value)
}

const shown = (value: unknown): string => {
  const text = textOf(value)
  return text.length <= MAX_SHOWN ? text : `${text.slice(0, MAX_SHOWN)}… (${text.length} characters)`
}

/** Throws unless something holds. */
export function expectThat(holds: boolean, what: string): void {
  if (!holds) throw new Error(what)
}

/** Throws unless both have the same JSON text. */
export function expectEqual(actual: unknown, expected: unknown, what: string): void {
  if (textOf(actual) !== textOf(expected))
    throw new Error(`${what}: expected ${shown(expected)}, got ${shown(actual)}`)
}

/** Throws unless a text matches. */
export function expectMatch(actual: unknown, pattern: RegExp, what: string): void {
  if (typeof actual !== 'string' || !pattern.test(actual))
    throw new Error(`${what}: expected a text that matches ${pattern}, got ${shown(actual)}`)
}

/** Throws with all that failed, so that one wrong row of a table does not hide the others. */
export async function expectRows<Row extends readonly [name: string, ...rest: unknown[]]>(
  rows: readonly Row[],
  check: (row: Row) => Promise<void>,
): Promise<void> {
  const failures: string[] = []
  for (const row of rows)
    await check(row).catch((error: unknown) => {
      failures.push(`${row[0]}: ${error instanceof Error ? error.message : String(error)}`)
    })
  if (failures.length > 0) throw new Error(failures.join('\n'))
}
