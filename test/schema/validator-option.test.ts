import { createRequire } from 'node:module'
import { createToolRegistry, type JsonObject, type JsonValue, type Validator, type Violation } from 'toolgate'
import { expect, test } from 'vitest'
import { countedTool } from '../support/tools.js'

const isAjvLoaded = (): boolean =>
  Object.keys(createRequire(import.meta.url).cache).some(path => /node_modules.ajv.dist.ajv\.js$/.test(path))

const violation = { path: 'x', message: 'x is not to its liking' }

/** Takes what has no `bad`, and notes what it is asked. */
function ownValidator(answer: (found: Violation[]) => Violation[] | Promise<Violation[]>) {
  const asked: (readonly [schema: JsonObject, root: string])[] = []
  const validator: Validator = {
    compile(schema, root) {
      asked.push([schema, root])
      return (value: JsonValue) => answer(JSON.stringify(value).includes('bad') ? [violation] : [])
    },
  }
  return { validator, asked }
}

const parameters = { type: 'object', properties: { x: { type: 'number' } } }
const schema = { type: 'array', items: { type: 'number' } }

test.each([
  ['at once', (found: Violation[]) => found],
  ['later', async (found: Violation[]) => found],
])(
  'a validator of its own decides %s about arguments and outputs, and neither default one is asked',
  async (_, answer) => {
    const { validator, asked } = ownValidator(answer)
    const registry = createToolRegistry({ validator })
    const tool = countedTool('tool', args => args.x, {
      parameters,
      validateArguments: true,
      output: { schema, render: () => [] },
    })
    registry.register(tool)
    const call = (x: string) => registry.execute({ callId: x, name: 'tool', arguments: { x, more: x } })

    // By the schemas neither is right.
    expect(await call('good')).toMatchObject({ isError: false, value: 'good' })
    expect(asked).toEqual([
      [parameters, 'arguments'],
      [schema, 'value'],
    ])
    expect(await call('bad')).toMatchObject({
      error: { code: 'INVALID_ARGS', message: 'Invalid arguments for tool "tool": x is not to its liking' },
    })
    expect(tool.runs()).toBe(1)

    const producer = countedTool('producer', () => 'bad', { output: { schema, render: () => [] } })
    registry.register(producer)
    expect(await registry.execute({ callId: '3', name: 'producer' })).toMatchObject({
      error: { code: 'INVALID_TOOL_OUTPUT' },
    })
    expect(producer.runs()).toBe(1)
    expect(isAjvLoaded()).toBe(false)
  },
)

test.each([
  ['throws when it compiles', { compile: () => fail() }],
  ['throws when it checks', { compile: () => () => fail() }],
  ['rejects', { compile: () => () => Promise.reject(new Error('boom')) }],
])('a validator that %s lets nothing through', async (_, validator) => {
  const registry = createToolRegistry({ validator: validator as Validator })
  const tool = countedTool('tool', () => 'done', { parameters, validateArguments: true })
  registry.register(tool)
  expect(await registry.execute({ callId: '1', name: 'tool', arguments: {} })).toMatchObject({
    error: {
      code: 'INVALID_ARGS',
      message: 'Invalid arguments for tool "tool": arguments could not be checked: boom',
    },
  })
  expect(tool.runs()).toBe(0)
})

test('without one Ajv is loaded when a raw schema is first used, and not before', async () => {
  const registry = createToolRegistry()
  registry.register(countedTool('tool', () => 'done', { parameters, validateArguments: true }))
  registry.register(countedTool('free', () => 'done', { parameters }))
  await registry.execute({ callId: '1', name: 'free', arguments: { x: 'good' } })
  expect(isAjvLoaded()).toBe(false)
  expect(await registry.execute({ callId: '2', name: 'tool', arguments: { x: 'good' } })).toMatchObject({
    error: { code: 'INVALID_ARGS' },
  })
  expect(isAjvLoaded()).toBe(true)
})

function fail(): never {
  throw new Error('boom')
}
