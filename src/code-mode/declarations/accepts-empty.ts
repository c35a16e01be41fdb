import { countOf, isNode, keysOf, listOf, own, stringsOf } from './read-schema.js'
import type { RefResolver } from './resolve-ref.js'
import { typeNames } from './schema-kinds.js'

const MAX_DEPTH = 32

/** True when `{}` satisfies the schema: such a tool may be called without arguments. */
export function acceptsEmpty(schema: unknown, resolve: RefResolver, depth = 0): boolean {
  if (schema === true) return true
  if (!isNode(schema) || depth > MAX_DEPTH) return false
  const test = (part: unknown): boolean => acceptsEmpty(part, resolve, depth + 1)
  const names = typeNames(schema)
  if (names && !names.includes('object')) return false
  if (stringsOf(own(schema, 'required')).length > 0 || (countOf(schema, 'minProperties') ?? 0) > 0)
    return false

  const constant = own(schema, 'const')
  const values = constant === undefined ? listOf(own(schema, 'enum')) : [constant]
  if (values && !values.some(value => isNode(value) && keysOf(value).length === 0)) return false

  const ref = own(schema, '$ref') ?? own(schema, '$dynamicRef') ?? own(schema, '$recursiveRef')
  if (ref !== undefined) {
    const found = typeof ref === 'string' ? resolve(schema, ref) : undefined
    if (found && !test(found.schema)) return false
  }
  if (!(listOf(own(schema, 'allOf')) ?? []).every(test)) return false
  const any = listOf(own(schema, 'anyOf'))
  if (any && any.length > 0 && !any.some(test)) return false
  const one = listOf(own(schema, 'oneOf'))
  if (one && one.length > 0 && one.filter(test).length !== 1) return false
  const not = own(schema, 'not')
  if (not !== undefined && test(not)) return false
  const condition = own(schema, 'if')
  if (condition === undefined) return true
  const consequence = own(schema, test(condition) ? 'then' : 'else')
  return consequence === undefined || test(consequence)
}
