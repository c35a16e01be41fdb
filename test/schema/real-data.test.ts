import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import type { JsonObject } from '../../src/json/json-value.js'
import { checkJsonSchema } from '../../src/schema/check-json-schema.js'
import { compileParameters } from '../../src/schema/compile-parameters.js'
import { defaultValidator } from '../../src/schema/default-validator.js'
import { explainingCheck, interpretOnly } from '../../src/schema/explaining-check.js'

interface Case {
  readonly id: string
  readonly tools: readonly { readonly name: string; readonly parameters: JsonObject }[]
  readonly calls: readonly { readonly name: string; readonly arguments: JsonObject }[]
}

const read = (name: string): string => readFileSync(new URL(`../data/${name}`, import.meta.url), 'utf8')
const cases = read('bfcl-cases.jsonl')
  .trim()
  .split('\n')
  .map(line => JSON.parse(line) as Case)
const github = JSON.parse(read('github-tools.json')) as {
  tools: readonly { name: string; inputSchema: JsonObject }[]
}

const calls = cases.flatMap(({ id, tools, calls }) =>
  calls.map(call => {
    const tool = tools.find(({ name }) => name === call.name)
    if (tool === undefined) throw new Error(`${id} calls ${call.name}, which it does not declare`)
    return { schema: tool.parameters, args: call.arguments }
  }),
)
const schemas = [
  ...cases.flatMap(({ tools }) => tools.map(tool => tool.parameters)),
  ...github.tools.map(tool => tool.inputSchema),
]

describe('schemas as they are found', () => {
  test('are all there', () => {
    expect(cases).toHaveLength(588)
    expect(calls).toHaveLength(773)
    expect(github.tools).toHaveLength(59)
  })

  test('are usable', () => {
    expect(schemas.flatMap(checkJsonSchema)).toEqual([])
    for (const schema of schemas) expect(compileParameters(schema as never).jsonSchema).toEqual(schema)
  })

  test('decide about 773 calls alike whether compiled or interpreted', async () => {
    const validator = defaultValidator()
    let valid = 0
    for (const { schema, args } of calls) {
      const compiled = await validator.compile(schema, 'arguments')(args)
      const interpreted = explainingCheck(schema, 'arguments', interpretOnly)(args)
      expect(interpreted).toEqual(compiled)
      if (compiled.length === 0) valid++
    }
    expect(valid).toBe(729)
  })
})
