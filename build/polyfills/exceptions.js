const CODES = {
  IndexSizeError: 1,
  DOMStringSizeError: 2,
  HierarchyRequestError: 3,
  WrongDocumentError: 4,
  InvalidCharacterError: 5,
  NoDataAllowedError: 6,
  NoModificationAllowedError: 7,
  NotFoundError: 8,
  NotSupportedError: 9,
  InUseAttributeError: 10,
  InvalidStateError: 11,
  SyntaxError: 12,
  InvalidModificationError: 13,
  NamespaceError: 14,
  InvalidAccessError: 15,
  ValidationError: 16,
  TypeMismatchError: 17,
  SecurityError: 18,
  NetworkError: 19,
  AbortError: 20,
  URLMismatchError: 21,
  QuotaExceededError: 22,
  TimeoutError: 23,
  InvalidNodeTypeError: 24,
  DataCloneError: 25,
}

/** An error as the engine knows one, which those of packages are not: they would be shown as objects. */
export class DOMException extends Error {
  #name
  constructor(message = '', name = 'Error') {
    super(String(message))
    this.#name = String(name)
  }
  get name() {
    return this.#name
  }
  get code() {
    return CODES[this.#name] ?? 0
  }
  get [Symbol.toStringTag]() {
    return 'DOMException'
  }
}

/** `INDEX_SIZE_ERR` for `IndexSizeError`. */
function constantOf(name) {
  const words = name
    .replace('InUse', 'Inuse')
    .replace('DOMString', 'Domstring')
    .replace(/Error$/, 'Err')
  return words.replace(/([a-z])(?=[A-Z])|([A-Z])(?=[A-Z][a-z])/g, '$&_').toUpperCase()
}

for (const [name, value] of Object.entries(CODES))
  for (const owner of [DOMException, DOMException.prototype])
    Object.defineProperty(owner, constantOf(name), { __proto__: null, value, enumerable: true })
