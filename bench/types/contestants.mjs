const own = (define, i) => `
export const tool${i} = ${define}({
  name: 'tool${i}',
  description: 'Does thing ${i}',
  parameters: {
    path${i}: { type: 'string', required: true, description: 'The file' },
    limit: { type: 'integer', description: 'How many lines' },
    force: { type: 'boolean' },
  },
  ${body(i)},
})
`

const body = i => `execute(args) {
    const path: string = args.path${i}
    const limit: number | undefined = args.limit
    return path + limit + args.force
  }`

const shape = i => `{
    path${i}: z.string().describe('The file'),
    limit: z.int().optional().describe('How many lines'),
    force: z.boolean().optional(),
  }`

const zod = (define, i) => `
export const tool${i} = ${define}({
  name: 'tool${i}',
  description: 'Does thing ${i}',
  parameters: z.object(${shape(i)}),
  ${body(i)},
})
`

// Infers with the least that tells required and optional properties apart: no nesting, no literals, no flat type to show.
const PLAIN = `
type Scalars = { string: string; integer: number; boolean: boolean }
type Node = { readonly type: keyof Scalars; readonly required?: true; readonly description?: string }
type Args<P> = { [K in keyof P as P[K] extends { readonly required: true } ? K : never]: P[K] extends { readonly type: infer T extends keyof Scalars } ? Scalars[T] : never } &
  { [K in keyof P as P[K] extends { readonly required: true } ? never : K]?: P[K] extends { readonly type: infer T extends keyof Scalars } ? Scalars[T] : never }
declare function make<const P extends { readonly [name: string]: Node }>(options: {
  readonly name: string
  readonly description: string
  readonly parameters: P
  execute(args: Args<P>): string
}): { readonly name: string }
`

const TOOLGATE = "import { defineTool } from 'toolgate'\n"
const ZOD = "import * as z from 'zod'\n"

const plain = { head: PLAIN, tool: i => own('make', i) }

const toolgate = { head: TOOLGATE, tool: i => own('defineTool', i) }

const toolgateZod = { head: TOOLGATE + ZOD, tool: i => zod('defineTool', i) }

/** Every kind of node, an output schema and the callbacks. */
const toolgateRich = {
  head: TOOLGATE,
  tool: i => `
export const tool${i} = defineTool({
  name: 'tool${i}',
  description: 'Does thing ${i}',
  parameters: {
    path${i}: { type: 'string', required: true },
    mode: { type: 'string', enum: ['read', 'write'] },
    edits: {
      type: 'array',
      items: { type: 'object', additionalProperties: false, properties: { line${i}: { type: 'integer', required: true } } },
    },
    where: { oneOf: [{ type: 'string' }, { type: 'null' }] },
  },
  output: {
    schema: { type: 'object', additionalProperties: false, properties: { changed${i}: { type: 'integer', required: true } } },
    render: (args, value) => [{ type: 'text', text: args.path${i} + value.changed${i} }],
  },
  resourceKeys: args => [args.path${i}],
  execute(args) {
    return { changed${i}: args.mode === 'write' && args.where !== null ? (args.edits ?? []).reduce((sum, edit) => sum + edit.line${i}, 0) : 0 }
  },
})
`,
}

/** A generic function over zod alone. */
const plainZod = {
  head: `${ZOD}declare function make<S extends z.ZodType>(options: {
  readonly name: string
  readonly description: string
  readonly parameters: S
  execute(args: z.output<S>): string
}): { readonly name: string }
`,
  tool: i => zod('make', i),
}

const ai = {
  head: `import { tool } from 'ai'\n${ZOD}`,
  tool: i => `
export const tool${i} = tool({
  description: 'Does thing ${i}',
  inputSchema: z.object(${shape(i)}),
  ${body(i)},
})
`,
}

const mcp = {
  head: `import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'\n${ZOD}const server = new McpServer({ name: 'n', version: '1' })\n`,
  tool: i => `
export const tool${i} = server.registerTool('tool${i}', { description: 'Does thing ${i}', inputSchema: ${shape(i)} }, args => {
  const path: string = args.path${i}
  const limit: number | undefined = args.limit
  return { content: [{ type: 'text', text: path + limit + args.force }] }
})
`,
}

/** The same tools for everybody: `head` once, `tool(i)` for each. Every body reads all of its arguments. */
export const CONTESTANTS = { plain, toolgate, toolgateRich, plainZod, toolgateZod, ai, mcp }
