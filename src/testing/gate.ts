/** A promise that a test settles, so that what must overlap is held until it does. */
export interface Gate<T = void> {
  readonly opened: Promise<T>
  /** Idempotent: the first value stands. */
  readonly open: (value: T) => void
}

/** A gate that is closed. */
export function gate<T = void>(): Gate<T> {
  let open: (value: T) => void = () => {}
  const opened = new Promise<T>(resolve => {
    open = resolve
  })
  return { opened, open }
}
