import type { ToolCall, ToolExecutionToken } from '../../tools/tool-call.js'
import { type Context, context, createContextKey, ROOT_CONTEXT, type Span, trace } from './otel-api.js'
import { quietly } from './quietly.js'

/** What stages leave in the context of what a call does. */
interface Inside {
  readonly token: ToolExecutionToken
  readonly span: Span
  /** What was active where the call came in, before any of several `otelStages` had added a span. */
  readonly outside: Context
}

const INSIDE = createContextKey('toolgate: the call that runs')

/** A call's span, if it has one, and the context of what happens in it. */
export interface CallSpan {
  readonly span: Span | undefined
  readonly context: Context
}

/** What is active, or nothing where that cannot be told. */
export const activeContext = (): Context =>
  quietly('the active context', () => context.active()) ?? ROOT_CONTEXT

/** A context with a call's span. */
export const enterSpan = (base: Context, outside: Context, { token }: ToolCall, span: Span): Context =>
  trace.setSpan(base, span).setValue(INSIDE, { token, span, outside } satisfies Inside)

/** Where a call belongs. */
export interface Place {
  /** What the call's span is put into: its parent is the active span of this. */
  readonly base: Context
  /** What was active when the call came in. */
  readonly outside: Context
  /** False if what was active had nothing to do with the call. */
  readonly isActive: boolean
}

const insideOf = (active: Context): Inside | undefined => active.getValue(INSIDE) as Inside | undefined

/**
 * Where a call belongs among the spans of one `otelStages`. What is active counts, since the host's own spans are in there,
 * unless it is not of the parent that the call names: it may be that of another call, or of nobody, and the parent's word holds.
 */
export function placeOf(call: ToolCall, known: (token: ToolExecutionToken) => CallSpan | undefined): Place {
  const active = activeContext()
  const inside = insideOf(active)
  const outside = inside?.token === call.token ? inside.outside : active
  const around = outside === active ? inside : insideOf(outside)
  const parent = call.parent === undefined ? undefined : known(call.parent)
  if (parent !== undefined && around?.token !== call.parent)
    return { base: parent.context, outside, isActive: false }
  // Each of several `otelStages` has a tree of its own.
  const own = around && trace.getSpan(outside) === around.span ? known(around.token)?.span : undefined
  const base = own === undefined || own === around?.span ? outside : trace.setSpan(outside, own)
  return { base, outside, isActive: true }
}
