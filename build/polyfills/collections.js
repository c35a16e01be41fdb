// Maps and sets of the program's own language, in the place of those that the package makes for itself.
const uncurried = method => Function.prototype.call.bind(method)

export const map = {
  Map: globalThis.Map,
  has: uncurried(globalThis.Map.prototype.has),
  get: uncurried(globalThis.Map.prototype.get),
  set: uncurried(globalThis.Map.prototype.set),
}
export const set = {
  Set: globalThis.Set,
  has: uncurried(globalThis.Set.prototype.has),
  add: uncurried(globalThis.Set.prototype.add),
}
