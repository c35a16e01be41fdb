import { DOMException } from './dom-exception.js'

// Called and not imported: the package looks for the class of its errors when it is loaded.
const structuredClone = require('core-js-pure/web/structured-clone')

export { DOMException, structuredClone }
