import type { JsonValue } from '../json/json-value.js'
import { ajvCheck } from './ajv-validator.js'
import type { Decide } from './explaining-check.js'
import type { LinkedSchema } from './link-schema.js'

// Ajv compares objects by what these inherited names would be.
const ODD_NAMES = ['constructor', 'toString', 'valueOf']

function hasOddName(value: JsonValue): boolean {
  const waiting: JsonValue[] = [value]
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (typeof next !== 'object' || next === null) continue
    const node = next
    if (!Array.isArray(node) && ODD_NAMES.some(name => Object.hasOwn(node, name))) return true
    for (const part of Object.values(node)) waiting.push(part)
  }
  return false
}

/** Lets Ajv decide, except about the few schemas and values that it gets wrong or cannot take. */
export function compileDecide(linked: LinkedSchema, interpret: Decide): Decide {
  if (linked.isBeyondAjv) return interpret
  try {
    const check = ajvCheck(linked)
    if (!linked.comparesContainers) return check
    return value => (hasOddName(value) ? interpret(value) : check(value))
  } catch {
    return interpret
  }
}
