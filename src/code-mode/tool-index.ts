import type MiniSearch from 'minisearch'
import type { RegisteredTool } from '../tools/tool-definition.js'

/** Finds tools by what is said of them. The index is built at the first search. */
export interface ToolIndex {
  /** The best first. Rejects with the signal's reason once nobody waits any more. */
  search(query: string, limit: number, signal?: AbortSignal): Promise<readonly RegisteredTool[]>
}

// What is done for a program here is work of the host's that no CPU limit counts: none of it may take long in one turn.
/** Tools in one part of the index; a part is searched in one turn. */
const PART_TOOLS = 500
/** UTF-16 units of text that are indexed in one turn. */
const TURN_UNITS = 16_384
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
  const parts = Array.from({ length: Math.ceil(tools.length / PART_TOOLS) }, createPart)
  let units = 0
  for (const [id, tool] of tools.entries()) {
    const text = textOf(tool, id)
    // Dealt out one by one, neighbours apart: how much a word says is then much the same in every part.
    parts[id % parts.length]?.add(text)
    units += text.name.length + text.description.length + text.parameters.length
    if (units < TURN_UNITS) continue
    units = 0
    await breathe()
  }
  return parts
}

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
      const asked = [...new Set(words(query).split(' '))].join(' ')
      const found: { readonly id: number; readonly score: number }[] = []
      for (const part of await parts) {
        signal?.throwIfAborted()
        found.push(...part.search(asked).slice(0, limit))
        await breathe()
      }
      const best = found.sort((a, b) => b.score - a.score).slice(0, limit)
      return best.map(({ id }) => tools[id] as RegisteredTool)
    },
  }
}
