import { describeError } from '../errors/describe-error.js'
import type { Violation } from '../errors/violation.js'
import type { JsonObject, JsonValue } from '../json/json-value.js'
import type { Validator } from './validator.js'

type Check = (value: JsonValue) => readonly Violation[]
type Compile = (schema: JsonObject, root: string) => Check

let compile: Compile | undefined
let loading: Promise<Compile> | undefined

// None of this is loaded before a schema is first used, nor Ajv at all where it could not run.
async function load(): Promise<Compile> {
  const [{ explainingCheck, interpretOnly }, { canGenerateCode }] = await Promise.all([
    import('./explaining-check.js'),
    import('./code-generation.js'),
  ])
  const decide = canGenerateCode() ? (await import('./compile-decide.js')).compileDecide : interpretOnly
  compile = (schema, root) => explainingCheck(schema, root, decide)
  return compile
}

/** A failed load is tried again at the next use. */
function loaded(): Promise<Compile> {
  loading ??= load().catch(error => {
    loading = undefined
    throw error
  })
  return loading
}

/**
 * The validator of JSON Schema, drafts 2020-12 and 07. It is loaded and a schema compiled when a schema is first used; from
 * then on checks answer at once. `format` annotates only. Total: a schema that cannot be used is a violation.
 */
export function defaultValidator(): Validator {
  return {
    compile(schema, root) {
      let check: Check | undefined
      const unavailable = (error: unknown): readonly Violation[] => [
        {
          path: root,
          message: `${root} could not be checked: no validator could be loaded (${describeError(error)})`,
        },
      ]
      return value => {
        if (compile !== undefined) {
          check ??= compile(schema, root)
          return check(value)
        }
        return loaded().then(ready => {
          check ??= ready(schema, root)
          return check(value)
        }, unavailable)
      }
    },
  }
}
