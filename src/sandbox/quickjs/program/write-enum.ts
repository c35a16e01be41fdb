import { countBelow } from '../../count-below.js'
import { type ConstantClass, type ConstantNames, constantClass, programConstants } from './constant-class.js'
import type { Edit } from './edited-text.js'
import { KIND } from './parse-source.js'
import type { SourceToken } from './source-token.js'
import type { UnsupportedSyntax } from './unsupported-syntax.js'
import { unusedName } from './unused-name.js'

interface Member {
  readonly name: SourceToken
  /** As a string of the program. */
  readonly key: string
  /** As a variable, if it can be one. */
  readonly variable: string
  /** Its `=` and where its value ends, as indexes. */
  readonly value: { readonly from: number; readonly to: number } | undefined
  readonly comma: SourceToken | undefined
}

function readMembers(
  text: string,
  tokens: readonly SourceToken[],
  from: number,
): [readonly Member[], number] {
  const members: Member[] = []
  let i = from
  while (i < tokens.length && tokens[i]?.type !== KIND.braceR) {
    const name = tokens[i] as SourceToken
    const raw = text.slice(name.start, name.end)
    const isString = name.type === KIND.string
    i += 1
    const to = tokens[i]?.type === KIND.eq ? tokens[i]?.rhsEndIndex : undefined
    const value = typeof to === 'number' ? { from: i, to } : undefined
    if (value !== undefined) i = value.to
    const comma = tokens[i]?.type === KIND.comma ? tokens[i] : undefined
    if (comma !== undefined) i += 1
    members.push({
      name,
      key: isString ? raw : `"${raw}"`,
      variable: isString ? raw.slice(1, -1) : raw,
      value,
      comma,
    })
  }
  return [members, i]
}

/** Where each name of a program is used, by the indexes of its tokens, and where one is written with escapes. */
interface Words {
  readonly places: ReadonlyMap<string, readonly number[]>
  readonly escaped: readonly number[]
}

function wordsOf(text: string, tokens: readonly SourceToken[]): Words {
  const places = new Map<string, number[]>()
  const escaped: number[] = []
  for (const [i, { type, start, end }] of tokens.entries()) {
    const before = tokens[i - 1]?.type
    if (type !== KIND.name || before === KIND.dot || before === KIND.questionDot) continue
    const word = text.slice(start, end)
    const same = places.get(word)
    if (same === undefined) places.set(word, [i])
    else same.push(i)
    if (word.includes('\\')) escaped.push(i)
  }
  return { places, escaped }
}

const countBetween = (places: readonly number[] | undefined, from: number, to: number): number => {
  if (places === undefined) return 0
  const before = (index: number): number => countBelow(places.length, index, at => places[at] as number)
  return before(to) - before(from)
}

/** Tells which names the values of an enum use; its members are among them. Values may be long, and enums lie in one another. */
function namesUsed(
  { places, escaped }: Words,
  members: readonly Member[],
  from: number,
  to: number,
): { readonly has: (name: string) => boolean; readonly hasEscapes: boolean } {
  const declared = new Map<string, number>()
  for (const { name, variable } of members)
    if (name.type === KIND.name) declared.set(variable, (declared.get(variable) ?? 0) + 1)
  return {
    has: name => countBetween(places.get(name), from, to) > (declared.get(name) ?? 0),
    hasEscapes: countBetween(escaped, from, to) > 0,
  }
}

const TWICE =
  'an enum of this name stands above: the parts of one are not put together; give each a name of its own'
const OWN_NAME = 'a member has the name of its enum, which others use: give it another'
const ESCAPES = 'write the names in this enum without escapes'
const ODD_NAME = 'write the name of this member without escapes, and not as __proto__'

/** What of an enum would come out as something else. */
function faultIn(
  name: string,
  members: readonly Member[],
  used: ReturnType<typeof namesUsed>,
): UnsupportedSyntax | undefined {
  for (const { name: token, variable } of members) {
    if (variable === name && used.has(name)) return { message: OWN_NAME, at: token.start }
    if (variable === '__proto__' || (token.type !== KIND.string && variable.includes('\\')))
      return { message: ODD_NAME, at: token.start }
  }
  return used.hasEscapes ? { message: ESCAPES, at: (members[0] as Member).name.start } : undefined
}

