/** The items of an array in a plain array, by index: what a subclass iterates over may be something else. */
export function listOf<T>(items: readonly T[]): T[] {
  const list: T[] = []
  for (let i = 0; i < items.length; i++) list.push(items[i] as T)
  return list
}
