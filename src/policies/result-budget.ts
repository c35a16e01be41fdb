import type { JsonObject } from '../json/json-value.js'
import type { AroundCall, PostToolDecision, Stages } from '../pipeline/stages.js'
import { RUN_CODE_NAME } from '../scopes/scope-node.js'
import type { ContentBlock } from '../tools/content-block.js'
import type { ToolCall, ToolExecutionToken } from '../tools/tool-call.js'
import type { ToolExecutionResult, ToolSuccess } from '../tools/tool-result.js'
import { checkedOptions, refuseOption, wholeNumber } from './checked-options.js'
import { milliseconds } from './milliseconds.js'
import { type CutContent, cutContent, noteOf } from './result-budget-content.js'
import { type BudgetOf, budgetOf } from './result-budget-tools.js'
import { keepWhole, type ResultSink, type SinkErrorListener } from './result-sink.js'

/** Options of `resultBudget`. */
export interface ResultBudgetOptions {
  /** UTF-8 bytes that the model may read of one result, notes included. At least 1 024; `Infinity` for no bound. */
  readonly maxBytes: number
  /**
   * Other budgets for some tools, by name; a `*` in a name stands for any text. A name without one stands before those with, and
   * of these the first that fits counts.
   */
  readonly tools?: { readonly [name: string]: number } | undefined
  /** UTF-8 bytes of each string in a text that is JSON, also where the whole would fit. At least 64. Default no bound. */
  readonly maxStringBytes?: number | undefined
  /** Keeps what is cut. Where it fails or is late, nothing is said to be kept. */
  readonly sink?: ResultSink | undefined
  /** How long the sink is waited for, at most to an abort of the call. Default 5 000; `Infinity` for no bound. */
  readonly sinkMs?: number | undefined
  /** Told when the sink throws, rejects, is late or answers no handle. What it throws or rejects with is dropped. */
  readonly onSinkError?: SinkErrorListener | undefined
  /** True: the value of a content tool is cut as well, for programs and logs too. Default false. */
  readonly replaceValue?: boolean | undefined
}

const KNOWN = [
  'maxBytes',
  'tools',
  'maxStringBytes',
  'sink',
  'sinkMs',
  'onSinkError',
  'replaceValue',
] as const

const ENDLESS = Number.POSITIVE_INFINITY
const LEAST_STRING_BYTES = 64
const NOTE_BYTES = 256
const MOST_OF_A_HANDLE = 512
const DEFAULT_SINK_MS = 5_000

/** A content within its budget, its note at the end. */
interface Shown {
  readonly content: readonly ContentBlock[]
  readonly told: JsonObject
}

/** What was put in place of a result around the body. */
interface Replaced {
  readonly whole: ToolSuccess
  readonly shown: Shown
}

const textOf = (content: readonly ContentBlock[]): string =>
  content.map(block => (block.type === 'text' ? block.text : `[${block.type} content]`)).join('\n')

const contentOf = (
  decision: PostToolDecision,
  result: ToolExecutionResult,
): readonly ContentBlock[] | undefined => {
  if (decision.kind === 'block') return decision.feedback
  if ('value' in decision) return undefined
  if (decision.content !== undefined) return decision.content
  const message = decision.error?.message
  return message === undefined ? result.content : [{ type: 'text', text: `Error: ${message}` }]
}

const lastText = (content: readonly ContentBlock[]): string | undefined => {
  const last = content.at(-1)
  return last?.type === 'text' ? last.text : undefined
}

/** What `meta.resultBudget` says. */
const toldOf = ({ bytes, wholeBytes }: CutContent, handle: string | undefined): JsonObject => ({
  wholeBytes,
  shownBytes: bytes,
  ...(handle !== undefined && { handle }),
})

function optionalFunction<F>(option: string, given: unknown): F | undefined {
  if (given !== undefined && typeof given !== 'function') refuseOption(`${option} must be a function`)
  return given as F | undefined
}

/**
 * Cuts what the model reads of a result to a budget, so that one huge result cannot fill its context: successes, failures and
 * the results of programs. Text that is JSON stays JSON, its arrays, objects and strings cut with a mark that says how much
 * is missing; other text keeps its beginning and end; what is no text is left out with a line that says so. A note at the end
 * names the handle of the `sink`, and `meta.resultBudget` has `wholeBytes`, `shownBytes` and the `handle`.
 *
 * Stands outside of stages that change the content. The value stays whole, unless `replaceValue`. Text that a program reads
 * of its own calls is not cut, as the model reads what the program returns. Not seen are what a stage's new value is
 * rendered to, what a tool's `finalizeContent` says, and additional contexts.
 * @throws ToolgateError `INVALID_OPTIONS`.
 */
