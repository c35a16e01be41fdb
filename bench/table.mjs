// Markdown of what the sections report.

function time(ms) {
  if (ms === undefined) return '-'
  if (ms < 0.001) return `${(ms * 1_000_000).toPrecision(3)} ns`
  if (ms < 0.1) return `${(ms * 1000).toPrecision(3)} us`
  return ms < 1000 ? `${ms.toPrecision(3)} ms` : `${(ms / 1000).toPrecision(3)} s`
}

function ratio(value, base) {
  if (value === undefined || base === undefined) return '-'
  const times = value / base
  return times >= 100 ? `${Math.round(times)}x` : `${times.toPrecision(2)}x`
}

/** `{ title, text?, cases: [{ name, lines }] }` as Markdown; the first line of a case is what ratios are taken to. */
export function sectionMarkdown({ title, text, cases }) {
  const rows = cases.flatMap(({ name, lines }) =>
    lines.map((line, i) =>
      [
        i === 0 ? name : '',
        line.name,
        line.value ?? time(line.median),
        line.value === undefined ? time(line.p95) : '',
        line.value === undefined ? ratio(line.median, lines[0].median) : ratio(line.size, lines[0].size),
        line.note ?? '',
      ].join(' | '),
    ),
  )
  return [
    `## ${title}`,
    '',
    ...(text ? [text, ''] : []),
    '| case | contestant | median | p95 | to toolgate | note |',
    '| --- | --- | ---: | ---: | ---: | --- |',
    ...rows.map(row => `| ${row} |`),
    '',
  ].join('\n')
}
