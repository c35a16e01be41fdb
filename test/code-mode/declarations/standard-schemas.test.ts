import { createToolRegistry, defineTool, renderToolsSdk } from 'toolgate'
import * as v from 'valibot'
import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { judge } from './compile.js'

const isoDate = z.codec(z.iso.datetime(), z.date(), {
  decode: text => new Date(text),
  encode: date => date.toISOString(),
})

const registry = createToolRegistry({
  tools: [
    defineTool({
      name: 'zod',
      description: 'Its schemas change what passes them.',
      parameters: z.strictObject({
        since: isoDate,
        unit: z.string().default('cm'),
        count: z.string().transform(Number).pipe(z.number()),
      }),
      output: {
        schema: z.strictObject({
          unit: z.string().default('cm'),
          count: z.string().transform(Number).pipe(z.number()),
        }),
        render: () => [],
      },
      execute: () => ({ count: '5' }),
    }),
    defineTool({
      name: 'pair',
      description: 'Its library cannot print itself.',
      parameters: {
        schema: v.strictObject({ count: v.pipe(v.string(), v.transform(Number)) }),
        jsonSchema: {
          type: 'object',
          properties: { count: { type: 'string' } },
          required: ['count'],
          additionalProperties: false,
        },
      },
      execute: ({ count }) => String(count),
    }),
  ],
})

const sdk = registry.visible().map(tool => ({
  name: tool.name,
  parameters: tool.parameters,
  ...(tool.output && { output: tool.output.schema }),
}))

describe('a Standard Schema that changes values', () => {
  it('prints what it takes for arguments, and what it gives for the value', () => {
    const valid = [
      'tools.zod({ since: "2020-01-01T00:00:00Z", count: "5" })',
      'tools.zod({ since: "2020-01-01T00:00:00Z", count: "5", unit: "m" })',
      'tools.zod({ since: "", count: "" }).then(value => { const n: number = value.count; const u: string = value.unit })',
      'tools.pair({ count: "5" })',
    ]
    const invalid = [
      'tools.zod({ since: new Date(), count: "5" })',
      'tools.zod({ since: "2020-01-01T00:00:00Z", count: 5 })',
      'tools.zod({ count: "5" })',
      'tools.zod({ since: "", count: "" }).then(value => { const n: string = value.count })',
      'tools.zod({ since: "", count: "" }).then(value => value.since)',
      'tools.pair({ count: 5 })',
    ]
    const [verdict] = judge([{ prelude: renderToolsSdk(sdk), statements: [...valid, ...invalid] }])
    expect(verdict?.broken).toEqual([])
    const compiled = verdict?.statements.map(complaint => complaint === undefined)
    expect(compiled).toEqual([...valid.map(() => true), ...invalid.map(() => false)])
  })
})
