import data from 'data:relative'
import RelativeTimeFormat from '@formatjs/intl-relativetimeformat'

for (const locale of ['en-US', 'en']) RelativeTimeFormat.__addLocaleData({ data, locale })

export { RelativeTimeFormat }
