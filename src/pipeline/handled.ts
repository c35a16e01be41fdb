/** Marks a promise as looked after: a stage that drops what `next()` returned must not bring the process down. */
export function handled<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => {})
  return promise
}
