import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { type ParseError, parse, printParseErrorCode } from 'jsonc-parser'
import { createRedactor } from 'toolgate'
import { CliError } from './cli-error.js'
import type { GatewayConfig, ServerEntry } from './gateway-config.js'
import { nearest } from './nearest.js'
import { oneLine } from './one-line.js'
import { isObject, readServer } from './read-server.js'

/** Keys that other programs have at the top of such files, and ours. */
const TOP_KEYS = ['mcpServers', '$schema', 'inputs', 'preferences', 'globalShortcut']

const HEAD_CHARS = 80
const TAIL_CHARS = 40
/** A line of a file in which everything stands on one line. */
const MOST_READ = 100_000

/** A part of a line that may be shown: such files hold tokens. */
const shownPart = (text: string): string => createRedactor().text(text).value

/** Where a text is wrong: line and column, and what stands around it with a mark under it. */
function frame(text: string, offset: number): { readonly place: string; readonly lines: string } {
  const line = text.slice(0, offset).split('\n').length
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

/** Reads JSON; comments and trailing commas are taken, as editors write them. @throws CliError with the position */
export function parseConfigText(path: string, text: string): unknown {
  const errors: ParseError[] = []
  const source = text.replace(/^\ufeff/, '')
  if (source.trim() === '') throw new CliError(`${path} is empty; it needs {"mcpServers": {...}}`)
  const value: unknown = parse(source, errors, { allowTrailingComma: true })
  const [first] = errors
  if (first === undefined) return value
  const { place, lines } = frame(source, first.offset)
  const code = printParseErrorCode(first.error)
  throw new CliError(`${path} is no valid JSON at ${place}: ${MEANINGS[code] ?? code}\n\n${lines}`)
}

function serversOf(path: string, value: unknown): { readonly [name: string]: unknown } {
  if (!isObject(value)) throw new CliError(`${path} must hold an object with "mcpServers"`)
  if (isObject(value.mcpServers)) return value.mcpServers
  if (value.mcpServers !== undefined)
    throw new CliError(`${path}: "mcpServers" must be an object with one entry for each server`)
  const keys = Object.keys(value)
  const slip = keys.find(key => nearest(key, ['mcpServers']) !== undefined)
  const servers = keys.find(key => key === 'servers' || key === 'context_servers')
  const hint =
    slip !== undefined
      ? `; did you mean "mcpServers" where it says "${slip}"?`
      : servers !== undefined
        ? `; rename "${servers}" to it`
        : ''
  throw new CliError(`${path} has no "mcpServers"${hint}`)
}

/** Checks what a file says. @throws CliError naming every fault */
export function checkConfig(
  path: string,
  value: unknown,
  environment: { readonly [name: string]: string | undefined },
): GatewayConfig {
  const given = serversOf(path, value)
  const warnings = Object.keys(value as object)
    .filter(key => !TOP_KEYS.includes(key))
    .map(key => `${path}: "${key}" is not used`)
  const faults: string[] = []
  const servers: ServerEntry[] = []
  for (const [name, entry] of Object.entries(given)) {
    const read = readServer(name, entry, environment)
    faults.push(...read.faults)
    warnings.push(...read.warnings.map(warning => `${path}: ${warning}`))
    if (read.entry !== undefined) servers.push(read.entry)
  }
  if (faults.length > 0)
    throw new CliError(`${path} cannot be used:\n${faults.map(fault => `- ${fault}`).join('\n')}`)
  if (servers.length === 0) throw new CliError(`${path} names no server that is switched on`)
  return { path, servers, warnings }
}

/** Reads and checks a configuration file. @throws CliError */
export async function readConfig(
  file: string,
  environment: { readonly [name: string]: string | undefined },
): Promise<GatewayConfig> {
  const path = resolve(file)
  let text: string
  try {
    text = await readFile(path, 'utf8')
  } catch (error) {
    const { code } = error as { code?: string }
    if (code === 'ENOENT') throw new CliError(`There is no file ${path}`)
    if (code === 'EISDIR') throw new CliError(`${path} is a folder; give the file in it`)
    throw new CliError(`${path} could not be read: ${(error as Error).message}`)
  }
  return checkConfig(path, parseConfigText(path, text), environment)
}
