import { anthropicMessages } from 'toolgate/anthropic'
import { googleContent } from 'toolgate/google'
import { openAiChat, type ToolSource, type WireFinding } from 'toolgate/openai'

type Json = any

/** A wire with the schema of its first tool, and a call of it read back. */
export interface SchemaWire {
  readonly findings: readonly WireFinding[]
  readonly schema: Json
  readonly strict: boolean
  /** The arguments of a call as the registry gets them. */
  decode(args: unknown): unknown
}

const parsed = (value: unknown): unknown => (typeof value === 'string' ? JSON.parse(value) : value)

function openAi(source: ToolSource, strict: boolean): SchemaWire {
  const wire = openAiChat(source, { strict })
  const [tool] = wire.tools()
  return {
    findings: wire.findings(),
    schema: tool?.function.parameters,
    strict: tool?.function.strict === true,
    decode(args) {
      const call = {
        id: 'a',
        type: 'function',
        function: { name: tool?.function.name, arguments: JSON.stringify(args) },
      }
      return parsed(wire.turn({ choices: [{ message: { tool_calls: [call] } }] }).calls[0]?.arguments)
    },
  }
}

function anthropic(source: ToolSource, strict: boolean): SchemaWire {
  const wire = anthropicMessages(source, { strict })
  const [tool] = wire.tools()
  return {
    findings: wire.findings(),
    schema: tool?.input_schema,
    strict: tool?.strict === true,
    decode: args =>
      parsed(
        wire.turn({ content: [{ type: 'tool_use', id: 'a', name: tool?.name, input: args }] }).calls[0]
          ?.arguments,
      ),
  }
}

function google(source: ToolSource, schema: 'openapi' | 'json-schema'): SchemaWire {
  const wire = googleContent(source, { schema })
  const [tool] = wire.tools()[0]?.functionDeclarations ?? []
  return {
    findings: wire.findings(),
    schema: tool?.parameters ??
      tool?.parametersJsonSchema ?? { type: schema === 'openapi' ? 'OBJECT' : 'object' },
    strict: false,
    decode: args =>
      parsed(
        wire.turn({ candidates: [{ content: { parts: [{ functionCall: { name: tool?.name, args } }] } }] })
          .calls[0]?.arguments,
      ),
  }
}

/** Every wire that there is, by name. */
export const WIRES: { readonly [name: string]: (source: ToolSource) => SchemaWire } = {
  openai: source => openAi(source, false),
  'openai, strict': source => openAi(source, true),
  anthropic: source => anthropic(source, false),
  'anthropic, strict': source => anthropic(source, true),
  'google, openapi': source => google(source, 'openapi'),
  'google, json-schema': source => google(source, 'json-schema'),
}

const COUNTS = ['minItems', 'maxItems', 'minLength', 'maxLength', 'minProperties', 'maxProperties']

/** A schema in the words of OpenAPI 3.0 as JSON Schema, as the specification of OpenAPI reads it. */
export function fromOpenApi(node: Json): Json {
  if (Array.isArray(node)) return node.map(fromOpenApi)
  const { nullable, propertyOrdering, type, properties, items, anyOf, ...rest } = node
  for (const key of COUNTS) if (key in rest) rest[key] = Number(rest[key])
  const out: Json = { ...rest }
  if (type) out.type = nullable && type !== 'NULL' ? [type.toLowerCase(), 'null'] : type.toLowerCase()
  if (nullable && out.enum) out.enum = [...out.enum, null]
  if (properties)
    out.properties = Object.fromEntries(
      Object.entries(properties).map(([key, each]) => [key, fromOpenApi(each)]),
    )
  if (items) out.items = fromOpenApi(items)
  if (anyOf) out.anyOf = anyOf.map(fromOpenApi)
  return out
}

const LOOSE_ROOT: { readonly [name: string]: readonly string[] } = {
  openai: ['oneOf', 'anyOf', 'allOf', 'enum', 'const', 'not'],
  anthropic: ['oneOf', 'anyOf', 'allOf'],
}

