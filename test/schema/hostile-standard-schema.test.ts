import { createToolRegistry, defineTool, ToolgateError } from 'toolgate'
import { describe, expect, test } from 'vitest'
import { gate, settle } from '../support/tools.js'
import { pair, REFUSALS, refuse, revoked, standard, type Validate } from './hostile-standard.js'

/** A tool with these parameters, and what its body saw. */
function toolWith(parameters: unknown, body: (args: any) => unknown = () => 'done') {
  const seen: unknown[] = []
  const registry = createToolRegistry()
  const execute = (args: unknown): unknown => {
    seen.push(args)
    return body(args)
  }
  registry.register(defineTool({ name: 'tool', description: 'A tool.', parameters, execute } as never))
  const call = async (args: unknown = { a: 1 }, signal?: AbortSignal) =>
    registry.execute({ callId: '1', name: 'tool', arguments: args, ...(signal && { signal }) })
  return { registry, call, seen }
}

describe.each([
  ['at once', (validate: Validate): Validate => validate],
  [
    'later',
    (validate: Validate): Validate =>
      async value =>
        validate(value),
  ],
  [
    'by a thenable',
    (validate: Validate): Validate =>
      value => ({
        then: (give: (answer: unknown) => void) => give(validate(value)),
      }),
  ],
])('a schema that answers %s', (_, wrapped) => {
  test.each(REFUSALS)('and %s refuses, and the body does not run', async (_what, validate, said) => {
    const { call, seen } = toolWith(pair(wrapped(validate)))
    const result = await call()
    expect(result).toMatchObject({ isError: true, error: { code: 'INVALID_ARGS' } })
    const { message } = (result as { error: { message: string } }).error
    expect(message.startsWith(`Invalid arguments for tool "tool": ${said}`), message).toBe(true)
    expect(seen).toEqual([])
  })

  test.each<[string, Validate, unknown]>([
    ['the value', value => ({ value }), { a: 1 }],
    ['the value and undefined issues', value => ({ value, issues: undefined }), { a: 1 }],
    ['undefined for a value', () => ({ value: undefined }), undefined],
    ['an inherited value', value => Object.create({ value }), { a: 1 }],
    ['what JSON has no word for', () => ({ value: new Map([[1, 2n]]) }), new Map([[1, 2n]])],
  ])('and gives %s has its body run with that', async (_what, validate, given) => {
    const { call, seen } = toolWith(pair(wrapped(validate)))
    expect(await call()).toMatchObject({ isError: false })
    expect(seen).toEqual([given])
  })
})

describe('a thenable', () => {
  test.each<[string, object, object]>([
    [
      'that settles twice counts once',
      { then: (give: any) => (give({ value: 1 }), give({ issues: [{ message: 'bad' }] })) },
      { isError: false },
    ],
    [
      'that settles and throws counts once',
      { then: (give: any) => (give({ value: 1 }), refuse()) },
      { isError: false },
    ],
    ['that throws refuses', { then: refuse }, { error: { code: 'INVALID_ARGS' } }],
    [
      'of a thenable is followed',
      { then: (give: any) => give({ then: (more: any) => more({ value: 1 }) }) },
      { isError: false },
    ],
    ['whose then is no function is an answer', { then: 1, value: 1 }, { isError: false }],
  ])('%s', async (_, answer, outcome) => {
    const { call, seen } = toolWith(pair(() => answer))
    expect(await call()).toMatchObject(outcome)
    expect(seen).toEqual('isError' in outcome ? [1] : [])
  })

  test('that never settles holds nobody back once the call is aborted', async () => {
    const entered = gate()
    const never = (): Promise<never> => {
      entered.open()
      return new Promise(() => {})
    }
    const registry = createToolRegistry({ abortGraceMs: 0 })
    let runs = 0
    registry.register(
      defineTool({
        name: 'tool',
        description: '',
        parameters: pair(never),
        execute: () => (runs++, 'done'),
      } as never),
    )
    const controller = new AbortController()
    const call = registry.execute({ callId: '1', name: 'tool', arguments: {}, signal: controller.signal })
    await entered.promise
    controller.abort()
    expect(await call).toMatchObject({ isError: true, error: { code: 'ABORTED' } })
    await settle()
    expect(runs).toBe(0)
  })
})

