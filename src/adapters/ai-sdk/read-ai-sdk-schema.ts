import { ToolArgsError } from '../../errors/errors.js'
import { ToolgateError } from '../../errors/toolgate-error.js'
import { isRecord } from '../wire/json.js'

type Validate = (value: unknown) => unknown

/** The schema of a tool that was made for the AI SDK. */
export interface ReadSchema {
  readonly parameters: object
  /** Gives the value that the tool gets, or throws. */
  readonly parse: (value: unknown) => Promise<unknown>
}

/** @throws ToolgateError `INVALID_TOOL` */
export const refuse = (name: string, what: string): never => {
  throw new ToolgateError('INVALID_TOOL', `The tool "${name}" of the AI SDK cannot be taken: ${what}`)
}

const saidBy = (reason: unknown): string =>
  isRecord(reason) && typeof reason.message === 'string' ? reason.message : String(reason)

/** Where in the arguments an issue of a Standard Schema is. */
function pathOf(issue: unknown): string {
  const path: unknown = isRecord(issue) ? issue.path : undefined
  const steps = Array.isArray(path) ? path.map(step => (isRecord(step) ? step.key : step)) : []
  return ['arguments', ...steps.map(String)].join('.')
}

function wrongInput(name: string, issues: readonly unknown[]): never {
  throw new ToolArgsError(
    name,
    issues.map(issue => ({ path: pathOf(issue), message: `${pathOf(issue)}: ${saidBy(issue)}` })),
  )
}

/** What a schema of the AI SDK, a Standard Schema and a function that gives either have in common. */
export async function readAiSdkSchema(name: string, given: unknown): Promise<ReadSchema> {
  const schema = typeof given === 'function' && !('~standard' in given) ? (given as () => unknown)() : given
  if (schema === undefined || schema === null)
    return { parameters: { type: 'object', properties: {} }, parse: async value => value }
  const own = schema as { jsonSchema?: unknown; validate?: Validate; '~standard'?: unknown }
  if (own.jsonSchema !== undefined && own['~standard'] === undefined) {
    const { validate } = own
    return {
      parameters: (await own.jsonSchema) as object,
      parse: async value => {
        const outcome = (await validate?.(value)) as
          | { success?: boolean; value?: unknown; error?: unknown }
          | undefined
        if (outcome === undefined) return value
        return outcome.success === true ? outcome.value : wrongInput(name, [outcome.error])
      },
    }
  }
  const standard = own['~standard'] as
    | { validate: Validate; jsonSchema?: { input(options: { target: string }): object } }
    | undefined
  if (standard?.jsonSchema === undefined) return refuse(name, 'its inputSchema does not print JSON Schema')
  return {
    parameters: standard.jsonSchema.input({ target: 'draft-2020-12' }),
    parse: async value => {
      const outcome = (await standard.validate(value)) as { issues?: readonly unknown[]; value?: unknown }
      return outcome.issues === undefined ? outcome.value : wrongInput(name, outcome.issues)
    },
  }
}