function* nodes(node: Json, path: string): Generator<readonly [Json, string]> {
  if (typeof node !== 'object' || node === null || Array.isArray(node)) return
  yield [node, path]
  for (const key of ['properties', '$defs', 'patternProperties', 'dependentSchemas'])
    for (const [name, child] of Object.entries(node[key] ?? {})) yield* nodes(child, `${path}/${key}/${name}`)
  for (const key of ['anyOf', 'oneOf', 'allOf', 'prefixItems'])
    for (const [i, child] of (node[key] ?? []).entries()) yield* nodes(child, `${path}/${key}/${i}`)
  for (const key of [
    'items',
    'additionalProperties',
    'not',
    'if',
    'then',
    'else',
    'contains',
    'propertyNames',
  ])
    yield* nodes(node[key], `${path}/${key}`)
}

const has = (node: Json, keys: string): boolean => keys.split(' ').some(key => Object.hasOwn(node, key))
const only = (node: Json, keys: string): boolean =>
  Object.keys(node).every(key => keys.split(' ').includes(key))

/** What the provider says to one node of a schema; written from its documents, not from our table. */
function complaint(name: string, node: Json, isRoot: boolean): string | undefined {
  const types = [node.type].flat()
  const properties = Object.keys(node.properties ?? {})
  const isObject = types.includes('object') || types.includes('OBJECT')
  if (name in LOOSE_ROOT && isRoot)
    return has(node, (LOOSE_ROOT[name] ?? []).join(' ')) || node.type !== 'object' ? 'root' : undefined
  if (name === 'openai' && types.includes('array') && !has(node, 'items prefixItems'))
    return 'array without items'
  if (name.startsWith('anthropic') && properties.some(key => !/^[\w.-]{1,64}$/.test(key)))
    return 'property name'
  if (name.endsWith('strict')) {
    if (isRoot && (node.type !== 'object' || has(node, 'anyOf enum const'))) return 'root'
    if (!has(node, 'type anyOf enum const $ref')) return 'no type'
    if (
      has(
        node,
        'oneOf allOf not if then else prefixItems contains patternProperties propertyNames dependentRequired minLength maxLength uniqueItems',
      )
    )
      return 'unsupported keyword'
    if (has(node, '$ref') && Object.keys(node).length > 1) return 'beside a reference'
    if (isObject && node.additionalProperties !== false) return 'open object'
    if (types.includes('array') && !has(node, 'items')) return 'array without items'
    const required = node.required ?? []
    if (name === 'openai, strict' && isObject && properties.some(key => !required.includes(key)))
      return 'optional'
    if (isObject && required.some((key: string) => !properties.includes(key)))
      return 'required but not declared'
    if (name === 'anthropic, strict' && has(node, 'minimum maximum exclusiveMinimum multipleOf maxItems'))
      return 'bound'
  }
  if (name === 'google, openapi') {
    if (
      !only(
        node,
        'type title description nullable enum format pattern default minItems maxItems minLength maxLength minProperties maxProperties minimum maximum properties required propertyOrdering items anyOf',
      )
    )
      return `unknown name in ${Object.keys(node)}`
    if (has(node, 'anyOf')) return only(node, 'anyOf') ? undefined : 'fields beside anyOf'
    if (!['STRING', 'NUMBER', 'INTEGER', 'BOOLEAN', 'ARRAY', 'OBJECT', 'NULL'].includes(node.type))
      return 'type'
    if (node.enum?.some((value: unknown) => typeof value !== 'string' || value === '')) return 'enum'
    if (node.type === 'ARRAY' && !has(node, 'items')) return 'array without items'
    if (isRoot && node.type !== 'OBJECT') return 'root'
    if ((node.required ?? []).some((key: string) => !properties.includes(key)))
      return 'required but not declared'
    if (properties.some(key => !/^[a-zA-Z_]\w{0,63}$/.test(key))) return 'property name'
  }
  if (name === 'google, json-schema') {
    if (
      !only(
        node,
        'type title description format enum minItems maxItems minimum maximum properties required additionalProperties items prefixItems anyOf oneOf $ref $defs',
      )
    )
      return `unknown name in ${Object.keys(node)}`
    if (has(node, '$ref') && Object.keys(node).length > 1) return 'beside a reference'
  }
  return undefined
}

/** Everything that a provider would refuse in a schema that goes out on a wire. */
export const complaints = (name: string, schema: Json): string[] =>
  [...nodes(schema, '#')].flatMap(([node, path]) => {
    const found = complaint(name, node, path === '#')
    return found === undefined ? [] : `${path}: ${found}`
  })
