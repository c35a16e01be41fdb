import { countBelow } from '../../count-below.js'
import type { Edit } from './edited-text.js'
import { isInert, moveIntoBody, type Parameter, parametersOf } from './move-parameters.js'
import { findNameUses, inOrder, type NameSource, type NamesUsed, type NameUse } from './name-uses.js'
import { listsWithDefaults, type Parameters } from './parameter-lists.js'
import { KIND, WORD } from './parse-source.js'
import type { SourceScope, SourceToken } from './source-token.js'
import type { UnsupportedSyntax } from './unsupported-syntax.js'
import { unusedName } from './unused-name.js'

// The engine keeps a second variable for each parameter of a function with defaults: one that the defaults see, and one that
// the body sees. They differ where a default assigns one, or where a function in a default sees one that the body assigns.
// Parameters with such defaults are therefore taken apart in the body.

/** Tokens that are looked at to find what names mean: so many, and for each token of the text, as functions lie in one another. */
const LOOKS = 30_000
const LOOKS_PER_TOKEN = 1

type FunctionKind = 'plain' | 'generator' | 'setter'

/** What kind of function has these parameters: the body of a generator begins later, and a setter has just one parameter. */
function kindOf(tokens: readonly SourceToken[], { before }: Parameters): FunctionKind {
  if (tokens[before]?.type === KIND.star) return 'generator'
  let at = before - 1
  if (tokens[at]?.type === KIND.hash) at -= 1
  if (tokens[at]?.type === KIND.star) return 'generator'
  return tokens[at]?.contextualKeyword === WORD._set ? 'setter' : 'plain'
}

/** The first token of what a function does, after its head. */
function bodyStart(tokens: readonly SourceToken[], { close }: Parameters): number {
  let at = close + 1
  while (tokens[at]?.isType) at += 1
  if (tokens[at]?.type === KIND.arrow) at += 1
  return tokens[at]?.type === KIND.braceL ? at + 1 : at
}

/** What the defaults and the body make of a function's parameters. */
interface Sight {
  readonly inList: NamesUsed
  readonly inBody: NamesUsed
  /** Uses in the list because of which the two variables differ. */
  readonly reasons: readonly NameUse[]
}

function look(source: NameSource, list: Parameters, spend: (looks: number) => boolean): Sight | undefined {
  if (!spend(list.close - list.open)) return undefined
  const inList = findNameUses(source, list.open + 1, list.close)
  const { uses, declared } = inList
  const suspects = uses.filter(
    ({ name, assigns, isInner }) => name === 'eval' || (declared.has(name) && (assigns || isInner)),
  )
  if (suspects.length === 0 || !spend(list.end - list.close)) return undefined
  // What is evaluated may speak of anything.
  const isHidden = suspects.some(({ name }) => name === 'eval')
  const names = isHidden ? undefined : new Set(['eval', ...declared.keys(), ...uses.map(({ name }) => name)])
  const inBody = findNameUses(source, bodyStart(source.tokens, list), list.end, names)
  const assigned = new Set<string>()
  const inDefaults = new Set<string>()
  const atOnce = new Set<string>()
  for (const { name, assigns } of inBody.uses) if (assigns || name === 'eval') assigned.add(name)
  for (const { name, assigns, isInner } of suspects) {
    if (!assigns) continue
    inDefaults.add(name)
    if (!isInner) atOnce.add(name)
  }
  // Where the body has a variable of its own, what it assigns is that one, and that one begins as the parameter.
  const find = (whereOther: ReadonlySet<string>): readonly NameUse[] =>
    suspects.filter(
      ({ name }) =>
        name === 'eval' ||
        (inBody.declared.has(name)
          ? whereOther.has(name)
          : assigned.has('eval') || assigned.has(name) || inDefaults.has(name)),
    )
  if (find(atOnce).length === 0) return undefined
  return { inList, inBody, reasons: find(inDefaults) }
}

/** The first parameter that has to be moved, with all those behind it. */
function firstToMove(parameters: readonly Parameter[], { inList, reasons }: Sight): number {
  const indexOf = (at: number): number =>
    countBelow(parameters.length, at + 1, index => (parameters[index] as Parameter).end)
  let first = parameters.length
  for (const { at } of reasons) first = Math.min(first, indexOf(at))
  // What stays behind may not speak of what has gone.
  const latest = parameters.map(() => -1)
  for (const { at, name } of inList.uses) {
    const speaker = indexOf(at)
    const spokenOf = inList.declared.get(name)
    if (spokenOf === undefined && name !== 'eval') continue
    const last = spokenOf === undefined ? parameters.length : indexOf(spokenOf)
    latest[speaker] = Math.max(latest[speaker] as number, last)
  }
  for (let i = first - 1; i >= 0; i--) if ((latest[i] as number) >= first) first = i
  return first
}

/** True if a moved parameter is, or speaks of, what is another variable in the body: what the body declares for itself. */
function speaksOfOther({ inList, inBody: { hoisted } }: Sight, from: number): boolean {
  if (hoisted.size === 0) return false
  for (const name of hoisted) if ((inList.declared.get(name) ?? -1) >= from) return true
  return inList.uses.some(({ at, name }) => at >= from && (name === 'eval' || hoisted.has(name)))
}

/** Edits, and those of them that stand behind what else is written at their place. */
export interface ParameterEdits {
  readonly edits: readonly Edit[]
  readonly last: readonly Edit[]
}

const TOO_DEEP =
  'functions with such defaults as this one lie in one another too deep to be read: give the inner ones names and put them outside'
const STAYS =
  'a default of these parameters assigns one of them, or holds a function that uses one that is assigned: ' +
  'give it its default in the body'

/**
 * Edits after which the defaults see the variables of the body. Where that cannot be and would be seen, what is wrong with the
 * program.
 */
export function parameterClosureEdits(
  text: string,
  tokens: readonly SourceToken[],
  scopes: readonly SourceScope[],
): ParameterEdits | UnsupportedSyntax {
  const lists = listsWithDefaults(text, tokens, scopes)
  const edits: Edit[] = []
  const last: Edit[] = []
  if (lists.length === 0) return { edits, last }
  let looks = LOOKS + tokens.length * LOOKS_PER_TOKEN
  const source: NameSource = { text, tokens, scopes: inOrder(scopes), words: new Map() }
  const name = unusedName(text, '$rest')
  const spend = (count: number): boolean => {
    looks -= count
    return looks >= 0
  }
  for (const list of lists) {
    const sight = look(source, list, spend)
    const at = (tokens[list.open] as SourceToken).start
    if (looks < 0) return { message: TOO_DEEP, at }
    if (sight === undefined) continue
    const parameters = parametersOf(tokens, list)
    const first = firstToMove(parameters, sight)
    const moved = parameters.slice(first)
    const from = moved[0]?.start as number
    const kind = kindOf(tokens, list)
    const isSeenLater = kind === 'generator' && !moved.every(parameter => isInert(source, parameter))
    if (isSeenLater || speaksOfOther(sight, from)) return { message: STAYS, at }
    const made = moveIntoBody(tokens, list, moved, name, kind === 'setter')
    edits.push(...made.edits)
    last.push(made.last)
  }
  return { edits, last }
}