/** What stands before the value of a member, and behind it. */
function written(kind: ConstantClass, inner: string, member: string, key: string): readonly [string, string] {
  if (kind === 'text' || kind === 'some-text') return [`${member} = `, ';']
  if (kind === 'open') return [`typeof (${member} = `, `) !== "string" && (${inner}[${member}] = ${key});`]
  return [`${inner}[${member} = `, `] = ${key};`]
}

const ENDLESS = new Set(['NaN', 'Infinity'])

/** The members of the enums of a program, by their names, what the program's constants are, and what its names are. */
export interface KnownEnums {
  readonly words: Words
  /** What an enum is called where it is filled: its own name may be long, and stands there some times for each member. */
  readonly inner: string
  readonly members: Map<string, ReadonlyMap<string, ConstantClass>>
  readonly constantOf: (name: string, before: number) => ConstantClass
}

export function knownEnums(text: string, tokens: readonly SourceToken[]): KnownEnums {
  const members: KnownEnums['members'] = new Map()
  const constantOf: KnownEnums['constantOf'] = (name, before) =>
    ENDLESS.has(name) ? 'number' : constants(name, before)
  const constants = programConstants(text, tokens, {
    // All that stands before has been read.
    ofName: name => constantOf(name, 0),
    ofMember: (owner, name) => members.get(owner)?.get(name) ?? 'unknown',
  })
  return { words: wordsOf(text, tokens), inner: unusedName(text, 'e'), members, constantOf }
}

/**
 * The edits that make an enum, whose word and `const` are at `at`, a function that fills an object. A member that the compiler
 * knows to be a text has no way back from its value, one behind what it does not know to be a number has no value, and one
 * that others name is a variable for them. `known` has the names of those before in the same block.
 */
export function enumEdits(
  text: string,
  tokens: readonly SourceToken[],
  at: number,
  known: Set<string>,
  enums: KnownEnums,
): readonly Edit[] | UnsupportedSyntax {
  const word = tokens[at]?.type === KIND._const ? at + 1 : at
  const nameToken = tokens[word + 1] as SourceToken
  const open = tokens[word + 2] as SourceToken
  const name = text.slice(nameToken.start, nameToken.end)
  const [members, close] = readMembers(text, tokens, word + 3)
  const used = namesUsed(enums.words, members, word + 3, close)
  if (known.has(name)) return { message: TWICE, at: nameToken.start }
  known.add(name)
  const fault = faultIn(name, members, used)
  if (fault !== undefined) return fault
  const { inner } = enums
  const start = (tokens[at] as SourceToken).start
  const edits: Edit[] = [{ start, end: open.end, text: `let ${name}; (function (${inner}) {` }]
  const classes = new Map<string, ConstantClass>()
  const own = new Set(members.map(({ variable }) => variable))
  // One that stands behind is zero to the compiler.
  const ofOwn = (member: string): ConstantClass =>
    classes.get(member) ?? (own.has(member) ? 'number' : 'unknown')
  const names: ConstantNames = {
    ofName: one => (own.has(one) ? ofOwn(one) : enums.constantOf(one, at)),
    ofMember: (owner, one) =>
      owner === name ? ofOwn(one) : (enums.members.get(owner)?.get(one) ?? 'unknown'),
  }
  let previous: string | undefined
  let isCounted = true
  for (const { name: token, key, variable, value, comma } of members) {
    const member = `${inner}[${key}]`
    const also = used.has(variable) && variable !== name ? ` const ${variable} = ${member};` : ''
    const kind: ConstantClass =
      value === undefined
        ? isCounted
          ? 'number'
          : 'unknown'
        : constantClass(text, tokens, value.from + 1, value.to, names)
    classes.set(variable, kind)
    if (value === undefined) {
      const number = previous === undefined ? '0' : isCounted ? `${previous} + 1` : 'void 0'
      const whole = `${inner}[${member} = ${number}] = ${key};${also}`
      edits.push({ start: token.start, end: comma?.end ?? token.end, text: whole })
    } else {
      const [before, after] = written(kind, inner, member, key)
      edits.push({ start: token.start, end: (tokens[value.from] as SourceToken).end, text: before })
      const stop = (tokens[value.to - 1] as SourceToken).end
      edits.push({ start: comma?.start ?? stop, end: comma?.end ?? stop, text: `${after}${also}` })
    }
    isCounted = kind === 'number' || kind === 'open'
    previous = member
  }
  enums.members.set(name, classes)
  const { start: closeStart, end: closeEnd } = tokens[close] as SourceToken
  edits.push({ start: closeStart, end: closeEnd, text: `})(${name} || (${name} = {}));` })
  return edits
}
