const SMALL = 64

/** A queue whose ends cost the same however long it is: an array moves all it holds when its first item is taken. */
export class Fifo<T extends object> {
  #items: (T | undefined)[] = []
  #head = 0

  get size(): number {
    return this.#items.length - this.#head
  }

  get first(): T | undefined {
    return this.#items[this.#head]
  }

  push(item: T): void {
    this.#items.push(item)
  }

  shift(): T | undefined {
    const { first } = this
    if (first === undefined) return undefined
    this.#items[this.#head++] = undefined
    if (this.size === 0) this.#keep([])
    else if (this.#head >= SMALL && this.#head * 2 >= this.#items.length) this.#keep(this.toArray())
    return first
  }

  toArray(): T[] {
    return this.#items.slice(this.#head) as T[]
  }

  /** Takes everything out. */
  drain(): T[] {
    const all = this.toArray()
    this.#keep([])
    return all
  }

  #keep(items: T[]): void {
    this.#items = items
    this.#head = 0
  }
}
