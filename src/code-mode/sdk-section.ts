import { beginning } from '../errors/cut-text.js'
import { quoteWhole } from '../errors/quote-name.js'
import type { RegisteredTool } from '../tools/tool-definition.js'
import { commentText } from './declarations/comment-text.js'
import { renderToolsSdk, renderToolsSdkWithin } from './declarations/render-tools-sdk.js'
import { forSameTools } from './for-same-tools.js'
import { sdkSearchText, sdkText } from './instructions.js'

/** How much the model is told of the tools up front. */
export type SdkDetail = 'auto' | 'full' | 'search'

const MAX_LINE_CHARS = 120
/** Of a description, what its first sentence may be looked for in. */
const MAX_READ_CHARS = 1000

function oneLine({ name, description }: RegisteredTool): string {
  const [line = ''] = beginning(description, MAX_READ_CHARS)
    .trim()
    .split(/[\n\r\u2028\u2029]/, 1)
  const [first = ''] = commentText(line).split(/(?<=[.!?])\s/, 1)
  const text = first.length > MAX_LINE_CHARS ? `${beginning(first, MAX_LINE_CHARS - 1).trimEnd()}…` : first
  return `- ${/^[\w$]+$/.test(name) ? name : quoteWhole(name)}: ${text}`
}

/** The text of the SDK section: all declarations, or past the budget one line for each tool. Bytes depend on the tools alone. */
export function createSdkSection(
  detail: SdkDetail,
  budgetBytes: number,
  isChecked: boolean,
): (tools: readonly RegisteredTool[]) => string {
  const sorted = (tools: readonly RegisteredTool[]): RegisteredTool[] =>
    [...tools].sort((a, b) => (a.name < b.name ? -1 : 1))
  const write = (tools: readonly RegisteredTool[]): string => {
    const search = (): string => sdkSearchText(renderToolsSdk([]), sorted(tools).map(oneLine), isChecked)
    if (detail === 'search') return search()
    const declarations = detail === 'full' ? renderToolsSdk(tools) : renderToolsSdkWithin(tools, budgetBytes)
    return declarations === undefined ? search() : sdkText(declarations, isChecked)
  }
  return forSameTools(write)
}
