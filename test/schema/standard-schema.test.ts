import { type } from 'arktype'
import * as v from 'valibot'
import { describe, expect, test } from 'vitest'
import * as z from 'zod'
import { OutputSchemaError } from '../../src/errors/errors.js'
import { compileOutputSchema } from '../../src/schema/compile-output-schema.js'
import { compileParameters } from '../../src/schema/compile-parameters.js'
import type { Parsed } from '../../src/schema/parsed.js'

const parseArgs = (schema: unknown, value: unknown): Parsed | Promise<Parsed> | undefined =>
  compileParameters(schema as never).parse?.(value)

const messages = (parsed: Parsed | Promise<Parsed> | undefined): string[] =>
  parsed === undefined || parsed instanceof Promise || parsed.ok
    ? []
    : parsed.violations.map(({ message }) => message)

describe('Zod', () => {
  const schema = z.object({
    count: z.string().transform(Number),
    unit: z.string().default('cm'),
    when: z.iso.date().optional(),
  })

  test('shows its input for parameters and gives the body its output', () => {
    const { jsonSchema, parse } = compileParameters(schema)
    expect(jsonSchema).toMatchObject({
      type: 'object',
      properties: { count: { type: 'string' }, unit: { type: 'string', default: 'cm' } },
      required: ['count'],
    })
    expect(jsonSchema).not.toHaveProperty('$schema')
    expect(parse?.({ count: '5' })).toEqual({ ok: true, value: { count: 5, unit: 'cm' } })
  })

  test('shows its output for outputs', () => {
    const { jsonSchema } = compileOutputSchema(z.object({ unit: z.string().default('cm') }))
    expect(jsonSchema).toMatchObject({ required: ['unit'] })
    expect(() => compileOutputSchema(schema)).toThrow('zod cannot print this schema as JSON Schema')
  })

  test('says what is wrong with paths as elsewhere', () => {
    const nested = z.object({ rows: z.array(z.object({ 'a b': z.number() })), name: z.string() })
    expect(messages(parseArgs(nested, { rows: [{ 'a b': 'x' }] }))).toEqual([
      'rows[0]["a b"]: Invalid input: expected number, received string',
      'name: Invalid input: expected string, received undefined',
    ])
    expect(messages(compileOutputSchema(z.string()).parse?.(5))).toEqual([
      'value: Invalid input: expected string, received number',
    ])
  })

  test('may validate asynchronously', async () => {
    const later = z.object({ id: z.string().refine(async id => id !== 'taken', 'is taken') })
    const parsed = parseArgs(later, { id: 'taken' })
    expect(parsed).toBeInstanceOf(Promise)
    expect(messages(await parsed)).toEqual(['id: is taken'])
    expect(await parseArgs(later, { id: 'free' })).toEqual({ ok: true, value: { id: 'free' } })
  })
})

describe('ArkType', () => {
  test('is a function and prints itself', () => {
    const schema = type({ name: 'string', 'age?': 'number>0' })
    expect(typeof schema).toBe('function')
    expect(compileParameters(schema).jsonSchema).toMatchObject({ type: 'object', required: ['name'] })
    expect(parseArgs(schema, { name: 'a', age: 1 })).toEqual({ ok: true, value: { name: 'a', age: 1 } })
    expect(messages(parseArgs(schema, { age: -1 }))).toEqual([
      'name must be a string (was missing)',
      'age must be positive (was -1)',
    ])
  })
})

describe('Valibot', () => {
  const schema = v.object({ a: v.string() })

  test('does not print itself, and says what to do', () => {
    expect(() => compileParameters(schema)).toThrow(
      'valibot cannot print this schema as JSON Schema (it does not implement ~standard.jsonSchema); pass { schema, jsonSchema } instead',
    )
  })

  test('comes as a pair', () => {
    const pair = { schema, jsonSchema: { type: 'object', properties: { a: { type: 'string' } } } }
    expect(compileParameters(pair).jsonSchema).toEqual(pair.jsonSchema)
    expect(parseArgs(pair, { a: 'x' })).toEqual({ ok: true, value: { a: 'x' } })
    expect(messages(parseArgs(pair, { a: 1 }))).toEqual(['a: Invalid type: Expected string but received 1'])
    expect(compileOutputSchema(pair).jsonSchema).toEqual(pair.jsonSchema)
  })
})

