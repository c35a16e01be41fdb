import { type Edge, SECRET_SHAPES, type SecretShape } from './secret-shapes.js'

/** A part of a text that must not be shown, from `start` to before `end`. */
export interface SecretRange {
  readonly start: number
  readonly end: number
  /** What it is, for the mask. Default `secret`. */
  readonly kind?: string | undefined
}

/** A range that was found, with what has to stand around its mask. */
export interface FoundSecret extends SecretRange {
  readonly around?: string | undefined
}

export const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\/-]/g, '\\$&')

interface Sought extends SecretShape {
  readonly stop: RegExp | undefined
  readonly beginsBefore: boolean
}

// Also after an escape of JSON or of a URL, or after a colour of a terminal, which end in a letter.
const EDGES: { readonly [edge in Edge]: RegExp } = {
  word: /(?<=^|[^A-Za-z0-9]|\\[bfnrt]|\\u[0-9a-fA-F]{4}|%[0-9a-fA-F]{2}|\[[0-9;]{0,8}m)/y,
  run: /(?<=^|[^A-Za-z0-9_-]|\\[bfnrt]|\\u[0-9a-fA-F]{4}|%[0-9a-fA-F]{2}|\[[0-9;]{0,8}m)/y,
}

function isAtEdge(text: string, at: number, edge: Edge | undefined): boolean {
  if (edge === undefined) return true
  EDGES[edge].lastIndex = at
  return EDGES[edge].test(text)
}

const byAnchor = new Map<string, Sought[]>()
let anchors: RegExp | undefined

function prepare(): RegExp {
  for (const shape of SECRET_SHAPES) {
    const stop = shape.rest === '' ? undefined : new RegExp(`[^${shape.rest}]`, 'g')
    const sought = { ...shape, stop, beginsBefore: shape.expression.source.includes('<before>') }
    for (const text of shape.anchors) byAnchor.set(text, [...(byAnchor.get(text) ?? []), sought])
  }
  return new RegExp([...byAnchor.keys()].map(escaped).join('|'), 'g')
}

/** Where the first match of a global expression begins, or the end. A search holds no stack, as a long repetition would. */
export function endAt(text: string, from: number, stop: RegExp): number {
  stop.lastIndex = from
  return stop.exec(text)?.index ?? text.length
}

// What no private key has, also where its lines are written as escapes.
const PEM_STOP = /-----|[^A-Za-z0-9+/=\s:,.()\\-]|\\(?![\\nrt])/g
const PEM_END = /-----END[ A-Z]{0,40}-----/y

function pemEnd(text: string, from: number): number {
  const end = endAt(text, from, PEM_STOP)
  PEM_END.lastIndex = end
  return end + (PEM_END.exec(text)?.[0].length ?? 0)
}

function rangeAt(text: string, at: number, anchor: string): SecretRange | undefined {
  for (const { kind, expression, edge, stop, beginsBefore } of byAnchor.get(anchor) ?? []) {
    // Where the anchor is the beginning, the edge is cheaper to see than all that could follow.
    if (!beginsBefore && !isAtEdge(text, at, edge)) continue
    expression.lastIndex = at
    const match = expression.exec(text)
    if (match === null) continue
    const { before = '', skip = '' } = match.groups ?? {}
    if (beginsBefore && !isAtEdge(text, at - before.length, edge)) continue
    const least = at + match[0].length
    const end = kind === 'private-key' ? pemEnd(text, least) : stop ? endAt(text, least, stop) : least
    return { start: at - before.length + skip.length, end, kind }
  }
  return undefined
}

/** Finds what has the shape of a secret. Linear in the length of the text. */
export function knownSecrets(text: string): SecretRange[] {
  anchors ??= prepare()
  const found: SecretRange[] = []
  const search = anchors
  search.lastIndex = 0
  for (let hit = search.exec(text); hit !== null; hit = search.exec(text)) {
    const range = rangeAt(text, hit.index, hit[0])
    if (range === undefined) search.lastIndex = hit.index + 1
    else {
      found.push(range)
      search.lastIndex = range.end
    }
  }
  return found
}

/** Ranges in order and apart: what overlaps is one, of the kind of the part that begins first. */
export function merged(ranges: readonly FoundSecret[]): FoundSecret[] {
  const sorted = [...ranges].sort((a, b) => a.start - b.start || b.end - a.end)
  const apart: FoundSecret[] = []
  for (const range of sorted) {
    const last = apart.at(-1)
    if (last === undefined || range.start >= last.end) apart.push(range)
    else if (range.end > last.end) apart[apart.length - 1] = { ...last, end: range.end, around: undefined }
  }
  return apart
}
