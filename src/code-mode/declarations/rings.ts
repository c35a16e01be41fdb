/** Tells the ring of a node: two nodes have the same number when each leads to the other. */
export type RingOf = (node: unknown) => number

interface Visit {
  readonly node: unknown
  readonly order: number
  readonly next: readonly unknown[]
  at: number
  /** The earliest open node that it leads to. */
  low: number
}

/** Creates the numbering, by Tarjan's algorithm on a stack of its own; each node is looked at once. */
export function createRings(next: (node: unknown) => readonly unknown[]): RingOf {
  const rings = new Map<unknown, number>()
  const orders = new Map<unknown, number>()
  return node => {
    if (!rings.has(node)) number(node)
    return rings.get(node) ?? -1
  }

  function number(start: unknown): void {
    const open: unknown[] = []
    const enter = (node: unknown): Visit => {
      const order = orders.size
      orders.set(node, order)
      open.push(node)
      return { node, order, next: next(node), at: 0, low: order }
    }
    const stack = [enter(start)]
    for (let visit = stack.at(-1); visit; visit = stack.at(-1)) {
      if (visit.at < visit.next.length) {
        const after = visit.next[visit.at++]
        const order = orders.get(after)
        if (order === undefined) stack.push(enter(after))
        else if (!rings.has(after)) visit.low = Math.min(visit.low, order)
        continue
      }
      stack.pop()
      const outer = stack.at(-1)
      if (outer) outer.low = Math.min(outer.low, visit.low)
      if (visit.low < visit.order) continue
      let node: unknown
      do {
        node = open.pop()
        rings.set(node, visit.order)
      } while (node !== visit.node)
    }
  }
}
