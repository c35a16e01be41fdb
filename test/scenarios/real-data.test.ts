import { readFileSync } from 'node:fs'
import { createToolRegistry, type ToolDefinition } from 'toolgate'
import { describe, expect, it } from 'vitest'

interface Case {
  readonly id: string
  readonly tools: readonly {
    readonly name: string
    readonly description: string
    readonly parameters: object
  }[]
  readonly calls: readonly { readonly name: string; readonly arguments: unknown }[]
}
interface McpTool {
  readonly name: string
  readonly description: string
  readonly inputSchema: object
  readonly annotations?: object
}

const read = (file: string): string => readFileSync(new URL(`../data/${file}`, import.meta.url), 'utf8')

describe('real tools and real calls', () => {
  it('every function-calling case registers, and its calls are judged as Ajv judges them', {
    timeout: 120_000,
  }, async () => {
    const judged: Record<string, number> = {}
    for (const line of read('bfcl-cases.jsonl').trim().split('\n')) {
      const { id, tools, calls } = JSON.parse(line) as Case
      const ran: unknown[] = []
      const registry = createToolRegistry({
        tools: tools.map(tool => ({
          ...tool,
          validateArguments: true,
          execute: args => ran.push(args) && 'ok',
        })),
      })
      for (const [i, call] of calls.entries()) {
        const result = await registry.execute({ callId: `${id}-${i}`, ...call })
        const code = result.isError ? result.error.code : 'ok'
        judged[code] = (judged[code] ?? 0) + 1
        expect(ran.length).toBe(result.isError ? 0 : 1)
        if (!result.isError) expect(ran.pop()).toEqual(call.arguments)
      }
    }
    expect(judged).toEqual({ ok: 729, INVALID_ARGS: 44 })
  })

  it('every tool of a large MCP server registers, presents and prints', () => {
    const { tools } = JSON.parse(read('github-tools.json')) as { tools: readonly McpTool[] }
    const definitions: ToolDefinition[] = tools.map(({ name, description, inputSchema, annotations }) => ({
      name,
      description,
      parameters: inputSchema,
      validateArguments: true,
      ...(annotations && { annotations }),
      execute: () => 'ok',
    }))
    const registry = createToolRegistry({ tools: definitions })
    expect(registry.present().tools).toEqual(
      tools.map(({ name, description, inputSchema }) => ({ name, description, parameters: inputSchema })),
    )
  })
})
