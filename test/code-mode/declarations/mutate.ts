import type { Draw } from './instance.js'

const OTHERS = ['a', 'other', '', 0, 7, true, null, [], {}, ['a'], { a: 'a' }]
const KEYS = ['a', 'b', 'zz', 'tag', 'length']

/** A value that differs in one place: replaced, left out, added or put into an array. */
export function mutate(value: unknown, draw: Draw): unknown {
  const other = (): unknown => OTHERS[draw(OTHERS.length)]
  if (typeof value !== 'object' || value === null || draw(4) === 0) return draw(5) === 0 ? [value] : other()
  if (Array.isArray(value)) {
    if (value.length === 0 || draw(3) === 0) return [...value, other()]
    const place = draw(value.length)
    return value.map((item, index) => (index === place ? mutate(item, draw) : item))
  }
  const entries = Object.entries(value)
  const [key, held] = entries[draw(entries.length)] ?? []
  const rest = entries.filter(([name]) => name !== key)
  if (key === undefined || draw(4) === 0)
    return Object.fromEntries([...entries, [KEYS[draw(KEYS.length)] as string, other()]])
  return Object.fromEntries(draw(3) === 0 ? rest : [...rest, [key, mutate(held, draw)]])
}
