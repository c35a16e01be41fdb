import { createToolRegistry, defineTool, jsonSchema, OutputSchemaError, ToolgateError } from 'toolgate'

interface Folder {
  name: string
  folders?: Folder[]
}

// The type is yours to say; the schema is what is checked.
const create = defineTool({
  name: 'create_folders',
  description: 'Creates a folder with all that is in it.',
  parameters: jsonSchema<Folder>({
    $ref: '#/$defs/folder',
    $defs: {
      folder: {
        type: 'object',
        properties: {
          name: { type: 'string', pattern: '^[^/]+$' },
          folders: { type: 'array', items: { $ref: '#/$defs/folder' } },
        },
        required: ['name'],
        additionalProperties: false,
      },
    },
  }),
  execute: folder => {
    const count = ({ folders = [] }: Folder): number => folders.reduce((sum, each) => sum + count(each), 1)
    return `Created ${count(folder)} folders`
  },
})

const registry = createToolRegistry({ tools: [create] })

// A tool that somebody else described: draft-07, by its $schema. It says itself that its arguments are to be checked.
registry.register({
  name: 'sum',
  description: 'Adds numbers.',
  parameters: {
    $schema: 'http://json-schema.org/draft-07/schema#',
    type: 'object',
    properties: {
      numbers: { type: 'array', items: [{ type: 'number' }], additionalItems: { type: 'number' } },
    },
    required: ['numbers'],
  },
  validateArguments: true,
  execute: ({ numbers }: { numbers: number[] }) => `${numbers.reduce((sum, each) => sum + each, 0)}`,
})

for (const [name, args] of [
  ['create_folders', { name: 'a', folders: [{ name: 'b' }, { name: 'c', folders: [{ name: 'd' }] }] }],
  ['create_folders', { name: 'a', folders: [{ name: 'b/c' }, { folder: 'd' }] }],
  ['sum', { numbers: [1, 2, 3] }],
  ['sum', { numbers: [1, '2'] }],
] as const) {
  const result = await registry.execute({ callId: '1', name, arguments: args })
  console.log(result.isError ? result.error.message : result.value)
}

// A schema that cannot be used is your mistake, and is told at once.
try {
  registry.register({
    name: 'broken',
    description: 'Refers to nothing.',
    parameters: { type: 'object', properties: { at: { $ref: '#/$defs/place' } } },
    validateArguments: true,
    execute: () => 'never',
  })
} catch (error) {
  if (ToolgateError.isInstance(error)) console.log(`thrown ${error.code}: ${error.message}`)
  console.log(error instanceof OutputSchemaError)
}
