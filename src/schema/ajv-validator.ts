import { Ajv, type Options } from 'ajv'
import { Ajv2020 } from 'ajv/dist/2020.js'
import type { JsonValue } from '../json/json-value.js'
import { hasEqualItems } from './equal-items.js'
import { isMultipleOf } from './is-multiple-of.js'
import type { SchemaDraft } from './json-schema-keywords.js'
import type { LinkedSchema } from './link-schema.js'

const OPTIONS: Options = {
  strict: false,
  validateSchema: false,
  validateFormats: false,
  meta: false,
  logger: false,
  addUsedSchema: false,
  messages: false,
  // Own keys only: `toString` is no property of every object.
  ownProperties: true,
}

// An instance keeps the code of all it has compiled. Starting anew now and then lets go of schemas nobody uses any more.
const SCHEMAS_PER_INSTANCE = 100

const instances = new Map<SchemaDraft, { ajv: Ajv | Ajv2020; compiled: number }>()

// Ajv rounds where decimals must be exact, and compares each item with each, which a long array turns against the host.
function createAjv(draft: SchemaDraft): Ajv | Ajv2020 {
  const ajv = draft === '7' ? new Ajv(OPTIONS) : new Ajv2020(OPTIONS)
  ajv.removeKeyword('multipleOf').removeKeyword('uniqueItems')
  ajv.addKeyword({
    keyword: 'multipleOf',
    type: 'number',
    errors: false,
    compile: divisor => value => isMultipleOf(value, divisor),
  })
  ajv.addKeyword({
    keyword: 'uniqueItems',
    type: 'array',
    errors: false,
    compile: unique => items => !unique || !hasEqualItems(items),
  })
  return ajv
}

function instanceFor(draft: SchemaDraft): Ajv | Ajv2020 {
  let current = instances.get(draft)
  if (current === undefined || current.compiled >= SCHEMAS_PER_INSTANCE) {
    current = { ajv: createAjv(draft), compiled: 0 }
    instances.set(draft, current)
  }
  current.compiled++
  return current.ajv
}

/** Compiles a schema into a function that says yes or no. Throws what Ajv throws for schemas that it cannot take. */
export function ajvCheck({ draft, schema }: LinkedSchema): (value: JsonValue) => boolean {
  const ajv = instanceFor(draft)
  try {
    const validate = ajv.compile(schema)
    return value => validate(value) === true
  } finally {
    ajv.removeSchema(schema)
  }
}
