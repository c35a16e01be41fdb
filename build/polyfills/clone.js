// Called and not imported: the package looks for the class of its errors when it is loaded.
const clone = require('core-js-pure/web/structured-clone')

// As a method: what the package gives can be called with `new`, and has a mark of its own.
export const { structuredClone } = {
  structuredClone(...args) {
    if (args.length === 0) throw new TypeError('structuredClone takes a value')
    return clone(...args)
  },
}
Object.defineProperty(structuredClone, 'length', { value: 1 })
