import type { ToolRegistry } from 'toolgate'

/** What the bars are drawn on, such as `process.stdout`. */
export interface ProgressStream {
  readonly isTTY?: boolean
  readonly columns?: number
  readonly rows?: number
  write(text: string): unknown
}

interface Row {
  readonly id: string
  readonly name: string
  readonly depth: number
  readonly children: Row[]
  message: string
  completed: number | undefined
  total: number | undefined
  end: 'done' | string | undefined
}

const BAR = 20
const DRAW_MS = 40
const HIDE_CURSOR = '\u001b[?25l'
const SHOW_CURSOR = '\u001b[?25h'
const NAME = 24

// A tool's words are drawn on a terminal: nothing in them may move its cursor.
const plain = (text: string): string => text.replace(/[\p{Cc}\p{Cf}\u2028\u2029]+/gu, ' ').trim()

function share({ completed, total }: Row): number | undefined {
  if (completed === undefined || total === undefined || !(total > 0)) return undefined
  return Math.min(1, Math.max(0, completed / total))
}

function bar(part: number | undefined): string {
  if (part === undefined) return ' '.repeat(BAR)
  const full = Math.floor(part * BAR)
  return '█'.repeat(full) + '░'.repeat(BAR - full)
}

function state(row: Row): string {
  if (row.end === 'done') return '✓'
  if (row.end !== undefined) return `✗ ${row.end}`
  const part = share(row)
  const percent = part === undefined ? '' : `${Math.floor(part * 100)}%`
  return [percent.padStart(4), row.message].join(' ').trimEnd()
}

function line(row: Row, columns: number): string {
  const name = `${'  '.repeat(row.depth)}${plain(row.name)}`
  const part = row.end === 'done' ? 1 : share(row)
  const text = `${name.slice(0, NAME).padEnd(NAME)} ${bar(part)} ${state(row)}`
  return text.slice(0, Math.max(1, columns - 1)).trimEnd()
}

const lines = (row: Row, columns: number): string[] => [
  line(row, columns),
  ...row.children.flatMap(child => lines(child, columns)),
]

/**
 * Shows the progress of a registry's calls until it is stopped: on a terminal as bars that are drawn anew, calls of programs
 * under their program, elsewhere as a line for each step.
 */
export function showProgress(registry: ToolRegistry, stream: ProgressStream): { stop(): void } {
  const rows = new Map<string, Row>()
  const isTerminal = stream.isTTY === true
  let running: Row[] = []
  let drawn = 0
  let isHidden = false
  let timer: ReturnType<typeof setTimeout> | undefined

  const draw = (): void => {
    timer = undefined
    const { columns = 80, rows: height = 24 } = stream
    const ended = running.filter(row => row.end !== undefined)
    running = running.filter(row => row.end === undefined)
    const kept = ended.flatMap(row => lines(row, columns))
    const live = running.flatMap(row => lines(row, columns))
    const most = Math.max(1, height - 2)
    const shown = live.length > most ? [...live.slice(0, most - 1), `… ${live.length - most + 1} more`] : live
    const up = drawn > 0 ? `\u001b[${drawn}A\r\u001b[J` : ''
    stream.write((isHidden ? '' : HIDE_CURSOR) + up + [...kept, ...shown].map(text => `${text}\n`).join(''))
    drawn = shown.length
    isHidden = true
  }

  const update = (row: Row): void => {
    if (!isTerminal)
      stream.write(
        `${'  '.repeat(row.depth)}${plain(row.name)} (${plain(row.id)}): ${state(row).trim() || 'starts'}\n`,
      )
    else timer ??= setTimeout(draw, DRAW_MS)
  }

  const rowOf = (id: string, name: string, parent?: string): Row => {
    const known = rows.get(id)
    if (known !== undefined) return known
    if (parent !== undefined && !rows.has(parent)) update(rowOf(parent, 'run_code'))
    const above = parent === undefined ? undefined : rows.get(parent)
    const row: Row = {
      id,
      name,
      depth: above === undefined ? 0 : above.depth + 1,
      children: [],
      message: '',
      completed: undefined,
      total: undefined,
      end: undefined,
    }
    rows.set(id, row)
    if (above === undefined) running.push(row)
    else above.children.push(row)
    return row
  }

  const onStart = ({
    callId,
    name,
    parentCallId,
  }: {
    callId: string
    name: string
    parentCallId: string
  }): void => update(rowOf(callId, name, parentCallId))

  const onProgress = (event: {
    callId: string
    name: string
    message?: string
    completed?: number
    total?: number
  }): void => {
    const row = rowOf(event.callId, event.name)
    row.message = plain(event.message ?? row.message)
    row.completed = event.completed ?? row.completed
    row.total = event.total ?? row.total
    update(row)
  }

  const onResult = ({
    callId,
    result,
  }: {
    callId: string
    result: { isError: boolean; error?: { code: string } }
  }): void => {
    const row = rows.get(callId)
    if (row === undefined) return
    rows.delete(callId)
    row.end = result.isError ? (result.error?.code ?? 'failed') : 'done'
    update(row)
  }

  registry.on('subcall:start', onStart)
  registry.on('progress', onProgress)
  registry.on('result', onResult)
  return {
    stop() {
      registry.off('subcall:start', onStart)
      registry.off('progress', onProgress)
      registry.off('result', onResult)
      if (timer !== undefined) {
        clearTimeout(timer)
        draw()
      }
      if (isHidden) stream.write(SHOW_CURSOR)
      isHidden = false
    },
  }
}
