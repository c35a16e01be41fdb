import { type ToolDefinition, ToolgateError, type ToolRegistration } from '../../index.js'
import { AcceptedFingerprints } from './accepted-fingerprints.js'
import { fingerprint } from './fingerprint.js'
import { type Listed, MAX_TOOLS } from './list-tools.js'
import type { McpChange, McpToolsOptions } from './mcp-tools-options.js'
import { messageOf } from './read-field.js'
import type { McpProblem, McpToolListing } from './read-listing.js'
import type { SendCall } from './to-tool.js'
import { createToolMaker } from './usable-tool.js'

interface Entry {
  readonly listing: McpToolListing
  readonly fingerprint: string
  readonly tool: ToolDefinition
  readonly problem?: McpProblem
  readonly registration?: ToolRegistration | undefined
}

interface Found {
  readonly listing: McpToolListing
  readonly fingerprint: string
}

/** Names that the host tells and the server does not list. */
function unknownNames(
  { tools, problems }: Listed,
  { include = [], exclude = [] }: McpToolsOptions,
): McpProblem[] {
  const usable = new Set(tools.map(({ name }) => name))
  const listed = new Set([...usable, ...problems.map(({ tool }) => tool)])
  const about = (tool: string, effect: McpProblem['effect'], text: string): McpProblem => {
    const message = `Tool ${JSON.stringify(tool)}: ${text}`
    return { tool, effect, code: 'UNKNOWN_TOOL', message }
  }
  return [
    ...include
      .filter(name => !usable.has(name))
      .map(name => about(name, 'refused', 'the server does not list it, or not in a usable way')),
    ...exclude
      .filter(name => !listed.has(name))
      .map(name =>
        about(
          name,
          'degraded',
          'it is to be left out, and the server does not list it; was another one meant?',
        ),
      ),
  ]
}

/** The tools of one server as they are here: registered, accepted, denied. Keys are the server's own names. */
export class ToolSet {
  readonly #options: McpToolsOptions
  readonly #send: SendCall
  readonly #tell: (change: McpChange) => void
  readonly #makeTool = createToolMaker()
  readonly #entries = new Map<string, Entry>()
  readonly #accepted: AcceptedFingerprints
  /** What waits for `accept`, while calls of the name are denied. */
  readonly #waiting = new Map<string, Found>()
  /** Where each name stands in the server's list. */
  #places: ReadonlyMap<string, number> = new Map()
  #problems: readonly McpProblem[] = []
  #isCleared = false
  /** True until the first list was taken. Without fingerprints it is taken on trust. */
  #isFirst = true

  constructor(options: McpToolsOptions, send: SendCall, tell: (change: McpChange) => void) {
    this.#options = options
    this.#send = send
    this.#tell = tell
    this.#accepted = new AcceptedFingerprints(options.fingerprints, options.maxTools ?? MAX_TOOLS)
  }

