import { byText } from './json.js'

/** What a provider takes for a name. */
export interface NameRule {
  /** The whole name. */
  readonly accepts: RegExp
  /** Single characters that a name may not have. */
  readonly refused: RegExp
  /** Whether the first character must be a letter or an underscore. */
  readonly letterFirst: boolean
}

const MAX_LENGTH = 64
const DIGEST_LENGTH = 11
const markOf = ({ refused }: NameRule): string => (refused.test('-') ? '__' : '--')
const ALIAS = new RegExp(`(--|__)[0-9a-z]{${DIGEST_LENGTH}}$`)

// 53 bits of a text: two multiplicative hashes, mixed. Collisions are looked for; they only must be rare.
function digest(text: string): string {
  let high = 0xdeadbeef
  let low = 0x41c6ce57
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i)
    high = Math.imul(high ^ unit, 2_654_435_761)
    low = Math.imul(low ^ unit, 1_597_334_677)
  }
  high = Math.imul(high ^ (high >>> 16), 2_246_822_507) ^ Math.imul(low ^ (low >>> 13), 3_266_489_909)
  low = Math.imul(low ^ (low >>> 16), 2_246_822_507) ^ Math.imul(high ^ (high >>> 13), 3_266_489_909)
  const value = 4_294_967_296 * (2_097_151 & low) + (high >>> 0)
  return value.toString(36).padStart(DIGEST_LENGTH, '0').slice(-DIGEST_LENGTH)
}

// What looks like an alias is never a name of its own: so no tool can take the alias of another.
const isPlain = (name: string, rule: NameRule): boolean =>
  rule.accepts.test(name) && !(ALIAS.test(name) && name.includes(markOf(rule)))

/** The name that a provider is given: the name itself where it may be, else a readable part of it and a digest of all of it. */
export function wireAlias(name: string, rule: NameRule, attempt = 0): string {
  if (isPlain(name, rule)) return name
  const readable = name
    .replace(ALIAS, '')
    .replace(new RegExp(`(?:${rule.refused.source})+`, 'gu'), '_')
    .replace(/^_+|_+$/g, '')
  const head = rule.letterFirst && /^[^A-Za-z_]/.test(readable) ? `_${readable}` : readable
  const mark = markOf(rule)
  const room = MAX_LENGTH - mark.length - DIGEST_LENGTH
  const salted = attempt === 0 ? name : `${name}\0${attempt}`
  return `${head.slice(0, room) || 'tool'}${mark}${digest(salted)}`
}

/**
 * The names of tools on a wire, both ways. A wire name depends on the tool's own name alone, whatever other tools there are
 * and in whatever order they come; only if two digests should be equal does the later one, in code unit order, get another.
 * What was given once stays: a call to a tool that has gone is still read as a call to that tool.
 */
export class WireNames {
  readonly #rule: NameRule
  readonly #toWire = new Map<string, string>()
  readonly #toName = new Map<string, string>()

  constructor(rule: NameRule) {
    this.#rule = rule
  }

  /** Gives each of these names its wire name. */
  add(names: readonly string[]): void {
    const added = names.filter(name => !this.#toWire.has(name))
    for (const name of added.toSorted(byText)) {
      let wire = wireAlias(name, this.#rule)
      for (let attempt = 1; this.#toName.has(wire); attempt++) wire = wireAlias(name, this.#rule, attempt)
      this.#toWire.set(name, wire)
      this.#toName.set(wire, name)
    }
  }

  /** The wire name of a tool, known or not. */
  toWire(name: string): string {
    return this.#toWire.get(name) ?? wireAlias(name, this.#rule)
  }

  /** The tool's own name; a wire name that was never given is the name that the model made up. */
  toName(wire: string): string {
    return this.#toName.get(wire) ?? wire
  }
}
