import { ToolArgsError } from '../errors/errors.js'
import { quoteName } from '../errors/quote-name.js'
import { ToolgateError } from '../errors/toolgate-error.js'
import type { PresentableResult } from '../presentation/cards.js'
import type { Parsed, ParseValue } from '../schema/parsed.js'
import type { ToolContext } from './tool-call.js'
import type { ToolDefinition } from './tool-definition.js'

type Callbacks = Pick<
  ToolDefinition,
  'name' | 'execute' | 'isConcurrencySafe' | 'resourceKeys' | 'presentCall' | 'presentResult'
>

const isPromise = (parsed: Parsed | Promise<Parsed>): parsed is Promise<Parsed> => parsed instanceof Promise

const refusals = new WeakMap<object, readonly [args: unknown, context: ToolContext]>()

/** True for what a body with a schema in front of it was refused with: nothing of the body itself has run. */
export function isRefusal(error: unknown, args: unknown, context: ToolContext): boolean {
  if (typeof error !== 'object' || error === null) return false
  const refusal = refusals.get(error)
  // A body may hand on the refusal of another one that it calls.
  return refusal?.[0] === args && refusal?.[1] === context
}

function refusal(error: ToolgateError, args: unknown, context: ToolContext): ToolgateError {
  refusals.set(error, [args, context])
  return error
}

/**
 * A tool's callbacks with the schema in front of them. The body throws `ToolArgsError` before it starts; classifiers and
 * presenters, which have no one to tell, abstain. Where a schema validates asynchronously only the body waits for it.
 */
export function validatedCallbacks(tool: Callbacks, parse: ParseValue): Omit<Callbacks, 'name'> {
  const { name } = tool
  const run = (parsed: Parsed, args: unknown, context: ToolContext): unknown => {
    if (!parsed.ok) throw refusal(new ToolArgsError(name, parsed.violations), args, context)
    return tool.execute(parsed.value, context)
  }
  // The call may have been aborted, or given up on, while a schema took its time.
  const runUnlessAborted = (parsed: Parsed, args: unknown, context: ToolContext): unknown => {
    if (!context.signal.aborted) return run(parsed, args, context)
    const message = `The call to ${quoteName(name)} was aborted before the tool ran`
    throw refusal(new ToolgateError('ABORTED_BEFORE_DISPATCH', message), args, context)
  }
  const ifValid = <R>(args: unknown, use: (value: unknown) => R): R | undefined => {
    const parsed = parse(args)
    return !isPromise(parsed) && parsed.ok ? use(parsed.value) : undefined
  }
  const { isConcurrencySafe, resourceKeys, presentCall, presentResult } = tool
  return {
    execute: (args, context) => {
      const parsed = parse(args)
      return isPromise(parsed)
        ? parsed.then(settled => runUnlessAborted(settled, args, context))
        : run(parsed, args, context)
    },
    ...(isConcurrencySafe && {
      isConcurrencySafe: (args: unknown) => ifValid(args, value => isConcurrencySafe(value)) as boolean,
    }),
    ...(resourceKeys && {
      // Unusable arguments have no keys to name, and what is not an array of strings runs alone.
      resourceKeys: (args: unknown) =>
        ifValid(args, value => resourceKeys(value)) as unknown as readonly string[],
    }),
    ...(presentCall && { presentCall: (args: unknown) => ifValid(args, value => presentCall(value)) }),
    ...(presentResult && {
      presentResult: (args: unknown, result: PresentableResult) =>
        ifValid(args, value => presentResult(value, result)),
    }),
  }
}
