const WIDTH = 100

/** Three lines of a text around a place, with a mark under it. Long lines are cut to what is near the place. */
export function codeFrame(
  text: string,
  { line, column }: { readonly line: number; readonly column: number },
): string {
  const lines = text.split(/\r\n|[\n\r\u2028\u2029]/)
  const from = column > WIDTH - 20 ? column - WIDTH / 2 : 0
  const last = Math.min(line + 1, lines.length)
  const gutter = String(last).length
  const shown: string[] = []
  for (let n = Math.max(1, line - 1); n <= last; n++) {
    const content = (lines[n - 1] ?? '').slice(from, from + WIDTH).replace(/\t/g, ' ')
    shown.push(`${n === line ? '>' : ' '} ${String(n).padStart(gutter)} | ${content}`.trimEnd())
    if (n === line) shown.push(`  ${' '.repeat(gutter)} | ${' '.repeat(Math.max(0, column - 1 - from))}^`)
  }
  return shown.join('\n')
}
