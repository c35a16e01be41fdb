import { canonicalJson } from '../json/canonical-json.js'
import type { JsonObject, JsonValue } from '../json/json-value.js'
import { type RedactedText, redactTexts } from './redact-texts.js'
import type { Redaction } from './redaction.js'

/** A value without secrets, and how many places were hidden. */
export interface RedactedJson {
  readonly value: JsonValue
  readonly count: number
}

/** Texts without secrets, and how many places were hidden in all of them. */
export interface RedactedTexts {
  readonly texts: readonly string[]
  readonly count: number
}

type Container = JsonObject | readonly JsonValue[]

const isContainer = (value: JsonValue): value is Container => typeof value === 'object' && value !== null

/** Sees all of a value in order, without recursion: keys, and what is no container with the name that it has. */
function walk(
  root: JsonValue,
  onKey: (key: string) => void,
  onLeaf: (leaf: JsonValue, name: string) => void,
): void {
  const stack: { readonly value: JsonValue; readonly name: string }[] = [{ value: root, name: '' }]
  for (let step = stack.pop(); step !== undefined; step = stack.pop()) {
    const { value, name } = step
    if (!isContainer(value)) {
      onLeaf(value, name)
      continue
    }
    const isList = Array.isArray(value)
    const keys = Object.keys(value)
    if (!isList) keys.forEach(onKey)
    // What stands in a list is named by the list.
    for (let i = keys.length - 1; i >= 0; i--) {
      const key = keys[i] as string
      stack.push({ value: (value as JsonObject)[key] as JsonValue, name: isList ? name : key })
    }
  }
}

function setOwn(target: object, key: string, value: unknown): void {
  Object.defineProperty(target, key, { value, enumerable: true, writable: true, configurable: true })
}

/** Gives keys that an object has not got yet: two secrets must not become one. */
function freeKeys(target: object): (key: string) => string {
  const used = new Map<string, number>()
  return key => {
    let free = key
    for (let n = used.get(key) ?? 2; Object.hasOwn(target, free); n++) {
      free = `${key} ${n}`
      used.set(key, n + 1)
    }
    return free
  }
}

/** Makes a value anew, without recursion, with other keys and leaves. */
function rebuilt(
  root: JsonValue,
  keyOf: (key: string) => string,
  leafOf: (leaf: JsonValue, name: string) => JsonValue,
): JsonValue {
  let made: JsonValue = null
  type Step = { readonly value: JsonValue; readonly name: string; put(value: JsonValue): void }
  const stack: Step[] = [
    {
      value: root,
      name: '',
      put: value => {
        made = value
      },
    },
  ]
  for (let step = stack.pop(); step !== undefined; step = stack.pop()) {
    const { value, name, put } = step
    if (!isContainer(value)) {
      put(leafOf(value, name))
      continue
    }
    const isList = Array.isArray(value)
    const target: object = isList ? [] : {}
    put(target as JsonValue)
    const free = freeKeys(target)
    const entries = Object.keys(value).map(key => {
      const to = isList ? key : free(keyOf(key))
      // Holds the place, so that the order of the keys stays.
      setOwn(target, to, null)
      return { key, to }
    })
    for (const { key, to } of entries.reverse())
      stack.push({
        value: (value as JsonObject)[key] as JsonValue,
        name: isList ? name : key,
        put: child => setOwn(target, to, child),
      })
  }
  return made
}

/** A value without secrets in its texts and keys; the same one where there were none. */
export function redactJson(redaction: Redaction, value: JsonValue): RedactedJson {
  const texts = new Set<string>()
  let named = 0
  const isText = (leaf: JsonValue): boolean =>
    typeof leaf === 'string' || (typeof leaf === 'number' && redaction.readsNumbers)
  const maskOf = (leaf: JsonValue, name: string): string | undefined => {
    const isNamed = typeof leaf === 'string' || typeof leaf === 'number'
    const secret = isNamed && name !== '' ? redaction.readName(name) : undefined
    if (secret === undefined || !secret.hides(String(leaf)) || redaction.isMask(String(leaf)))
      return undefined
    return redaction.mask(secret.kind)
  }
  walk(
    value,
    key => texts.add(key),
    (leaf, name) => {
      if (maskOf(leaf, name) !== undefined) named++
      else if (isText(leaf)) texts.add(String(leaf))
    },
  )
  if (texts.size === 0 && named === 0) return { value, count: 0 }
  const all = [...texts]
  const changed = new Map<string, RedactedText>()
  for (const [i, text] of redactEach(redaction, all, false).entries())
    if (text.count > 0) changed.set(all[i] as string, text)
  if (named === 0 && changed.size === 0) return { value, count: 0 }
  let count = named
  const textOf = (text: string): string => {
    const other = changed.get(text)
    count += other?.count ?? 0
    return other?.text ?? text
  }
  const made = rebuilt(value, textOf, (leaf, name) => {
    const mask = maskOf(leaf, name)
    if (mask !== undefined) return mask
    if (!isText(leaf)) return leaf
    const text = textOf(String(leaf))
    return typeof leaf === 'string' || text !== String(leaf) ? text : leaf
  })
  return { value: made, count }
}

function parsed(text: string): { readonly value: JsonValue } | undefined {
  const [first] = /[^\s]/.exec(text) ?? []
  if (first !== '{' && first !== '[' && first !== '"') return undefined
  try {
    return { value: JSON.parse(text) }
  } catch {
    return undefined
  }
}

function printed(value: JsonValue): string {
  try {
    return JSON.stringify(value)
  } catch {
    // Nested more deeply than the stack goes.
    return canonicalJson(value)
  }
}

// Characters that need no escape, written as one: what is found in a text as it stands is not all that it says.
const DISGUISE = /\\(?:\/|u00[2-7])/

/** A text that is JSON, whatever had to be hidden across its structure. */
const stillJson = (text: string): string => (parsed(text) === undefined ? JSON.stringify(text) : text)

/** What was JSON stays JSON, and is read as JSON where its text says something else than it shows. */
function asJson(redaction: Redaction, before: string, after: RedactedText): RedactedText {
  const isDisguised = DISGUISE.test(before)
  if (after.count === 0 && !after.isCut && !isDisguised) return after
  const whole = parsed(before)
  if (whole === undefined || (!isDisguised && parsed(after.text) !== undefined)) return after
  if (after.isCut) return { ...after, text: stillJson(after.text) }
  const { value, count } = redactJson(redaction, whole.value)
  if (count === 0 && after.count === 0) return after
  const [last = after] = redactTexts(redaction, [printed(value)], false)
  return { text: stillJson(last.text), count: count + last.count, isCut: false }
}

function redactEach(
  redaction: Redaction,
  pieces: readonly string[],
  isOneText: boolean,
): readonly RedactedText[] {
  const each = redactTexts(redaction, pieces, isOneText)
  return each.map((made, i) => asJson(redaction, pieces[i] as string, made))
}

/** Texts that are read one after the other, without secrets, those that go on from one into the next among them. */
export function redactJsonTexts(redaction: Redaction, pieces: readonly string[]): RedactedTexts {
  const each = redactEach(redaction, pieces, true)
  return {
    texts: each.map(({ text }) => text),
    count: each.reduce((sum, { count }) => sum + count, 0),
  }
}
