import { homedir } from 'node:os'
import { sep } from 'node:path'
import { nearest } from './nearest.js'

/** Variables of the environment. */
export type Environment = { readonly [name: string]: string | undefined }

/** True for objects that are no arrays. */
export const isObject = (value: unknown): value is { readonly [key: string]: unknown } =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** True for arrays of texts. */
export const isTexts = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.every(item => typeof item === 'string')

/** `${...}`, and `$${` which stands for `${` itself. */
const REFERENCE = /\$\$\{|\$\{([^}]*)\}/g
const VARIABLE = /^(?:env:)?([A-Za-z_]\w*)(?::-([\s\S]*))?$/
/** As some programs write a variable, and others a plain text. */
const BARE = /^\$([A-Za-z_]\w*)$/

/** What other programs put in by themselves, and this one can too. */
const KNOWN: { readonly [reference: string]: () => string } = {
  userHome: homedir,
  pathSeparator: () => sep,
  '/': () => sep,
}

/** What other programs put in by themselves, and this one cannot; with what to write. */
const FOREIGN: readonly (readonly [RegExp, string])[] = [
  [/^input:/, `nobody can be asked here; write \${NAME} and set that environment variable`],
  [/^workspaceFolder/, `there is no workspace here; write the path itself, or \${PWD}`],
  [/^file:/, `files are not put in; write \${NAME} and set that environment variable`],
  [
    /^(?:config|command):/,
    `there is no editor here; write the value itself, or \${NAME} for an environment variable`,
  ],
]

/** Collects faults while it reads the fields of one entry. */
export class EntryReader {
  readonly faults: string[] = []
  readonly warnings: string[] = []
  readonly #where: string
  readonly #environment: Environment

  constructor(where: string, environment: Environment) {
    this.#where = where
    this.#environment = environment
  }

  fault(message: string): void {
    this.faults.push(`${this.#where}${message}`)
  }

  warn(message: string): void {
    this.warnings.push(`${this.#where}${message}`)
  }

  /** Keys that nobody reads: a slip of one that is read is a fault. */
  keys(given: object, known: readonly string[], inside: string): void {
    for (const key of Object.keys(given)) {
      if (known.includes(key)) continue
      const meant = nearest(key, known)
      if (meant !== undefined)
        this.fault(`${inside}${JSON.stringify(key)} is unknown; did you mean "${meant}"?`)
      else this.warn(`${inside}${JSON.stringify(key)} is not used`)
    }
  }

  /** `${NAME}`, `${env:NAME}` and `${NAME:-default}` stand for variables of the environment. */
  expand(field: string, text: string): string {
    const bare = BARE.exec(text)?.[1]
    if (bare !== undefined && this.#environment[bare] !== undefined)
      this.warn(`"${field}" is handed on as "${text}"; for the environment variable write \${${bare}}`)
    return text.replace(REFERENCE, (all, inner: string | undefined) =>
      inner === undefined ? '${' : this.#referred(field, all, inner),
    )
  }

  #referred(field: string, all: string, inner: string): string {
    const [, name, otherwise] = VARIABLE.exec(inner) ?? []
    const value = name === undefined ? undefined : (this.#environment[name] ?? otherwise)
    if (value !== undefined) return value
    const known = Object.hasOwn(KNOWN, inner) ? KNOWN[inner]?.() : undefined
    if (known !== undefined) return known
    const foreign = FOREIGN.find(([pattern]) => pattern.test(inner))?.[1]
    if (foreign !== undefined) this.fault(`"${field}" has ${all}, and ${foreign}`)
    else if (name !== undefined)
      this.fault(`"${field}" needs the environment variable ${name}, which is not set`)
    else this.fault(`"${field}" has ${all}, which is no variable; to hand it on as it stands write $${all}`)
    return ''
  }

  text(field: string, value: unknown): string | undefined {
    if (value === undefined) return undefined
    if (typeof value === 'string' && value !== '') return this.expand(field, value)
    this.fault(`"${field}" must be a text that is not empty`)
    return undefined
  }

  texts(field: string, value: unknown): string[] {
    if (value === undefined) return []
    if (isTexts(value)) return value.map(item => this.expand(field, item))
    this.fault(`"${field}" must be an array of texts`)
    return []
  }

  map(field: string, value: unknown): { [name: string]: string } {
    if (value === undefined) return {}
    if (!isObject(value)) {
      this.fault(`"${field}" must be an object of texts`)
      return {}
    }
    const entries = Object.entries(value).flatMap(([name, item]) => {
      if (typeof item === 'string') return [[name, this.expand(`${field}.${name}`, item)] as const]
      if (typeof item === 'number' || typeof item === 'boolean') return [[name, String(item)] as const]
      this.fault(`"${field}.${name}" must be a text`)
      return []
    })
    return Object.fromEntries(entries)
  }
}
