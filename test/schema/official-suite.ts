import { readdirSync, readFileSync } from 'node:fs'
import { createToolRegistry, type JsonObject, type JsonValue, ToolgateError } from 'toolgate'

/** By draft and file: `group` for whole groups, `group: test` for single tests. */
export interface ByFile {
  readonly [draft: string]: { readonly [file: string]: readonly string[] }
}

/** What the suite says otherwise than we do. */
export interface SuiteFailures {
  /** Groups whose schema `register()` refuses as it is. They run with what they refer to in their own `$defs`. */
  readonly refused: ByFile
  /** Groups whose schema it refuses even so. They do not run. */
  readonly refusedWhole: ByFile
  /** Tests whose value passes and should not. */
  readonly accepted: ByFile
  /** Tests whose value does not pass and should. */
  readonly rejected: ByFile
}

interface Group {
  readonly description: string
  readonly schema: JsonObject | boolean
  readonly tests: readonly {
    readonly description: string
    readonly data: JsonValue
    readonly valid: boolean
  }[]
}

interface Draft {
  readonly name: 'draft7' | 'draft2020-12'
  readonly dialect: string
  readonly definitions: '$defs' | 'definitions'
}

const ROOT = new URL('../data/json-schema-test-suite/', import.meta.url)
const DRAFTS: readonly Draft[] = [
  { name: 'draft7', dialect: 'http://json-schema.org/draft-07/schema#', definitions: 'definitions' },
  {
    name: 'draft2020-12',
    dialect: 'https://json-schema.org/draft/2020-12/schema',
    definitions: '$defs',
  },
]

const read = (path: string): unknown => JSON.parse(readFileSync(new URL(path, ROOT), 'utf8'))

const filesIn = (folder: string): string[] =>
  readdirSync(new URL(folder, ROOT), { recursive: true, encoding: 'utf8' })
    .map(path => path.replaceAll('\\', '/'))
    .filter(path => path.endsWith('.json'))
    .sort()

// Tools take a schema object. A boolean says the same one level further in.
const asObject = (schema: JsonObject | boolean, { dialect }: Draft): JsonObject =>
  typeof schema === 'boolean' ? { $schema: dialect, allOf: [schema] } : { $schema: dialect, ...schema }

/** The schemas that the suite keeps elsewhere, each under its address. */
function remotesOf({ name }: Draft): JsonObject {
  const files = filesIn('remotes/').filter(
    path => path.startsWith(name) || (name === 'draft7' && !path.startsWith('draft')),
  )
  return Object.fromEntries(
    files.map(path => {
      const schema = read(`remotes/${path}`) as JsonObject
      const $id = `http://localhost:1234/${path}`
      const isNamed = Object.hasOwn(schema, '$id') || Object.hasOwn(schema, '$ref')
      return [$id, isNamed ? { $id, allOf: [schema] } : { $id, ...schema }]
    }),
  )
}

class SuiteRun {
  tests = 0
  readonly failures = { refused: {}, refusedWhole: {}, accepted: {}, rejected: {} }
  readonly #registry = createToolRegistry()
  #given: JsonValue = null

  async group(draft: Draft, file: string, group: Group, remotes: JsonObject): Promise<void> {
    const note = this.#noting(draft.name, file)
    const name = `${draft.name}/${file}/${group.description}`
    const schema = asObject(group.schema, draft)
    if (!this.#register(name, schema)) {
      note('refused', group.description)
      const { definitions } = draft
      const whole = {
        ...schema,
        [definitions]: { ...(schema[definitions] as JsonObject), remotes: { [definitions]: remotes } },
      }
      if (!this.#register(name, whole)) return note('refusedWhole', group.description)
    }
    for (const { description, data, valid } of group.tests) {
      this.tests++
      this.#given = data
      const result = await this.#registry.execute({ callId: `${name}/${description}`, name, arguments: {} })
      if (
        result.isError &&
        (result.error.code !== 'INVALID_TOOL_OUTPUT' || result.error.message.includes('could not be checked'))
      )
        throw new Error(`${name}: ${result.error.message}`)
      if (result.isError === valid)
        note(valid ? 'rejected' : 'accepted', `${group.description}: ${description}`)
    }
  }

  #register(name: string, schema: JsonObject): boolean {
    try {
      this.#registry.register({
        name,
        description: 'Returns the value of a test.',
        parameters: { type: 'object' },
        output: { schema, render: () => [] },
        execute: () => this.#given,
      })
      return true
    } catch (error) {
      if (ToolgateError.isInstance(error) && error.code === 'UNSUPPORTED_SCHEMA') return false
      throw error
    }
  }

  #noting(draft: string, file: string) {
    return (kind: keyof SuiteFailures, what: string): void => {
      const drafts: Record<string, Record<string, string[]>> = this.failures[kind]
      const files = drafts[draft] ?? {}
      drafts[draft] = { ...files, [file]: [...(files[file] ?? []), what] }
    }
  }
}

/** Holds every value of the suite against its schema, as the output of a tool, by the validator of this process. */
export async function runOfficialSuite(): Promise<{
  readonly tests: number
  readonly failures: SuiteFailures
}> {
  const run = new SuiteRun()
  for (const draft of DRAFTS) {
    const remotes = remotesOf(draft)
    for (const file of filesIn(`${draft.name}/`))
      for (const group of read(`${draft.name}/${file}`) as Group[])
        await run.group(draft, file, group, remotes)
  }
  return { tests: run.tests, failures: run.failures }
}
