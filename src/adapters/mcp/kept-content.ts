import {
  type ContentBlock,
  canonicalJson,
  type JsonObject,
  type JsonValue,
  type ToolCall,
} from '../../index.js'
import type { Answer } from './read-answer.js'

interface Kept {
  readonly token: object
  readonly value: JsonValue
  readonly answer: Answer
  isRendered: boolean
}

/** The server's content blocks, between a tool's body and its `render`. */
export interface KeptContent {
  keep(args: object, call: ToolCall, value: JsonValue, answer: Answer): void
  /** Takes the answer that this value came with; `undefined` for a value that a stage has written. */
  take(args: object, value: JsonValue): Answer | undefined
  /** The answer that was taken last, if it was for this very value. */
  taken(value: JsonValue): Answer | undefined
  forget(call: ToolCall): void
}

/**
 * A body returns its canonical value only, and `render` makes the content of it. What the server sent as content waits here
 * meanwhile, for the frozen arguments of the call. Calls without arguments share one object, so the value tells them apart.
 */
export function createKeptContent(): KeptContent {
  const byArguments = new WeakMap<object, Kept[]>()
  let last: { readonly value: JsonValue; readonly answer: Answer | undefined } | undefined
  return {
    keep(args, { token }, value, answer) {
      const kept = byArguments.get(args) ?? []
      kept.push({ token, value, answer, isRendered: false })
      byArguments.set(args, kept)
    },
    take(args, value) {
      const kept = byArguments.get(args) ?? []
      const text = kept.length > 0 ? canonicalJson(value) : ''
      const equal = kept.filter(one => canonicalJson(one.value) === text)
      const found = equal.find(({ isRendered }) => !isRendered) ?? equal.at(-1)
      if (found !== undefined) found.isRendered = true
      last = { value, answer: found?.answer }
      return found?.answer
    },
    taken(value) {
      const answer = last?.value === value ? last.answer : undefined
      last = undefined
      return answer
    },
    forget({ arguments: args, token }) {
      if (typeof args !== 'object' || args === null) return
      const left = byArguments.get(args)?.filter(kept => kept.token !== token)
      if (left === undefined) return
      if (left.length === 0) byArguments.delete(args)
      else byArguments.set(args, left)
    },
  }
}

/** The content of a value: the server's own blocks, or the value as text where there are none. */
export function contentOf(answer: Answer | undefined, value: JsonValue): readonly ContentBlock[] {
  if (answer !== undefined && answer.content.length > 0) return answer.content
  return [{ type: 'text', text: JSON.stringify(value) }]
}

/** What user interfaces get of an answer. */
export function metaOf(answer: Answer | undefined): JsonObject | undefined {
  return answer?.meta === undefined ? undefined : { _meta: answer.meta }
}
