import { isLosslessJson, snapshotJson, ToolgateError } from 'toolgate'
import { expect } from 'vitest'

/** Code and message of a value's refusal. */
export function refusal(value: unknown): { code: string; message: string } {
  try {
    snapshotJson(value)
  } catch (error) {
    if (ToolgateError.isInstance(error)) return { code: error.code, message: error.message }
    throw error
  }
  throw new Error('it was taken')
}

/** Expects that JSON cannot carry the value. */
export function refuses(value: unknown): void {
  expect(isLosslessJson(value)).toBe(false)
  expect(refusal(value).code).toBe('ARGUMENTS_NOT_JSON')
}

/** Expects that JSON carries the value as it is. */
export function takes(value: unknown): void {
  expect(isLosslessJson(value)).toBe(true)
  expect(snapshotJson(value)).toEqual(value)
}

export function revokedProxy(target: object): object {
  const { proxy, revoke } = Proxy.revocable(target, {})
  revoke()
  return proxy
}

/** Lists in lists. */
export function nest(levels: number): unknown {
  let value: unknown = 1
  for (let i = 0; i < levels; i++) value = [value]
  return value
}
