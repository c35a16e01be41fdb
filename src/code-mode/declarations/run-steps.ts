/** A computation that yields the computations whose results it needs, or results at hand. */
export type Step<T> = Generator<T | Step<T>, T, T>

/** Runs a step and all it asks for on a stack of its own; a step that throws counts as `fallback`. */
export function runSteps<T extends object>(first: T | Step<T>, fallback: T): T {
  if (!isStep(first)) return first
  const stack = [first]
  let result = fallback
  for (let top = stack.at(-1); top; top = stack.at(-1)) {
    let next: IteratorResult<T | Step<T>, T>
    try {
      next = top.next(result)
    } catch {
      next = { done: true, value: fallback }
    }
    if (next.done) {
      result = next.value
      stack.pop()
    } else if (isStep(next.value)) {
      stack.push(next.value)
    } else {
      result = next.value
    }
  }
  return result
}

/** Tells a computation from a result. */
export function isStep<T extends object>(value: T | Step<T>): value is Step<T> {
  return Symbol.iterator in value
}
