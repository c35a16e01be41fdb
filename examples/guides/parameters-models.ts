import { createToolRegistry, defineTool, type ToolExecutionInput } from 'toolgate'

const list = defineTool({
  name: 'list_files',
  description: 'Lists files.',
  parameters: {
    folder: { type: 'string' },
    filter: { type: 'object', additionalProperties: false, properties: { ending: { type: 'string' } } },
  },
  execute: ({ folder = '.', filter }) => `${folder} ${filter?.ending ?? '*'}`,
})

async function show(
  input: Omit<ToolExecutionInput, 'callId' | 'name'>,
  coerceArguments = false,
): Promise<void> {
  const registry = createToolRegistry({ tools: [list], coerceArguments })
  const result = await registry.execute({ callId: '1', name: 'list_files', ...input })
  const meta = result.meta === undefined ? '' : ` ${JSON.stringify(result.meta)}`
  console.log((result.isError ? result.error.message : result.value) + meta)
}

// The model's JSON text as it is, or parsed. No arguments, in whatever way a model says that, are {}.
await show({ arguments: '{"folder": "src"}' })
await show({ arguments: ' ' })
await show({ arguments: null })

// Text that is not JSON is never mended and run.
await show({ arguments: '{"folder": "src", "filter": {"ending": ".t' })

// Some models write null for what they leave out, and JSON text for an object. Refused, unless you ask otherwise.
const given = { folder: null, filter: '{"ending": ".ts"}' }
await show({ arguments: given })
await show({ arguments: given }, true)

// Where the answer ended because it became too long, what there is may look like a call. Say so, and it does not run.
await show({ arguments: '', truncated: true })
