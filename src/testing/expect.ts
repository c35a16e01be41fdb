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

const shown = (text: string, from = 0): string => {
  if (text.length - from <= MAX_SHOWN && from === 0) return text
  const start = from > 0 ? '…' : ''
  return `${start}${text.slice(from, from + MAX_SHOWN)}… (${text.length} characters)`
}

/** Where two texts begin to differ, with some of what is before; 0 if that is to be seen without. */
function differenceOf(one: string, two: string): number {
  let at = 0
  while (at < one.length && one[at] === two[at]) at++
  return at < MAX_SHOWN ? 0 : at - MAX_SHOWN / 8
}

/** Throws unless something holds. */
export function expectThat(holds: boolean, what: string): void {
  if (!holds) throw new Error(what)
}

/** Throws unless both have the same JSON text. */
export function expectEqual(actual: unknown, expected: unknown, what: string): void {
  const [got, wanted] = [textOf(actual), textOf(expected)]
  if (got === wanted) return
  const from = differenceOf(got, wanted)
  throw new Error(`${what}: expected ${shown(wanted, from)}, got ${shown(got, from)}`)
}

/** Throws unless a text matches. */
export function expectMatch(actual: unknown, pattern: RegExp, what: string): void {
  if (typeof actual !== 'string' || !pattern.test(actual))
    throw new Error(`${what}: expected a text that matches ${pattern}, got ${shown(textOf(actual))}`)
}

/** Throws with all that failed, so that one wrong row of a table does not hide the others. */
export async function expectRows<Row extends readonly [name: string, ...rest: unknown[]]>(
  rows: readonly Row[],
  check: (row: Row) => Promise<void>,
  order: 'one after the other' | 'at once' = 'one after the other',
): Promise<void> {
  const failures: string[] = []
  const checked = (row: Row): Promise<void> =>
    check(row).catch((error: unknown) => {
      failures.push(`${row[0]}: ${error instanceof Error ? error.message : String(error)}`)
    })
  if (order === 'at once') await Promise.all(rows.map(checked))
  else for (const row of rows) await checked(row)
  if (failures.length > 0) throw new Error(failures.join('\n'))
}
