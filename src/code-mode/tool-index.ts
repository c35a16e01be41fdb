import type MiniSearch from 'minisearch'
import type { RegisteredTool } from '../tools/tool-definition.js'

/** Finds tools by what is said of them. The index is built at the first search. */
export interface ToolIndex {
  /** The best first. Rejects with the signal's reason once nobody waits any more. */
  search(query: string, limit: number, signal?: AbortSignal): Promise<readonly RegisteredTool[]>
}

// What is done for a program here is work of the host's that no CPU limit counts: none of it may take long in one turn.
/** After this a turn ends. Between two looks at the clock, one tool is indexed or one word is looked for in one part. */
const TURN_MS = 10
/** UTF-16 units of text that are indexed in one turn at most, however fast. */
const TURN_UNITS = 16_384
/** Tools in one part of the index, and UTF-16 units of what is said of them: what one word may lead to. */
const PART_TOOLS = 500
const PART_UNITS = 524_288
/** Of one description; what comes later in it is not what the tool is looked for by. */
const MAX_DESCRIPTION_UNITS = 16_384
const MAX_PARAMETERS = 1000

interface ToolText {
  readonly id: number
  readonly name: string
  readonly description: string
  readonly parameters: string
}

/** Lets the host's own timers and signals in. */
const breathe = (): Promise<void> => new Promise(resolve => setTimeout(resolve, 0))

/** Breathes as soon as a turn has taken its time, as long as somebody waits. */
function createTurns(signal?: AbortSignal): () => Promise<void> | undefined {
  let beganAt = performance.now()
  return () => {
    signal?.throwIfAborted()
    if (performance.now() - beganAt < TURN_MS) return undefined
    return breathe().then(() => {
      beganAt = performance.now()
    })
  }
}

const words = (text: string): string =>
  text
    .replace(/([\p{Ll}\d])(\p{Lu})/gu, '$1 $2')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .toLowerCase()

function textOf({ name, description, parameters: { properties } }: RegisteredTool, id: number): ToolText {
  const keys = typeof properties === 'object' && properties !== null ? Object.keys(properties) : []
  return {
    id,
    name,
    description: description.slice(0, MAX_DESCRIPTION_UNITS),
    parameters: keys.slice(0, MAX_PARAMETERS).join(' '),
  }
}

const unitsOf = ({ name, description, parameters }: ToolText): number =>
  name.length + description.length + parameters.length

async function createParts(tools: readonly RegisteredTool[]): Promise<readonly MiniSearch<ToolText>[]> {
  const { default: Search } = await import('minisearch')
  const createPart = (): MiniSearch<ToolText> =>
    new Search<ToolText>({
      fields: ['name', 'description', 'parameters'],
      tokenize: text => words(text).split(' ').filter(Boolean),
      // A letter begins a word of nearly every tool: to go through them all costs the most and says the least.
      searchOptions: {
        boost: { name: 3 },
        prefix: word => word.length > 1 || word > '\u007f',
        fuzzy: 0.2,
        combineWith: 'OR',
      },
    })
  const texts = tools.map(textOf)
  const units = texts.reduce((sum, text) => sum + unitsOf(text), 0)
  const count = Math.max(Math.ceil(tools.length / PART_TOOLS), Math.ceil(units / PART_UNITS))
  const parts = Array.from({ length: count }, createPart)
  const turn = createTurns()
  let added = 0
  for (const text of texts) {
    // Dealt out one by one, neighbours apart: how much a word says is then much the same in every part.
    parts[text.id % count]?.add(text)
    added += unitsOf(text)
    await (added < TURN_UNITS ? turn() : breathe())
    added %= TURN_UNITS
  }
  return parts
}

interface Found {
  readonly id: number
  readonly score: number
}

/** Looks for word after word. As the library has it for all at once, a tool counts for more the more of them lead to it. */
async function searchPart(
  part: MiniSearch<ToolText>,
  asked: readonly string[],
  turn: () => Promise<void> | undefined,
): Promise<readonly Found[]> {
  const found = new Map<number, { score: number; words: number }>()
  for (const word of asked) {
    for (const { id, score } of part.search(word)) {
      const known = found.get(id as number) ?? { score: 0, words: 0 }
      found.set(id as number, known)
      known.score += score
      known.words += 1
    }
    await turn()
  }
  return [...found].map(([id, { score, words }]) => ({ id, score: score * words }))
}

const byScore = (a: Found, b: Found): number => b.score - a.score

/** Makes the index of a list of tools. */
export function createToolIndex(tools: readonly RegisteredTool[]): ToolIndex {
  let parts: Promise<readonly MiniSearch<ToolText>[]> | undefined

  return {
    async search(query, limit, signal) {
      signal?.throwIfAborted()
      parts ??= createParts(tools).catch(error => {
        // A chunk that did not load may load for the next search.
        parts = undefined
        throw error
      })
      const asked = [...new Set(words(query).split(' ').filter(Boolean))]
      const found: Found[] = []
      const turn = createTurns(signal)
      for (const part of await parts) {
        signal?.throwIfAborted()
        found.push(...[...(await searchPart(part, asked, turn))].sort(byScore).slice(0, limit))
        await breathe()
      }
      const best = found.sort(byScore).slice(0, limit)
      return best.map(({ id }) => tools[id] as RegisteredTool)
    },
  }
}
