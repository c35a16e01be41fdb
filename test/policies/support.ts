import type { CodeNamespace, CodeRuntime, ToolContext, ToolExecutionResult, ToolFailureError } from 'toolgate'
import { afterEach, beforeEach, vi } from 'vitest'

export const CALL = { callId: '1', name: 'work' } as const

export const codeOf = (result: ToolExecutionResult): string => (result.isError ? result.error.code : 'ok')
export const errorOf = (result: ToolExecutionResult): ToolFailureError | undefined =>
  result.isError ? result.error : undefined
export const codesOf = (results: readonly ToolExecutionResult[]): string[] => results.map(codeOf)

export const never = (): Promise<never> => new Promise(() => {})

/** Lets time pass, and everything go on that can. */
export const pass = (ms: number): Promise<unknown> => vi.advanceTimersByTimeAsync(ms)

export const sleep = (ms: number): Promise<void> => new Promise(resolve => setTimeout(resolve, ms))

/** A body that ends when it is told to stop, and says so with the reason. */
export const obedient = (_args: unknown, { signal }: ToolContext): Promise<never> =>
  new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason)))

/** What has come of a promise so far: `pending`, or what it resolved to. */
export function watch<T>(promise: Promise<T>): { readonly now: () => T | 'pending' } {
  let now: T | 'pending' = 'pending'
  void promise.then(value => {
    now = value
  })
  return { now: () => now }
}

/** The tests of a file run in virtual time, which starts at 0 for each; no timer is left at the end of one. */
export function virtualTime(): void {
  beforeEach(() => {
    vi.useFakeTimers()
  })
  afterEach(() => {
    const left = vi.getTimerCount()
    vi.useRealTimers()
    if (left > 0) throw new Error(`${left} timers are left`)
  })
}

/** A runtime whose programs are this function: it may call tools at once, as a real program does. */
export const programOf = (
  run: (call: (name: string) => Promise<unknown>) => Promise<unknown>,
): CodeRuntime => ({
  async run({ namespaces, signal = new AbortController().signal }) {
    const tools = namespaces.find(({ global }) => global === 'tools') as CodeNamespace
    const ended = run(async name => tools.call({ name, args: [], signal, pauseWallClock: () => () => {} }))
    const stopped = new Promise(resolve => signal.addEventListener('abort', () => resolve('stopped')))
    const value = await Promise.race([ended, stopped])
    if (value === 'stopped') return { logs: [], error: { kind: 'abort', message: 'stopped' } }
    return { logs: [], value: JSON.parse(JSON.stringify(value ?? null)) }
  },
})

/** A call of such a program. */
export const PROGRAM = {
  callId: 'p',
  name: 'run_code',
  arguments: { code: '.', description: 'Run it' },
} as const
