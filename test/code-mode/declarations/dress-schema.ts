import type { Draw } from './instance.js'

/** The keys that the law's schemas and values are written with, and that `renamer` gives other names. */
export const PLAIN_KEYS: readonly string[] = ['a', 'b', 'c']

/** Names of properties that a printer may stumble over. */
export const ODD_KEYS: readonly string[] = [
  '__proto__',
  'constructor',
  'toString',
  'hasOwnProperty',
  'length',
  'new',
  'type',
  '',
  '1',
  '-1',
  '1e3',
  'two words',
  'q"uote',
  "it's",
  'back\\slash',
  'line\nbreak',
  '`$',
  '*/',
  '//',
  'a~b/c',
  'ключ',
  'é',
  '😀',
  '\ud800',
  '\u2028',
  '\u0000',
]

/** Descriptions that try to leave their comment, or to be more than one. */
export const ODD_TEXTS: readonly string[] = [
  'Plain words.',
  'closes */ the comment; x: "',
  '*/*/ twice',
  '*',
  '/',
  '@ts-expect-error',
  '@@ts-ignore',
  'two\nlines\r\nand\u2028more\u0000',
  '@deprecated {@link x}',
  '`$ "quote" \\',
  '😀 \ud800',
  '// one line',
]

type Json = { [key: string]: unknown }

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** An object with these entries as its own, `__proto__` too. */
const fromEntries = (entries: readonly (readonly [string, unknown])[]): Json => Object.fromEntries(entries)

const pointerToken = (key: string): string =>
  encodeURIComponent(
    key
      .replace(/\p{Cs}/gu, '')
      .replaceAll('~', '~0')
      .replaceAll('/', '~1'),
  )

/** Gives some plain keys odd names, the same ones in every schema and value it is called with. */
export function renamer(draw: Draw): (value: unknown) => unknown {
  const names = new Map<string, string>()
  const left = [...ODD_KEYS]
  for (const key of PLAIN_KEYS)
    if (draw(3) === 0) names.set(key, left.splice(draw(left.length), 1)[0] as string)
  const nameOf = (key: string): string => names.get(key) ?? key
  const rename = (value: unknown, within = ''): unknown => {
    if (typeof value === 'string') {
      if (within === '$ref') return value.replace(/(?<=\/properties\/).*/, key => pointerToken(nameOf(key)))
      return within === 'required' ? nameOf(value) : value
    }
    if (Array.isArray(value)) return value.map(item => rename(item, within))
    if (!isObject(value)) return value
    return fromEntries(Object.entries(value).map(([key, held]) => [nameOf(key), rename(held, key)]))
  }
  return value => rename(value)
}

const ANNOTATIONS: readonly ((text: string) => Json)[] = [
  description => ({ description }),
  title => ({ title }),
  text => ({ default: text, examples: [text, { text }] }),
  $comment => ({ $comment, deprecated: true }),
  text => ({ 'x-unknown': { type: 'string', text } }),
  format => ({ format }),
]

/** Adds annotations, which change nothing about what is valid, to some of the nodes that state a type. */
export function annotate(schema: unknown, draw: Draw): unknown {
  if (Array.isArray(schema)) return schema.map(item => annotate(item, draw))
  if (!isObject(schema)) return schema
  const inside = Object.entries(schema).map(([key, held]) => {
    const isValue = key === 'enum' || key === 'const' || key === 'required'
    return [key, isValue ? held : annotate(held, draw)] as const
  })
  const stated = typeof schema.type === 'string' || Array.isArray(schema.type)
  if (!stated || draw(4) > 0) return fromEntries(inside)
  const added = ANNOTATIONS[draw(ANNOTATIONS.length)]?.(ODD_TEXTS[draw(ODD_TEXTS.length)] as string) ?? {}
  return fromEntries([...Object.entries(added), ...inside])
}

const DRAFT_07: Readonly<Record<string, string>> = { $defs: 'definitions', dependentSchemas: 'dependencies' }

/**
 * The schema in the words of draft-07. What that draft has no word for stays, and means nothing there; so does
 * what stands beside a `$ref`.
 */
export function toDraft07(schema: unknown, draw: Draw): Json {
  const convert = (node: unknown): unknown => {
    if (Array.isArray(node)) return node.map(convert)
    if (!isObject(node)) return node
    const entries = Object.entries(node).map(([key, held]): [string, unknown] => {
      if (key === 'enum' || key === 'const') return [key, held]
      if (key === '$ref') return [key, String(held).replace('/$defs/', '/definitions/')]
      return [Object.hasOwn(DRAFT_07, key) ? (DRAFT_07[key] as string) : key, convert(held)]
    })
    const made = fromEntries(entries)
    if (!Array.isArray(made.prefixItems) || draw(4) === 0) return made
    const { prefixItems: items, items: additionalItems, ...rest } = made
    return { ...rest, items, ...(additionalItems !== undefined && { additionalItems }) }
  }
  return { $schema: 'http://json-schema.org/draft-07/schema#', ...(convert(schema) as Json) }
}
