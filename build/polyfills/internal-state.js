// What the packages know of the objects that they make. Their own keeps it in a `WeakMap` whose values lead back to their keys, or in
// a property that everybody sees; this lays it into the objects themselves, where nobody sees it and it ends with them.
class Kept extends function (object) {
  return object
} {
  #state
  constructor(object, state) {
    super(object)
    this.#state = state
  }
  static has(object) {
    return #state in object
  }
  static get(object) {
    return object.#state
  }
}

const isObject = value => (typeof value === 'object' && value !== null) || typeof value === 'function'
const has = object => isObject(object) && Kept.has(object)
const get = object => (has(object) ? Kept.get(object) : {})

function set(object, state) {
  if (has(object)) throw new TypeError('Object already initialized')
  state.facade = object
  new Kept(object, state)
  return state
}

const enforce = object => (has(object) ? get(object) : set(object, {}))

const getterFor = type => object => {
  const state = get(object)
  if (state.type !== type) throw new TypeError(`Incompatible receiver, ${type} required`)
  return state
}

export { enforce, get, getterFor, has, set }
