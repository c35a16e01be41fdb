const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Draws numbers below a bound. */
export type Draw = (bound: number) => number

/** A draw that repeats itself for a seed. */
export function seededDraw(seed: number): Draw {
  let state = seed >>> 0 || 1
  return bound => {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    return (state >>> 0) % bound
  }
}

const SCALARS: Record<string, unknown[]> = {
  string: ['a', 'b', 'x-1', ''],
  number: [0, 1.5, -1],
  integer: [0, 1, 2],
  boolean: [true, false],
  null: [null],
}

/** A value that probably satisfies the schema; whether it does is for the validator to say. */
export function instanceOf(schema: unknown, root: Record<string, unknown>, draw: Draw, depth = 0): unknown {
  const pick = <T>(list: readonly T[]): T => list[draw(list.length)] as T
  if (!isObject(schema) || depth > 8) return pick(['a', 0, null, [], {}])
  if ('const' in schema) return schema.const
  if (Array.isArray(schema.enum)) return pick(schema.enum)
  const parts: unknown[] = []
  for (const keyword of ['anyOf', 'oneOf']) {
    const list = schema[keyword]
    if (Array.isArray(list) && list.length > 0) parts.push(pick(list))
  }
  if (Array.isArray(schema.allOf)) parts.push(...schema.allOf)
  if (typeof schema.$ref === 'string') parts.push(targetOf(schema.$ref, root))
  const merged = parts.map(part => instanceOf(part, root, draw, depth + 1))
  const type = schema.type ?? (merged.length > 0 ? undefined : 'object')
  if (type === undefined) return combine(merged)
  const name = pick([type].flat() as string[])
  if (name === 'object') return combine([objectOf(schema, root, draw, depth), ...merged])
  if (name === 'array') return arrayOf(schema, root, draw, depth)
  return pick(SCALARS[name] ?? [null])
}

function targetOf(ref: string, root: Record<string, unknown>): unknown {
  const path = ref === '#anchored' ? ['$defs', 'closed'] : ref.split('/').slice(1)
  return path.reduce<unknown>((node, key) => (isObject(node) ? node[key] : undefined), root)
}

function combine(values: unknown[]): unknown {
  const objects = values.filter(isObject)
  return objects.length > 0 ? Object.assign({}, ...objects) : values.at(-1)
}

function objectOf(
  schema: Record<string, unknown>,
  root: Record<string, unknown>,
  draw: Draw,
  depth: number,
): unknown {
  const result: Record<string, unknown> = {}
  const required = Array.isArray(schema.required) ? schema.required : []
  const properties = isObject(schema.properties) ? schema.properties : {}
  for (const [key, sub] of Object.entries(properties)) {
    if (required.includes(key) || draw(3) > 0) result[key] = instanceOf(sub, root, draw, depth + 1)
  }
  const extra = isObject(schema.additionalProperties) ? schema.additionalProperties : {}
  for (const key of required) if (!(key in result)) result[key] = instanceOf(extra, root, draw, depth + 1)
  if (draw(3) === 0) result[['c', 'x-2', 'zz'][draw(3)] as string] = instanceOf(extra, root, draw, depth + 1)
  return result
}

function arrayOf(
  schema: Record<string, unknown>,
  root: Record<string, unknown>,
  draw: Draw,
  depth: number,
): unknown {
  const head = Array.isArray(schema.prefixItems) ? schema.prefixItems : []
  const result = []
  const length = draw(4)
  for (let index = 0; index < length; index++) {
    result.push(instanceOf(index < head.length ? head[index] : schema.items, root, draw, depth + 1))
  }
  return result
}