  get tools(): ToolDefinition[] {
    const placeOf = ({ listing }: Entry): number => this.#places.get(listing.name) ?? 0
    return [...this.#entries.values()].sort((a, b) => placeOf(a) - placeOf(b)).map(({ tool }) => tool)
  }

  get problems(): McpProblem[] {
    return [...this.#problems, ...[...this.#entries.values()].flatMap(({ problem }) => problem ?? [])]
  }

  get fingerprints(): { [name: string]: string } {
    return Object.fromEntries([...this.#entries].map(([name, entry]) => [name, entry.fingerprint]))
  }

  get waiting(): string[] {
    return [...this.#waiting.keys()].map(name => this.#nameOf(name))
  }

  isDenied(name: string): boolean {
    return this.#waiting.has(name)
  }

  /** Takes what the server lists now in place of what it listed before. */
  async take(listed: Listed): Promise<void> {
    const { include, exclude = [] } = this.#options
    const wanted = listed.tools.filter(
      ({ name }) => (include?.includes(name) ?? true) && !exclude.includes(name),
    )
    const found: Found[] = await Promise.all(
      wanted.map(async listing => ({ listing, fingerprint: await fingerprint(listing) })),
    )
    if (this.#isCleared) return
    this.#problems = [
      ...listed.problems.filter(({ tool }) => tool === undefined || !exclude.includes(tool)),
      ...unknownNames(listed, this.#options),
    ]
    const places = new Map(found.map(({ listing }, place) => [listing.name, place]))
    this.#places = places
    for (const name of [...this.#entries.keys(), ...this.#waiting.keys()])
      if (!places.has(name)) this.#remove(name)
    for (const one of found) this.#consider(one)
    this.#accepted.trim(name => places.has(name))
    this.#isFirst = false
  }

  /** Accepts what waits under a name here; without one all of it. */
  accept(name?: string): void {
    for (const [own, found] of [...this.#waiting]) {
      if (name !== undefined && this.#nameOf(own) !== name) continue
      this.#waiting.delete(own)
      this.#accepted.accept(own, found.fingerprint, false)
      this.#put(found)
    }
  }

  clear(): void {
    this.#isCleared = true
    for (const { registration } of this.#entries.values()) registration?.()
    this.#entries.clear()
    this.#waiting.clear()
  }

  #nameOf(own: string): string {
    return `${this.#options.prefix ?? ''}${own}`
  }

  #remove(own: string): void {
    const entry = this.#entries.get(own)
    entry?.registration?.()
    this.#waiting.delete(own)
    if (this.#entries.delete(own)) this.#tell({ kind: 'removed', name: this.#nameOf(own) })
  }

  #consider(found: Found): void {
    const { name: own } = found.listing
    const { fingerprint: after } = found
    const before = this.#accepted.get(own)
    const denies = this.#options.changedTools === 'deny'
    const isTrusted = this.#isFirst && this.#options.fingerprints === undefined
    const isAccepted = before === after || (before === undefined && (isTrusted || !denies))
    if (isAccepted) {
      this.#waiting.delete(own)
      this.#accepted.accept(own, after, this.#isFirst)
      if (this.#entries.get(own)?.fingerprint === after) return
      const isNews = !isTrusted && !(this.#isFirst && before === after) && !this.#entries.has(own)
      if (this.#put(found) && isNews) this.#tell({ kind: 'added', name: this.#nameOf(own) })
      return
    }
    // Said once for each new definition, not at each list.
    const isNews = denies ? this.#waiting.get(own)?.fingerprint !== after : true
    if (denies) this.#waiting.set(own, found)
    else {
      this.#accepted.accept(own, after, this.#isFirst)
      this.#put(found)
    }
    if (isNews)
      this.#tell({
        kind: 'changed',
        name: this.#nameOf(own),
        ...(before !== undefined && { before }),
        after,
        denied: denies,
      })
  }

  /** Makes and registers a tool in place of the one of its name. True if there is one now. */
  #put({ listing, fingerprint: taken }: Found): boolean {
    const { scope, validateArguments = true, trustAnnotations = false } = this.#options
    const { name: own } = listing
    const before = this.#entries.get(own)?.registration
    const name = this.#nameOf(own)
    const made = this.#makeTool(listing, { name, validateArguments, trustAnnotations, send: this.#send })
    const { tool, problem } = made
    try {
      if (tool !== undefined) {
        // In its place: what stands before it in a prompt, and after it, stays as it was.
        before?.replace(tool)
        const registration = before ?? scope?.register(tool)
        this.#entries.set(own, {
          listing,
          fingerprint: taken,
          tool,
          registration,
          ...(problem && { problem }),
        })
        return true
      }
      if (problem !== undefined) this.#problems = [...this.#problems, problem]
    } catch (error) {
      const code = ToolgateError.isInstance(error) ? error.code : 'INVALID_TOOL'
      const refused: McpProblem = { tool: own, effect: 'refused', code, message: messageOf(error) }
      this.#problems = [...this.#problems, refused]
    }
    before?.()
    this.#entries.delete(own)
    return false
  }
}
