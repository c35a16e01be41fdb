import type { AgentRun } from '../agent-loop.js'

function callsOf(run: AgentRun): string {
  const refused = run.results.filter(result => result.isError).length
  return refused === 0 ? String(run.results.length) : `${run.results.length} (${refused} refused or failed)`
}

/** Prints what each way cost the model. */
export function printTable(print: (line: string) => void, native: AgentRun, code: AgentRun): void {
  const rows: (readonly [string, string, string])[] = [
    ['', 'native', 'Code Mode'],
    ['calls by the model', callsOf(native), callsOf(code)],
    ['model turns', String(native.turns), String(code.turns)],
    [
      'bytes into the context',
      native.contextBytes.toLocaleString('en-US'),
      code.contextBytes.toLocaleString('en-US'),
    ],
  ]
  const widths = [0, 1, 2].map(column => Math.max(...rows.map(row => (row[column] ?? '').length)))
  for (const row of rows)
    print(
      `  ${row.map((cell, i) => (i === 0 ? cell.padEnd(widths[i] ?? 0) : cell.padStart(widths[i] ?? 0))).join('   ')}`,
    )
}
