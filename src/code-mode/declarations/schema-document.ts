import { createRefResolver, type RefResolver } from './resolve-ref.js'
import { createReader, type ReadNode } from './schema-draft.js'

/** A schema with how its nodes are to be read and where its references lead. */
export interface SchemaDocument {
  readonly root: unknown
  readonly read: ReadNode
  readonly resolve: RefResolver
}

/** Opens a schema for reading, hostile or not. */
export function openDocument(root: unknown): SchemaDocument {
  const read = createReader(root)
  return { root, read, resolve: createRefResolver(root, read) }
}
