/** A schema of any library that implements Standard Schema: Zod, Valibot, ArkType and others. An object or a function. */
export interface StandardSchema<Input = unknown, Output = Input> {
  readonly '~standard': StandardProps<Input, Output>
}

/** What stands under `~standard`: https://standardschema.dev, version 1. */
export interface StandardProps<Input = unknown, Output = Input> {
  readonly version: 1
  readonly vendor: string
  readonly validate: (value: unknown) => StandardResult<Output> | Promise<StandardResult<Output>>
  readonly types?: { readonly input: Input; readonly output: Output } | undefined
}

/** What a Standard Schema answers about a value. */
export type StandardResult<Output> =
  | { readonly value: Output; readonly issues?: undefined }
  | { readonly issues: readonly StandardIssue[] }

/** One thing that is wrong with a value. */
export interface StandardIssue {
  readonly message: string
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined
}

/** A Standard Schema with its JSON Schema beside it, for libraries that cannot print themselves. */
export interface StandardSchemaPair<Input = unknown, Output = Input> {
  readonly schema: StandardSchema<Input, Output>
  /** Raw JSON Schema: of the input for `parameters`, of the output for `output.schema`. The model sees it. */
  readonly jsonSchema: object
}

/** Prints either side of a schema (Standard JSON Schema). May throw for what JSON Schema cannot say. */
export interface StandardPrinter {
  readonly input?: (options: { readonly target: string }) => unknown
  readonly output?: (options: { readonly target: string }) => unknown
}

/** The type of what a Standard Schema takes. */
export type StandardInput<S> = S extends {
  readonly '~standard': { readonly types?: { readonly input: infer I } | undefined }
}
  ? I
  : unknown

/** The type of what a Standard Schema gives for what it takes. */
export type StandardOutput<S> = S extends {
  readonly '~standard': { readonly types?: { readonly output: infer O } | undefined }
}
  ? O
  : unknown

const isHolder = (value: unknown): value is object =>
  (typeof value === 'object' && value !== null) || typeof value === 'function'

/** True for any object or function whose `~standard` validates. May throw what a hostile value throws. */
export function isStandardSchema(value: unknown): value is StandardSchema {
  if (!isHolder(value)) return false
  const standard: unknown = (value as { '~standard'?: unknown })['~standard']
  return isHolder(standard) && typeof (standard as { validate?: unknown }).validate === 'function'
}

/** True for what says that it is a Standard Schema and has nothing to validate with, as a mere printer. */
export function isStandardWithoutValidate(value: unknown): boolean {
  if (!isHolder(value)) return false
  const standard: unknown = (value as { '~standard'?: unknown })['~standard']
  return isHolder(standard) && typeof (standard as { vendor?: unknown }).vendor === 'string'
}

/** True for promises of any make. May throw what a hostile value throws. */
export function isThenable(value: unknown): value is PromiseLike<unknown> {
  return isHolder(value) && typeof (value as { then?: unknown }).then === 'function'
}

/** True for `{ schema, jsonSchema }`. May throw what a hostile value throws. */
export function isStandardSchemaPair(value: unknown): value is StandardSchemaPair {
  if (!isHolder(value)) return false
  const { schema, jsonSchema } = value as { schema?: unknown; jsonSchema?: unknown }
  return isHolder(jsonSchema) && isStandardSchema(schema)
}