export function resultBudget(options: ResultBudgetOptions): Stages {
  const given = checkedOptions('resultBudget', options, KNOWN)
  const maxBytesOf: BudgetOf = budgetOf(given.maxBytes, given.tools)
  const maxStringBytes =
    given.maxStringBytes === undefined
      ? ENDLESS
      : wholeNumber('resultBudget: maxStringBytes', given.maxStringBytes, LEAST_STRING_BYTES, 0)
  const sink = optionalFunction<ResultSink>('resultBudget: sink', given.sink)
  const onSinkError = optionalFunction<SinkErrorListener>('resultBudget: onSinkError', given.onSinkError)
  const sinkMs = milliseconds('resultBudget: sinkMs', given.sinkMs, DEFAULT_SINK_MS, {
    least: 1,
    endless: true,
  })
  const { replaceValue = false } = given
  if (typeof replaceValue !== 'boolean') refuseOption('resultBudget: replaceValue must be true or false')
  const replaced = new WeakMap<ToolExecutionToken, Replaced>()
  const programs = new WeakSet<ToolExecutionToken>()

  /** The content within the budget; `undefined` if it is so already. */
  const withinBudget = async (
    call: ToolCall,
    content: readonly ContentBlock[],
    result: ToolExecutionResult,
  ): Promise<Shown | undefined> => {
    const maxBytes = maxBytesOf(call.name)
    if (maxBytes === ENDLESS && maxStringBytes === ENDLESS) return undefined
    const mostOfAHandle = sink === undefined ? 0 : Math.min(MOST_OF_A_HANDLE, Math.floor(maxBytes / 4))
    const cut = cutContent(content, maxBytes, maxBytes - NOTE_BYTES - mostOfAHandle, maxStringBytes)
    if (cut === undefined) return undefined
    const whole = { content, ...(!result.isError && { value: result.value }) }
    const handle = sink && (await keepWhole({ sink, sinkMs, mostOfAHandle, onSinkError }, call, whole))
    return {
      content: [...cut.blocks, { type: 'text', text: noteOf(cut, handle) }],
      told: toldOf(cut, handle),
    }
  }

  // Only a content tool has its own text for a value. A tool with an output schema may have the same by chance: it is given
  // its value back.
  const cutValue = async (
    call: AroundCall,
    next: () => Promise<ToolExecutionResult>,
  ): Promise<ToolExecutionResult> => {
    const result = await next()
    replaced.delete(call.token)
    if (result.isError || result.value !== textOf(result.content)) return result
    const shown = await withinBudget(call, result.content, result)
    if (shown === undefined) return result
    replaced.set(call.token, { whole: result, shown })
    return { ...result, content: shown.content }
  }

  /** What was cut around the body, where it is still what the call ends in: its note is. */
  const cutBefore = ({ token }: ToolCall, result: ToolExecutionResult): Replaced | undefined => {
    const before = replaced.get(token)
    if (before === undefined || result.isError) return undefined
    const { whole, shown } = before
    return result.value === whole.value || lastText(result.content) === lastText(shown.content)
      ? before
      : undefined
  }

  return {
    name: 'result-budget',
    guard(call: ToolCall): undefined {
      if (call.name === RUN_CODE_NAME) programs.add(call.token)
    },
    ...(replaceValue && { execute: cutValue }),
    async postExecute(
      call: ToolCall,
      result: ToolExecutionResult,
      next: () => Promise<PostToolDecision>,
    ): Promise<PostToolDecision> {
      const decision = await next()
      const content = contentOf(decision, result)
      if (content === undefined) return decision
      const before = decision.kind === 'block' ? undefined : cutBefore(call, result)
      // A program reads values. What is no text travels on to the model beside its result.
      const isOfProgram = call.parent !== undefined && programs.has(call.parent)
      const isUnread = isOfProgram && content.every(block => block.type === 'text')
      if (before === undefined && isUnread) return decision
      const given = content === result.content ? before?.shown : undefined
      const shown = given ?? (await withinBudget(call, content, result))
      const told = shown?.told ?? before?.shown.told
      if (told === undefined) return decision
      const kept = decision.kind === 'block' ? undefined : { ...before?.whole.meta, ...result.meta }
      const meta = { ...(decision.meta ?? kept), resultBudget: told }
      if (shown === undefined) return { ...decision, meta }
      if (decision.kind === 'block') return { ...decision, feedback: shown.content, meta }
      const { value: _none, ...rest } = decision
      return { ...rest, content: shown.content, meta }
    },
  }
}
