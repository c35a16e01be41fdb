import { quoteName } from '../errors/quote-name.js'
import { createNameIndex, type NameIndex } from '../tools/name-index.js'
import type { RegisteredTool } from '../tools/tool-definition.js'
import { renderToolDeclaration } from './declarations/render-tools-sdk.js'
import { createToolIndex } from './tool-index.js'

/** A tool that a search found. */
export interface CatalogueEntry {
  readonly name: string
  readonly description: string
}

/** What a program can ask about its tools. It knows the tools it was made with and no others. */
export interface Catalogue {
  /** Rejects once the signal aborts: nobody searches for a program that has ended. */
  search(query: string, limit: number, signal: AbortSignal): Promise<readonly CatalogueEntry[]>
  /** The tool's declaration, or which names are near. */
  describe(name: string): { readonly text: string } | { readonly missing: string }
}

/** Makes the catalogue of a list of tools. What it needs for its answers is made when it is first asked. */
export function createCatalogue(tools: readonly RegisteredTool[]): Catalogue {
  const index = createToolIndex(tools)
  let names: NameIndex | undefined
  return {
    async search(query, limit, signal) {
      const found = await index.search(query, limit, signal)
      return found.map(({ name, description }) => ({ name, description }))
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
