import type { JsonObject } from '../json/json-value.js'
import { snapshotJson } from '../json/snapshot-json.js'
import type { AroundCall, PostToolDecision, Stages } from '../pipeline/stages.js'
import type { ContentBlock } from '../tools/content-block.js'
import type { ToolCall, ToolExecutionToken } from '../tools/tool-call.js'
import type { ToolExecutionResult } from '../tools/tool-result.js'
import { checkedOptions, refuseOption } from './checked-options.js'
import { nameFilter } from './name-filter.js'
import { ResultRedaction } from './redact-content.js'
import { REDACTOR_OPTIONS, type RedactorOptions, redactionOf } from './redaction.js'

/** Options of `redact`. */
export interface RedactOptions extends RedactorOptions {
  /** Tools whose results are looked at, by name; a `*` stands for any text. Default all. */
  readonly include?: readonly string[] | undefined
  /** Tools whose results are not, such as one that is there to hand out tokens. Default none. */
  readonly exclude?: readonly string[] | undefined
  /**
   * Whether values are redacted, which programs and the host read, or only what the model reads. A value that then does not
   * fit the tool's output schema any more fails the call with `INVALID_TOOL_OUTPUT`. Default true.
   */
  readonly values?: boolean | undefined
}

/** What was done around the body. */
interface Before {
  readonly count: number
  /** The meta of a content tool, which its new content has lost. */
  readonly meta: JsonObject | undefined
}

type Accepted = Extract<PostToolDecision, { readonly kind: 'accept'; readonly value?: never }>
type Replaced = Exclude<PostToolDecision, Accepted>

function countOf(meta: JsonObject | undefined): number {
  const told = meta?.redacted
  const count = typeof told === 'object' && told !== null ? (told as JsonObject).count : undefined
  return typeof count === 'number' ? count : 0
}

/** Meta that says how often something was hidden, and never what. */
const toldIn = (meta: JsonObject | undefined, count: number): JsonObject => ({
  ...meta,
  redacted: { count: countOf(meta) + count },
})

const textOf = (content: readonly ContentBlock[]): string =>
  content.map(block => (block.type === 'text' ? block.text : `[${block.type} content]`)).join('\n')

/** A success without secrets in its value; the same one where there are none. */
function withoutSecrets(result: ToolExecutionResult, parts: ResultRedaction): ToolExecutionResult {
  if (result.isError) return result
  // Only a content tool has its own text for a value, and then it is made of the content.
  if (result.value === textOf(result.content)) {
    const content = parts.content(result.content)
    if (content !== result.content) return { ...result, content, value: textOf(content) }
  }
  const value = parts.json(result.value)
  return value === result.value ? result : { ...result, value }
}

/** What the model reads of a failure in no words but its message's. */
const messageContent = (message: string): readonly ContentBlock[] => [
  { type: 'text', text: `Error: ${message}` },
]

const isMessage = (content: readonly ContentBlock[], message: string): boolean => {
  const [block] = content
  return content.length === 1 && block?.type === 'text' && block.text === `Error: ${message}`
}

type Shown = Pick<Accepted, 'content' | 'error'>

/** The content, and for a failure the words, without secrets. What is the message anyway is not counted twice. */
function withoutSecretsShown(decision: Accepted, result: ToolExecutionResult, parts: ResultRedaction): Shown {
  const { error } = decision
  if (!result.isError)
    return { content: parts.content(decision.content ?? result.content), ...(error && { error }) }
  const { message, details } = { ...result.error, ...error }
  const words = {
    message: parts.text(message),
    ...(details !== undefined && { details: parts.json(details) }),
  }
  const content =
    decision.content ?? (error?.message === undefined ? result.content : messageContent(message))
  return {
    content: isMessage(content, message) ? messageContent(words.message) : parts.content(content),
    error: words,
  }
}

