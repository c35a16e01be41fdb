const UNPRINTABLE = 'an error that cannot be shown as text'

/** The text of anything thrown: an error's message, a `message` property, else `String(value)`. Total: never throws. */
export function describeError(thrown: unknown): string {
  try {
    if (typeof thrown === 'object' && thrown !== null) {
      const { message } = thrown as { message?: unknown }
      if (typeof message === 'string') return message
    }
    return String(thrown)
  } catch {
    return UNPRINTABLE
  }
}
