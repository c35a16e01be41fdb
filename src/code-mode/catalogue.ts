import type MiniSearch from 'minisearch'
import { quoteName } from '../errors/quote-name.js'
import { createNameIndex, type NameIndex } from '../tools/name-index.js'
import type { RegisteredTool } from '../tools/tool-definition.js'
import { renderToolDeclaration } from './declarations/render-tools-sdk.js'

/** A tool that a search found. */
export interface CatalogueEntry {
  readonly name: string
  readonly description: string
}

/** What a program can ask about its tools. It knows the tools it was made with and no others. */
export interface Catalogue {
  search(query: string, limit: number): Promise<readonly CatalogueEntry[]>
  /** The tool's declaration, or which names are near. */
  describe(name: string): { readonly text: string } | { readonly missing: string }
}

const words = (text: string): string =>
  text
    .replace(/([\p{Ll}\d])(\p{Lu})/gu, '$1 $2')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .toLowerCase()

async function createIndex(tools: readonly RegisteredTool[]): Promise<MiniSearch> {
  const { default: Search } = await import('minisearch')
  const index = new Search({
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
  index.addAll(
    tools.map((tool, id) => {
      const { properties } = tool.parameters
      const keys = typeof properties === 'object' && properties !== null ? Object.keys(properties) : []
      return { id, name: tool.name, description: tool.description, parameters: keys.join(' ') }
    }),
  )
  return index
}

/** Lets the host's own timers and signals in. */
const breathe = (): Promise<void> => new Promise(resolve => setTimeout(resolve, 0))

/** Makes the catalogue of a list of tools. The search index is built at the first search. */
export function createCatalogue(tools: readonly RegisteredTool[]): Catalogue {
  let index: Promise<MiniSearch> | undefined
  let names: NameIndex | undefined
  // Many searches at once are work of the host's that no program's CPU limit counts: each begins in a turn of its own.
  let turn: Promise<void> | undefined
  return {
    async search(query, limit) {
      index ??= createIndex(tools)
      const ready = turn
      const found = (async () => {
        await ready
        return (await index).search([...new Set(words(query).split(' '))].join(' '))
      })()
      turn = found.then(breathe, breathe)
      return (await found).slice(0, limit).flatMap(({ id }) => {
        const tool = tools[id as number]
        return tool === undefined ? [] : [{ name: tool.name, description: tool.description }]
      })
    },
    describe(name) {
      const tool = tools.find(candidate => candidate.name === name)
      if (tool !== undefined) return { text: renderToolDeclaration(tool) }
      names ??= createNameIndex(tools.map(known => known.name))
      const near = names.nearest(name)
      const hint = near.length > 0 ? ` Did you mean ${near.map(n => `"${n}"`).join(' or ')}?` : ''
      return { missing: `There is no tool ${quoteName(name)}.${hint}` }
    },
  }
}
