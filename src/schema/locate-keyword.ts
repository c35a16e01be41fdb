import type { JsonValue } from '../json/json-value.js'
import type { MutableSchema } from './link-schema.js'

/** A keyword that a validator's output points at. */
export interface LocatedKeyword {
  /** The schema that it stands in. */
  readonly owner: { readonly [keyword: string]: JsonValue }
  /** True below `contains`, where items that do not match are no fault. */
  readonly isCounted: boolean
  /** True below `propertyNames`: it is about the name of a property. */
  readonly isName: boolean
}

type Node = { readonly [key: string]: unknown }

const MAPS = new Set(['properties', 'patternProperties', 'dependentSchemas', 'dependencies'])

const ESCAPED = /[%~]/

function decoded(token: string): string {
  try {
    return decodeURIComponent(token)
  } catch {
    return token
  }
}

/** The steps of a location such as `#/a~1b/0`. */
export function pointerTokens(location: string): string[] {
  const tokens = location.split('/').slice(1)
  if (!ESCAPED.test(location)) return tokens
  return tokens.map(token => decoded(token).replaceAll('~1', '/').replaceAll('~0', '~'))
}

function follow(root: MutableSchema, reference: string): Node {
  return pointerTokens(reference).reduce<Node>((node, token) => node[token] as Node, root)
}

/** Finds what a keyword's location names, references included. */
export function locateKeyword(root: MutableSchema, location: string): LocatedKeyword {
  const tokens = pointerTokens(location)
  let owner: Node = root
  let isCounted = false
  let isName = false
  for (let i = 0; i < tokens.length - 1; i++) {
    const keyword = tokens[i] as string
    if (keyword === 'contains') isCounted = true
    if (keyword === 'propertyNames') isName = true
    const under = owner[keyword]
    if (keyword === '$ref') owner = follow(root, under as string)
    else if (MAPS.has(keyword) || Array.isArray(under)) {
      i++
      owner = (under as Node)[tokens[i] as string] as Node
    } else owner = under as Node
  }
  return { owner: owner as LocatedKeyword['owner'], isCounted, isName }
}
