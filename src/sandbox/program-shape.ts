import { blank } from './blank.js'

/** A program made ready for the type stripper. Positions in `text` are those of what was submitted. */
export type ProgramShape =
  | { readonly kind: 'body'; readonly text: string }
  /** Perhaps a single function expression; a body if it does not parse as one. */
  | { readonly kind: 'maybe-function'; readonly text: string }
  | { readonly kind: 'refused'; readonly message: string }

const FENCE_OPENS = /^\s*(```|~~~)[^\r\n`]*\r?\n/
const FUNCTION_START =
  /^(?:async\s+function\b|async\s*[(<]|async\s+[\p{ID_Continue}$]+\s*=>|function\b|\(|<[\w$]|[\p{ID_Continue}$]+\s*=>)/u
const COMMANDS =
  'apt|awk|bash|brew|cat|cd|chmod|cp|curl|docker|echo|find|git|grep|head|kubectl|ls|make|mkdir|mv|node|npm|npx|pip3?|pnpm|' +
  'ps|pwd|python3?|rg|rm|sed|sh|sudo|tail|touch|wget|yarn'
const SHELL = new RegExp(`^(?:#!.*|\\$\\s+\\S.*|(?:${COMMANDS})(?:[ \\t]+[^\\s=(.,;:?[+*/<>&|%^!].*)?)$`)
const SHELL_PATH = new RegExp(`^(?:${COMMANDS})[ \\t]+[./~*]`)
const USED_AS_NAME = /^\w+\s+(?:in|instanceof|as|satisfies)\b/

const EXAMPLE =
  'Write the body of an async TypeScript function, for example: return await tools.name({ ... })'

function isJson(text: string): boolean {
  if (!/^[[{"]/.test(text)) return false
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

function isShell(text: string): boolean {
  const [first = ''] = text.split('\n', 1)
  const line = first.trim()
  return (SHELL.test(line) || SHELL_PATH.test(line)) && !USED_AS_NAME.test(line)
}

/** Strips comments at the start, for looking at the first token only. */
const withoutComments = (text: string): string =>
  text.replace(/^(?:\s+|\/\/[^\n\r\u2028\u2029]*|\/\*[\s\S]*?\*\/)+/, '')

/** Where the line of the last fence begins, with the line end before it. */
function fenceCloses(text: string, mark: string): number {
  const trimmed = text.trimEnd()
  if (!trimmed.endsWith(mark)) return -1
  let at = trimmed.length - mark.length
  while (at > 0 && (trimmed[at - 1] === ' ' || trimmed[at - 1] === '\t')) at -= 1
  if (trimmed[at - 1] !== '\n') return -1
  return trimmed[at - 2] === '\r' ? at - 2 : at - 1
}

function unfence(text: string): string {
  const [head, mark = ''] = FENCE_OPENS.exec(text) ?? []
  if (head === undefined) return text
  const end = fenceCloses(text, mark)
  if (end < head.length) return text
  const lastLine = text.indexOf(mark, end)
  return `${blank(head)}${text.slice(head.length, end)}${blank(text.slice(end, lastLine))}`
}

/** Sees what kind of text was submitted, takes off a fence, and refuses what is no program. */
export function programShape(submitted: string): ProgramShape {
  const text = unfence(submitted.replace(/^\uFEFF/, ' '))
  const trimmed = text.trim()
  const code = withoutComments(text)
  if (code === '') return { kind: 'refused', message: `The program is empty. ${EXAMPLE}` }
  if (isJson(trimmed)) return { kind: 'refused', message: `This is JSON, not a program. ${EXAMPLE}` }
  if (isShell(trimmed))
    return { kind: 'refused', message: `This is a shell command, not a program. ${EXAMPLE}` }
  return { kind: FUNCTION_START.test(code) ? 'maybe-function' : 'body', text }
}

/** What may be one expression, with spaces for the semicolons after it: every position stays. */
export function withoutLastSemicolons(text: string): string {
  let end = text.length
  while (end > 0 && /[;\s]/.test(text[end - 1] as string)) end -= 1
  return text.slice(0, end) + text.slice(end).replace(/;/g, ' ')
}
