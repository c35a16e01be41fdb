import { type Context, context } from './otel-api.js'
import { quietly } from './quietly.js'

type Ran<T> = { readonly made: T } | { readonly thrown: unknown } | undefined

function tried<T>(step: () => T): Ran<T> {
  try {
    return { made: step() }
  } catch (thrown) {
    return { thrown }
  }
}

/** Runs a step in a context, once: a context manager that breaks neither keeps it from running nor has it run again. */
export function runIn<T>(inside: Context, step: () => T): T {
  let ran: Ran<T>
  quietly('entering the context of a call', () =>
    context.with(inside, () => {
      ran ??= tried(step)
    }),
  )
  // Assigned in a callback, which the compiler does not see.
  const outcome = (ran as Ran<T>) ?? tried(step)
  if (outcome === undefined || 'thrown' in outcome) throw outcome?.thrown
  return outcome.made
}
