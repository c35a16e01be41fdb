// The one locale that there is data for, in the place of `@formatjs/intl-localematcher`, whose tables of all languages choose
// between hundreds.

const TAG =
  /^(?:[a-z]{2,3}|[a-z]{5,8})(?:-[a-z]{4})?(?:-(?:[a-z]{2}|\d{3}))?(?:-(?:[a-z\d]{5,8}|\d[a-z\d]{3}))*(?:-[a-wyz\d](?:-[a-z\d]{2,8})+)*(?:-x(?:-[a-z\d]{1,8})+)?$/i
const EXTENSION = /-u((?:-[a-z\d]{2,8})+)/

function canonical(given) {
  if (typeof given !== 'string' && (typeof given !== 'object' || given === null))
    throw new TypeError('A locale must be a string')
  const tag = String(given)
  if (!TAG.test(tag)) throw new RangeError(`Incorrect locale information provided: ${tag}`)
  let isPlain = true
  return tag
    .toLowerCase()
    .split('-')
    .map((part, i) => {
      if (part.length === 1) isPlain = false
      if (i === 0 || !isPlain) return part
      if (part.length === 4 && !/^\d/.test(part)) return part[0].toUpperCase() + part.slice(1)
      return part.length === 2 ? part.toUpperCase() : part
    })
    .join('-')
}

export function getCanonicalLocales(locales) {
  if (locales === undefined) return []
  if (locales === null) throw new TypeError('Locales cannot be null')
  const list = typeof locales === 'string' ? [locales] : Array.from(Object(locales))
  return [...new Set(list.map(canonical))]
}

/** `en` for any English, else nothing. */
function available(locale) {
  const bare = locale.replace(/-[a-wyz\d]-.*$/, '')
  return bare === 'en-US' || bare === 'en' ? bare : /^en-/.test(bare) ? 'en' : undefined
}

export function LookupSupportedLocales(_available, requested) {
  return requested.filter(locale => available(locale) !== undefined)
}

function keywordsOf(locale) {
  const found = {}
  let key
  for (const part of (EXTENSION.exec(locale)?.[1] ?? '').split('-'))
    if (part.length === 2) {
      key = part
      found[key] = ''
    } else if (key !== undefined && part !== '') found[key] += `${found[key] && '-'}${part}`
  return found
}

export function ResolveLocale(_available, requested, options, keys, localeData, getDefaultLocale) {
  const asked = requested.find(locale => available(locale) !== undefined)
  const dataLocale = asked === undefined ? getDefaultLocale() : available(asked)
  const keywords = asked === undefined ? {} : keywordsOf(asked)
  const result = { __proto__: null, locale: dataLocale, dataLocale }
  let kept = ''
  for (const key of keys) {
    const values = localeData[dataLocale]?.[key] ?? []
    const wanted = keywords[key]
    const isKept = wanted !== undefined && values.includes(wanted)
    const option = options[key] ?? undefined
    const isSet = option !== undefined && values.includes(option)
    result[key] = isSet ? option : isKept ? wanted : values[0]
    if (isKept && (!isSet || option === wanted)) kept += `-${key}-${wanted}`
  }
  if (kept !== '') result.locale += `-u${kept}`
  return result
}
