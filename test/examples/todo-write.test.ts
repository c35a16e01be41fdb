import { createToolRegistry, type Stages, type ToolExecutionResult } from 'toolgate'
import { quickJsRuntime } from 'toolgate/quickjs'
import { describe, expect, it } from 'vitest'
import { followTodos, type TodoList, todosOf, todoWrite } from '../../examples/todo-write.js'

const first: TodoList = [
  { text: 'Find the bug', status: 'doing' },
  { text: 'Fix it', status: 'open' },
]
const second: TodoList = [{ text: 'Find the bug', status: 'done' }]

function setup(stages: readonly Stages[] = []) {
  const registry = createToolRegistry({
    tools: [todoWrite],
    stages,
    scopes: [{ id: 'helper' }, { id: 'coder', mode: 'code' }],
    codeRuntime: () => quickJsRuntime(),
  })
  const current = followTodos(registry)
  const transcript: string[] = []
  registry.on('result', ({ result }) => transcript.push(JSON.stringify(result)))
  const write = (todos: unknown, scope = 'root', callId = `call-${transcript.length}`) =>
    registry.execute({ callId, name: 'todo_write', arguments: { todos }, scope })
  const replayed = () => todosOf(transcript.map(line => JSON.parse(line) as ToolExecutionResult))
  return { registry, current, write, replayed }
}

describe('todo_write', () => {
  it('keeps the last whole list, and its transcript says the same', async () => {
    const { current, write, replayed } = setup()
    expect(current('root')).toEqual([])
    await write(first)
    expect(current('root')).toEqual(first)
    await write(second)
    expect([current('root'), replayed()]).toEqual([second, second])
    await write([])
    expect([current('root'), replayed()]).toEqual([[], []])
  })

  it('lets a registry made later go on from the transcript of another', async () => {
    const { write, replayed } = setup()
    await write(first)
    const other = setup()
    await other.write(second)
    expect(replayed()).toEqual(first)
  })

  it.each([
    ['a status that does not exist', [{ text: 'x', status: 'blocked' }], 'INVALID_ARGS'],
    ['a field that does not exist', [{ id: 1, text: 'x', status: 'open' }], 'INVALID_ARGS'],
    ['two things at once', [first[0], first[0]], 'SEVERAL_AT_ONCE'],
  ])('leaves the list as it was after %s', async (_what, todos, code) => {
    const { current, write, replayed } = setup()
    await write(first)
    expect(await write(todos)).toMatchObject({ isError: true, error: { code } })
    expect([current('root'), replayed()]).toEqual([first, first])
  })

  it('lets the last write of a batch win, in the model’s order', async () => {
    const { registry, current } = setup()
    await registry.executeAll(
      [first, second, first].map((todos, i) => ({
        callId: `${i}`,
        name: 'todo_write',
        arguments: { todos },
      })),
    )
    expect(current('root')).toEqual(first)
  })

  it('has a list for each scope', async () => {
    const { current, write } = setup()
    await write(first)
    await write(second, 'helper')
    expect([current('root'), current('helper'), current('coder')]).toEqual([first, second, []])
  })

  it('counts the writes of a program, which gets the list as a value', async () => {
    const { registry, current, replayed } = setup()
    const code = `const todos = await tools.todo_write({ todos: ${JSON.stringify(first)} }); return todos[1].text`
    const result = await registry.execute({
      callId: '1',
      name: 'run_code',
      scope: 'coder',
      arguments: { code, description: 'Write the list' },
    })
    expect(result).toMatchObject({ isError: false, value: { result: 'Fix it' } })
    expect([current('coder'), replayed()]).toEqual([first, first])
    await registry.dispose()
  })

  it('keeps what policy made of a write', async () => {
    const { current, write } = setup([{ postExecute: () => ({ kind: 'accept', value: second as never }) }])
    await write(first)
    expect(current('root')).toEqual(second)
  })

  it('refuses a transcript whose list has another shape', async () => {
    const result = { callId: 'old', name: 'todo_write', isError: false, value: ['Fix it'], content: [] }
    expect(() => todosOf([result as never])).toThrow(/"old" is no to-do list/)
  })

  it('shows the list to the model and on its cards', async () => {
    const { registry, write } = setup()
    const tool = registry.get('todo_write')
    const result = await write(first)
    const text = '0 of 2 done\n[>] Find the bug\n[ ] Fix it'
    expect(result.content).toEqual([{ type: 'text', text }])
    expect(tool?.presentCall?.({ todos: first } as never)).toMatchObject({
      card: 'generic',
      title: 'Write the to-do list (2)',
    })
    expect(tool?.presentResult?.({ todos: first } as never, result)).toMatchObject({
      card: 'generic',
      title: 'To-dos: 0 of 2 done',
      content: [{ type: 'text', text }],
    })
    const refused = await write([{ text: 'x' }])
    expect(tool?.presentResult?.({ todos: first } as never, refused)).toBeUndefined()
  })
})
