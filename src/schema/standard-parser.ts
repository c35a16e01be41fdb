import { describeError } from '../errors/describe-error.js'
import type { Violation } from '../errors/violation.js'
import { MAX_VIOLATIONS } from './check-value.js'
import type { Parsed, ParseValue } from './parsed.js'
import type { StandardSchema } from './standard-schema.js'
import { stepsText } from './value-path.js'
import { cut } from './value-text.js'

const MESSAGE_CHARS = 300

function stepOf(segment: unknown): string | number | undefined {
  const key: unknown =
    typeof segment === 'object' && segment !== null ? (segment as { key?: unknown }).key : segment
  if (typeof key === 'number' || typeof key === 'string') return key
  return typeof key === 'symbol' ? String(key) : undefined
}

function issuePath(issue: unknown, root: string): string {
  const { path } = Object(issue) as { path?: unknown }
  if (!Array.isArray(path)) return root
  return stepsText(
    root,
    path.map(stepOf).filter(step => step !== undefined),
  )
}

function violationOf(issue: unknown, root: string): Violation {
  try {
    const path = issuePath(issue, root)
    const text = cut(describeError(issue), MESSAGE_CHARS)
    // Some libraries begin with the path, most do not.
    return { path, message: text.startsWith(path) ? text : `${path}: ${text}` }
  } catch (error) {
    return { path: root, message: `${root} is invalid: ${cut(describeError(error), MESSAGE_CHARS)}` }
  }
}

function failure(root: string, problem: string): Parsed {
  return { ok: false, violations: [{ path: root, message: `${root} could not be checked: ${problem}` }] }
}

function settle(result: unknown, root: string): Parsed {
  try {
    if (typeof result !== 'object' || result === null) return failure(root, 'its schema gave no answer')
    const { issues, value } = result as { issues?: unknown; value?: unknown }
    if (!issues) return 'value' in result ? { ok: true, value } : failure(root, 'its schema gave no value')
    if (!Array.isArray(issues) || issues.length === 0) return failure(root, 'its schema refused it')
    const violations = issues.slice(0, MAX_VIOLATIONS).map(issue => violationOf(issue, root))
    if (issues.length > MAX_VIOLATIONS)
      violations.push({
        path: root,
        message: `${root}: and ${issues.length - MAX_VIOLATIONS} more problems`,
      })
    return { ok: false, violations }
  } catch (error) {
    return failure(root, describeError(error))
  }
}

const isThenable = (value: unknown): value is PromiseLike<unknown> =>
  ((typeof value === 'object' && value !== null) || typeof value === 'function') &&
  typeof (value as { then?: unknown }).then === 'function'

/** Checks by a Standard Schema, whose code is not trusted to keep its own rules. Total; promises are native. */
export function standardParser(schema: StandardSchema, root: string): ParseValue {
  return value => {
    try {
      const standard = schema['~standard']
      const result: unknown = standard.validate(value)
      if (!isThenable(result)) return settle(result, root)
      return Promise.resolve(result).then(
        settled => settle(settled, root),
        error => failure(root, describeError(error)),
      )
    } catch (error) {
      return failure(root, describeError(error))
    }
  }
}
