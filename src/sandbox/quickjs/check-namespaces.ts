import { ToolgateError } from '../../errors/toolgate-error.js'
import type { CodeNamespace } from '../code-runtime.js'

const IDENTIFIER = /^[A-Za-z_$][\w$]*$/
const RESERVED = new Set(
  (
    'arguments await break case catch class const continue debugger default delete do else enum eval export extends false ' +
    'finally for function globalThis if implements import in instanceof interface let new null package private protected ' +
    'public return static super switch this throw true try typeof undefined var void while with yield NaN Infinity ' +
    'console setTimeout clearTimeout queueMicrotask atob btoa fetch require process Object Function Array String Number ' +
    'Boolean Symbol Error Promise Proxy Reflect JSON Math Date RegExp Map Set'
  ).split(' '),
)

/** Throws `INVALID_OPTIONS` unless the namespaces can all be globals of one program. */
export function checkNamespaces(namespaces: readonly CodeNamespace[]): void {
  const globals = new Set<string>()
  const classes = new Set<string>()
  const refuse = (what: string): never => {
    throw new ToolgateError('INVALID_OPTIONS', what)
  }
  for (const namespace of namespaces) {
    if (typeof namespace !== 'object' || namespace === null) refuse('A namespace must be an object')
    const { global, errorClass, functions, call, open, maxCallBytes, maxArgumentBytes } = namespace
    for (const name of errorClass === undefined ? [global] : [global, errorClass]) {
      if (typeof name !== 'string' || !IDENTIFIER.test(name)) refuse(`"${String(name)}" is not an identifier`)
      if (RESERVED.has(name)) refuse(`"${name}" cannot be a namespace or an error class: the name is taken`)
    }
    if (open !== undefined && typeof open !== 'boolean') refuse('open must be true or false')
    for (const [name, bytes] of Object.entries({ maxCallBytes, maxArgumentBytes }))
      if (bytes !== undefined && !(Number.isInteger(bytes) && bytes > 0))
        refuse(`${name} must be a whole number above 0`)
    if (globals.has(global)) refuse(`There are two namespaces named "${global}"`)
    if (typeof call !== 'function') refuse(`The namespace "${global}" has no call function`)
    if (!Array.isArray(functions) || functions.some(name => typeof name !== 'string'))
      refuse(`The functions of the namespace "${global}" must be a list of names`)
    globals.add(global)
    if (errorClass !== undefined) classes.add(errorClass)
  }
  for (const name of classes)
    if (globals.has(name)) refuse(`"${name}" is both a namespace and an error class`)
}
