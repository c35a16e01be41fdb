import { getCanonicalLocales } from './locales.js'

/** The digits that dates are made of; all that they need of `Intl.NumberFormat`, which would be as large as all of dates. */
class NumberFormat {
  constructor(_locales, { minimumIntegerDigits = 1 } = {}) {
    this.digits = minimumIntegerDigits
  }
  format(value) {
    return String(value).padStart(this.digits, '0')
  }
  formatToParts() {
    return [{ type: 'decimal', value: '.' }]
  }
}

const DateIntl = { NumberFormat, getCanonicalLocales }

export { DateIntl as Intl }
