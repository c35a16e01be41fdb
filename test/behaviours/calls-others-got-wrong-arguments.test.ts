/**
 * Group G of the calls on which other libraries failed: arguments. What of G5 is opted into is in
 * test/pipeline/coerce-arguments.test.ts.
 */
import { createToolRegistry, defineTool, type ToolExecutionResult } from 'toolgate'
import { describe, expect, it } from 'vitest'
import { countedTool } from '../support/tools.js'

const codeOf = (result: ToolExecutionResult | undefined): string =>
  result === undefined ? 'none' : result.isError ? result.error.code : 'ok'
const messageOf = (result: ToolExecutionResult): string => (result.isError ? result.error.message : '')

describe('arguments from the model', () => {
  const setup = () => {
    const seen: unknown[] = []
    const tool = countedTool('work', args => (seen.push(args), 'ok'))
    return { registry: createToolRegistry({ tools: [tool] }), tool, seen }
  }

  const WHOLE =
    '{"cmds":["rm -rf \\"/tmp/a\\"","b"],"path":"x","n":12,"deep":{"a":null,"b":true},"e":"\\u00e9\\n","f":-1.5e-10}'
  it('no text that was cut short runs, wherever it was cut (G1)', async () => {
    const { registry, tool } = setup()
    const given = [
      '{"cmds":["a","b"',
      '{"path":"x"',
      ...Array.from({ length: WHOLE.length - 1 }, (_, i) => WHOLE.slice(0, i + 1)),
    ]
    for (const cut of given) {
      const result = await registry.execute({ callId: '1', name: 'work', arguments: cut })
      expect([cut, codeOf(result)]).toEqual([cut, 'ARGUMENTS_NOT_JSON'])
      expect(messageOf(result)).toContain('ends too early')
    }
    expect(tool.runs()).toBe(0)
    expect(codeOf(await registry.execute({ callId: '1', name: 'work', arguments: WHOLE }))).toBe('ok')
  })

  it.each([
    ['nothing', undefined],
    ['blank text', ' '],
    ['text that is whole as it stands', '{"cmds":["a","b"]}'],
    ['what somebody parsed in part', { cmds: ['a', 'b'] }],
  ])('%s does not run where the caller says that the output was cut (G1)', async (_what, given) => {
    const { registry, tool } = setup()
    const input = { callId: '1', name: 'work', arguments: given }
    const results = [
      await registry.execute({ ...input, truncated: true }),
      ...(await registry.executeAll([{ ...input, truncated: true }])),
    ]
    for (const result of results)
      expect(result).toMatchObject({
        callId: '1',
        error: {
          code: 'ARGUMENTS_NOT_JSON',
          message:
            'Tool "work" did not run: the output ended before its arguments were complete. Send the call again in full; if it is long, in smaller parts',
        },
      })
    expect(registry.executionMode({ ...input, truncated: true })).toEqual({ kind: 'exclusive' })
    expect(tool.runs()).toBe(0)
    expect(codeOf(await registry.execute({ ...input, truncated: false }))).toBe('ok')
    expect(codeOf(await registry.execute({ ...input, truncated: 'yes' } as never))).toBe('INVALID_CALL')
    expect(tool.runs()).toBe(1)
  })

  it.each([
    ['a fence', '```json\n{"a":1}\n```'],
    ['a comma too many', '{"a":1,}'],
    ['single quotes', "{'a':1}"],
    ['bare keys', '{a:1}'],
    ['a comment', '{"a":1} // done'],
    ['two values', '{"a":1}{"a":2}'],
    ['a line break in a text', '{"a":"x\ny"}'],
    ['a number of another kind', '{"a":0x10}'],
  ])('no text that a repairer would take runs: %s (G1)', async (_what, given) => {
    const { registry, tool } = setup()
    const result = await registry.execute({ callId: '1', name: 'work', arguments: given })
    expect(result).toMatchObject({
      error: { code: 'ARGUMENTS_NOT_JSON', message: expect.stringContaining('position') },
    })
    expect(tool.runs()).toBe(0)
  })

  it.each([
    ['a backslash at the end', { path: 'C:\\dir\\' }],
    ['quotes inside', { say: 'he said "no"' }],
    ['JSON inside', { json: '{"a":[1,2,{"b":"\\""}]}' }],
    ['JSON that is cut inside', { json: '{"a":[1' }],
    ['a fence inside', { code: '```json\n{}\n```' }],
    ['a comma before a bracket inside', { text: 'a,]}' }],
    ['escapes of all kinds', { text: '\b\f\n\r\t\u0000\u2028\ud800/' }],
    ['numbers that look odd', { n: [1e21, 5e-324, 0.1, 1e-7, 123456789012345680000] }],
    ['blanks that matter', { text: '  a  \n' }],
    ['words that are literals elsewhere', { a: 'null', b: 'true', c: 'undefined', d: 'NaN' }],
  ])('valid JSON means what it says: %s (G2)', async (_what, value) => {
    const { registry, seen } = setup()
    for (const given of [
      JSON.stringify(value),
      JSON.stringify(value, null, 2),
      ` ${JSON.stringify(value)}\n`,
      value,
    ])
      expect(codeOf(await registry.execute({ callId: '1', name: 'work', arguments: given }))).toBe('ok')
    expect(seen).toEqual([value, value, value, value])
  })

  it.each([
    ['missing', undefined],
    ['null', null],
    ['an empty text', ''],
    ['blank text', '  '],
    ['blank lines', '\r\n\t'],
    ['the text null', 'null'],
    ['an empty object', {}],
    ['the text of one', '{}'],
  ])('arguments that are %s are none, and enough where all are optional (G4)', async (_what, given) => {
    const seen: unknown[] = []
    const tool = defineTool({
      name: 'work',
      description: 'Works.',
      parameters: { limit: { type: 'number' }, path: { type: 'string' } },
      execute: args => (seen.push(args), 'ok'),
    })
    const registry = createToolRegistry({ tools: [tool] })
    const input =
      given === undefined ? { callId: '1', name: 'work' } : { callId: '1', name: 'work', arguments: given }
    expect(codeOf(await registry.execute(input))).toBe('ok')
    expect(seen).toEqual([{}])
  })

  it.each([
    ['a list', { steps: '[{"a":1}]' }],
    ['an object', { options: '{"a":1}' }],
    ['a number', { limit: '5' }],
    ['a boolean', { force: 'true' }],
    ['null for an optional text', { path: null }],
  ])(
    '%s that comes as a text is refused, and said what it should be, unless asked otherwise (G5)',
    async (_what, given) => {
      let runs = 0
      const tool = defineTool({
        name: 'work',
        description: 'Works.',
        parameters: {
          steps: { type: 'array', items: { type: 'json' } },
          options: { type: 'object', additionalProperties: true, properties: {} },
          limit: { type: 'number' },
          force: { type: 'boolean' },
          path: { type: 'string' },
        },
        execute: () => String(++runs),
      })
      const [field] = Object.keys(given)
      const result = await createToolRegistry({ tools: [tool] }).execute({
        callId: '1',
        name: 'work',
        arguments: given,
      })
      expect(codeOf(result)).toBe('INVALID_ARGS')
      expect(messageOf(result)).toMatch(new RegExp(`${field} must be an? \\w+`))
      expect(runs).toBe(0)
    },
  )
})
