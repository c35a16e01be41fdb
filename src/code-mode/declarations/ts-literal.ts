import { quoteWhole } from '../../errors/quote-name.js'
import { isNode, keysOf, listOf, own } from './read-schema.js'
import { KINDS, NEVER, type TsType, textOf, typeOf } from './ts-type.js'

const MAX_LITERAL_DEPTH = 16
const PLAIN = /^[ !#-[\]-~]*$/
const IDENTIFIER = /^[A-Za-z_$][\w$]*$/

/** A TypeScript string literal; what JSON would leave raw and nobody sees is escaped. */
export function quote(text: string): string {
  if (PLAIN.test(text)) return `"${text}"`
  return quoteWhole(text)
}

/** A property name: bare when an ASCII identifier, else quoted. `new(...)` would be a construct signature. */
export function propertyName(key: string): string {
  return IDENTIFIER.test(key) && key !== 'new' && key !== '__proto__' ? key : quote(key)
}

// What every object inherits, by the library's interface. The compiler takes it for the value of an optional
// property that a literal leaves out.
const INHERITED = new Set(
  'constructor hasOwnProperty isPrototypeOf propertyIsEnumerable toLocaleString toString valueOf'.split(' '),
)

/** An optional property that literals may leave out, whatever its name. */
export function optionalProperty(key: string, type: TsType): string {
  const text = textOf(type)
  if (!INHERITED.has(key)) return `${propertyName(key)}?: ${text}`
  const inherited = `Object["${key}"]`
  return `${key}?: ${type.members.length === 0 ? inherited : `${text} | ${inherited}`}`
}

/** The kind of a JSON value, as a mask of `KINDS`; 0 when it is none. */
export function kindOf(value: unknown): number {
  if (value === null) return 8
  if (listOf(value)) return 16
  if (typeof value === 'number' && !Number.isFinite(value)) return 0
  return KINDS.get(typeof value) ?? 0
}

/** The type whose only value is this one; `never` for what JSON cannot carry. */
export function literalType(value: unknown): TsType {
  const kind = kindOf(value)
  return kind === 0 ? NEVER : typeOf(literalText(value, 0), kind)
}

function literalText(value: unknown, depth: number): string {
  if (typeof value === 'string') return quote(value)
  if (typeof value === 'number' || typeof value === 'boolean' || value === null) return JSON.stringify(value)
  if (depth > MAX_LITERAL_DEPTH || kindOf(value) === 0) return 'JsonValue'
  const list = listOf(value)
  if (list) return `[${list.map(item => literalText(item, depth + 1)).join(', ')}]`
  const keys = keysOf(value)
  if (!isNode(value) || keys.length === 0) return 'Record<string, never>'
  return `{ ${keys.map(key => `${propertyName(key)}: ${literalText(own(value, key), depth + 1)}`).join('; ')} }`
}

/** True when a value of the enum passes the `type` names beside it. */
export function hasTypeName(value: unknown, names: readonly string[]): boolean {
  const kind = kindOf(value)
  return names.some(name => KINDS.get(name) === kind && (name !== 'integer' || Number.isInteger(value)))
}
