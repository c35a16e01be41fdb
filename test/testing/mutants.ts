import type { ConformanceCase } from 'toolgate/testing'
import { expect } from 'vitest'

/** Longer than a case takes that ends. */
const PATIENCE_MS = 8_000

async function messageOf({ name, run }: ConformanceCase): Promise<string | undefined> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`${name}: it does not end`)), PATIENCE_MS)
  })
  try {
    await Promise.race([run(), late])
    return undefined
  } catch (error) {
    return (error as Error).message
  } finally {
    clearTimeout(timer)
  }
}

/** The failures of a suite as they come, each in a line that begins with the sentence that does not hold. */
async function* failing(cases: readonly ConformanceCase[]): AsyncGenerator<string> {
  for (const each of cases) {
    const message = await messageOf(each)
    if (message === undefined) continue
    expect(message.startsWith(`${each.name}: `)).toBe(true)
    yield message
  }
}

/** All failures of a suite. */
export async function failuresOf(cases: readonly ConformanceCase[]): Promise<string[]> {
  const failures: string[] = []
  for await (const failure of failing(cases)) failures.push(failure)
  return failures
}

/** Throws unless a suite fails, with the rule that is broken in a failure. */
export async function expectCaught(cases: readonly ConformanceCase[], rule: RegExp): Promise<void> {
  const failures: string[] = []
  for await (const failure of failing(cases)) {
    if (rule.test(failure)) return
    failures.push(failure)
  }
  throw new Error(`no failure says ${rule} of:\n${failures.join('\n') || 'none at all'}`)
}