describe('a schema that changes', () => {
  test("what it is given changes no one else's arguments", async () => {
    const validate: Validate = value => {
      value.a = 2
      value.list.push('more')
      return { value }
    }
    const { registry, call, seen } = toolWith(pair(validate))
    const observed: unknown[] = []
    registry.use([{ onResult: call => void observed.push(call.arguments) }])
    const args = { a: 1, list: ['one'] }
    expect(await call(args)).toMatchObject({ isError: false })
    expect(seen).toEqual([{ a: 2, list: ['one', 'more'] }])
    expect(observed).toEqual([{ a: 1, list: ['one'] }])
    expect(args).toEqual({ a: 1, list: ['one'] })
  })

  test('its function after the tool was defined is checked by as it was', async () => {
    const changing = {
      version: 1,
      vendor: 'odd',
      validate: (): unknown => ({ issues: [{ message: 'bad' }] }),
    }
    const { call, seen } = toolWith({ schema: { '~standard': changing }, jsonSchema: { type: 'object' } })
    changing.validate = () => ({ value: 1 })
    expect(await call()).toMatchObject({ error: { code: 'INVALID_ARGS' } })
    expect(seen).toEqual([])
  })
})

const printing = (print: unknown): object =>
  standard((value: unknown) => ({ value }), { jsonSchema: { input: print, output: print } })

describe('a schema that is to print itself', () => {
  test('may be a function with its parts on it', async () => {
    const schema = Object.assign(
      () => refuse(),
      printing(() => ({ type: 'object' })),
    )
    expect(await toolWith(schema).call()).toMatchObject({ isError: false })
  })

  test.each<[string, unknown, string]>([
    [
      'cannot',
      standard(() => 1),
      'odd cannot print this schema as JSON Schema (it does not implement ~standard.jsonSchema); pass { schema, jsonSchema } instead',
    ],
    ['has a printer that is none', standard(() => 1, { jsonSchema: 'yes' }), 'odd cannot print'],
    ['throws', printing(refuse), 'odd cannot print this schema as JSON Schema (boom)'],
    [
      'prints later',
      printing(async () => ({ type: 'object' })),
      'odd cannot print this schema as JSON Schema (it printed a promise)',
    ],
    ['prints nothing', printing(() => undefined), 'odd cannot print'],
    ['prints a revoked proxy', printing(revoked), 'odd cannot print'],
    [
      'prints a cycle',
      printing(() => {
        const a: any = {}
        a.a = a
        return a
      }),
      'odd cannot print',
    ],
    ['prints a BigInt', printing(() => ({ minimum: 1n })), 'odd cannot print'],
    ['prints true', printing(() => true), 'parameters must be a JSON Schema object'],
    [
      'has a vendor that throws',
      standard(() => 1, { vendor: { toString: refuse } }),
      'parameters could not be read: boom',
    ],
    ['is revoked', revoked(), 'parameters could not be read'],
    [
      'has a version of its own',
      standard(() => 1, { version: '1' }),
      'parameters implements version 1 of Standard Schema, not 1',
    ],
    [
      'has nothing to check with',
      { '~standard': { version: 1, vendor: 'odd', jsonSchema: { input: () => ({}) } } },
      'parameters implements Standard Schema without a function to validate; pass { schema, jsonSchema } instead',
    ],
  ])('and %s is refused where the tool is defined', (_, parameters, said) => {
    const define = (): unknown =>
      defineTool({ name: 'tool', description: '', parameters, execute: () => '' } as never)
    try {
      define()
    } catch (error) {
      expect(ToolgateError.isInstance(error) && error.code).toBe('UNSUPPORTED_SCHEMA')
      expect((error as Error).message).toContain(said)
      return
    }
    throw new Error('it was not refused')
  })
})

describe('an output whose schema gives what JSON has no word for', () => {
  test.each<[string, unknown]>([
    ['a date', new Date(0)],
    ['nothing', undefined],
    ['a map', new Map()],
    ['not a number', Number.NaN],
    ['a function', () => 1],
  ])('%s is an invalid result', async (_, value) => {
    const registry = createToolRegistry()
    registry.register(
      defineTool({
        name: 'tool',
        description: 'A tool.',
        parameters: {},
        output: { schema: { schema: standard(() => ({ value })), jsonSchema: {} }, render: () => [] },
        execute: () => 'raw',
      } as never),
    )
    expect(await registry.execute({ callId: '1', name: 'tool' })).toMatchObject({
      isError: true,
      error: { code: 'INVALID_TOOL_OUTPUT' },
    })
  })
})

test('a value that the library quotes is not shown whole if it is long enough to be a secret', async () => {
  const secret = `sk-live-${'0123456789abcdef'.repeat(3)}`
  const validate: Validate = ({ key }) => ({
    issues: [
      { message: `Invalid key ${key}`, path: ['key'] },
      { message: `got ${JSON.stringify(key)}`, path: ['key'] },
      { message: 'got sk', path: ['short'] },
    ],
  })
  const { call } = toolWith(pair(validate))
  expect(await call({ key: secret, short: 'sk' })).toMatchObject({
    error: {
      message:
        'Invalid arguments for tool "tool": key: Invalid key "sk-live-0123456789abcdef"…; key: got "sk-live-0123456789abcdef"…; short: got sk',
    },
  })
})
