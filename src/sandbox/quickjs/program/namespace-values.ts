import { hasLineBreak } from './line-breaks.js'
import { CLOSES, KIND, OPENS, WORD } from './parse-source.js'
import type { SourceToken } from './source-token.js'
import type { UnsupportedSyntax } from './unsupported-syntax.js'

const NAMESPACES = new Set([WORD._namespace, WORD._module])
/** What may begin a statement of a namespace that is gone when the program runs. */
const TYPES = new Set([WORD._type, WORD._interface, WORD._declare, WORD._namespace, WORD._module])
const ERASED = new Set([KIND._export, KIND._import, KIND.braceR, KIND.semi, KIND.eof])
const RUNS = new Set([KIND._const, KIND._let, KIND._var, KIND._function, KIND._class, KIND._enum])

type Level = { readonly kind: 'other' | 'declared' } | { readonly kind: 'namespace'; readonly name: string }

/** Finds a namespace that holds values among type tokens: it would be taken off with all that it does. */
export function findNamespaceValue(
  text: string,
  tokens: readonly SourceToken[],
  from: number,
  to: number,
): UnsupportedSyntax | undefined {
  const levels: Level[] = []
  let opening: Level | undefined
  let openingAt = 0
  const places: number[] = []
  for (let i = from; i < to; i++) {
    const token = tokens[i] as SourceToken
    const previous = tokens[i - 1]
    const level = levels.at(-1)
    if (level?.kind === 'namespace' && previous !== undefined && runs(text, tokens, i)) {
      const message = `namespace ${level.name} holds values, which is not supported: write const ${level.name} = { ... } instead`
      return { message, at: places.at(-1) as number }
    }
    const isStatement = level === undefined || level.kind === 'namespace'
    const next = tokens[i + 1]
    if (
      isStatement &&
      NAMESPACES.has(token.contextualKeyword) &&
      next !== undefined &&
      opensBlock(tokens, i)
    ) {
      const isDeclared = previous?.contextualKeyword === WORD._declare && i > from
      opening = isDeclared
        ? { kind: 'declared' }
        : { kind: 'namespace', name: text.slice(next.start, next.end) }
      openingAt = token.start
    } else if (OPENS.has(token.type)) {
      levels.push(token.type === KIND.braceL && opening !== undefined ? opening : { kind: 'other' })
      places.push(openingAt)
      if (token.type === KIND.braceL) opening = undefined
    } else if (CLOSES.has(token.type)) {
      levels.pop()
      places.pop()
    }
  }
  return undefined
}

/** True for `namespace A.B {` and `module "a" {`, seen from the first word. */
function opensBlock(tokens: readonly SourceToken[], at: number): boolean {
  let i = at + 1
  const { type } = tokens[i] as SourceToken
  if (type !== KIND.name && type !== KIND.string) return false
  for (i += 1; tokens[i]?.type === KIND.dot; i += 2);
  return tokens[i]?.type === KIND.braceL
}

/** True if a token directly in a namespace begins something that runs. */
function runs(text: string, tokens: readonly SourceToken[], at: number): boolean {
  const { type, contextualKeyword, start } = tokens[at] as SourceToken
  const previous = tokens[at - 1] as SourceToken
  if (RUNS.has(type))
    return (
      previous.type === KIND.braceL ||
      previous.type === KIND.semi ||
      previous.type === KIND.braceR ||
      previous.type === KIND._export ||
      previous.type === KIND._default ||
      previous.type === KIND._abstract ||
      previous.contextualKeyword === WORD._async ||
      (previous.contextualKeyword !== WORD._declare && hasLineBreak(text, previous.end, start))
    )
  if (previous.type !== KIND.braceL && previous.type !== KIND.semi) return false
  return !TYPES.has(contextualKeyword) && !ERASED.has(type)
}
