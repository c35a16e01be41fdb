import type { Edit } from './edited-text.js'
import { hasLineBreak } from './line-breaks.js'
import { KIND, WORD } from './parse-source.js'
import type { SourceToken } from './source-token.js'
import type { UnsupportedSyntax } from './unsupported-syntax.js'

/** A class that is being read. */
interface OpenClass {
  readonly id: number | null
  /** Where its fields may be declared. */
  opens: Edit | undefined
  hasSuper: boolean
  constructorId: number | undefined
  /** True if a constructor with properties has begun. */
  hasConstructor: boolean
  /** The parameters of its constructor that are properties. */
  readonly properties: string[]
}

export const MODIFIERS: ReadonlySet<number | undefined> = new Set([
  KIND._public,
  KIND._private,
  KIND._protected,
  KIND._readonly,
  KIND._override,
  KIND._abstract,
  KIND._declare,
  KIND._static,
])
const STATEMENT_ENDS = new Set([KIND.braceL, KIND.braceR, KIND.semi])
const VALUE_ENDS = new Set([
  KIND.name,
  KIND.num,
  KIND.bigint,
  KIND.string,
  KIND.regexp,
  KIND.bracketR,
  KIND.backQuote,
  KIND._this,
  KIND._null,
  KIND._true,
  KIND._false,
])
/** What goes on with the line before it. */
const CONTINUES = new Set([
  KIND.parenL,
  KIND.bracketL,
  KIND.dot,
  KIND.questionDot,
  KIND.question,
  KIND.comma,
  KIND.colon,
  KIND.backQuote,
  KIND.arrow,
  KIND.eq,
  KIND.assign,
])
const PRECEDENCE: number = KIND.PRECEDENCE_MASK as number

const SUPER_IN_EXPRESSION =
  'super(...) must be a statement of its own in a constructor whose parameters are properties: assign them with this.name = name'
const TOO_MANY_SUPERS =
  'super(...) stands too often in a constructor whose parameters are properties: assign them with this.name = name'
/** Units of text for all parameters after all calls of `super`; most programs need a few for one. */
const MOST_WRITTEN = 200_000
const TWO_CONSTRUCTORS = 'a class has one constructor with a body'
const NO_NAME = 'a parameter that is a property needs a name: assign what it holds with this.name = name'

/** Writes what classes of TypeScript have more than those of JavaScript. */
export class ClassMembers {
  readonly #text: string
  readonly #tokens: readonly SourceToken[]
  readonly #edits: Edit[]
  readonly #open: OpenClass[] = []
  /** The calls of `super` that are statements. */
  readonly #supers = new Set<number>()
  #written = 0
  /** Where parentheses begin that end at a token. */
  #opening: Uint32Array | undefined

  constructor(text: string, tokens: readonly SourceToken[], edits: Edit[]) {
    this.#text = text
    this.#tokens = tokens
    this.#edits = edits
  }

