// A tool as persistent state. Each write is the whole list, so a write needs no ids and the last one wins. The list is kept
// nowhere but in the results: whoever has them, live or from a transcript, has the list.
import { pathToFileURL } from 'node:url'
import {
  createToolRegistry,
  defineTool,
  type InferValue,
  type ToolDefinition,
  type ToolExecutionResult,
  ToolgateError,
  type ToolRegistry,
  validateStructuredValue,
} from 'toolgate'

const todoList = {
  type: 'array',
  items: {
    type: 'object',
    additionalProperties: false,
    properties: {
      text: { type: 'string', required: true, description: 'What is to be done, in a few words' },
      status: { type: 'string', enum: ['open', 'doing', 'done'], required: true },
    },
  },
} as const

export type TodoList = InferValue<typeof todoList>

const MARKS = { open: '[ ]', doing: '[>]', done: '[x]' } as const
const lines = (todos: TodoList): string =>
  todos.map(({ text, status }) => `${MARKS[status]} ${text}`).join('\n')
const progress = (todos: TodoList): string =>
  `${todos.filter(({ status }) => status === 'done').length} of ${todos.length} done`

export const todoWrite: ToolDefinition = defineTool({
  name: 'todo_write',
  description:
    'Replaces the to-do list. Always pass the whole list: what is left out is gone. At most one item may be "doing".',
  parameters: { todos: { ...todoList, required: true } },
  output: {
    schema: todoList,
    render: (_args, todos) => [{ type: 'text', text: `${progress(todos)}\n${lines(todos)}`.trim() }],
  },
  presentCall: ({ todos }) => ({
    card: 'generic',
    kind: 'other',
    title: `Write the to-do list (${todos.length})`,
    content: [{ type: 'text', text: lines(todos) }],
  }),
  presentResult: ({ todos }, { isError, content }) =>
    isError ? undefined : { card: 'generic', title: `To-dos: ${progress(todos)}`, content },
  execute: ({ todos }) => {
    const doing = todos.filter(({ status }) => status === 'doing')
    if (doing.length > 1)
      throw new ToolgateError(
        'SEVERAL_AT_ONCE',
        `Only one item may be "doing", not ${doing.length}; nothing was written`,
      )
    return todos
  },
})

/** The list after one more result: that of a successful write, else the one before. */
export function afterResult(todos: TodoList, result: ToolExecutionResult): TodoList {
  if (result.name !== todoWrite.name || result.isError) return todos
  // A transcript may come from an older program, or from anybody.
  const [violation] = validateStructuredValue(todoWrite.output?.schema, result.value)
  if (violation) throw new Error(`The result of "${result.callId}" is no to-do list: ${violation.message}`)
  return result.value as TodoList
}

/** The list that these results leave behind. */
export const todosOf = (results: Iterable<ToolExecutionResult>): TodoList =>
  [...results].reduce(afterResult, [] as TodoList)

/** Follows the lists of a registry's scopes, one for each, as its `result` events tell. Programs' calls count too. */
export function followTodos(registry: ToolRegistry): (scope: string) => TodoList {
  const lists = new Map<string, TodoList>()
  registry.on('result', ({ scope, result }) => {
    lists.set(scope, afterResult(lists.get(scope) ?? [], result))
  })
  return scope => lists.get(scope) ?? []
}

async function main(): Promise<void> {
  const registry = createToolRegistry({ tools: [todoWrite] })
  const todos = followTodos(registry)
  const transcript: string[] = []
  registry.on('result', ({ result }) => transcript.push(JSON.stringify(result)))

  const write = (callId: string, list: unknown) =>
    registry.execute({ callId, name: 'todo_write', arguments: { todos: list } })
  await write('1', [
    { text: 'Find the bug', status: 'doing' },
    { text: 'Fix it', status: 'open' },
  ])
  await write('2', [
    { text: 'Find the bug', status: 'done' },
    { text: 'Fix it', status: 'doing' },
    { text: 'Write a test', status: 'open' },
  ])
  const refused = await write('3', [
    { text: 'Fix it', status: 'doing' },
    { text: 'Write a test', status: 'doing' },
  ])
  console.log(refused.isError && refused.error.code)
  console.log(lines(todos('root')))

  // Another day, another process: all there is are the results.
  const replayed = todosOf(transcript.map(line => JSON.parse(line) as ToolExecutionResult))
  console.log(lines(replayed) === lines(todos('root')) ? 'The transcript says the same.' : 'They differ!')
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) await main()
