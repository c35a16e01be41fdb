/// <reference lib="esnext.disposable" preserve="true" />
/** Undoes what it was returned for. Call it, or leave it to `using`; twice does nothing. */
export interface Registration extends Disposable {
  (): void
}

/** Makes a registration whose first call runs `undo`. */
export function createRegistration(undo: () => void): Registration {
  let done = false
  const dispose = (): void => {
    if (done) return
    done = true
    undo()
  }
  return Object.assign(dispose, { [Symbol.dispose]: dispose })
}
