import type { JsonValue } from '../json/json-value.js'
import type { ToolContext } from '../tools/tool-call.js'
import type { ToolDefinition } from '../tools/tool-definition.js'

/** One time that a fake's body ran. */
export interface FakeCall {
  readonly arguments: JsonValue
  readonly context: ToolContext
}

/** What a fake answers: a JSON value, or a function that is asked each time and may throw, reject or wait. */
export type FakeAnswer = JsonValue | ((args: any, context: ToolContext, index: number) => unknown)

/** A tool that answers what it is told and keeps what it was called with. */
export interface FakeTool extends ToolDefinition {
  /** The calls whose body ran, in the order in which they began. A call that was refused is not among them. */
  readonly calls: readonly FakeCall[]
  /** How often the body ran. */
  readonly runs: () => number
}

/**
 * A tool for tests. It takes any object and answers `answer`, default `"done"`, as its canonical value, which reads as the
 * text itself or as JSON. `rest` replaces parts of the definition: a description, parameters, `isConcurrencySafe`, an
 * `output` of its own.
 */
export function fakeTool(
  name: string,
  answer: FakeAnswer = 'done',
  rest: Partial<ToolDefinition> = {},
): FakeTool {
  const calls: FakeCall[] = []
  return {
    name,
    description: `The fake tool ${name}.`,
    parameters: { type: 'object' },
    output: {
      schema: {},
      render: (_args, value) => [
        { type: 'text', text: typeof value === 'string' ? value : JSON.stringify(value) },
      ],
    },
    ...rest,
    execute(args: JsonValue, context) {
      const index = calls.push({ arguments: args, context }) - 1
      return typeof answer === 'function' ? answer(args, context, index) : answer
    },
    calls,
    runs: () => calls.length,
  }
}
