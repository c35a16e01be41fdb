const CODES = {
  IndexSizeError: 1,
  HierarchyRequestError: 3,
  WrongDocumentError: 4,
  InvalidCharacterError: 5,
  NoModificationAllowedError: 7,
  NotFoundError: 8,
  NotSupportedError: 9,
  InUseAttributeError: 10,
  InvalidStateError: 11,
  SyntaxError: 12,
  InvalidModificationError: 13,
  NamespaceError: 14,
  InvalidAccessError: 15,
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

// Where the packages look for it.
globalThis.DOMException = DOMException
