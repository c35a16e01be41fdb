import { describeError } from '../errors/describe-error.js'
import { ToolOutputError } from '../errors/errors.js'
import { quoteName } from '../errors/quote-name.js'
import { ToolgateError } from '../errors/toolgate-error.js'
import { dropRejection } from '../events/event-hub.js'
import { isRecord } from '../json/is-record.js'
import type { JsonObject, JsonValue } from '../json/json-value.js'
import { trySnapshot } from '../json/snapshot-json.js'
import type { Parsed } from '../schema/parsed.js'
import { type ContentBlock, contentFault, contentText } from '../tools/content-block.js'
import { successResult } from '../tools/results.js'
import type { RegisteredOutput, RegisteredTool } from '../tools/tool-definition.js'
import type { ToolSuccess } from '../tools/tool-result.js'
import type { CallState } from './call-state.js'
import { isPending, type Pending } from './pending.js'
import { usable } from './read-arguments.js'
import { withinGrace } from './within-grace.js'

const NO_OUTPUT = '(no output)'

function fault(state: CallState, path: string, message: string, cause?: unknown): never {
  throw new ToolOutputError(state.call.name, [{ path, message }], {
    cause,
    details: { violations: [{ path, message }] },
  })
}

function snapshot(state: CallState, value: unknown, root: string): JsonValue {
  const copy = trySnapshot(value, state.host.resultLimits, root)
  if (copy.ok) return copy.value
  if (copy.code === 'LIMIT_EXCEEDED')
    throw new ToolgateError(
      'LIMIT_EXCEEDED',
      `The result of tool ${quoteName(state.call.name)} is too large: ${copy.message}`,
    )
  return fault(state, copy.path, copy.message)
}

function project(state: CallState, projector: string, run: () => unknown): unknown {
  try {
    const given = run()
    dropRejection(given)
    return given
  } catch (cause) {
    return fault(state, 'value', `its ${projector} threw: ${describeError(cause)}`, cause)
  }
}

function checkedContent(state: CallState, given: unknown, root: string): readonly ContentBlock[] {
  const content = snapshot(state, given, root)
  const wrong = contentFault(content, root)
  return wrong === undefined ? (content as unknown as readonly ContentBlock[]) : fault(state, root, wrong)
}

function checkedMeta(state: CallState, given: unknown): JsonObject | undefined {
  if (given === undefined) return undefined
  const meta = snapshot(state, given, 'meta')
  return isRecord(meta) ? meta : fault(state, 'meta', 'meta must be an object')
}

function renderedResult(
  state: CallState,
  output: RegisteredOutput,
  raw: JsonValue,
  parsed: Parsed,
): ToolSuccess {
  const { call } = state
  if (!parsed.ok) throw new ToolOutputError(call.name, parsed.violations)
  const value = parsed.value === raw ? raw : snapshot(state, parsed.value, 'value')
  const args = usable(call.arguments)
  const rendered = project(state, 'render', () => output.render(args, value))
  const content = checkedContent(state, rendered, 'content')
  // User interfaces show outer calls; a sub-call's meta would be made for nobody.
  if (output.presentationMeta === undefined || call.parent !== undefined)
    return successResult(call, value, content)
  const given = project(state, 'presentationMeta', () => output.presentationMeta?.(args, value))
  return successResult(call, value, content, { meta: checkedMeta(state, given) })
}

function valueResult(state: CallState, output: RegisteredOutput, returned: unknown): Pending<ToolSuccess> {
  // A body that returns nothing satisfies a schema whose only value is null.
  const given = returned === undefined && output.schema.type === 'null' ? null : returned
  const raw = snapshot(state, given, 'value')
  const parsing = output.parse(raw)
  if (!isPending(parsing)) return renderedResult(state, output, raw, parsing)
  const within = withinGrace(state, parsing, () => {
    const message = `The result of tool ${quoteName(state.call.name)} was still being checked when the call was aborted`
    throw new ToolgateError('ABORTED', message, { details: { bodyStopped: true } })
  })
  return within.then(parsed => renderedResult(state, output, raw, parsed))
}

function contentResult(state: CallState, returned: unknown): ToolSuccess {
  if (returned === undefined || returned === null) return successResult(state.call, '', textBlock(NO_OUTPUT))
  if (typeof returned === 'string') {
    const text = snapshot(state, returned, 'value') as string
    return successResult(state.call, text, textBlock(text))
  }
  const given = snapshot(state, returned, 'value')
  const bare = Array.isArray(given)
  if (!bare && !isRecord(given))
    return fault(
      state,
      'value',
      'value must be text, content blocks or { content, meta? }; declare output to return data',
    )
  const content = bare ? given : (given.content ?? null)
  const root = bare ? 'value' : 'value.content'
  const wrong = contentFault(content, root)
  if (wrong !== undefined) return fault(state, root, `${wrong}; declare output to return data`)
  const extra = bare ? undefined : Object.keys(given).find(key => key !== 'content' && key !== 'meta')
  if (extra !== undefined)
    return fault(state, 'value', `value has an unexpected field ${JSON.stringify(extra)}`)
  const meta = bare ? undefined : given.meta
  if (meta !== undefined && !isRecord(meta)) return fault(state, 'value.meta', 'value.meta must be an object')
  const blocks = content as unknown as readonly ContentBlock[]
  return successResult(state.call, contentText(blocks), blocks, { meta })
}

const textBlock = (text: string): readonly ContentBlock[] =>
  Object.freeze([Object.freeze({ type: 'text', text })])

/**
 * Makes the success of what a body returned: lossless, valid by the tool's schema, rendered.
 * @throws ToolgateError `INVALID_TOOL_OUTPUT` or `LIMIT_EXCEEDED`.
 */
export function materialize(state: CallState, tool: RegisteredTool, returned: unknown): Pending<ToolSuccess> {
  return tool.output === undefined
    ? contentResult(state, returned)
    : valueResult(state, tool.output, returned)
}
