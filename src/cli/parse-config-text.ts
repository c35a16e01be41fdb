import { type Node, type ParseError, parseTree, printParseErrorCode } from 'jsonc-parser'
import { createRedactor } from 'toolgate'
import { CliError } from './cli-error.js'
import { oneLine } from './one-line.js'

const HEAD_CHARS = 80
const TAIL_CHARS = 40
/** A line of a file in which everything stands on one line. */
const MOST_READ = 100_000

/** A part of a line that may be shown: such files hold tokens. */
const shownPart = (text: string): string => createRedactor().text(text).value

const lineOf = (text: string, offset: number): number => text.slice(0, offset).split('\n').length

/** Where a text is wrong: line and column, and what stands around it with a mark under it. */
function frame(text: string, offset: number): { readonly place: string; readonly lines: string } {
  const line = lineOf(text, offset)
  const start = text.slice(0, offset).lastIndexOf('\n') + 1
  const before = text.slice(Math.max(start, offset - MOST_READ), offset)
  const after = text.slice(offset, offset + MOST_READ).split('\n', 1)[0] ?? ''
  const head = shownPart(before)
  // A value is told by its name, which may stand before the fault.
  const both = shownPart(before + after)
  const tail = both.startsWith(head) ? both.slice(head.length) : shownPart(after)
  const left = head.length > HEAD_CHARS ? `…${head.slice(1 - HEAD_CHARS)}` : head
  const column = offset - start + 1
  const gutter = `${line} | `
  const blank = ' '.repeat(String(line).length)
  const lines = `${gutter}${left}${oneLine(tail, TAIL_CHARS)}\n${blank} | ${' '.repeat(left.length)}^`
  return { place: `line ${line}, column ${column}`, lines }
}

/** What the parser's codes mean to a reader. */
const MEANINGS: { readonly [code: string]: string } = {
  InvalidSymbol: 'this is no JSON value',
  InvalidNumberFormat: 'this is no JSON number',
  PropertyNameExpected: 'a property name in double quotes is expected here',
  ValueExpected: 'a value is expected here',
  ColonExpected: 'a colon is expected here',
  CommaExpected: 'a comma is expected here',
  CloseBraceExpected: 'a closing brace is expected here',
  CloseBracketExpected: 'a closing bracket is expected here',
  EndOfFileExpected: 'the file should end here',
  InvalidCommentToken: 'this comment is not closed',
  UnexpectedEndOfComment: 'this comment is not closed',
  UnexpectedEndOfString: 'this string is not closed',
  UnexpectedEndOfNumber: 'this number is not finished',
  InvalidUnicode: 'this \\u escape is not finished',
  InvalidEscapeCharacter: 'there is no such escape',
  InvalidCharacter: 'a string cannot have this character',
}

/** A name that stands twice in one object, and where. */
class Duplicate extends Error {
  readonly first: Node
  readonly second: Node
  constructor(first: Node, second: Node) {
    super('a name stands twice')
    this.first = first
    this.second = second
  }
}

/** The value with every name its own, `__proto__` included. */
function dataOf(node: Node): unknown {
  const { type, children = [] } = node
  if (type === 'array') return children.map(dataOf)
  if (type !== 'object') return node.value
  const keys = new Map<unknown, Node>()
  const entries = children.map(({ children: [key, value] = [] }): [string, unknown] => {
    const first = keys.get(key?.value)
    if (key !== undefined && first !== undefined) throw new Duplicate(first, key)
    if (key !== undefined) keys.set(key.value, key)
    return [String(key?.value), value === undefined ? undefined : dataOf(value)]
  })
  return Object.fromEntries(entries)
}

/**
 * Reads JSON; comments and trailing commas are taken, as editors write them. A name that stands twice is refused: one of the
 * two would be lost.
 * @throws CliError with the position
 */
export function parseConfigText(path: string, text: string): unknown {
  const errors: ParseError[] = []
  const source = text.replace(/^\ufeff/, '')
  if (source.trim() === '') throw new CliError(`${path} is empty; it needs {"mcpServers": {...}}`)
  try {
    const tree = parseTree(source, errors, { allowTrailingComma: true })
    const [first] = errors
    if (first === undefined) return tree === undefined ? undefined : dataOf(tree)
    const { place, lines } = frame(source, first.offset)
    const code = printParseErrorCode(first.error)
    throw new CliError(`${path} is no valid JSON at ${place}: ${MEANINGS[code] ?? code}\n\n${lines}`)
  } catch (error) {
    if (error instanceof RangeError) throw new CliError(`${path} is nested too deeply to be read`)
    if (!(error instanceof Duplicate)) throw error
    const { place, lines } = frame(source, error.second.offset)
    const name = oneLine(JSON.stringify(error.second.value), HEAD_CHARS)
    const before = lineOf(source, error.first.offset)
    throw new CliError(
      `${path} has ${name} twice in one object, at line ${before} and at ${place}\n\n${lines}`,
    )
  }
}
