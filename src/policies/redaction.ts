import { refuseOption } from './checked-options.js'
import { dropRejection } from './drop-rejection.js'
import { assignmentFinder } from './secret-assignments.js'
import { checkedSecrets, literalFinder } from './secret-literals.js'
import { NAME_KINDS, nameReader, type ReadName } from './secret-names.js'
import { patternFinders, type SecretFinder } from './secret-patterns.js'
import { type FoundSecret, knownSecrets } from './secret-ranges.js'
import { SECRET_SHAPES } from './secret-shapes.js'

/** What is taken for a secret, and what stands in its place. */
export interface RedactorOptions {
  /** Tokens and keys by the shapes that their vendors gave them, private keys, passwords of URLs. Default true. */
  readonly known?: boolean | undefined
  /**
   * Values by their names, such as `password` or `GITHUB_TOKEN`, in JSON, settings, headers and code. Names of one's own are
   * sought beside the usual ones, in which case does not matter; `false` seeks none. Default true.
   */
  readonly keys?: boolean | readonly string[] | undefined
  /**
   * What else is a secret: expressions, of which the group `secret` alone is hidden where they have it, and functions. Their
   * time is yours to bound.
   */
  readonly patterns?: readonly (RegExp | SecretFinder)[] | undefined
  /**
   * Secrets that the program knows, of at least 6 characters, or a function that gives them, asked each time. They are found
   * inside of JSON, in URLs and in base64 too.
   */
  readonly secrets?: readonly string[] | (() => readonly string[]) | undefined
  /** What stands in place of a secret of a kind. Without `"`, `\` and control characters. Default `[redacted github-token]`. */
  readonly mask?: ((kind: string) => string) | undefined
}

/** What finds and hides. */
export interface Redaction {
  /** Ranges that are the same wherever a text is part of a longer one. */
  findKnown(text: string): FoundSecret[]
  /** Ranges by patterns of one's own. */
  findOwn(text: string): FoundSecret[]
  readonly hasOwn: boolean
  /** True where numbers could be secrets too. */
  readonly readsNumbers: boolean
  readName: ReadName
  mask(kind: string | undefined): string
  /** What may stand in place of a secret already in a text. */
  masks(text: string): Iterable<string>
  isMask(text: string): boolean
}

/** The options of a redactor. */
export const REDACTOR_OPTIONS = ['known', 'keys', 'patterns', 'secrets', 'mask'] as const

type Given = { readonly [key in (typeof REDACTOR_OPTIONS)[number]]?: unknown }

const PLAIN_KIND = /[^\w .-]/g
const MOST_MASKS = 1_000

const defaultMask = (kind: string): string =>
  `[redacted ${kind.replace(PLAIN_KIND, '').slice(0, 60) || 'secret'}]`

function checkedMask(given: unknown): (kind: string) => string {
  if (given === undefined) return defaultMask
  if (typeof given !== 'function') return refuseOption('redact: mask must be a function of a kind')
  return kind => {
    const text: unknown = given(kind)
    if (typeof text === 'string' && text !== '' && JSON.stringify(text) === `"${text}"`) return text
    dropRejection(text)
    return refuseOption('redact: mask must give a text, not empty and without ", \\ and control characters')
  }
}

function commonStart(a: string, b: string): string {
  let end = 0
  while (end < a.length && a[end] === b[end]) end++
  return a.slice(0, end)
}

function masker(given: unknown): Pick<Redaction, 'mask' | 'masks' | 'isMask'> {
  const maskOf = checkedMask(given)
  // Those of others that mask alike are known too; of kinds of one's own, those that were seen.
  const made = new Set([...SECRET_SHAPES.map(({ kind }) => kind), ...NAME_KINDS, 'secret'].map(maskOf))
  let start = [...made].reduce(commonStart)
  const mask = (kind = 'secret'): string => {
    const text = maskOf(kind)
    if (made.size < MOST_MASKS && !made.has(text)) {
      made.add(text)
      start = commonStart(start, text)
    }
    return text
  }
  // Most texts have none, and most masks begin alike.
  return { mask, masks: text => (text.includes(start) ? made : []), isMask: text => made.has(text) }
}

function readKeys(given: unknown): { readonly usual: boolean; readonly others: readonly string[] } {
  if (given === undefined || typeof given === 'boolean') return { usual: given !== false, others: [] }
  if (Array.isArray(given) && Array.from(given).every(name => typeof name === 'string' && name !== ''))
    return { usual: true, others: [...given] }
  return refuseOption('redact: keys must be true, false or an array of names')
}

/** Reads the options of a redactor. */
export function redactionOf(given: Given): Redaction {
  const { known = true, secrets } = given
  if (typeof known !== 'boolean') refuseOption('redact: known must be true or false')
  const { usual, others } = readKeys(given.keys)
  const readName = nameReader(usual, others)
  const secretsNow =
    typeof secrets === 'function'
      ? () => checkedSecrets(secrets(), 'INVALID_DECISION')
      : (
          fixed => () =>
            fixed
        )([...checkedSecrets(secrets ?? [], 'INVALID_OPTIONS')])
  const finders = [
    ...(known === true ? [knownSecrets] : []),
    ...(usual || others.length > 0 ? [assignmentFinder(readName, usual, others)] : []),
    ...(secrets === undefined ? [] : [literalFinder(secretsNow)]),
  ]
  const own = patternFinders(given.patterns)
  return {
    ...masker(given.mask),
    readName,
    hasOwn: own.length > 0,
    readsNumbers: own.length > 0 || secrets !== undefined,
    findKnown: text => finders.flatMap(find => find(text)),
    findOwn: text => own.flatMap(find => [...find(text)]),
  }
}
