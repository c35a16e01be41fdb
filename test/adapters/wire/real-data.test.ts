import { readFileSync } from 'node:fs'
import { type ProviderName, preflight, type WireTool } from 'toolgate/openai'
import { describe, expect, it } from 'vitest'
import { complaints, WIRES } from './dialects.js'
import { leadsNowhere, PROVIDERS } from './finding-paths.js'
import { LOSSES, NOT_STRICT } from './real-data-losses.js'

const read = (file: string): string => readFileSync(new URL(`../../data/${file}`, import.meta.url), 'utf8')

const github = (
  JSON.parse(read('github-tools.json')) as {
    tools: readonly (WireTool & { inputSchema: WireTool['parameters'] })[]
  }
).tools.map(({ name, description, inputSchema }) => ({ name, description, parameters: inputSchema }))

const functions = [
  ...new Map(
    read('bfcl-cases.jsonl')
      .trim()
      .split('\n')
      .flatMap(line => (JSON.parse(line) as { tools: readonly WireTool[] }).tools)
      .map(tool => [JSON.stringify(tool), tool]),
  ).values(),
]
const all = [...github, ...functions]

/** What is sent with less than it says: the tools, by the rule. */
function lost(provider: ProviderName, strict: boolean): { [rule: string]: string[] } {
  const found: { [rule: string]: string[] } = {}
  for (const tool of all) {
    const about = preflight([tool], provider, { strict }).filter(({ exact, outcome }) =>
      strict ? outcome === 'not-strict' : !exact,
    )
    for (const rule of new Set(about.map(finding => `${finding.rule}: ${finding.message}`))) {
      const names = found[rule] ?? []
      if (!names.includes(tool.name)) names.push(tool.name)
      found[rule] = names
    }
  }
  return found
}

describe('the tools of a large MCP server and those of the function-calling benchmark', () => {
  it('are as many as the data holds', () => {
    expect([github.length, functions.length]).toEqual([59, 949])
  })

  it.each(Object.entries(LOSSES))(
    'pass preflight for %s, or are named with the reason',
    (provider, losses) => {
      expect(lost(provider as ProviderName, false)).toEqual(losses)
      for (const tool of all)
        expect(
          preflight([tool], provider as ProviderName).filter(({ outcome }) => outcome === 'refused'),
        ).toEqual([])
    },
  )

  it.each(Object.entries(WIRES))(
    'are sent on the wire of %s without anything that it refuses',
    (name, open) => {
      for (const tool of all) {
        const wire = open([tool])
        const judge = wire.strict ? name : name.replace(', strict', '')
        expect({ tool: tool.name, complaints: complaints(judge, wire.schema) }).toEqual({
          tool: tool.name,
          complaints: [],
        })
      }
    },
  )

  it.each(Object.entries(NOT_STRICT))(
    'are strict for %s, or are named with the reason',
    (provider, reasons) => {
      expect(lost(provider as ProviderName, true)).toEqual(reasons)
    },
  )

  it.each(PROVIDERS)('have every finding for %s at a place that they have', provider => {
    const findings = all.flatMap(tool =>
      preflight([tool], provider, { strict: true }).map(at => ({ tool, at })),
    )
    expect(findings.length).toBeGreaterThan(50)
    expect(findings.filter(({ tool, at }) => leadsNowhere(tool, at.path))).toEqual([])
  })
})
