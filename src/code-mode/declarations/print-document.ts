import { NamedTypes, type Namer } from './named-types.js'
import { createSchemaPrinter } from './print-schema.js'
import { isNode } from './read-schema.js'
import { createRings, type RingOf } from './rings.js'
import { runSteps } from './run-steps.js'
import { CHOICES, REFERENCES, sameValue } from './same-value.js'
import type { SchemaDocument } from './schema-document.js'
import type { Printing } from './schema-printer.js'
import { anyBecause, notedText } from './ts-type.js'

export interface DocumentOptions {
  readonly rootName: string
  readonly namer: Namer
  /** The length up to which a referenced type stands in place. */
  readonly inlineUpTo: number
  readonly openText: string
  /** Indentation of the text. */
  readonly level: number
}

export interface PrintedDocument {
  readonly text: string
  /** The named types that the text needs. */
  readonly declarations: readonly string[]
}

const UNREADABLE = anyBecause('unreadable schema')

/** Prints a schema: the root's type, and the named types behind it. */
export function printDocument(document: SchemaDocument, options: DocumentOptions): PrintedDocument {
  const { root } = document
  const { namer, inlineUpTo, openText } = options
  let rings: RingOf | undefined
  const ringOf: RingOf = schema => {
    rings ??= createRings(node => sameValue(document, node, [...REFERENCES, 'allOf', ...CHOICES]))
    return rings(schema)
  }
  const names = new NamedTypes({ namer, inlineUpTo, ringOf })
  const printer = createSchemaPrinter({ document, names, openText })
  const place = { level: options.level, depth: 0, path: [] }
  // The root counts as a referenced type, so that `#` finds it.
  const first: Printing = isNode(root)
    ? names.refer(
        root,
        options.rootName,
        place,
        inner => printer.print(root, inner),
        Number.POSITIVE_INFINITY,
      )
    : printer.print(root, place)
  const type = runSteps(first, UNREADABLE)
  return { text: notedText(type), declarations: names.declarations() }
}
