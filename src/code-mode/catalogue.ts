import { escapeUnseen } from '../errors/escape-unseen.js'
import { quoteName } from '../errors/quote-name.js'
import { wellFormed } from '../errors/well-formed.js'
import { createNameIndex, type NameIndex } from '../tools/name-index.js'
import type { RegisteredTool } from '../tools/tool-definition.js'
import { renderToolDeclaration } from './declarations/render-tools-sdk.js'
import { forSameTools } from './for-same-tools.js'
import { createToolIndex, type ToolIndex } from './tool-index.js'

/** A tool that a search found. */
export interface CatalogueEntry {
  readonly name: string
  readonly description: string
}

/** What one program can ask about its tools: those that its scope sees when it asks, as for a call. */
export interface Catalogue {
  /** Rejects once the signal aborts: nobody searches for a program that has ended. */
  search(query: string, limit: number, signal: AbortSignal): Promise<readonly CatalogueEntry[]>
  /** The tool's declaration, or which names are near. */
  describe(name: string): { readonly text: string } | { readonly missing: string }
}

/** Makes the catalogues of a registry's programs, which share what is made of the same tools. */
export function catalogues(): (visible: () => readonly RegisteredTool[]) => Catalogue {
  const indexOf = forSameTools<ToolIndex>(createToolIndex)
  const namesOf = forSameTools<NameIndex>(tools => createNameIndex(tools.map(tool => tool.name)))
  return visible => {
    // Many searches of a program come one after the other; those of others come between them.
    let turn: Promise<unknown> = Promise.resolve()
    return {
      search(query, limit, signal) {
        const found = turn.then(async () => {
          signal.throwIfAborted()
          const best = await indexOf(visible()).search(query, limit, signal)
          // What has been hidden since is found no more.
          const seen = new Set(visible())
          return best
            .filter(tool => seen.has(tool))
            .map(({ name, description }) => ({ name, description: escapeUnseen(wellFormed(description)) }))
        })
        turn = found.catch(() => {})
        return found
      },
      describe(name) {
        const tools = visible()
        const tool = tools.find(candidate => candidate.name === name)
        if (tool !== undefined) return { text: renderToolDeclaration(tool) }
        const near = namesOf(tools).nearest(name)
        const hint = near.length > 0 ? ` Did you mean ${near.map(quoteName).join(' or ')}?` : ''
        return { missing: `There is no tool ${quoteName(name)}.${hint}` }
      },
    }
  }
}
