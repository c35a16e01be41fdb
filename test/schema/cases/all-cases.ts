import { DRAFT_CASES } from './draft-cases.js'
import { MESSAGE_CASES } from './message-cases.js'
import { REFERENCE_CASES } from './reference-cases.js'
import type { SchemaCase } from './schema-case.js'

export const ALL_CASES: readonly SchemaCase[] = [...DRAFT_CASES, ...REFERENCE_CASES, ...MESSAGE_CASES]
