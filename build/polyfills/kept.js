const MOST = 100

/** What tells the formatters of two calls apart; `undefined` if only their making could say. */
function keyOf(locales, options) {
  if (locales !== undefined && typeof locales !== 'string') return undefined
  if (options === undefined) return String(locales)
  if (typeof options !== 'object' || options === null || Object.getPrototypeOf(options) !== Object.prototype)
    return undefined
  let key = String(locales)
  for (const [name, value] of Object.entries(options)) {
    if (typeof value === 'object' || typeof value === 'function' || typeof value === 'symbol')
      return undefined
    key += `|${name}:${typeof value}:${value}`
  }
  return key
}

/** Makes formatters, each once for the same locale and options: making one takes longer than using it a hundred times. */
export function kept(make) {
  const made = new Map()
  return (locales, options, ...rest) => {
    const key = keyOf(locales, options)
    if (key === undefined) return make(locales, options, ...rest)
    const full = [key, ...rest].join('\n')
    if (made.size > MOST) made.clear()
    if (!made.has(full)) made.set(full, make(locales, options, ...rest))
    return made.get(full)
  }
}
