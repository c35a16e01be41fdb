export { default as DOMException } from 'core-js-pure/actual/dom-exception'
export { default as structuredClone } from 'core-js-pure/actual/structured-clone'
