/** What the engine's binary exports, by the letters its build gave them. Pinned with the binary's hash in `build/engine.mjs`. */
export interface EngineExports {
  readonly initialize: () => void
  readonly malloc: (bytes: number) => number
  readonly free: (pointer: number) => void
  readonly newRuntime: () => number
  readonly newContext: (runtime: number, intrinsics: number) => number
  readonly setMaxStackSize: (runtime: number, bytes: number) => void
  readonly enableInterruptHandler: (runtime: number) => void
  readonly enableModuleLoader: (runtime: number, useNormalizer: number) => void
  readonly undefined: () => number
  readonly freeValue: (context: number, value: number) => void
  readonly freeCString: (context: number, pointer: number) => void
  readonly newFloat64: (context: number, value: number) => number
  readonly newString: (context: number, pointer: number) => number
  readonly getString: (context: number, value: number) => number
  readonly newFunction: (
    context: number,
    name: number,
    length: number,
    isConstructor: number,
    id: number,
  ) => number
  /** A borrowed pointer to one of the arguments of a host call. */
  readonly argument: (list: number, index: number) => number
  readonly call: (context: number, fn: number, self: number, count: number, args: number) => number
  readonly evaluate: (
    context: number,
    source: number,
    bytes: number,
    file: number,
    module: number,
    flags: number,
  ) => number
  /** The exception that a value stands for, or 0. Frees the value if it does. */
  readonly exceptionOf: (context: number, value: number) => number
  readonly isJobPending: (runtime: number) => number
  readonly executePendingJobs: (runtime: number, max: number, contextOut: number) => number
  readonly restoreStack: (pointer: number) => void
  readonly stackPointer: () => number
  /** What is left before the engine asks its host; added by `build/fuel.mjs`. */
  readonly fuel: WebAssembly.Global
  /** Where the engine counts down to its next poll; added by `build/fuel.mjs`. */
  readonly polls: WebAssembly.Global
  /** Marks of the limits that the engine has said it met; added by `build/fuel.mjs`. */
  readonly reports: WebAssembly.Global
  /** Where the memory may end at the most; added by `build/fuel.mjs`. */
  readonly ceiling: WebAssembly.Global
  /** Set while a block is asked for that may be asked for again; added by `build/collect.mjs`. */
  readonly trying: WebAssembly.Global
  /** Collects cycles, for a block of so many bytes that there was no room for; added by `build/collect.mjs`. */
  readonly makeRoom: (context: number, bytes: number) => void
  /** How many bytes may be held until the next collection, by how many are; added by `build/collect.mjs`. */
  readonly nextCollection: (held: number) => number
  /** Which image the binary holds; added by `build/bake-image.mjs`. */
  readonly image: WebAssembly.Global | undefined
}

const LETTERS: { readonly [K in keyof EngineExports]: string } = {
  initialize: 'u',
  malloc: 'v',
  free: 'M',
  newRuntime: 'K',
  newContext: 'N',
  setMaxStackSize: 'D',
  enableInterruptHandler: 'Fa',
  enableModuleLoader: 'Ha',
  undefined: 'E',
  freeValue: 'P',
  freeCString: 'S',
  newFloat64: 'Y',
  newString: '_',
  getString: '$',
  newFunction: 'Da',
  argument: 'Ea',
  call: 'ma',
  evaluate: 'pa',
  exceptionOf: 'na',
  isJobPending: 'fa',
  executePendingJobs: 'ga',
  restoreStack: 'Ma',
  stackPointer: 'Oa',
  fuel: 'fuel',
  polls: 'polls',
  reports: 'reports',
  ceiling: 'ceiling',
  trying: 'trying',
  makeRoom: 'make_room',
  nextCollection: 'next_collection',
  image: 'image',
}

/** Names an instance's exports. */
export function nameExports(instance: WebAssembly.Instance): EngineExports {
  const named: Record<string, unknown> = {}
  for (const [name, letter] of Object.entries(LETTERS)) named[name] = instance.exports[letter]
  return named as unknown as EngineExports
}
