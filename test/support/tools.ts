import type { ToolContext, ToolDefinition } from 'toolgate'

export interface CountedTool extends ToolDefinition {
  /** How often the body ran. */
  readonly runs: () => number
}

/** A content tool that counts how often its body ran. */
export function countedTool(
  name: string,
  body: (args: any, context: ToolContext) => unknown = () => 'done',
  rest: Partial<ToolDefinition> = {},
): CountedTool {
  let runs = 0
  return {
    name,
    description: `The tool ${name}.`,
    parameters: { type: 'object', properties: {} },
    execute: (args, context) => {
      runs++
      return body(args, context)
    },
    ...rest,
    runs: () => runs,
  }
}

/** A promise that the test settles. */
export interface Gate<T = void> {
  readonly promise: Promise<T>
  open(this: void, ...value: T extends void ? [] : [T]): void
  fail(error: unknown): void
}

export function gate<T = void>(): Gate<T> {
  let open!: (value: T) => void
  let fail!: (error: unknown) => void
  const promise = new Promise<T>((resolve, reject) => {
    open = resolve
    fail = reject
  })
  return { promise, open: open as Gate<T>['open'], fail }
}

/** Lets everything that can go on without the outside go on. */
export const settle = (): Promise<void> => new Promise(resolve => setImmediate(resolve))

/** True if the value and everything in it is frozen. */
export function isDeepFrozen(value: unknown): boolean {
  if (typeof value !== 'object' || value === null || value instanceof AbortSignal) return true
  return Object.isFrozen(value) && Object.values(value).every(isDeepFrozen)
}
