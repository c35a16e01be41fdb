import { defineTool, type ToolDefinition } from 'toolgate'

const closed = (properties: object) => ({ type: 'object', additionalProperties: false, properties }) as const
const render = () => [{ type: 'text', text: '' }] as const
const row = closed({ id: { type: 'number', required: true } })

/** What `HONEST_PROGRAMS` call. Results are closed: what is not declared is not there. */
export const honestTools = (): ToolDefinition[] =>
  [
    {
      name: 'get',
      parameters: {
        id: { type: 'number', required: true },
        opt: { type: 'string' },
        mode: { type: 'string', enum: ['a', 'b'] },
      },
      output: {
        schema: closed({
          id: { type: 'number', required: true },
          name: { type: 'string', required: true },
          tag: { type: 'string' },
        }),
        render,
      },
      execute: ({ id, opt }: { id: number; opt?: string }) => ({
        id,
        name: `n${id}`,
        ...(opt !== undefined && { tag: opt }),
      }),
    },
    {
      name: 'echo',
      parameters: { text: { type: 'string', required: true } },
      execute: ({ text }: { text: string }) => text,
    },
    {
      name: 'list',
      parameters: {},
      output: { schema: { type: 'array', items: row }, render },
      execute: () => [{ id: 1 }, { id: 2 }],
    },
    {
      name: 'page',
      parameters: { cursor: { type: 'string' } },
      output: {
        schema: closed({
          items: { type: 'array', items: row, required: true },
          next: { type: 'string' },
        }),
        render,
      },
      execute: ({ cursor }: { cursor?: string }) => ({ items: [{ id: 1 }], ...(!cursor && { next: 'p2' }) }),
    },
    {
      name: 'save',
      parameters: { note: { type: 'object', required: true, properties: {}, additionalProperties: true } },
      execute: ({ note }: { note: object }) => JSON.stringify(note),
    },
    { name: 'open', parameters: {}, execute: () => 'o' },
    { name: 'json', parameters: {}, execute: () => '{"items":[{"id":1}]}' },
    {
      name: 'fail',
      parameters: {},
      execute: () => {
        throw new Error('x')
      },
    },
  ].map(tool => defineTool({ description: tool.name, isConcurrencySafe: () => true, ...tool } as never))
