import { ToolgateError } from '../../errors/toolgate-error.js'
import type { CodeRunRequest } from '../code-runtime.js'
import { checkNamespaces } from './check-namespaces.js'

const KNOWN = ['program', 'namespaces', 'signal', 'abortGraceMs', 'onLog']

const isSignal = (value: unknown): boolean =>
  typeof value === 'object' &&
  value !== null &&
  typeof (value as AbortSignal).aborted === 'boolean' &&
  typeof (value as AbortSignal).addEventListener === 'function'

/** Throws `INVALID_OPTIONS` unless a request can be run. */
export function checkRequest(request: CodeRunRequest): void {
  const refuse = (what: string): never => {
    throw new ToolgateError('INVALID_OPTIONS', what)
  }
  if (typeof request !== 'object' || request === null) refuse('run takes an object with a program')
  const unknown = Object.keys(request).find(name => !KNOWN.includes(name))
  if (unknown !== undefined) refuse(`run does not know "${unknown}"; it takes ${KNOWN.join(', ')}`)
  const { program, namespaces, signal, abortGraceMs, onLog } = request
  if (typeof program !== 'string') refuse('program must be a text')
  if (!Array.isArray(namespaces)) refuse('namespaces must be a list')
  if (signal !== undefined && !isSignal(signal)) refuse('signal must be an AbortSignal')
  if (abortGraceMs !== undefined && !(typeof abortGraceMs === 'number' && abortGraceMs >= 0))
    refuse('abortGraceMs must be a number of milliseconds')
  if (onLog !== undefined && typeof onLog !== 'function') refuse('onLog must be a function')
  checkNamespaces(namespaces)
}
