import {
  ANTHROPIC,
  ANTHROPIC_STRICT,
  type Dialect,
  GOOGLE_JSON_SCHEMA,
  GOOGLE_OPENAPI,
  OPENAI,
  OPENAI_STRICT,
} from './dialect.js'
import type { NameRule } from './wire-names.js'

/** A provider whose rules are known. `google` is the field `parameters`, `google-json-schema` the field `parametersJsonSchema`. */
export type ProviderName = 'openai' | 'anthropic' | 'google' | 'google-json-schema'

/** A number that a provider goes by, with where it is said and when that was read. */
export interface ProviderLimit {
  readonly value: number
  readonly source: string
  /** Year, month and day. */
  readonly asOf: string
}

/** Limits of the strict mode. A tool that is past one is sent without it. */
export interface StrictLimits {
  readonly properties?: ProviderLimit
  readonly levels?: ProviderLimit
  readonly characters?: ProviderLimit
  readonly enumValues?: ProviderLimit
  /** Strict tools in one request. */
  readonly tools?: ProviderLimit
  /** Optional properties of all strict tools in one request. */
  readonly optional?: ProviderLimit
  /** Properties with several types, of all strict tools in one request. */
  readonly unions?: ProviderLimit
}

/** Kinds of media that a provider takes in a conversation; all others are put in words. */
export interface MediaKinds {
  readonly images: readonly string[]
  /** Media types, and what the provider calls them. */
  readonly audio: { readonly [mimeType: string]: string }
  readonly files: readonly string[]
  readonly source: string
  readonly asOf: string
}

/** What is known of a provider: names, counts, and its dialects of JSON Schema. */
export interface ProviderLimits {
  readonly title: string
  readonly names: NameRule & { readonly source: string; readonly asOf: string }
  readonly maxTools?: ProviderLimit
  readonly media: MediaKinds
  readonly dialect: Dialect
  readonly strict?: StrictLimits & { readonly dialect: Dialect }
  /** Where the rules of the dialects are said. */
  readonly sources: readonly { readonly source: string; readonly asOf: string }[]
}

const OPENAI_GUIDE = 'OpenAI, Structured Outputs guide, "Supported schemas"'
const ANTHROPIC_GUIDE = 'Anthropic, Structured outputs, "JSON Schema limitations"'
const GENAI = '@google/genai 3.3.0, declarations'
const READ = '2026-11-30'

const limit = (value: number, source: string, asOf: string = READ): ProviderLimit => ({ value, source, asOf })

const IMAGES = ['image/png', 'image/jpeg', 'image/webp', 'image/gif']

const PLAIN_NAMES: NameRule = {
  accepts: /^[a-zA-Z0-9_-]{1,64}$/,
  refused: /[^a-zA-Z0-9_-]/u,
  letterFirst: false,
}

const GOOGLE_LIMITS: Omit<ProviderLimits, 'dialect'> = {
  title: 'Google generateContent',
  // The declarations allow 128 characters and colons; the API itself has refused both.
  names: {
    accepts: /^[a-zA-Z_][a-zA-Z0-9_.-]{0,63}$/,
    refused: /[^a-zA-Z0-9_.-]/u,
    letterFirst: true,
    source: 'API error "Invalid function name", google-gemini/gemini-cli issue 9535',
    asOf: '2025-09-25',
  },
  maxTools: limit(512, `${GENAI}, Tool.functionDeclarations`),
  media: {
    images: ['image/png', 'image/jpeg', 'image/webp', 'image/heic', 'image/heif'],
    audio: {
      'audio/wav': 'audio/wav',
      'audio/mp3': 'audio/mp3',
      'audio/mpeg': 'audio/mpeg',
      'audio/aiff': 'audio/aiff',
      'audio/aac': 'audio/aac',
      'audio/ogg': 'audio/ogg',
      'audio/flac': 'audio/flac',
    },
    files: ['application/pdf'],
    source: 'Gemini API, Image understanding, Audio understanding and Document understanding',
    asOf: READ,
  },
  sources: [
    { source: `${GENAI}, Schema and FunctionDeclaration`, asOf: READ },
    {
      source: 'API errors "Unknown name", for the keywords that the request is refused for',
      asOf: '2026-09-07',
    },
    { source: 'Gemini API, Structured output, "JSON schema support", for parametersJsonSchema', asOf: READ },
  ],
}

/** Everything that depends on a provider, in one table: when a provider changes a rule, it is changed here. */
export const PROVIDER_LIMITS: { readonly [name in ProviderName]: ProviderLimits } = {
  openai: {
    title: 'OpenAI Chat Completions and Responses',
    names: { ...PLAIN_NAMES, source: 'openai 7.59.0, declarations, FunctionDefinition.name', asOf: READ },
    maxTools: limit(128, 'API error "array_above_max_length" for tools', '2025-09-29'),
    media: {
      images: IMAGES,
      audio: {
        'audio/wav': 'wav',
        'audio/x-wav': 'wav',
        'audio/wave': 'wav',
        'audio/mpeg': 'mp3',
        'audio/mp3': 'mp3',
      },
      files: ['application/pdf'],
      source: 'openai 7.59.0, declarations of content parts; OpenAI, Images and vision guide',
      asOf: READ,
    },
    dialect: OPENAI,
    strict: {
      dialect: OPENAI_STRICT,
      properties: limit(5_000, OPENAI_GUIDE),
      levels: limit(10, OPENAI_GUIDE),
      characters: limit(120_000, OPENAI_GUIDE),
      enumValues: limit(1_000, OPENAI_GUIDE),
    },
    sources: [
      { source: OPENAI_GUIDE, asOf: READ },
      {
        source: 'API error "schema must have type \'object\' and not have ... at the top level"',
        asOf: '2026-09-20',
      },
      {
        source: 'openai-node pull request 1988: minLength, maxLength and default in strict tools',
        asOf: '2026-07-09',
      },
    ],
  },
  anthropic: {
    title: 'Anthropic Messages',
    names: { ...PLAIN_NAMES, source: 'Anthropic, Define tools, "name"', asOf: READ },
    media: {
      images: IMAGES,
      audio: {},
      files: ['application/pdf'],
      source: '@anthropic-ai/sdk 1.14.0, declarations of Base64ImageSource and Base64PDFSource',
      asOf: READ,
    },
    dialect: ANTHROPIC,
    strict: {
      dialect: ANTHROPIC_STRICT,
      tools: limit(20, ANTHROPIC_GUIDE),
      optional: limit(24, ANTHROPIC_GUIDE),
      unions: limit(16, ANTHROPIC_GUIDE),
    },
    sources: [
      { source: ANTHROPIC_GUIDE, asOf: READ },
      { source: '@anthropic-ai/sdk 1.14.0, transform-json-schema', asOf: READ },
      {
        source: 'API error "input_schema does not support oneOf, allOf, or anyOf at the top level"',
        asOf: '2026-08-23',
      },
      { source: 'Anthropic, Self-hosted sandboxes, on property names', asOf: '2026-09-15' },
    ],
  },
  google: { ...GOOGLE_LIMITS, dialect: GOOGLE_OPENAPI },
  'google-json-schema': { ...GOOGLE_LIMITS, dialect: GOOGLE_JSON_SCHEMA },
}
