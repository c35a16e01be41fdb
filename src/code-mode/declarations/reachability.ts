/** Says of nodes whether they lead, over any number of steps, to one that is wanted. */
export type Reaches = (start: unknown) => boolean

/**
 * Creates an answer to that question. Each node is looked at once, whatever is asked and however the nodes lead
 * to each other, so that all answers together take as long as the graph is large.
 */
export function createReachability(
  isWanted: (node: unknown) => boolean,
  next: (node: unknown) => readonly unknown[],
): Reaches {
  const answers = new Map<unknown, boolean>()
  return start => {
    if (!answers.has(start)) answer(start)
    return answers.get(start) === true
  }

  function answer(start: unknown): void {
    const before = new Map<unknown, unknown[]>([[start, []]])
    const found: unknown[] = []
    for (const node of before.keys()) {
      if (isWanted(node)) found.push(node)
      for (const after of next(node)) {
        const known = answers.get(after)
        if (known) found.push(node)
        if (known !== undefined) continue
        const sources = before.get(after)
        if (sources) sources.push(node)
        else before.set(after, [node])
      }
    }
    for (const node of before.keys()) answers.set(node, false)
    for (let node = found.pop(); node !== undefined; node = found.pop()) {
      if (answers.get(node)) continue
      answers.set(node, true)
      for (const source of before.get(node) ?? []) found.push(source)
    }
  }
}
