/** One thing that must hold: a sentence, and a function that rejects where it does not. Cases do not depend on one another. */
export interface ConformanceCase {
  readonly name: string
  /** Needs no `this`, so that `test(name, run)` does in any test framework. Its error begins with the name. */
  readonly run: () => Promise<void>
}

/** Settles as the promise does, or rejects with a sentence when it takes too long: what never ends is a fault too. */
export async function within<T>(ms: number, awaited: T | Promise<T>, otherwise: string): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`${otherwise} after ${ms} ms`)), ms)
  })
  try {
    return await Promise.race([awaited, late])
  } finally {
    clearTimeout(timer)
  }
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

/** A case whose failures say which sentence does not hold. */
export const conformanceCase = (name: string, check: () => Promise<void>): ConformanceCase => ({
  name,
  async run() {
    try {
      await check()
    } catch (error) {
      throw new Error(`${name}: ${messageOf(error)}`, { cause: error })
    }
  },
})

/** Throws unless a suite, or what makes one, was given a function; suites of nothing would pass. */
export function requireFunction(value: unknown, what: string): void {
  if (typeof value !== 'function')
    throw new TypeError(`${what}, not ${value === null ? 'null' : typeof value}`)
}
