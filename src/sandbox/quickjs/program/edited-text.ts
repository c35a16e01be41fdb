import { countBelow } from '../../count-below.js'

/** Other words for a stretch of a text. Empty stretches are insertions. */
export interface Edit {
  readonly start: number
  readonly end: number
  text: string
}

/** A text with edits made, and the way back. */
export interface EditedText {
  readonly text: string
  /** The offset before the edits of one after them. */
  toSource(offset: number): number
}

/** Makes edits that are in order and do not overlap. */
export function editText(source: string, edits: readonly Edit[]): EditedText {
  let text = ''
  let done = 0
  for (const edit of edits) {
    text += source.slice(done, edit.start) + edit.text
    done = edit.end
  }
  text += source.slice(done)
  // Only a failure looks a place up, and most programs do not fail.
  let starts: readonly number[] | undefined
  const placesOfEdits = (): readonly number[] => {
    let grown = 0
    return edits.map(({ start, end, text: { length } }) => {
      const at = start + grown
      grown += length - (end - start)
      return at
    })
  }
  return {
    text,
    toSource(offset) {
      const begun = starts ?? placesOfEdits()
      starts = begun
      const count = countBelow(begun.length, offset + 1, index => begun[index] as number)
      const edit = edits[count - 1]
      if (edit === undefined) return offset
      const within = offset - (begun[count - 1] as number)
      return within < edit.text.length
        ? Math.min(edit.start + within, edit.end)
        : edit.end + within - edit.text.length
    },
  }
}
