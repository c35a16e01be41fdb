import type { JsonObject, JsonValue } from '../../json/json-value.js'
import { isList, isRecord, own } from './json.js'

/** How large a schema is, in what strict modes count. */
export interface SchemaSize {
  /** Declared properties, at every level. */
  readonly properties: number
  /** How deep objects and arrays nest; a root with plain properties has one level. */
  readonly levels: number
  /** Characters of property names, definition names, and values of `enum` and `const`. */
  readonly characters: number
  readonly enumValues: number
  /** Characters of the longest enum of texts among those with more than 250 values. */
  readonly enumCharacters: number
  /** Properties that need not be there. */
  readonly optional: number
  /** Schemas that accept several types. */
  readonly unions: number
}

const MANY = 250
const SAME_LEVEL = ['anyOf', 'oneOf', 'allOf']
const lengthOf = (value: JsonValue): number =>
  typeof value === 'string' ? value.length : String(value).length

/** Counts a lowered schema. Iterative. */
export function measureSchema(schema: JsonObject): SchemaSize {
  const size = {
    properties: 0,
    levels: 0,
    characters: 0,
    enumValues: 0,
    enumCharacters: 0,
    optional: 0,
    unions: 0,
  }
  const waiting: (readonly [node: JsonValue, level: number])[] = [[schema, 1]]
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const [node, level] = next
    if (!isRecord(node)) continue
    const properties = own(node, 'properties')
    if (isRecord(properties)) {
      const names = Object.keys(properties)
      const required = own(node, 'required')
      size.levels = Math.max(size.levels, level)
      size.properties += names.length
      size.optional += names.filter(name => !isList(required) || !required.includes(name)).length
      for (const name of names) {
        size.characters += name.length
        waiting.push([properties[name] as JsonValue, level + 1])
      }
    }
    const values = own(node, 'enum')
    if (isList(values)) {
      size.enumValues += values.length
      const characters = values.reduce<number>((sum, value) => sum + lengthOf(value), 0)
      size.characters += characters
      if (values.length > MANY && values.some(value => typeof value === 'string'))
        size.enumCharacters = Math.max(size.enumCharacters, characters)
    }
    if (Object.hasOwn(node, 'const')) size.characters += lengthOf(node.const as JsonValue)
    if (isList(own(node, 'type')) || isList(own(node, 'anyOf'))) size.unions++
    for (const key of SAME_LEVEL) {
      const branches = own(node, key)
      if (isList(branches)) for (const branch of branches) waiting.push([branch, level])
    }
    if (Object.hasOwn(node, 'items')) waiting.push([node.items as JsonValue, level + 1])
    const defs = own(node, '$defs')
    if (isRecord(defs))
      for (const [name, definition] of Object.entries(defs)) {
        size.characters += name.length
        waiting.push([definition, 1])
      }
  }
  return size
}
