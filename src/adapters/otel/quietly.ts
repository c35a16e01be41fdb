import { diag } from './otel-api.js'

/** A promise where none belongs: its rejection must not become the process's. */
const dropRejection = (value: unknown): void => {
  if (value instanceof Promise) value.catch(() => {})
}

/**
 * A step of telemetry, which never changes what becomes of a call: what breaks is told to OpenTelemetry's own diagnostic
 * logger, which is silent unless the application sets one.
 */
export function quietly<T>(what: string, step: () => T): T | undefined {
  try {
    const made = step()
    dropRejection(made)
    return made
  } catch (error) {
    try {
      diag.warn(`toolgate: ${what} failed`, error)
    } catch {
      // Not even that changes a call.
    }
    return undefined
  }
}
