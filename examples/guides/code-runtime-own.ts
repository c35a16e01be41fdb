import { type CodeFailureKind, type CodeRuntime, type JsonValue, snapshotJson } from 'toolgate'
import { codeRuntimeConformance } from 'toolgate/testing'

type Failure = { readonly kind: CodeFailureKind; readonly message: string }
const AsyncFunction = (async () => {}).constructor as new (
  ...parts: string[]
) => (...args: unknown[]) => unknown
const messageOf = (thrown: unknown): string => (thrown instanceof Error ? thrown.message : String(thrown))

// For programs of your own in plain JavaScript: nothing isolates them, and nothing stops a loop.
function trustingRuntime({ wallMs = 60_000 } = {}): CodeRuntime {
  return {
    async run({ program, namespaces, signal, onLog }) {
      const logs: string[] = []
      const print = (...values: unknown[]) => {
        const text = values.map(String).join(' ')
        logs.push(text)
        onLog?.({ level: 'log', text })
      }
      const failed = (kind: CodeFailureKind, message: string) => ({ logs, error: { kind, message } })
      if (signal?.aborted) return failed('abort', `The run was aborted. ${signal.reason}`)

      // What ends the run from outside: the caller, or the clock, which stands still while a human is asked.
      const ended = new AbortController()
      let end: (failure: Failure) => void = () => {}
      const stopped = new Promise<Failure>(resolve => (end = resolve))
      const onAbort = () => end({ kind: 'abort', message: `The run was aborted. ${signal?.reason}` })
      signal?.addEventListener('abort', onAbort)
      let [holds, leftMs, startedAt] = [0, wallMs, 0]
      let timer: ReturnType<typeof setTimeout> | undefined
      const startClock = () => {
        startedAt = Date.now()
        timer = setTimeout(() => end({ kind: 'timeout-wall', message: `Longer than ${wallMs} ms.` }), leftMs)
      }
      const pauseWallClock = () => {
        let held = true
        if (holds++ === 0) {
          clearTimeout(timer)
          leftMs -= Date.now() - startedAt
        }
        return () => {
          if (held && --holds === 0 && !ended.signal.aborted) startClock()
          held = false
        }
      }

      // The program's globals: namespaces of functions, their error classes, and console.
      const globals: Record<string, unknown> = { console: { log: print } }
      for (const { global, functions, errorClass, call } of namespaces) {
        const CallError = class extends Error {
          override readonly name: string = errorClass ?? 'Error'
        }
        if (errorClass !== undefined) globals[errorClass] = CallError
        const invoke = async (name: string, args: unknown[]) => {
          // A copy of the moment: what is no JSON is refused here, and the host hears nothing of it.
          const copied = snapshotJson(args) as readonly JsonValue[]
          const reply = await call({ name, args: copied, signal: ended.signal, pauseWallClock })
          if (reply.ok) return reply.value === undefined ? undefined : snapshotJson(reply.value)
          throw Object.assign(new CallError(reply.message), reply.properties)
        }
        const entries = functions.map(name => [name, (...args: unknown[]) => invoke(name, args)])
        globals[global] = Object.assign(Object.create(null), Object.fromEntries(entries))
      }

      const settle = async () => {
        let body: (...args: unknown[]) => unknown
        try {
          body = new AsyncFunction(...Object.keys(globals), `'use strict';${program}`)
        } catch (error) {
          return failed('syntax', messageOf(error))
        }
        let value: unknown
        try {
          value = await body(...Object.values(globals))
        } catch (error) {
          return failed('exception', messageOf(error))
        }
        try {
          return value === undefined ? { logs } : { logs, value: snapshotJson(value) }
        } catch (error) {
          return failed('invalid-output', messageOf(error))
        }
      }

      startClock()
      const outcome = await Promise.race([
        settle(),
        stopped.then(({ kind, message }) => failed(kind, message)),
      ])
      clearTimeout(timer)
      signal?.removeEventListener('abort', onAbort)
      // After the outcome, so that calls under way learn that nobody waits for them.
      ended.abort()
      return outcome
    },
  }
}

// Not all cases: one that never ends would end this process too. That is what the other runtimes are for.
const claimed =
  /undefined is no value|moment of the call|any order|error class, its message|held by pauseWallClock|tells the call|fenced block/
for (const { name, run } of codeRuntimeConformance(trustingRuntime)) {
  if (!claimed.test(name)) continue
  const verdict = await run().then(
    () => 'ok    ',
    () => 'FAILED',
  )
  console.log(`${verdict}  ${name}`)
}
