import numberData from 'data:number'
import pluralData from 'data:plural'
import { NumberFormat } from '@formatjs/intl-numberformat'
import { PluralRules } from '@formatjs/intl-pluralrules'
import { kept } from './kept.js'

for (const locale of ['en-US', 'en']) {
  NumberFormat.__addLocaleData({ data: numberData, locale })
  PluralRules.__addLocaleData({ data: pluralData, locale })
}

const formatter = kept((locales, options) => new NumberFormat(locales, options))

/** `toLocaleString` of numbers. */
const format = (value, locales, options) => formatter(locales, options).format(value)

export { format, NumberFormat, PluralRules }
