/** A computation that yields the computations whose results it needs. */
export type Step<T> = Generator<Step<T>, T, T>

/** Runs a step and all it asks for on a stack of its own; a step that throws counts as `fallback`. */
export function runSteps<T>(first: Step<T>, fallback: T): T {
  const stack = [first]
  let result = fallback
  for (let top = stack.at(-1); top; top = stack.at(-1)) {
    let next: IteratorResult<Step<T>, T>
    try {
      next = top.next(result)
    } catch {
      next = { done: true, value: fallback }
    }
    if (next.done) {
      result = next.value
      stack.pop()
    } else {
      stack.push(next.value)
    }
  }
  return result
}
