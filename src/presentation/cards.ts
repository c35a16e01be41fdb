import type { JsonValue } from '../json/json-value.js'
import type { ContentBlock } from '../tools/content-block.js'

/** What a call does, for icons and filters. */
export type ToolKind = 'read' | 'edit' | 'delete' | 'move' | 'search' | 'execute' | 'fetch' | 'other'

/** A place that a call is about; lines count from one. */
export interface CardLocation {
  readonly path: string
  readonly line?: number
}

/** One changed file; `oldText: null` for a new one. */
export interface CardDiff {
  readonly path: string
  readonly oldText: string | null
  readonly newText: string
}

/** What a user interface shows for a call before it has run. */
export type ToolCallView =
  | {
      readonly card: 'generic'
      readonly title: string
      readonly kind?: ToolKind
      readonly rawInput?: JsonValue
      readonly content?: readonly ContentBlock[]
      readonly locations?: readonly CardLocation[]
    }
  | {
      readonly card: 'terminal'
      readonly title: string
      readonly description?: string
      readonly cwd?: string
    }
  | {
      readonly card: 'diff'
      readonly title: string
      readonly diffs: readonly CardDiff[]
      readonly locations?: readonly CardLocation[]
    }

/** What a user interface shows for a call's result. */
export type ToolResultView =
  | { readonly card: 'generic'; readonly title?: string; readonly content?: readonly ContentBlock[] }
  | {
      readonly card: 'terminal'
      readonly title?: string
      readonly output?: string
      readonly exitCode?: number
      readonly signal?: string
    }
  | { readonly card: 'diff'; readonly title?: string; readonly diffs: readonly CardDiff[] }
  | {
      readonly card: 'search'
      readonly shape: 'matches'
      readonly matches: readonly {
        readonly path: string
        readonly lines: readonly { readonly line: number; readonly text: string }[]
      }[]
      readonly truncated: boolean
      readonly total?: number
    }
  | {
      readonly card: 'search'
      readonly shape: 'paths'
      readonly paths: readonly string[]
      readonly truncated: boolean
      readonly total?: number
    }
  | {
      readonly card: 'read'
      readonly path: string
      readonly offset?: number
      readonly lines: readonly string[]
      readonly totalLines?: number
      readonly lang?: string
      readonly content?: readonly ContentBlock[]
    }
  | {
      readonly card: 'web'
      readonly kind: 'search'
      readonly sources: readonly { readonly title: string; readonly url: string }[]
      readonly answer?: string
      readonly truncated: boolean
    }
  | {
      readonly card: 'web'
      readonly kind: 'fetch'
      readonly url: string
      readonly statusCode?: number
      readonly truncated: boolean
    }

/** The parts of a result that a presenter may use: they can be replayed from a log, unlike the value. */
export interface PresentableResult {
  readonly content: readonly ContentBlock[]
  readonly isError: boolean
  readonly meta?: JsonValue
}
