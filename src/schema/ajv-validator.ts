import { Ajv, type Options } from 'ajv'
import { Ajv2020 } from 'ajv/dist/2020.js'
import type { JsonValue } from '../json/json-value.js'
import { hasEqualItems } from './equal-items.js'
import { isMultipleOf } from './is-multiple-of.js'
import type { SchemaDraft } from './json-schema-keywords.js'
import type { LinkedSchema } from './link-schema.js'
import { STEP_KEYWORD, Steps } from './steps.js'

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

const instances = new Map<string, { ajv: Ajv | Ajv2020; compiled: number }>()

// Ajv rounds where decimals must be exact, and compares each item with each, which a long array turns against the host.
function createAjv(draft: SchemaDraft, countsEvaluated: boolean): Ajv | Ajv2020 {
  const ajv = draft === '7' ? new Ajv(OPTIONS) : new Ajv2020(OPTIONS)
  // To know what was evaluated it tries every branch, those behind a match too.
  if (!countsEvaluated) ajv.opts.unevaluated = false
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
  // Before all that applies schemas to the same value.
  ajv.addKeyword({
    keyword: STEP_KEYWORD,
    before: '$ref',
    errors: false,
    compile: (take: () => void) => () => {
      take()
      return true
    },
  })
  return ajv
}

function instanceFor({ draft, countsEvaluated }: LinkedSchema): Ajv | Ajv2020 {
  const kind = `${draft} ${countsEvaluated}`
  let current = instances.get(kind)
  if (current === undefined || current.compiled >= SCHEMAS_PER_INSTANCE) {
    current = { ajv: createAjv(draft, countsEvaluated), compiled: 0 }
    instances.set(kind, current)
  }
  current.compiled++
  return current.ajv
}

/** Compiles a schema into a function that says yes or no, or throws `TooManySteps`. Throws what Ajv throws for schemas that it cannot take. */
export function ajvCheck(linked: LinkedSchema): (value: JsonValue) => boolean {
  const { schema } = linked
  const ajv = instanceFor(linked)
  const steps = new Steps()
  const isCounted = steps.countInAjv(schema)
  try {
    const validate = ajv.compile(schema)
    if (!isCounted) return value => validate(value) === true
    return value => steps.hold(value, () => validate(value) === true)
  } finally {
    ajv.removeSchema(schema)
  }
}
