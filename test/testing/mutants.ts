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

/** The failures of a suite, each in a line that begins with the sentence that does not hold. */
export async function failuresOf(cases: readonly ConformanceCase[]): Promise<string[]> {
  const failures: string[] = []
  for (const each of cases) {
    const message = await messageOf(each)
    if (message === undefined) continue
    expect(message.startsWith(`${each.name}: `)).toBe(true)
    failures.push(message)
  }
  return failures
}

/** Throws unless a suite fails, with the rule that is broken in the first words of a failure. */
export async function expectCaught(cases: readonly ConformanceCase[], rule: RegExp): Promise<void> {
  const failures = await failuresOf(cases)
  if (!failures.some(failure => rule.test(failure)))
    throw new Error(`no failure says ${rule} of:\n${failures.join('\n') || 'none at all'}`)
}
