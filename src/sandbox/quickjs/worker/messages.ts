import type { CodeNamespace } from '../../code-runtime.js'
import type { QuickJsLimits } from '../limits.js'

/** What a worker is told once, before its first run. */
export interface WorkerSettings {
  readonly limits: QuickJsLimits
  readonly cpuClock: 'measured' | 'counted'
  /** True if every run brings its own seeds. */
  readonly seeded: boolean
  /** What the guest evaluates when it is touched: the script itself does not carry it. */
  readonly polyfills: { readonly [part: string]: string }
}

/** A namespace without the host's function. */
export type NamespaceShape = Omit<CodeNamespace, 'call'>

/** What of a namespace goes to a worker: nothing that the host has beside it. */
export function shapeOf(namespace: CodeNamespace): NamespaceShape {
  const { global, functions, open, maxCallBytes, maxArgumentBytes, errorClass } = namespace
  return {
    global,
    functions,
    ...(open !== undefined && { open }),
    ...(maxCallBytes !== undefined && { maxCallBytes }),
    ...(maxArgumentBytes !== undefined && { maxArgumentBytes }),
    ...(errorClass !== undefined && { errorClass }),
  }
}

/** What the host says. Values travel as JSON text, so that nothing is copied that was not checked. */
export type ToWorker =
  | readonly [kind: 'init', module: WebAssembly.Module, settings: WorkerSettings]
  | readonly [
      kind: 'run',
      run: number,
      program: string,
      namespaces: readonly NamespaceShape[],
      seeds: readonly number[],
    ]
  | readonly [kind: 'abort', run: number, reason: string]
  | readonly [kind: 'reply', run: number, call: number, text: string]
  /** `spentMs` of the wall clock had gone by: a program that computes hears of it late. */
  | readonly [kind: 'hold', run: number, call: number, hold: number, spentMs: number]
  | readonly [kind: 'release', run: number, hold: number]
  | readonly [kind: 'ping']

/**
 * What a worker says. `lines` are `[level, text]` pairs, `call` is `[name, args]`, `taken` the numbers of calls whose answers its
 * program has got since the last word of it, `waiting` names of calls that have not been sent out and were not told yet, each as
 * JSON text. `computing` comes often while a program does nothing else.
 */
export type FromWorker =
  | readonly [kind: 'ready']
  | readonly [kind: 'pong']
  | readonly [kind: 'lines', run: number, lines: string]
  | readonly [kind: 'call', run: number, call: number, namespace: number, body: string]
  | readonly [kind: 'taken', run: number, calls: string]
  | readonly [kind: 'computing', run: number]
  | readonly [kind: 'waiting', run: number, names: string]
  | readonly [kind: 'outcome', run: number, outcome: string]
  | readonly [kind: 'refused', run: number, code: string, message: string]

const SHAPES: { readonly [K in FromWorker[0]]: readonly ('number' | 'string')[] } = {
  ready: [],
  pong: [],
  lines: ['number', 'string'],
  call: ['number', 'number', 'number', 'string'],
  taken: ['number', 'string'],
  computing: ['number'],
  waiting: ['number', 'string'],
  outcome: ['number', 'string'],
  refused: ['number', 'string', 'string'],
}

/** A worker's message, if it is one: whoever broke out of the engine could send anything. */
export function readMessage(message: unknown): FromWorker | undefined {
  if (!Array.isArray(message)) return undefined
  const [kind, ...rest] = message as readonly unknown[]
  if (typeof kind !== 'string' || !Object.hasOwn(SHAPES, kind)) return undefined
  const shape = SHAPES[kind as FromWorker[0]]
  const fits = rest.length === shape.length && rest.every((part, i) => typeof part === shape[i])
  return fits ? (message as unknown as FromWorker) : undefined
}
