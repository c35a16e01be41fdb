import { CLOSES, KIND, OPENS } from './parse-source.js'
import type { SourceScope, SourceToken } from './source-token.js'

const MAKES_OR_CHANGES = new Set([KIND.arrow, KIND._class, KIND.assign, KIND.preIncDec, KIND.postIncDec])

/** A list of parameters, by the indexes of its brackets' tokens. */
export interface Parameters {
  /** What stands before it, which may be the first token of the function's name: a computed one begins with its bracket. */
  readonly before: number
  readonly open: number
  readonly close: number
  /** The token after the function's last. */
  readonly end: number
}

/** Something in brackets, or what stands outside of all. */
interface Frame {
  readonly before: number
  readonly open: number
  /** The end of the function whose parameters these are. */
  readonly functionEnd: number | undefined
  /** Whether there is a default, and how many signs stand in the parameter that is being read. */
  hasDefault: boolean
  signs: number
  mayMatter: boolean
}

/** Where parameters begin: types may stand before the bracket. */
function functionEnds(tokens: readonly SourceToken[], scopes: readonly SourceScope[]): Map<number, number> {
  // Of each token, the first from it on that is no type: runs of types may be as long as the text, and scopes many.
  const afterTypes = new Uint32Array(tokens.length + 1)
  for (let i = tokens.length - 1; i >= 0; i--)
    afterTypes[i] = (tokens[i] as SourceToken).isType ? (afterTypes[i + 1] as number) : i
  const ends = new Map<number, number>()
  // The last is the whole program's.
  for (const { startTokenIndex, endTokenIndex, isFunctionScope } of scopes.slice(0, -1)) {
    const at = afterTypes[startTokenIndex] as number
    if (isFunctionScope && tokens[at]?.type === KIND.parenL) ends.set(at, endTokenIndex)
  }
  return ends
}

/** One of two signs in a parameter may be no default, but assign something. */
function addSign(frame: Frame): void {
  frame.hasDefault = true
  frame.signs += 1
  frame.mayMatter ||= frame.signs > 1
}

/** Lists of parameters with defaults that may hold a function or assign something; inner ones before those around them. */
export function listsWithDefaults(
  text: string,
  tokens: readonly SourceToken[],
  scopes: readonly SourceScope[],
): readonly Parameters[] {
  const ends = functionEnds(tokens, scopes)
  const found: Parameters[] = []
  const frames: Frame[] = [
    { before: -1, open: -1, functionEnd: undefined, hasDefault: false, signs: 0, mayMatter: false },
  ]
  let previous = -1
  for (let i = 0; i < tokens.length; i++) {
    const { type, isType, start, end } = tokens[i] as SourceToken
    const top = frames.at(-1) as Frame
    if (isType) continue
    const before = previous
    previous = i
    if (type === KIND.comma) top.signs = 0
    else if (type === KIND.eq) addSign(top)
    else if (MAKES_OR_CHANGES.has(type)) top.mayMatter = true
    else if (type === KIND.name) top.mayMatter ||= end - start === 4 && text.startsWith('eval', start)
    else if (OPENS.has(type)) {
      const functionEnd = ends.get(i)
      if (functionEnd !== undefined) top.mayMatter = true
      frames.push({ before, open: i, functionEnd, hasDefault: false, signs: 0, mayMatter: false })
    } else if (CLOSES.has(type) && frames.length > 1) {
      frames.pop()
      if (type === KIND.bracketR) previous = top.open
      const outer = frames.at(-1) as Frame
      if (top.hasDefault) addSign(outer)
      outer.mayMatter ||= top.mayMatter
      if (top.functionEnd !== undefined && top.hasDefault && top.mayMatter)
        found.push({ before: top.before, open: top.open, close: i, end: top.functionEnd })
    }
  }
  return found
}
