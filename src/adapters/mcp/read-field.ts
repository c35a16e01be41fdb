import { isRecord } from '../is-record.js'

export { quoted } from '../quoted.js'
export { isRecord }

/** The field if it is a text that says something. */
export const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' && value.trim() !== '' ? value : undefined

/** What an error says of itself. Total: never throws. */
export function messageOf(error: unknown): string {
  try {
    const message =
      isRecord(error) || error instanceof Error ? (error as { message?: unknown }).message : error
    return textOf(message) ?? textOf(String(error)) ?? 'it gave no reason'
  } catch {
    return 'it gave no reason'
  }
}

/** An error's code: a number of JSON-RPC, or a text. */
export function codeOf(error: unknown): unknown {
  try {
    return typeof error === 'object' && error !== null ? (error as { code?: unknown }).code : undefined
  } catch {
    return undefined
  }
}
