import data from 'data:list'
import ListFormat from '@formatjs/intl-listformat'

for (const locale of ['en-US', 'en']) ListFormat.__addLocaleData({ data, locale })

export { ListFormat }
