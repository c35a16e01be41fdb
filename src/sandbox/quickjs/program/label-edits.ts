import type { Edit } from './edited-text.js'
import { hasLineBreak } from './line-breaks.js'
import { KIND } from './parse-source.js'
import type { SourceScope, SourceToken } from './source-token.js'
import type { UnsupportedSyntax } from './unsupported-syntax.js'

/** The label right before the loop, and where the loop ends. */
interface LabelledLoop {
  readonly label: SourceToken
  readonly endTokenIndex: number
}

/** Units of text for all labels that are written again. */
const MOST_WRITTEN = 200_000
const TOO_LONG =
  'the label of this loop is too long to be written again at each continue: give it a short name'

const LOOPS: ReadonlySet<number | undefined> = new Set([KIND._for, KIND._while, KIND._do])

/** Loops with labels, by the index of each label; none where no loop has more than one. */
function labelledLoops(
  tokens: readonly SourceToken[],
  scopes: readonly SourceScope[],
): ReadonlyMap<number, LabelledLoop> {
  const loops = new Map<number, LabelledLoop>()
  let hasOuter = false
  for (const { startTokenIndex: at, endTokenIndex, isFunctionScope } of scopes) {
    if (isFunctionScope || tokens[at]?.type !== KIND.name || tokens[at + 1]?.type !== KIND.colon) continue
    const inner = loops.get(at + 2)
    if (inner !== undefined) {
      loops.set(at, inner)
      hasOuter = true
    } else if (LOOPS.has(tokens[at + 2]?.type))
      loops.set(at, { label: tokens[at] as SourceToken, endTokenIndex })
  }
  return hasOuter ? loops : new Map()
}

/**
 * Edits after which each loop that is gone on with is called by the last of its labels: to the engine only that one is the
 * label of a loop.
 */
export function labelEdits(
  text: string,
  tokens: readonly SourceToken[],
  scopes: readonly SourceScope[],
): readonly Edit[] | UnsupportedSyntax {
  const labelled = labelledLoops(tokens, scopes)
  if (labelled.size === 0) return []
  const edits: Edit[] = []
  let written = 0
  const word = ({ start, end }: SourceToken): string => text.slice(start, end)
  /** The loops around a token by their labels, inner ones last. */
  const around = new Map<string, LabelledLoop[]>()
  for (const [i, token] of tokens.entries()) {
    const begun = labelled.get(i)
    if (begun !== undefined) {
      const same = around.get(word(token))
      if (same === undefined) around.set(word(token), [begun])
      else same.push(begun)
    }
    const name = tokens[i + 1]
    if (token.type !== KIND._continue || name === undefined || name.type !== KIND.name) continue
    const loops = around.get(word(name)) ?? []
    while (loops.length > 0 && (loops.at(-1) as LabelledLoop).endTokenIndex <= i) loops.pop()
    const loop = loops.at(-1)
    // On a line of its own it is a statement.
    if (loop === undefined || hasLineBreak(text, token.end, name.start)) continue
    written += loop.label.end - loop.label.start
    if (written > MOST_WRITTEN) return { message: TOO_LONG, at: loop.label.start }
    edits.push({ start: name.start, end: name.end, text: word(loop.label) })
  }
  return edits
}