/**
 * Hides secrets in what the model reads: results and failures, their contexts and meta, and values, which programs read. What
 * was JSON stays JSON, a failure stays one, and `meta.redacted.count` says in how many places something was hidden.
 *
 * Stands inside of `resultBudget` and of whatever else cuts or keeps content, as half a secret is not found, and outside of
 * stages that make content. Not seen are base64 data, what a tool's `finalizeContent` says, and results that no stage sees.
 * Approvals, `log` and `progress` events are no stage's: `createRedactor` hides secrets in those.
 * @throws ToolgateError `INVALID_OPTIONS`
 */
export function redact(options: RedactOptions = {}): Stages {
  const given = checkedOptions('redact', options, [...REDACTOR_OPTIONS, 'include', 'exclude', 'values'])
  const redaction = redactionOf(given)
  const isMeant = nameFilter('redact', given.include, given.exclude)
  const { values = true } = given
  if (typeof values !== 'boolean') refuseOption('redact: values must be true or false')
  const before = new WeakMap<ToolExecutionToken, Before>()

  const redactValue = async (
    call: AroundCall,
    next: () => Promise<ToolExecutionResult>,
  ): Promise<ToolExecutionResult> => {
    const result = await next()
    before.delete(call.token)
    if (!isMeant(call.name)) return result
    const parts = new ResultRedaction(redaction)
    const made = withoutSecrets(result, parts)
    if (made !== result) before.set(call.token, { count: parts.count, meta: result.meta })
    return made
  }

  const accepted = (
    decision: Accepted,
    result: ToolExecutionResult,
    { count, meta: lost }: Before,
  ): PostToolDecision => {
    const parts = new ResultRedaction(redaction)
    const shown = withoutSecretsShown(decision, result, parts)
    const { additionalContexts = [], ownContexts = result.additionalContexts ?? [] } = decision
    const added = parts.contexts(additionalContexts)
    const own = parts.contexts(ownContexts)
    const meta = parts.json(decision.meta ?? (lost && { ...lost, ...result.meta }) ?? result.meta)
    const places = parts.count + count
    if (places === 0) return decision
    return {
      kind: 'accept',
      ...shown,
      ...(added.length > 0 && { additionalContexts: added }),
      ...((own !== ownContexts || decision.ownContexts !== undefined) && { ownContexts: own }),
      meta: toldIn(meta, places),
    }
  }

  /** A decision whose content is not known yet, or that has its own. */
  const rewritten = (decision: Replaced, count: number): PostToolDecision => {
    const parts = new ResultRedaction(redaction)
    const { additionalContexts } = decision
    const meta = parts.json(decision.meta)
    const contexts = additionalContexts && { additionalContexts: parts.contexts(additionalContexts) }
    const told = (): { readonly meta?: JsonObject } => {
      const places = parts.count + count
      return places > 0 ? { meta: toldIn(meta, places) } : meta === undefined ? {} : { meta }
    }
    if (decision.kind === 'block')
      return { ...decision, feedback: parts.content(decision.feedback), ...contexts, ...told() }
    // Read once: what is checked here is what the tool's schema gets.
    const value = parts.json(snapshotJson(decision.value))
    const own = decision.ownContexts && { ownContexts: parts.contexts(decision.ownContexts) }
    return { kind: 'accept', value, ...contexts, ...own, ...told() }
  }

  return {
    name: 'redact',
    ...(values && { execute: redactValue }),
    async postExecute(
      call: ToolCall,
      result: ToolExecutionResult,
      next: () => Promise<PostToolDecision>,
    ): Promise<PostToolDecision> {
      const decision = await next()
      if (!isMeant(call.name)) return decision
      const done = before.get(call.token) ?? { count: 0, meta: undefined }
      if (decision.kind === 'block') return rewritten(decision, 0)
      return 'value' in decision
        ? rewritten(decision as Replaced, done.count)
        : accepted(decision, result, done)
    },
  }
}
