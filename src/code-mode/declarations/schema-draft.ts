import { isNode, keysOf, own, type SchemaNode } from './read-schema.js'

/** Reads a node as the draft of its document means it: without the keywords that mean nothing there. */
export type ReadNode = (node: SchemaNode) => SchemaNode

const REF_OVERRIDES = /\/draft-0[3-7]\/|\/draft\/0[3-7]\//
const WITH_RECURSIVE_REF = /\/draft\/2019-09\//
const UNKNOWN_BEFORE_2019 = new Set(
  'prefixItems unevaluatedItems unevaluatedProperties dependentSchemas dependentRequired minContains maxContains'.split(
    ' ',
  ),
)
// Beside a reference that overrides, words for readers are still worth their place.
const FOR_READERS = new Set('$ref description title deprecated default examples'.split(' '))

/** Creates the reader of a document: the draft that its root names, 2020-12 without one. */
export function createReader(root: unknown): ReadNode {
  const name = isNode(root) ? own(root, '$schema') : undefined
  const draft = typeof name === 'string' ? name : ''
  if (WITH_RECURSIVE_REF.test(draft)) return node => node
  if (!REF_OVERRIDES.test(draft))
    return node =>
      own(node, '$recursiveRef') === undefined ? node : without(node, key => key === '$recursiveRef')
  return node =>
    own(node, '$ref') === undefined
      ? without(node, key => UNKNOWN_BEFORE_2019.has(key) || key === '$recursiveRef')
      : without(node, key => !FOR_READERS.has(key))
}

function without(node: SchemaNode, dropped: (key: string) => boolean): SchemaNode {
  const keys = keysOf(node)
  if (!keys.some(dropped)) return node
  // Own properties by definition, so that no key reaches the prototype.
  return Object.fromEntries(keys.filter(key => !dropped(key)).map(key => [key, own(node, key)]))
}