describe('an implementation that breaks the rules', () => {
  const withValidate = (validate: unknown): object => ({
    schema: { '~standard': { version: 1, vendor: 'odd', validate } },
    jsonSchema: { type: 'object' },
  })
  const refuse = (): never => {
    throw new Error('boom')
  }

  test.each([
    ['throws', refuse, ['arguments could not be checked: boom']],
    [
      'throws nothing',
      () => {
        throw undefined
      },
      ['arguments could not be checked: undefined'],
    ],
    ['answers nothing', () => undefined, ['arguments could not be checked: its schema gave no answer']],
    ['answers text', () => 'yes', ['arguments could not be checked: its schema gave no answer']],
    ['answers an empty object', () => ({}), ['arguments could not be checked: its schema gave no value']],
    [
      'refuses without issues',
      () => ({ issues: [] }),
      ['arguments could not be checked: its schema refused it'],
    ],
    [
      'has issues that are no list',
      () => ({ issues: 'no' }),
      ['arguments could not be checked: its schema refused it'],
    ],
    ['has issues without paths', () => ({ issues: [{ message: 'bad' }] }), ['arguments: bad']],
    ['has a null issue', () => ({ issues: [null] }), [expect.stringContaining('arguments')]],
    [
      'has issues that throw',
      () => ({
        issues: [
          {
            get message() {
              return refuse()
            },
          },
        ],
      }),
      [expect.any(String)],
    ],
    [
      'has an answer that throws',
      () => ({
        get issues() {
          return refuse()
        },
      }),
      ['arguments could not be checked: boom'],
    ],
    [
      'has odd paths',
      () => ({ issues: [{ message: 'bad', path: ['a', { key: 0 }, Symbol('s'), null, { key: {} }, 'b'] }] }),
      ['a[0]["Symbol(s)"].b: bad'],
    ],
    ['has a path that is no list', () => ({ issues: [{ message: 'bad', path: 'a.b' }] }), ['arguments: bad']],
  ])('%s', (_, validate, expected) => {
    expect(messages(parseArgs(withValidate(validate), {}))).toEqual(expected)
  })

  test('rejects, or answers with a thenable of its own', async () => {
    const rejected = parseArgs(
      withValidate(() => Promise.reject(new Error('boom'))),
      {},
    )
    expect(messages(await rejected)).toEqual(['arguments could not be checked: boom'])
    const thenable = { then: (give: (answer: unknown) => void) => give({ value: 1 }) }
    const parsed = parseArgs(
      withValidate(() => thenable),
      {},
    )
    expect(parsed).toBeInstanceOf(Promise)
    expect(await parsed).toEqual({ ok: true, value: 1 })
    expect(
      await parseArgs(
        withValidate(() => ({ then: refuse })),
        {},
      ),
    ).toMatchObject({ ok: false })
    const hostile = withValidate(() => ({
      get then() {
        return refuse()
      },
    }))
    expect(messages(await parseArgs(hostile, {}))).toEqual(['arguments could not be checked: boom'])
  })

  test('has more issues than anyone wants to read', () => {
    const issues = Array.from({ length: 5_000 }, (_, i) => ({ message: 'x'.repeat(1_000), path: [i] }))
    const found = messages(
      parseArgs(
        withValidate(() => ({ issues })),
        {},
      ),
    )
    expect(found).toHaveLength(11)
    expect(found.at(-1)).toBe('and 4990 more problems')
    expect(found[0]?.length).toBeLessThan(400)
  })

  test('may be a function', () => {
    const schema = Object.assign(() => 1, {
      '~standard': {
        version: 1,
        vendor: 'odd',
        validate: (value: unknown) => ({ value }),
        jsonSchema: { input: () => ({ type: 'object' }), output: () => ({ type: 'array' }) },
      },
    })
    expect(compileParameters(schema as never).jsonSchema).toEqual({ type: 'object' })
    expect(compileOutputSchema(schema as never).jsonSchema).toEqual({ type: 'array' })
  })

  test.each([
    [
      'prints what is not JSON',
      {
        input: () => {
          const a: unknown[] = []
          a.push(a)
          return a
        },
      },
      'odd cannot print',
    ],
    ['prints nothing', { input: () => undefined }, 'odd cannot print'],
    ['prints a list', { input: () => [] }, 'parameters must be a JSON Schema object'],
    ['throws', { input: refuse }, 'odd cannot print this schema as JSON Schema (boom)'],
    ['has no printer for this side', {}, 'odd cannot print'],
  ])('%s when it is to print itself', (_, jsonSchema, message) => {
    const schema = { '~standard': { version: 1, vendor: 'odd', validate: () => ({ value: 1 }), jsonSchema } }
    expect(() => compileParameters(schema as never)).toThrow(message)
  })

  test('is of another version, or throws when it is looked at', () => {
    const next = { '~standard': { version: 2, vendor: 'odd', validate: () => ({ value: 1 }) } }
    expect(() => compileParameters(next as never)).toThrow(
      'parameters implements version 2 of Standard Schema, not 1',
    )
    const hostile = {
      get '~standard'() {
        return refuse()
      },
    }
    expect(() => compileParameters(hostile as never)).toThrow(OutputSchemaError)
  })
})
