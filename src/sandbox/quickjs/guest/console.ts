import type { Post } from './calls.js'
import { inspect, limited } from './inspect.js'
import { create, define, isPlainText, now, quote } from './intrinsics.js'

// The places of their names in the host's list of levels.
const LOG = 0
const INFO = 1
const WARN = 2
const ERROR = 3
const DEBUG = 4

type Method = (...values: unknown[]) => void

function lineOf(values: unknown[], from = 0): string {
  let line = ''
  for (let i = from; i < values.length; i++) line += '' + (i === from ? '' : ' ') + inspect(values[i])
  return line
}

/** `console`: each line goes to the host as it is printed. What elsewhere makes tables, groups and traces makes plain lines. */
export function makeConsole(post: Post): object {
  const counts: Record<string, number> = create(null)
  const timers: Record<string, number> = create(null)
  const send = (level: number, text: string): void => {
    const line = limited(text)
    if (isPlainText(line)) post('M' + level + line)
    else post('L' + level + quote(line))
  }
  const labelOf = (label: unknown): string => (label === undefined ? 'default' : inspect(label))
  const after = (text: string, values: unknown[], from = 0): string =>
    values.length > from ? text + ' ' + lineOf(values, from) : text
  const heading = (values: unknown[]): void => {
    if (values.length > 0) send(LOG, lineOf(values))
  }
  const elapsed = (label: string, values: unknown[]): void => {
    const startedAt = timers[label]
    if (startedAt === undefined) send(WARN, 'There is no timer ' + label)
    else send(LOG, after(label + ': ' + (now() - startedAt) + ' ms', values, 1))
  }
  const methods: Record<string, Method> = {
    __proto__: null as never,
    log: (...values) => send(LOG, lineOf(values)),
    info: (...values) => send(INFO, lineOf(values)),
    warn: (...values) => send(WARN, lineOf(values)),
    error: (...values) => send(ERROR, lineOf(values)),
    debug: (...values) => send(DEBUG, lineOf(values)),
    table: data => send(LOG, inspect(data)),
    dir: value => send(LOG, inspect(value)),
    trace: (...values) => send(LOG, after('Trace:', values)),
    assert: (condition, ...values) => {
      if (!condition) send(ERROR, after('Assertion failed:', values))
    },
    group: (...values) => heading(values),
    groupCollapsed: (...values) => heading(values),
    groupEnd: () => {},
    count: given => {
      const label = labelOf(given)
      counts[label] = (counts[label] ?? 0) + 1
      send(LOG, label + ': ' + counts[label])
    },
    countReset: given => {
      delete counts[labelOf(given)]
    },
    time: given => {
      timers[labelOf(given)] = now()
    },
    timeLog: (...values) => elapsed(labelOf(values[0]), values),
    timeEnd: given => {
      const label = labelOf(given)
      elapsed(label, [])
      delete timers[label]
    },
  }
  const console = {}
  for (const name in methods) define(console, name, methods[name])
  return console
}
