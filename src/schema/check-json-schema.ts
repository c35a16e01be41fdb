import { describeError } from '../errors/describe-error.js'
import type { Violation } from '../errors/violation.js'
import { isRecord } from '../json/is-record.js'
import type { JsonObject, JsonValue } from '../json/json-value.js'
import { REFERENCES } from './dynamic-scopes.js'
import { endlessReference } from './endless-reference.js'
import { draftOf, type KeywordShape, shapeOf } from './json-schema-keywords.js'
import { portablePattern } from './portable-pattern.js'
import { SchemaDocument } from './schema-document.js'
import { pathText, type ValuePath } from './value-path.js'
import { written } from './value-text.js'

const TYPES = new Set<JsonValue>(['string', 'number', 'integer', 'boolean', 'null', 'object', 'array'])
const TEXTS = ['$id', '$anchor', '$dynamicAnchor', '$ref', '$dynamicRef']

const isList = (value: JsonValue): value is readonly JsonValue[] => Array.isArray(value)
const isNames = (value: JsonValue | undefined): boolean =>
  value !== undefined && isList(value) && value.every(name => typeof name === 'string')
const isSchema = (value: JsonValue): boolean => typeof value === 'boolean' || isRecord(value)

function typesFault(value: JsonValue): string | undefined {
  const types = isList(value) ? value : [value]
  const stray = types.find(type => !TYPES.has(type))
  if (stray !== undefined) return `must be a JSON type or a list of them, got ${written(stray)}`
  return types.length === 0 ? 'must not be an empty list' : undefined
}

function shapeFault(shape: KeywordShape, value: JsonValue): string | undefined {
  const unless = (holds: boolean, expected: string): string | undefined =>
    holds ? undefined : `must be ${expected}, got ${written(value)}`
  switch (shape) {
    case 'types':
      return typesFault(value)
    case 'values':
      return unless(isList(value), 'an array')
    case 'number':
      return unless(typeof value === 'number', 'a number')
    case 'positive':
      return unless(typeof value === 'number' && value > 0, 'a number above 0')
    case 'count':
      return unless(Number.isInteger(value) && Number(value) >= 0, 'a whole number of at least 0')
    case 'boolean':
      return unless(typeof value === 'boolean', 'true or false')
    case 'names':
      return unless(isNames(value), 'an array of property names')
    case 'nameMap':
      return unless(isRecord(value) && Object.values(value).every(isNames), 'a map of arrays of names')
    case 'pattern':
      if (typeof value !== 'string') return `must be a regular expression, got ${written(value)}`
      return unless(portablePattern(value) !== undefined, 'a regular expression that compiles')
    case 'schemas':
      return unless(isList(value) && value.length > 0, 'a non-empty array of schemas')
    case 'schemaMap':
    case 'dependencies':
      return unless(isRecord(value), 'a map of schemas')
    default:
      return undefined
  }
}

class Check {
  readonly violations: Violation[] = []
  readonly #document: SchemaDocument
  readonly #references: readonly string[]

  constructor(document: SchemaDocument) {
    this.#document = document
    this.#references = REFERENCES[document.draft]
  }

  run(root: JsonObject): void {
    // References may lead to schemas that only they reach: the list grows while it is read.
    const { nodes } = this.#document
    for (let i = 0; i < nodes.length; i++) {
      const { node, path } = nodes[i] as (typeof nodes)[number]
      if (isRecord(node)) this.#node(node, path)
      else if (!isSchema(node)) this.#fault(path, `must be a schema, got ${written(node)}`)
    }
    // Where references are broken, what they would lead to cannot be told.
    if (this.violations.length === 0) this.#ends(root)
  }

  #ends(root: JsonObject): void {
    try {
      const endless = endlessReference(this.#document, root)
      if (endless !== undefined) this.#fault(endless.path, 'leads back to itself: checking would never end')
    } catch (error) {
      this.#fault(undefined, `cannot be used: ${describeError(error)}`)
    }
  }

  #fault(path: ValuePath | undefined, problem: string): void {
    const text = pathText('schema', path)
    this.violations.push({ path: text, message: `${text} ${problem}` })
  }

  #node(node: JsonObject, path: ValuePath | undefined): void {
    for (const key of Object.keys(node)) {
      const value = node[key] as JsonValue
      const at = { parent: path, key }
      const shape = shapeOf(key, this.#document.draft)
      const fault = shape === undefined ? undefined : shapeFault(shape, value)
      if (fault !== undefined) this.#fault(at, fault)
      else if (TEXTS.includes(key) && typeof value !== 'string')
        this.#fault(at, `must be a string, got ${written(value)}`)
      else if (this.#references.includes(key)) this.#reference(node, value as string, at)
      else if (key === 'patternProperties') this.#patterns(value as JsonObject, at)
    }
  }

  #reference(node: JsonObject, reference: string, at: ValuePath): void {
    if (this.#document.resolve(reference, node) === undefined)
      this.#fault(at, `refers to ${written(reference)}, which is not in this schema`)
  }

  #patterns(map: JsonObject, at: ValuePath): void {
    for (const pattern of Object.keys(map))
      if (portablePattern(pattern) === undefined)
        this.#fault({ parent: at, key: pattern }, 'is not a regular expression that compiles')
  }
}

/**
 * What keeps a JSON Schema, given as a frozen snapshot, from being used: keywords of the wrong shape, patterns that do not
 * compile, references that lead out of it, nowhere or round in circles. Unknown keywords are annotations. Iterative.
 */
export function checkJsonSchema(schema: JsonObject): readonly Violation[] {
  const draft = draftOf(schema)
  if (draft === undefined) {
    const problem = `is ${written(schema.$schema)}; JSON Schema 2020-12 and draft-07 are supported`
    return [{ path: 'schema.$schema', message: `schema.$schema ${problem}` }]
  }
  const check = new Check(new SchemaDocument(schema, draft))
  check.run(schema)
  return check.violations
}
