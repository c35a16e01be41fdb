import { type JsonObject, RUN_CODE_NAME, type ToolScope } from '../../index.js'
import { isRecord } from './read-field.js'

/** A tool as `tools/list` tells of it. */
export type ServedTool = { readonly name: string } & JsonObject

/** Keywords that mean another place, or another schema, when a schema is put inside another one. */
const BOUND_TO_ROOT = new Set([
  '$ref',
  '$dynamicRef',
  '$recursiveRef',
  '$id',
  '$anchor',
  '$dynamicAnchor',
  '$recursiveAnchor',
  'id',
])

function canMove(schema: unknown): boolean {
  const stack: unknown[] = [schema]
  for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
    if (typeof node !== 'object' || node === null) continue
    for (const [key, value] of Object.entries(node)) {
      if (BOUND_TO_ROOT.has(key)) return false
      stack.push(value)
    }
  }
  return true
}

/** How a value travels: as it is, under `result` because it need not be an object, or as text only. */
export type ValueForm = 'object' | 'wrapped' | 'text'

/** How values of a schema travel. The protocol's structured content is an object. */
export function valueForm(schema: JsonObject | undefined): ValueForm {
  if (schema === undefined) return 'text'
  if (schema.type === 'object') return 'object'
  return canMove(schema) ? 'wrapped' : 'text'
}

function outputSchemaOf(schema: JsonObject): { readonly outputSchema?: JsonObject } {
  const form = valueForm(schema)
  if (form === 'object') return { outputSchema: schema }
  if (form === 'text') return {}
  const { $schema, ...rest } = schema
  const draft = typeof $schema === 'string' ? { $schema } : {}
  return {
    outputSchema: { ...draft, type: 'object', properties: { result: rest }, required: ['result'] },
  }
}

/** Says where the declarations are, for clients that show a model the tools and not the instructions. */
export const DISCOVERY_NOTE =
  'The tools and how to call them are in the instructions of this server. Inside a program, `await catalog.search("what you need")` finds tools by words and `await catalog.describe("name")` gives the declaration of one.'

/** Where the declarations of Code Mode go. */
export type DeclarationsPlace = 'instructions' | 'description' | 'both'

/** The sections of Code Mode in their order, as one text; empty for native tools. */
export function sectionsText(scope: ToolScope): string {
  return [...scope.present().sections]
    .sort((a, b) => a.order - b.order)
    .map(({ text }) => text)
    .join('\n\n')
}

function runCodeDescription(scope: ToolScope, description: string, place: DeclarationsPlace): string {
  const added = place === 'instructions' ? DISCOVERY_NOTE : sectionsText(scope)
  return `${description}\n\n${added}`
}

/** Every tool that the scope presents, as MCP tells of tools. */
export function servedTools(scope: ToolScope, place: DeclarationsPlace): ServedTool[] {
  return scope.present().tools.map(({ name, description, parameters }): ServedTool => {
    const tool = name === RUN_CODE_NAME ? undefined : scope.get(name)
    const shown = name === RUN_CODE_NAME ? runCodeDescription(scope, description, place) : description
    return {
      name,
      ...(tool?.title !== undefined && { title: tool.title }),
      description: shown,
      inputSchema: parameters.type === 'object' ? parameters : { type: 'object', ...parameters },
      ...(tool?.output !== undefined && outputSchemaOf(tool.output.schema)),
      ...(isRecord(tool?.annotations) && { annotations: tool?.annotations as JsonObject }),
    }
  })
}
