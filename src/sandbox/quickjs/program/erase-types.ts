import { awaitLoopEdits, type LoopMaker } from './await-loops.js'
import { ClassMembers, MODIFIERS } from './class-members.js'
import { type Edit, type EditedText, editText } from './edited-text.js'
import { labelEdits } from './label-edits.js'
import { missingSyntax } from './missing-syntax.js'
import { moduleEdits } from './module-syntax.js'
import { findNamespaceValue } from './namespace-values.js'
import { parameterClosureEdits } from './parameter-closures.js'
import { KIND, type ParsedSource, WORD } from './parse-source.js'
import type { SourceToken } from './source-token.js'
import { endOfTypeRun, typeRunEdit } from './type-run.js'
import { isUnsupported, type UnsupportedSyntax } from './unsupported-syntax.js'
import { enumEdits, type KnownEnums, knownEnums } from './write-enum.js'

/** A program without its types. */
export interface ErasedText extends EditedText {
  /** True if the program returns what it exported as its default, and that is no class. */
  readonly callsDefault: boolean
  /** What must stand around it. */
  readonly loopMaker: LoopMaker | undefined
}

/** Kinds that are looked at; all others are copied. */
const LOOKED_AT = new Uint8Array(1 << 17)
const lookAt = (kinds: Iterable<number | undefined>): void => {
  for (const kind of kinds) LOOKED_AT[kind as number] = 1
}
lookAt(MODIFIERS)
lookAt([KIND._class, KIND._extends, KIND.braceL, KIND.braceR, KIND.parenR, KIND._super, KIND.name])
lookAt([KIND._enum, KIND._const, KIND._import, KIND._export, KIND.nonNullAssertion])
lookAt([
  KIND.dollarBraceL,
  KIND.lessThan,
  KIND.preIncDec,
  KIND.postIncDec,
  KIND.regexp,
  KIND.backQuote,
  KIND.at,
])

const FENCE = 'a fence (```) stands in the program: send what is in it, and nothing around it'
const SPLIT_SHIFT = 'put what << works on into parentheses: (value as Type) << count'

/** Takes the types off a text that has been parsed: nothing moves but what must, and every line says what it said. */
export function eraseTypes(text: string, { tokens, scopes }: ParsedSource): ErasedText | UnsupportedSyntax {
  const loops = awaitLoopEdits(text, tokens, scopes)
  const parameters = parameterClosureEdits(text, tokens, scopes)
  if (isUnsupported(parameters)) return parameters
  const labels = labelEdits(text, tokens, scopes)
  if (isUnsupported(labels)) return labels
  const edits: Edit[] = [...parameters.edits, ...(loops?.edits ?? []), ...labels]
  const classes = new ClassMembers(text, tokens, edits)
  /** Objects that are put into parentheses. */
  const objects: number[] = []
  /** The names of the enums in each open block. */
  const enums: (Set<string> | undefined)[] = [undefined]
  /** What is written last where edits meet. */
  const last: Edit[] = [...parameters.last, ...(loops?.last ?? [])]
  let allEnums: KnownEnums | undefined
  let exported: 'value' | 'class' | undefined
  let isInOrder = edits.length === 0
  let i = 0
  while (i < tokens.length) {
    const token = tokens[i] as SourceToken
    const { type, start, end } = token
    if (token.isType) {
      const from = i
      i = endOfTypeRun(text, tokens, from)
      const fault = findNamespaceValue(text, tokens, from, i)
      if (fault !== undefined) return fault
      edits.push(typeRunEdit(text, tokens, from, i))
      const next = tokens[i]
      // An object after a type would be a block where a statement may stand.
      if (
        token.type === KIND.lessThan &&
        next !== undefined &&
        next.type === KIND.braceL &&
        next.contextId !== null &&
        !next.isType &&
        !classes.isBody(next)
      ) {
        edits.push({ start: next.start, end: next.start, text: '(' })
        objects.push(next.contextId)
      }
      continue
    }
    i += 1
    if (LOOKED_AT[type] === 0) continue
    if (type === KIND.braceL || type === KIND.dollarBraceL) enums.push(undefined)
    else if (type === KIND.braceR) enums.pop()
    if (MODIFIERS.has(type)) {
      const next = classes.takeModifiers(i - 1)
      if (typeof next !== 'number') return next
      i = next
    } else if (type === KIND.nonNullAssertion) edits.push({ start, end, text: ' ' })
    else if (type === KIND._class) classes.enter(token)
    else if (type === KIND._enum || (type === KIND._const && tokens[i]?.type === KIND._enum)) {
      const known = enums.pop() ?? new Set()
      enums.push(known)
      allEnums ??= knownEnums(text, tokens)
      const made = enumEdits(text, tokens, i - 1, known, allEnums)
      if (isUnsupported(made)) return made
      for (const edit of made) edits.push(edit)
      isInOrder = false
      if (type === KIND._const) i += 1
    } else if (type === KIND._import || type === KIND._export) {
      const made = moduleEdits(text, tokens, i - 1, exported !== undefined)
      if (made === undefined) continue
      if (isUnsupported(made)) return made
      edits.push(...made.edits)
      last.push(...made.last)
      i = made.next
      exported ??= made.exports
      isInOrder &&= made.exports === undefined
    } else if (type === KIND.lessThan) {
      // The parser splits the sign when a type stands before it.
      if (text[end] === '<') return { message: SPLIT_SHIFT, at: start }
      // The engine takes this for a comment, as pages do.
      if (text.startsWith('<!--', start)) edits.push({ start: end, end, text: ' ' })
    } else if (type === KIND.regexp) {
      // Where a function is not async, the engine takes the word for a name and the sign for a division.
      if (tokens[i - 2]?.contextualKeyword === WORD._await)
        edits.push({ start, end: start, text: '(' }, { start: end, end, text: ')' })
    } else if (type === KIND.backQuote) {
      // Three templates in a row, as the language has it, and never meant so.
      if (text.startsWith('```', start)) return { message: FENCE, at: start }
    } else if (type === KIND.preIncDec || type === KIND.postIncDec) {
      if (text.startsWith('-->', start)) edits.push({ start: end, end, text: ' ' })
    } else {
      if (type === KIND.braceR && objects.length > 0 && token.contextId === objects.at(-1)) {
        objects.pop()
        edits.push({ start: end, end, text: ')' })
      }
      const fault = missingSyntax(text, tokens, i - 1) ?? classes.see(i - 1)
      if (fault !== undefined) return fault
    }
  }
  edits.push(...last)
  if (!isInOrder) edits.sort((a, b) => a.start - b.start || a.end - b.end)
  return { ...editText(text, edits), callsDefault: exported === 'value', loopMaker: loops?.maker }
}
