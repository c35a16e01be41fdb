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
      starts ??= placesOfEdits()
      let low = 0
      let high = starts.length
      while (low < high) {
        const middle = (low + high) >>> 1
        if ((starts[middle] as number) <= offset) low = middle + 1
        else high = middle
      }
      const edit = edits[low - 1]
      if (edit === undefined) return offset
      const within = offset - (starts[low - 1] as number)
      return within < edit.text.length
        ? Math.min(edit.start + within, edit.end)
        : edit.end + within - edit.text.length
    },
  }
}
