import { ajvCheck } from './ajv-validator.js'
import type { Decide } from './explaining-check.js'
import type { LinkedSchema } from './link-schema.js'

/** Lets Ajv decide, except about schemas that it cannot take. */
export function compileDecide(linked: LinkedSchema): Decide | undefined {
  if (linked.namesProto) return undefined
  try {
    return ajvCheck(linked)
  } catch {
    return undefined
  }
}
