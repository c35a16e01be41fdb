import type { JsonObject } from 'toolgate'

const DRAFT_07 = 'http://json-schema.org/draft-07/schema#'
const string: JsonObject = { type: 'string' }
const strings: JsonObject = { type: 'object', additionalProperties: string }
const oneOrMore = (item: JsonObject): JsonObject => ({
  oneOf: [item, { type: 'array', items: item, minItems: 1, uniqueItems: true }],
})

/** Written as the schemas of package manifests are: draft-07, patterns, conditional exports, references everywhere. */
export const manifestSchema: JsonObject = {
  $schema: DRAFT_07,
  $id: 'https://schemas.invalid/manifest.json',
  title: 'A package manifest',
  definitions: {
    person: {
      description: 'A person: an object, or "name <mail> (url)".',
      type: ['object', 'string'],
      required: ['name'],
      properties: {
        name: string,
        url: { type: 'string', format: 'uri' },
        email: { type: 'string', format: 'email' },
      },
    },
    dependency: {
      description: 'Versions by name: { "left-pad": "^1.0.0" } /* or a URL */',
      type: 'object',
      additionalProperties: string,
    },
    entry: {
      description: 'A path, conditions, or a list of fallbacks.',
      oneOf: [
        { type: ['string', 'null'] },
        { $ref: '#/definitions/conditions' },
        { type: 'array', items: { $ref: '#/definitions/entry' } },
      ],
    },
    conditions: {
      type: 'object',
      properties: { import: { $ref: '#/definitions/entry' }, require: { $ref: '#/definitions/entry' } },
      patternProperties: { '^(?![.0-9]).+$': { $ref: '#/definitions/entry' } },
      additionalProperties: false,
    },
    license: { anyOf: [{ type: 'string' }, { enum: ['MIT', 'ISC', 'Apache-2.0', 'UNLICENSED'] }] },
  },
  type: 'object',
  patternProperties: { '^_': { description: 'For tools.' } },
  properties: {
    name: {
      type: 'string',
      maxLength: 214,
      minLength: 1,
      pattern: '^(?:@[a-z0-9-*~][a-z0-9-*._~]*/)?[a-z0-9-~]',
    },
    version: { type: 'string' },
    keywords: { type: 'array', items: string },
    private: { anyOf: [{ type: 'boolean' }, { enum: ['false', 'true'] }] },
    author: { $ref: '#/definitions/person' },
    contributors: { type: 'array', items: { $ref: '#/definitions/person' } },
    license: { $ref: '#/definitions/license' },
    bin: { type: ['string', 'object'], additionalProperties: string },
    exports: {
      oneOf: [
        { $ref: '#/definitions/entry' },
        {
          type: 'object',
          properties: { '.': { $ref: '#/definitions/entry' } },
          patternProperties: { '^\\./.+': { $ref: '#/definitions/entry' } },
          additionalProperties: false,
        },
      ],
    },
    scripts: { type: 'object', properties: { test: string, build: string }, additionalProperties: string },
    dependencies: { $ref: '#/definitions/dependency' },
    peerDependenciesMeta: {
      type: 'object',
      additionalProperties: {
        type: 'object',
        additionalProperties: true,
        properties: { optional: { type: 'boolean' } },
      },
    },
    engines: { type: 'object', properties: { node: string }, additionalProperties: string },
    os: { type: 'array', items: string },
    sideEffects: { type: ['boolean', 'array'], items: string },
    workspaces: {
      anyOf: [
        { type: 'array', items: string },
        { type: 'object', properties: { packages: { type: 'array', items: string } } },
      ],
    },
    constructor: { type: 'string', description: 'Named like what every object inherits.' },
  },
  required: ['name'],
}

/** Written as the schemas of workflows are: jobs and steps that contain each other, unions told apart by what they require. */
export const workflowSchema: JsonObject = {
  $defs: {
    expression: { type: 'string', description: 'An expression in double braces.' },
    scalar: { type: ['string', 'number', 'boolean'] },
    environment: {
      oneOf: [
        { type: 'object', additionalProperties: { $ref: '#/$defs/scalar' } },
        { $ref: '#/$defs/expression' },
      ],
    },
    matrixValue: {
      anyOf: [
        { $ref: '#/$defs/scalar' },
        { type: 'array', items: { $ref: '#/$defs/matrixValue' } },
        { type: 'object', additionalProperties: { $ref: '#/$defs/matrixValue' } },
      ],
    },
    step: {
      type: 'object',
      properties: {
        id: string,
        if: { type: ['boolean', 'number', 'string'] },
        env: { $ref: '#/$defs/environment' },
        'continue-on-error': { anyOf: [{ type: 'boolean' }, { $ref: '#/$defs/expression' }] },
        uses: string,
        with: { $ref: '#/$defs/environment' },
        run: string,
        shell: { anyOf: [{ enum: ['bash', 'sh', 'pwsh', 'cmd'] }, { type: 'string', pattern: '\\{0\\}' }] },
        steps: { type: 'array', items: { $ref: '#/$defs/step' }, minItems: 1 },
      },
      additionalProperties: false,
      oneOf: [{ required: ['uses'] }, { required: ['run'] }, { required: ['steps'] }],
      dependentRequired: { with: ['uses'], shell: ['run'] },
    },
    job: {
      type: 'object',
      allOf: [{ $ref: '#/$defs/named' }],
      properties: {
        needs: oneOrMore({ type: 'string', pattern: '^[_a-zA-Z][a-zA-Z0-9_-]*$' }),
        'runs-on': oneOrMore(string),
        strategy: {
          type: 'object',
          properties: {
            matrix: { $ref: '#/$defs/matrixValue' },
            'max-parallel': { type: 'integer', minimum: 1 },
          },
          required: ['matrix'],
        },
        steps: { type: 'array', items: { $ref: '#/$defs/step' } },
        jobs: { $ref: '#/$defs/jobs' },
      },
      required: ['runs-on'],
      unevaluatedProperties: false,
    },
    named: { type: 'object', properties: { name: string } },
    jobs: {
      type: 'object',
      patternProperties: { '^[_a-zA-Z][a-zA-Z0-9_-]*$': { $ref: '#/$defs/job' } },
      additionalProperties: false,
      minProperties: 1,
    },
  },
  type: 'object',
  properties: {
    name: string,
    on: {
      oneOf: [
        { enum: ['push', 'pull_request', 'schedule'] },
        { type: 'array', items: { enum: ['push', 'pull_request'] } },
        {
          type: 'object',
          properties: { push: { type: ['object', 'null'], properties: { branches: oneOrMore(string) } } },
          additionalProperties: false,
        },
      ],
    },
    env: strings,
    jobs: { $ref: '#/$defs/jobs' },
  },
  required: ['on', 'jobs'],
  additionalProperties: false,
}

/** Definitions that refer to each other over long ways, the first ones to the last ones too. */
export function manyDefinitions(count: number): JsonObject {
  const ref = (index: number): JsonObject => ({ $ref: `#/$defs/D${index % count}` })
  const definitions = Array.from({ length: count }, (_, index): [string, JsonObject] => [
    `D${index}`,
    {
      type: 'object',
      description: `The definition ${index}.`,
      properties: {
        id: { const: index },
        next: ref(index + 1),
        far: { anyOf: [ref(index * 31 + 7), { type: 'null' }] },
        list: { type: 'array', items: ref(index * 17 + 3) },
        byName: { type: 'object', additionalProperties: ref(index * 13 + 5) },
      },
      required: ['id'],
      additionalProperties: false,
    },
  ])
  return { type: 'object', properties: { start: ref(0) }, $defs: Object.fromEntries(definitions) }
}
