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

/**
 * Where a rule is from. `said`: the provider says it in writing, at `source`. `seen`: its API has refused what breaks it, with
 * the words at `source`; no page says it. `assumed`: neither; `source` says why it is kept.
 */
export interface RuleSource {
  readonly known: 'said' | 'seen' | 'assumed'
  readonly source: string
  /** Year, month and day of the text, or of the day it was read. */
  readonly asOf: string
}

/** A number that a provider goes by. */
export interface ProviderLimit extends RuleSource {
  readonly value: number
}

/** Limits of the strict mode. A tool that is past one is sent without it. */
export interface StrictLimits {
  readonly properties?: ProviderLimit
  readonly levels?: ProviderLimit
  readonly characters?: ProviderLimit
  readonly enumValues?: ProviderLimit
  /** Characters of one enum of texts, if it has more than 250 values. */
  readonly enumCharacters?: ProviderLimit
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
  readonly sources: readonly RuleSource[]
}

/** What is known of a provider: names, counts, and its dialects of JSON Schema. */
export interface ProviderLimits {
  readonly title: string
  readonly names: NameRule & { readonly sources: readonly RuleSource[] }
  readonly maxTools?: ProviderLimit
  readonly media: MediaKinds
  readonly dialect: Dialect
  readonly strict?: StrictLimits & { readonly dialect: Dialect }
  /** Where the rules of the dialects are from. */
  readonly sources: readonly RuleSource[]
}

const READ = '2026-11-30'
const said = (source: string, asOf: string = READ): RuleSource => ({ known: 'said', source, asOf })
const seen = (source: string, asOf: string): RuleSource => ({ known: 'seen', source, asOf })
const assumed = (source: string): RuleSource => ({ known: 'assumed', source, asOf: READ })
const limit = (value: number, rule: RuleSource): ProviderLimit => ({ value, ...rule })

const OPENAI_SDK = 'openai 7.59.0, declarations'
const OPENAI_SCHEMAS = said(
  'https://developers.openai.com/api/docs/guides/structured-outputs#supported-schemas',
)
const CLAUDE = 'https://platform.claude.com/docs/en'
const CLAUDE_SDK = '@anthropic-ai/sdk 1.14.0'
const CLAUDE_LIMITS = said(`${CLAUDE}/build-with-claude/structured-outputs#schema-complexity-limits`)
const GENAI = '@google/genai 3.3.0, declarations'

const IMAGES = ['image/png', 'image/jpeg', 'image/webp', 'image/gif']

const PLAIN_NAMES: NameRule = {
  accepts: /^[a-zA-Z0-9_-]{1,64}$/,
  refused: /[^a-zA-Z0-9_-]/u,
  letterFirst: false,
}

const GOOGLE_LIMITS: Omit<ProviderLimits, 'dialect'> = {
  title: 'Google generateContent',
  names: {
    accepts: /^[a-zA-Z_][a-zA-Z0-9_.-]{0,63}$/,
    refused: /[^a-zA-Z0-9_.-]/u,
    letterFirst: true,
    sources: [
      // Its words have had colons since, and the declarations 128 characters: what all versions take is used.
      seen('"Invalid function name. Must start with a letter or an underscore"', '2025-09-06'),
      said(`${GENAI}, FunctionDeclaration.name`),
    ],
  },
  maxTools: limit(512, said(`${GENAI}, Tool.functionDeclarations`)),
  media: {
    images: ['image/png', 'image/jpeg', 'image/webp', 'image/heic', 'image/heif'],
    // Of the names that both of its APIs list, where they list the format at all.
    audio: {
      'audio/wav': 'audio/wav',
      'audio/x-wav': 'audio/wav',
      'audio/mp3': 'audio/mp3',
      'audio/mpeg': 'audio/mp3',
      'audio/aiff': 'audio/aiff',
      'audio/aac': 'audio/aac',
      'audio/ogg': 'audio/ogg',
      'audio/flac': 'audio/flac',
    },
    files: ['application/pdf'],
    sources: [
      said('https://ai.google.dev/gemini-api/docs/image-understanding'),
      said('https://ai.google.dev/gemini-api/docs/audio'),
      said('https://ai.google.dev/gemini-api/docs/document-processing'),
    ],
  },
  sources: [
    said(`${GENAI}, Schema, FunctionDeclaration.parameters`),
    said('https://reference.rnfirebase.io/_react-native-firebase/ai/SchemaInterface.html, format'),
    seen('"Unknown name" for any other keyword, which fails the request', '2026-09-07'),
    // parametersJsonSchema itself says only that it is JSON Schema.
    said(`${GENAI}, GenerationConfig.responseJsonSchema`),
    assumed(
      'enums of other types than texts are put in words: the platform takes them, the developer API does not',
    ),
  ],
}

