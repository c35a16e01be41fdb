import { isNode, listOf, own } from './read-schema.js'
import type { SchemaDocument } from './schema-document.js'

/** The keywords by which a schema refers to another one for the same value. */
export const REFERENCES: readonly string[] = ['$ref', '$dynamicRef', '$recursiveRef']

/** The keywords that list schemas of which any one may hold. */
export const CHOICES: readonly string[] = ['anyOf', 'oneOf']

/** What the reference under a keyword of the node leads to; `undefined` when nowhere. */
export function follow({ read, resolve }: SchemaDocument, node: unknown, keyword = '$ref'): unknown {
  const ref = isNode(node) ? own(read(node), keyword) : undefined
  return typeof ref === 'string' && isNode(node) ? resolve(node, ref)?.schema : undefined
}

/** The schemas that a schema applies to its own value by these keywords, referred to or listed. */
export function sameValue(document: SchemaDocument, node: unknown, keywords: readonly string[]): unknown[] {
  if (!isNode(node)) return []
  const view = document.read(node)
  return keywords.flatMap(keyword => {
    if (!REFERENCES.includes(keyword)) return listOf(own(view, keyword)) ?? []
    const target = follow(document, node, keyword)
    return target === undefined ? [] : [target]
  })
}
