import type { Context, Span } from './otel-api.js'

/** A call under way, as telemetry sees it. */
export interface CallWatch {
  /** None if the tracer broke. */
  readonly span: Span | undefined
  /** Of what happens in the call. */
  readonly context: Context
  readonly agent: string | undefined
  readonly startedAt: number
  /** What was active when the call came in, and whether that had to do with it. */
  readonly outside: Context
  readonly isActive: boolean
  /** How many times these stages stand in the pipeline: in a registry and again in a scope, for example. */
  entered: number
  /** How often the guard was asked. */
  asked: number
  /** The decision was to ask for an approval, as far as these stages have heard it. */
  asks: boolean
  /** Since when an approval may have been waited for: the guards had been asked once. */
  waitingSince: number | undefined
  ended: boolean
}

/** How a wait for an approval ended that was not granted. With any other code nobody was asked. */
const UNGRANTED: { readonly [code: string]: string } = {
  APPROVAL_REJECTED: 'rejected',
  APPROVAL_CANCELLED: 'cancelled',
  APPROVAL_UNAVAILABLE: 'unavailable',
}

/** What became of an approval in a call that ended so, if there was one. */
export function ungranted({ asks, waitingSince }: CallWatch, code: string | undefined): string | undefined {
  if (waitingSince === undefined || code === undefined) return undefined
  if (code === 'ABORTED_BEFORE_DISPATCH') return asks ? 'aborted' : undefined
  return Object.hasOwn(UNGRANTED, code) ? UNGRANTED[code] : undefined
}
