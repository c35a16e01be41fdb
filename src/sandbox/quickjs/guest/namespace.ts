import { makeErrorClass, makeFunction, type NamespaceNote, type Post } from './calls.js'
import {
  apply,
  create,
  define,
  defineProperty,
  deleteProperty,
  getOwnPropertyDescriptor,
  hasProperty,
  keysOf,
  NativeError,
  NativeProxy,
  objectPrototype,
  ownKeys,
  preventExtensions,
  setPrototypeOf,
  toPrimitive,
} from './intrinsics.js'

type Target = Record<PropertyKey, unknown>
type HostCall = (...args: unknown[]) => unknown

interface Namespace {
  readonly post: Post
  readonly index: number
  readonly global: string
  readonly open: boolean
  readonly errorClass: ErrorConstructor
  /** By its keys, the names of functions that nobody has looked at: each takes a while to make. */
  unmade: object
}

/** One way to look at a namespace: as it is, or as what `await` gives of it. */
interface View {
  readonly of: Namespace
  readonly awaited: boolean
}

/** What the language itself looks up in an object that it is given. A name like these is never made up. */
const PROTOCOL_NAMES: Record<string, true> = create(null)
const PROTOCOLS = ['then', 'toJSON']
for (let i = 0; i < PROTOCOLS.length; i++) PROTOCOL_NAMES[PROTOCOLS[i] as string] = true
const INHERITED = ownKeys(objectPrototype)
for (let i = 0; i < INHERITED.length; i++) PROTOCOL_NAMES[INHERITED[i] as string] = true

const make = ({ post, index, global, errorClass }: Namespace, name: string): HostCall =>
  makeFunction(post, index, global, name, errorClass)

function add(namespace: Namespace, target: Target, name: string): unknown {
  const call = make(namespace, name)
  const isShared = name === 'then' || name === 'toJSON'
  const added = isShared ? sharedWithLanguage(namespace, target, name, call) : call
  define(target, name, added)
  return added
}

function addAll(namespace: Namespace, target: Target): void {
  const names = keysOf(namespace.unmade)
  namespace.unmade = create(null)
  for (let i = 0; i < names.length; i++)
    if (!((names[i] as string) in target)) add(namespace, target, names[i] as string)
}

/** `await` and `JSON.stringify` call these too, with what is no argument of a call. */
function sharedWithLanguage(namespace: Namespace, target: Target, name: string, call: HostCall): unknown {
  const shared = (...args: unknown[]): unknown => {
    if (name === 'then' && typeof args[0] === 'function') return args[0](viewOf(namespace, target, true))
    if (name === 'toJSON' && typeof args[0] === 'string') return create(null)
    return apply(call, undefined, args as never)
  }
  define(shared, 'name', name, false)
  return shared
}

const completing = (operate: (target: object, ...rest: never[]) => unknown) =>
  function (this: View, target: Target, first: never, second: never): unknown {
    addAll(this.of, target)
    return operate(target, first, second)
  }

// All namespaces share these: a run makes its own before it begins.
const TRAPS = {
  __proto__: null,
  get(this: View, target: Target, key: string | symbol): unknown {
    const { of: namespace, awaited } = this
    if (key === toPrimitive) return () => '[object ' + namespace.global + ']'
    if (awaited && key === 'then') return undefined
    if (key in target || typeof key === 'symbol') return target[key]
    if (key in namespace.unmade) return add(namespace, target, key)
    return !namespace.open || key in PROTOCOL_NAMES ? undefined : make(namespace, key)
  },
  has: completing(hasProperty),
  ownKeys: completing(ownKeys),
  getOwnPropertyDescriptor: completing(getOwnPropertyDescriptor),
  defineProperty: completing(defineProperty),
  deleteProperty: completing(deleteProperty),
  preventExtensions: completing(preventExtensions),
}

const viewOf = (of: Namespace, target: Target, awaited: boolean): object =>
  new NativeProxy(target, { __proto__: TRAPS, of, awaited } as ProxyHandler<Target>)

/** Makes a namespace's global object. */
export function makeNamespace(post: Post, index: number, note: NamespaceNote, scope: object): void {
  const { global, functions, open, errorClass: name } = note
  const errorClass = name === null ? NativeError : makeErrorClass(name)
  if (name !== null) define(scope, name, errorClass, false)
  const unmade = setPrototypeOf(functions, null) as object
  define(scope, global, viewOf({ post, index, global, open, errorClass, unmade }, create(null), false), false)
}
