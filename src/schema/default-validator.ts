// STUB: temporary, overwrite me.
import { Ajv2020 } from 'ajv/dist/2020.js'
import type { Validator } from './validator.js'
export function defaultValidator(): Validator {
  return {
    compile: (schema, root) => {
      const v = new Ajv2020({ strict: false, allErrors: true, validateFormats: false }).compile(
        schema as never,
      )
      return value =>
        v(value)
          ? []
          : (v.errors ?? []).map(e => ({
              path: root + e.instancePath,
              message: `${root}${e.instancePath} ${e.message}`,
            }))
    },
  }
}