/** Everything that depends on a provider, in one table: when a provider changes a rule, it is changed here. */
export const PROVIDER_LIMITS: { readonly [name in ProviderName]: ProviderLimits } = {
  openai: {
    title: 'OpenAI Chat Completions and Responses',
    names: {
      ...PLAIN_NAMES,
      sources: [
        said(`${OPENAI_SDK}, FunctionDefinition.name`),
        assumed('Responses says nothing of names: the rule of Chat Completions is kept there'),
      ],
    },
    maxTools: limit(128, said(`${OPENAI_SDK}, evals/runs, "A max of 128 functions are supported"`)),
    media: {
      images: IMAGES,
      audio: {
        'audio/wav': 'wav',
        'audio/x-wav': 'wav',
        'audio/wave': 'wav',
        'audio/mpeg': 'mp3',
        'audio/mp3': 'mp3',
      },
      // Responses takes more; what both take is sent.
      files: ['application/pdf'],
      sources: [
        said('https://developers.openai.com/api/docs/guides/images-vision'),
        said(`${OPENAI_SDK}, ChatCompletionContentPartInputAudio`),
        said('https://developers.openai.com/api/docs/guides/file-inputs'),
      ],
    },
    dialect: OPENAI,
    strict: {
      dialect: OPENAI_STRICT,
      properties: limit(5_000, OPENAI_SCHEMAS),
      levels: limit(10, OPENAI_SCHEMAS),
      characters: limit(120_000, OPENAI_SCHEMAS),
      enumValues: limit(1_000, OPENAI_SCHEMAS),
      enumCharacters: limit(15_000, OPENAI_SCHEMAS),
    },
    sources: [
      OPENAI_SCHEMAS,
      seen(
        "\"schema must have type 'object' and not have 'oneOf'/'anyOf'/'allOf'/'enum'/'not' at the top level\"",
        '2026-09-20',
      ),
      assumed(
        'minLength, maxLength and default are not among the keywords that the guide lists, nor refused by it',
      ),
    ],
  },
  anthropic: {
    title: 'Anthropic Messages',
    names: {
      ...PLAIN_NAMES,
      sources: [
        // It allows 128 characters, where it was 64; servers of others that speak Messages may not have followed.
        said(`${CLAUDE}/agents-and-tools/tool-use/define-tools`),
      ],
    },
    media: {
      images: IMAGES,
      audio: {},
      files: ['application/pdf'],
      sources: [
        said(`${CLAUDE_SDK}, declarations, Base64ImageSource and Base64PDFSource`),
        said(`${CLAUDE}/build-with-claude/vision`),
      ],
    },
    dialect: ANTHROPIC,
    strict: {
      dialect: ANTHROPIC_STRICT,
      tools: limit(20, CLAUDE_LIMITS),
      optional: limit(24, CLAUDE_LIMITS),
      unions: limit(16, CLAUDE_LIMITS),
    },
    sources: [
      said(`${CLAUDE}/build-with-claude/structured-outputs#json-schema-limitations`),
      said(`${CLAUDE_SDK}, lib/transform-json-schema`),
      seen('"input_schema does not support oneOf, allOf, or anyOf at the top level"', '2026-08-23'),
      seen('"Property keys should match pattern \'^[a-zA-Z0-9_.-]{1,64}$\'"', '2026-09-02'),
      assumed('large ranges in patterns are refused, but no number is said: more than 100 counts as large'),
    ],
  },
  google: { ...GOOGLE_LIMITS, dialect: GOOGLE_OPENAPI },
  'google-json-schema': { ...GOOGLE_LIMITS, dialect: GOOGLE_JSON_SCHEMA },
}
