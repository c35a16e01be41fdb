import { acceptsEmpty } from './accepts-empty.js'
import { commentText, docComment } from './comment-text.js'
import { printDocument } from './print-document.js'
import { own } from './read-schema.js'
import { openDocument } from './schema-document.js'
import { helperTypes, OPEN_TYPE, SDK_PRELUDE } from './sdk-prelude.js'
import { propertyName } from './ts-literal.js'
import { createNamer, toolPrefix, toolPrefixes } from './type-names.js'

const INLINE_REFERENCE_CHARS = 48
/** `  a(args: {}): Promise<string>;`, and no tool takes less. */
const LEAST_TOOL_CHARS = 28

/** What the declarations need to know of a tool. What `visible()`, `get()` and `defineTool` give is one. */
export interface SdkTool {
  readonly name: string
  readonly description?: string
  /** JSON Schema of the arguments. */
  readonly parameters: object
  /** JSON Schema of its value, or a tool's `output`, which has one; without either the value is text. */
  readonly output?: object | undefined
}

// Only a tool's output has a function in it.
function valueSchema(output: object | undefined): unknown {
  if (output === undefined || typeof own(output, 'render') !== 'function') return output
  return own(output, 'schema')
}

/**
 * Prints the declarations that a program is written against: the tools by their exact names, in code-unit
 * order whatever the order given, and the globals beside them. Compiles on its own under `tsc --strict`.
 */
export function renderToolsSdk(tools: readonly SdkTool[]): string {
  return printTools(tools, Number.POSITIVE_INFINITY) as string
}

/** The same within so many UTF-8 bytes; `undefined` for more, which costs no more than what fits. */
export function renderToolsSdkWithin(tools: readonly SdkTool[], maxBytes: number): string | undefined {
  if (tools.length * LEAST_TOOL_CHARS > maxBytes) return undefined
  const text = printTools(tools, maxBytes)
  return text !== undefined && new TextEncoder().encode(text).length <= maxBytes ? text : undefined
}

function printTools(tools: readonly SdkTool[], maxChars: number): string | undefined {
  const sorted = [...tools].sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0))
  const prefixes = toolPrefixes(sorted.map(tool => tool.name))
  const printed: PrintedTool[] = []
  let chars = SDK_PRELUDE.length
  for (const tool of sorted) {
    const one = printTool(tool, prefixes.get(tool.name) ?? tool.name)
    printed.push(one)
    chars += one.declarations.reduce((sum, text) => sum + text.length, one.method.length)
    if (chars > maxChars) return undefined
  }
  return [SDK_PRELUDE, ...toolsText(printed)].join('\n')
}

/** Prints the declaration of one tool with the types it needs, complete in itself. */
export function renderToolDeclaration(tool: SdkTool): string {
  const printed = printTool(tool, toolPrefix(tool.name))
  const text = toolsText([printed]).join('\n')
  return [...helperTypes(text), text].join('\n')
}

interface PrintedTool {
  readonly method: string
  readonly declarations: readonly string[]
}

// The types that tools need stand behind all tools: so one more tool changes nothing that stands before it.
function toolsText(tools: readonly PrintedTool[]): string[] {
  if (tools.length === 0) return ['declare const tools: {}']
  const lines = ['declare const tools: {']
  for (const tool of tools) lines.push(tool.method)
  lines.push('}')
  for (const tool of tools) lines.push(...tool.declarations)
  return lines
}

function printTool(tool: SdkTool, prefix: string): PrintedTool {
  const shared = {
    namer: createNamer(prefix),
    inlineUpTo: INLINE_REFERENCE_CHARS,
    openText: OPEN_TYPE,
    level: 1,
  }
  const parameters = openDocument(tool.parameters)
  const args = printDocument(parameters, { ...shared, rootName: 'Args' })
  const schema = valueSchema(tool.output)
  const output =
    schema === undefined ? undefined : printDocument(openDocument(schema), { ...shared, rootName: 'Output' })
  const optional = acceptsEmpty(parameters) ? '?' : ''
  const doc = docComment(commentText(tool.description ?? ''), '  ')
  // Joined, which lets go of the pieces; a template would keep every one of them until all tools are printed.
  const method = [
    `${doc}  ${propertyName(tool.name)}(args${optional}: `,
    args.text,
    `): Promise<${output?.text ?? 'string'}>;`,
  ].join('')
  const declarations = output ? [...args.declarations, ...output.declarations] : args.declarations
  return { method, declarations }
}
