import { readFileSync } from 'node:fs'
import { createToolRegistry, type JsonObject, renderToolsSdk } from 'toolgate'
import { describe, expect, it } from 'vitest'
import { compile, judge, literal } from './compile.js'

interface Case {
  readonly tools: readonly {
    readonly name: string
    readonly description: string
    readonly parameters: JsonObject
  }[]
  readonly calls: readonly { readonly name: string; readonly arguments: unknown }[]
}
interface McpTool {
  readonly name: string
  readonly description: string
  readonly inputSchema: JsonObject
}

const read = (file: string): string => readFileSync(new URL(`../../data/${file}`, import.meta.url), 'utf8')

/** What becomes of each call of a case when the registry validates its arguments. */
async function verdictsOn({ tools, calls }: Case): Promise<boolean[]> {
  const registry = createToolRegistry({
    tools: tools.map(tool => ({ ...tool, validateArguments: true, execute: () => 'ok' })),
  })
  const verdicts: boolean[] = []
  for (const call of calls) {
    const result = await registry.execute({ callId: 'call', ...call })
    expect(result.isError ? result.error.code : 'INVALID_ARGS').toBe('INVALID_ARGS')
    verdicts.push(!result.isError)
  }
  return verdicts
}

describe('real calls of real tools', () => {
  it('compile against their declarations exactly if their arguments are valid (TS-12)', async () => {
    const cases = read('bfcl-cases.jsonl')
      .trim()
      .split('\n')
      .map(line => JSON.parse(line) as Case)
    const compiled = judge(
      cases.map(({ tools, calls }) => ({
        prelude: renderToolsSdk(tools),
        statements: calls.map(call => `tools[${literal(call.name)}](${literal(call.arguments)})`),
      })),
    )
    expect(compiled.flatMap(({ broken }) => broken)).toEqual([])
    const counts = { valid: 0, invalid: 0, invalidThatCompile: 0 }
    const wronglyRefused: unknown[] = []
    for (const [index, entry] of cases.entries()) {
      const valid = await verdictsOn(entry)
      entry.calls.forEach((call, at) => {
        const complaint = compiled[index]?.statements[at]
        counts[valid[at] ? 'valid' : 'invalid']++
        if (valid[at] && complaint !== undefined) wronglyRefused.push({ call, complaint })
        if (!valid[at] && complaint === undefined) counts.invalidThatCompile++
      })
    }
    expect(wronglyRefused).toEqual([])
    expect(counts).toEqual({ valid: 729, invalid: 44, invalidThatCompile: 0 })
  })
})

describe('the tools of a large MCP server', () => {
  const { tools } = JSON.parse(read('github-tools.json')) as { tools: readonly McpTool[] }
  const sdk = tools.map(({ name, description, inputSchema }) => ({
    name,
    description,
    parameters: inputSchema,
    output: inputSchema,
  }))

  it('print and compile as parameters and as outputs, all by their names (TS-12)', () => {
    expect(sdk).toHaveLength(59)
    const text = renderToolsSdk(sdk)
    expect(compile([text, ...sdk.map(tool => renderToolsSdk([tool]))]).flat()).toEqual([])
    for (const { name } of sdk) expect(text).toContain(`  ${name}(args`)
    expect(text).not.toMatch(/unreadable schema|unresolved \$ref/)
  })
})
