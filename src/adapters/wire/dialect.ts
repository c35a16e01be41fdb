import type { NameRule } from './wire-names.js'

/** What a provider takes of JSON Schema, and how the rest is written for it. */
export interface Dialect {
  /** Where the definition has its schema, for findings. */
  readonly label: string
  /** The keywords it takes; `all` where unknown ones do no harm. */
  readonly keywords: ReadonlySet<string> | 'all'
  /** Keywords that may not stand at the root. */
  readonly notAtRoot: readonly string[]
  /** What a property may be called; undefined for anything. */
  readonly propertyNames?: NameRule
  /** Formats it takes, by type; undefined for any. */
  readonly formats?: { readonly [type: string]: readonly string[] }
  /** References stay, or what they lead to stands in their place. */
  readonly references: 'keep' | 'inline'
  /** Whether a reference may lead back to where it stands; `optional`, if a property is on the way that need not be there. */
  readonly recursion: boolean | 'optional'
  /** Whether other keywords may stand beside a reference. */
  readonly besideReference: boolean
  /** Whether an array must say what its items are. */
  readonly arrayItems: boolean
  /** What `required` may name: anything, declared properties, or it must name all of them. */
  readonly required: 'any' | 'declared' | 'all'
  /** Whether objects must be closed. */
  readonly closed: boolean
  /** Whether a schema must say what it accepts. */
  readonly typed: boolean
  /** What `enum` may hold. */
  readonly enums: 'any' | 'scalars' | 'texts and numbers' | 'texts'
  /** The largest `minItems` it takes. */
  readonly maxMinItems?: number
  /** Whether patterns may look around or back. */
  readonly plainPatterns: boolean
  /** The largest number that a pattern may count to; undefined for any. */
  readonly maxRepeats?: number
  /** OpenAPI 3.0: types in capitals, `nullable`, counts as text, one type for a schema. */
  readonly openApi: boolean
}

const ANY: Omit<Dialect, 'label' | 'notAtRoot'> = {
  keywords: 'all',
  references: 'keep',
  recursion: true,
  besideReference: true,
  arrayItems: false,
  required: 'any',
  closed: false,
  typed: false,
  enums: 'any',
  plainPatterns: false,
  openApi: false,
}

const set = (words: string): ReadonlySet<string> => new Set(words.split(' '))

const NUMBERS = 'multipleOf minimum maximum exclusiveMinimum exclusiveMaximum'
const STRING_FORMATS = ['date-time', 'time', 'date', 'duration', 'email', 'hostname', 'ipv4', 'ipv6', 'uuid']

export const OPENAI: Dialect = {
  ...ANY,
  label: 'OpenAI',
  notAtRoot: ['oneOf', 'anyOf', 'allOf', 'enum', 'const', 'not'],
  arrayItems: true,
}

// `minLength` and `maxLength` are not in it: the API has refused them in strict mode, and its SDK's own notes say that it may.
export const OPENAI_STRICT: Dialect = {
  ...OPENAI,
  label: 'the strict mode of OpenAI',
  keywords: set(
    `type title description properties required additionalProperties items anyOf enum const $ref $defs pattern format minItems maxItems ${NUMBERS}`,
  ),
  formats: { string: STRING_FORMATS },
  besideReference: false,
  required: 'all',
  closed: true,
  typed: true,
  enums: 'scalars',
  plainPatterns: true,
}

export const ANTHROPIC: Dialect = {
  ...ANY,
  label: 'Anthropic',
  notAtRoot: ['oneOf', 'anyOf', 'allOf'],
  propertyNames: { accepts: /^[a-zA-Z0-9_.-]{1,64}$/, refused: /[^a-zA-Z0-9_.-]/u, letterFirst: false },
}

export const ANTHROPIC_STRICT: Dialect = {
  ...ANTHROPIC,
  label: 'the strict mode of Anthropic',
  keywords: set(
    'type title description properties required additionalProperties items anyOf enum const $ref $defs pattern format minItems default',
  ),
  formats: { string: [...STRING_FORMATS, 'uri'] },
  recursion: false,
  besideReference: false,
  required: 'declared',
  closed: true,
  typed: true,
  enums: 'scalars',
  maxMinItems: 1,
  plainPatterns: true,
  maxRepeats: 100,
}

const GOOGLE: Omit<Dialect, 'keywords'> = {
  ...ANY,
  label: 'Google',
  notAtRoot: ['oneOf', 'anyOf', 'allOf', 'not', 'enum', 'const'],
  propertyNames: {
    accepts: /^[a-zA-Z_][a-zA-Z0-9_]{0,63}$/,
    refused: /[^a-zA-Z0-9_]/u,
    letterFirst: true,
  },
  arrayItems: true,
  required: 'declared',
}

/** The field `parameters`: a subset of OpenAPI 3.0. */
export const GOOGLE_OPENAPI: Dialect = {
  ...GOOGLE,
  keywords: set(
    'type title description properties required items anyOf enum format pattern default minItems maxItems minLength maxLength minProperties maxProperties minimum maximum',
  ),
  formats: { number: ['float', 'double'], integer: ['int32', 'int64'], string: ['date-time'] },
  references: 'inline',
  recursion: false,
  besideReference: false,
  typed: true,
  enums: 'texts',
  openApi: true,
}

/** The field `parametersJsonSchema`. It reads `oneOf` as `anyOf`, so that is what is sent. */
export const GOOGLE_JSON_SCHEMA: Dialect = {
  ...GOOGLE,
  keywords: set(
    'type title description properties required additionalProperties items prefixItems anyOf enum format minItems maxItems minimum maximum $ref $defs',
  ),
  besideReference: false,
  recursion: 'optional',
  enums: 'texts and numbers',
}
