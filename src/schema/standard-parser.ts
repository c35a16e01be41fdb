import { cutText } from '../errors/cut-text.js'
import { describeError } from '../errors/describe-error.js'
import type { Violation } from '../errors/violation.js'
import { cloneJson } from '../json/clone-json.js'
import type { JsonValue } from '../json/json-value.js'
import { MAX_VIOLATIONS } from './check-value.js'
import { moreProblems } from './findings.js'
import type { Parsed, ParseValue } from './parsed.js'
import { isThenable, type StandardSchema } from './standard-schema.js'
import { stepsText } from './value-path.js'
import { received } from './value-text.js'

const MESSAGE_CHARS = 300
const PATH_STEPS = 100

type Step = string | number

function stepOf(segment: unknown): Step | undefined {
  const key: unknown =
    typeof segment === 'object' && segment !== null ? (segment as { key?: unknown }).key : segment
  if (typeof key === 'number' || typeof key === 'string') return key
  return typeof key === 'symbol' ? String(key) : undefined
}

function stepsOf(issue: object): Step[] {
  const { path } = issue as { path?: unknown }
  if (!Array.isArray(path)) return []
  return path
    .slice(0, PATH_STEPS)
    .map(stepOf)
    .filter(step => step !== undefined)
}

// Libraries may quote the value. A text long enough to be a secret is not shown whole.
function withoutLongText(message: string, value: unknown, steps: readonly Step[]): string {
  const held = steps.reduce<unknown>((at, step) => (Object(at) as { [step: Step]: unknown })[step], value)
  if (typeof held !== 'string' || held === '') return message
  const whole = JSON.stringify(held)
  const shown = received(held)
  return shown === whole ? message : message.replaceAll(whole, shown).replaceAll(held, shown)
}

function violationOf(issue: unknown, root: string, value: unknown): Violation {
  try {
    const steps = stepsOf(Object(issue))
    const path = stepsText(root, steps)
    const { message } = Object(issue) as { message?: unknown }
    if (typeof message !== 'string' || message === '') return { path, message: `${path} is invalid` }
    const text = cutText(withoutLongText(message, value, steps), MESSAGE_CHARS)
    // Some libraries begin with the path, most do not.
    const isNamed = text.startsWith(`${path} `) || text.startsWith(`${path}:`)
    return { path, message: isNamed ? text : `${path}: ${text}` }
  } catch (error) {
    return { path: root, message: `${root} is invalid: ${cutText(describeError(error), MESSAGE_CHARS)}` }
  }
}

function failure(root: string, problem: string): Parsed {
  const message = `${root} could not be checked: ${cutText(problem, MESSAGE_CHARS)}`
  return { ok: false, violations: [{ path: root, message }] }
}

function settle(result: unknown, root: string, given: unknown): Parsed {
  try {
    if (typeof result !== 'object' || result === null) return failure(root, 'its schema gave no answer')
    const { issues, value } = result as { issues?: unknown; value?: unknown }
    if (!issues) return 'value' in result ? { ok: true, value } : failure(root, 'its schema gave no value')
    if (!Array.isArray(issues) || issues.length === 0) return failure(root, 'its schema refused it')
    const shown = Math.min(issues.length, MAX_VIOLATIONS)
    const violations = Array.from({ length: shown }, (_, i) => violationOf(issues[i], root, given))
    const more = issues.length - violations.length
    if (more > 0) violations.push(moreProblems(root, more, false))
    return { ok: false, violations }
  } catch (error) {
    return failure(root, describeError(error))
  }
}

/**
 * Checks by a Standard Schema, whose code is not trusted to keep its own rules: by the function that it has now. Total;
 * promises are native.
 */
export function standardParser(schema: StandardSchema, root: string): ParseValue {
  const standard = schema['~standard']
  const { validate } = standard
  return value => {
    try {
      // Some libraries convert in place, and what came is frozen.
      const result: unknown = validate.call(standard, cloneJson(value as JsonValue))
      if (!isThenable(result)) return settle(result, root, value)
      return Promise.resolve(result).then(
        settled => settle(settled, root, value),
        error => failure(root, describeError(error)),
      )
    } catch (error) {
      return failure(root, describeError(error))
    }
  }
}
