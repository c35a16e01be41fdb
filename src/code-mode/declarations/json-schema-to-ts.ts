import { printDocument } from './print-document.js'
import { openDocument } from './schema-document.js'
import { createNamer } from './type-names.js'

/**
 * Prints a JSON Schema as a TypeScript type, for draft-07 and 2020-12. Never throws: what cannot be read
 * is `JsonValue`, at that place alone.
 *
 * The text is one type expression over `JsonValue`. Where the schema is recursive, or too large to repeat,
 * the expression is followed by the declarations of the named types that it uses, each on lines of its own,
 * so that `type T = ${text}` compiles in either case.
 */
export function jsonSchemaToTs(schema: unknown): string {
  const { text, declarations } = printDocument(openDocument(schema), {
    rootName: 'Root',
    namer: createNamer('Schema'),
    inlineUpTo: 2_000,
    openText: 'Record<string, JsonValue>',
    level: 0,
  })
  return [text, ...declarations].join('\n')
}