  enter({ contextId }: SourceToken): void {
    this.#open.push({
      id: contextId,
      opens: undefined,
      hasSuper: false,
      constructorId: undefined,
      hasConstructor: false,
      properties: [],
    })
  }

  /** True if a brace opens the class whose head is being read. */
  isBody({ contextId }: SourceToken): boolean {
    const open = this.#open.at(-1)
    return open?.opens === undefined && open?.id === contextId
  }

  /** Sees a token that may belong to the innermost class. */
  see(at: number): UnsupportedSyntax | undefined {
    const open = this.#open.at(-1)
    if (open === undefined) return undefined
    const token = this.#tokens[at] as SourceToken
    const { type, contextId, end } = token
    if (type === KIND.braceL && open.id === contextId) {
      open.opens = { start: end, end, text: '' }
      this.#edits.push(open.opens)
    } else if (type === KIND.braceR && open.id === contextId) this.#open.pop()
    else if (type === KIND._extends && open.opens === undefined) open.hasSuper = true
    else if (type === KIND.name && token.contextualKeyword === WORD._constructor && open.id === contextId)
      open.constructorId = this.#tokens[at + 1]?.contextId ?? undefined
    else if (type === KIND.name && token.contextualKeyword === WORD._async && open.id === contextId)
      this.#quoteAsync(at)
    else if (open.properties.length === 0) return undefined
    else if (type === KIND.braceL && open.constructorId === contextId) {
      if (open.hasConstructor) return { message: TWO_CONSTRUCTORS, at: token.start }
      open.hasConstructor = true
      if (!open.hasSuper) this.#edits.push({ start: end, end, text: assignments(open) })
    } else if (type === KIND._super && this.#tokens[at + 1]?.type === KIND.parenL) {
      if (!this.#beginsStatement(at)) return { message: SUPER_IN_EXPRESSION, at: token.start }
    } else if (type === KIND.parenR && this.#superAt(contextId)) {
      if (!this.#endsStatement(at)) return { message: SUPER_IN_EXPRESSION, at: token.start }
      const text = `;${assignments(open)}`
      this.#written += text.length
      if (this.#written > MOST_WRITTEN) return { message: TOO_MANY_SUPERS, at: token.start }
      this.#edits.push({ start: end, end, text })
    }
    return undefined
  }

  /** The engine takes the name of a field that only is declared for the word before a method. */
  #quoteAsync(at: number): void {
    const { start, end } = this.#tokens[at] as SourceToken
    let next = at + 1
    while (this.#tokens[next]?.isType) next += 1
    const isPrivate = this.#tokens[at - 1]?.type === KIND.hash
    if (!isPrivate && this.#tokens[next]?.type === KIND.semi)
      this.#edits.push({ start, end, text: `'async'` })
  }

  #superAt(contextId: number | null): boolean {
    return contextId !== null && this.#supers.has(contextId)
  }

  #beginsStatement(at: number): boolean {
    const token = this.#tokens[at] as SourceToken
    const previous = this.#tokens[at - 1] as SourceToken
    const call = this.#tokens[at + 1]?.contextId
    if (typeof call === 'number') this.#supers.add(call)
    if (STATEMENT_ENDS.has(previous.type)) return true
    const breaks = hasLineBreak(this.#text, previous.end, token.start)
    if (previous.type === KIND.parenR) return breaks && this.#isCall(at - 1)
    return breaks && VALUE_ENDS.has(previous.type)
  }

  /** True if the parentheses that end here are none of `if`, `while`, `for` and `with`. */
  #isCall(at: number): boolean {
    this.#opening ??= openings(this.#tokens)
    const before = this.#tokens[(this.#opening[at] as number) - 1]?.type
    return before === KIND.name || (before !== undefined && VALUE_ENDS.has(before))
  }

  #endsStatement(at: number): boolean {
    const token = this.#tokens[at] as SourceToken
    const next = this.#tokens[at + 1] as SourceToken
    if (next.type === KIND.semi || next.type === KIND.braceR) return true
    if (!hasLineBreak(this.#text, token.end, next.start)) return false
    return !CONTINUES.has(next.type) && (next.type & PRECEDENCE) === 0
  }

  /** Takes modifiers off, from a token on; returns the index after what was taken. */
  takeModifiers(at: number): number | UnsupportedSyntax {
    const tokens = this.#tokens
    const open = this.#open.at(-1)
    const first = tokens[at] as SourceToken
    const previous = tokens[at - 1]
    let end = at
    let isGone = false
    for (; isModifier(tokens[end]); end++) {
      const type = tokens[end]?.type
      isGone ||= type === KIND._declare || type === KIND._abstract
    }
    const next = tokens[end] as SourceToken
    const stop = (tokens[end - 1] as SourceToken).end
    const isParameter =
      open?.constructorId !== undefined &&
      previous?.contextId === open.constructorId &&
      (previous.type === KIND.parenL || previous.type === KIND.comma)
    if (isParameter) {
      if (next.type !== KIND.name) return { message: NO_NAME, at: first.start }
      const name = this.#text.slice(next.start, next.end)
      open.properties.push(name)
      if (open.opens !== undefined) open.opens.text += name === 'async' ? `'async';` : `${name};`
      this.#edits.push({ start: first.start, end: stop, text: ' ' })
      return end
    }
    if (isGone && open?.opens !== undefined && next.type !== KIND._class) return this.#takeField(at, end)
    for (let i = at; i < end; i++) {
      const token = tokens[i] as SourceToken
      const before = tokens[i - 1]
      // The word ended what stood on the line before.
      const isFirst = i === at && before !== undefined && hasLineBreak(this.#text, before.end, token.start)
      if (token.type !== KIND._static)
        this.#edits.push({ start: token.start, end: token.end, text: isFirst ? ';' : ' ' })
    }
    return end
  }

  /** Takes off a field that is only declared, with its modifiers. */
  #takeField(at: number, name: number): number {
    const tokens = this.#tokens
    let end = name + 1
    if (tokens[name]?.type === KIND.bracketL) {
      const { contextId } = tokens[name] as SourceToken
      while (
        end < tokens.length - 1 &&
        !(tokens[end]?.type === KIND.bracketR && tokens[end]?.contextId === contextId)
      )
        end += 1
      end += 1
    } else if (tokens[name]?.type === KIND.hash) end += 1
    while (tokens[end]?.isType === true) end += 1
    const { start } = tokens[at] as SourceToken
    this.#edits.push({ start, end: (tokens[end - 1] as SourceToken).end, text: ';' })
    return end
  }
}

/** For each token that closes parentheses, the one that opens them. */
function openings(tokens: readonly SourceToken[]): Uint32Array {
  const found = new Uint32Array(tokens.length)
  const open: number[] = []
  for (const [i, { type }] of tokens.entries()) {
    if (type === KIND.parenL) open.push(i)
    else if (type === KIND.parenR) found[i] = open.pop() ?? 0
  }
  return found
}

const isModifier = (token: SourceToken | undefined): boolean =>
  token !== undefined && !token.isType && MODIFIERS.has(token.type)

const assignments = ({ properties }: OpenClass): string =>
  properties.map(name => `this.${name} = ${name};`).join('')
