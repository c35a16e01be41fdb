import { comments } from './cases/comments.js'
import { compositions } from './cases/compositions.js'
import { containers } from './cases/containers.js'
import { drafts } from './cases/drafts.js'
import { literals } from './cases/literals.js'
import { malformed } from './cases/malformed.js'
import { references } from './cases/references.js'
import type { SchemaCase } from './cases/schema-case.js'

/** Every kind of schema on which published generators fail, and more of each kind. */
export const SCHEMA_CASES: readonly SchemaCase[] = [
  ...literals,
  ...compositions,
  ...references,
  ...containers,
  ...drafts,
  ...comments,
  ...malformed,
]
