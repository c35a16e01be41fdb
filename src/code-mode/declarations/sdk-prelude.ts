const JSON_VALUE =
  'type JsonValue = null | boolean | number | string | JsonValue[] | { [key: string]: JsonValue }'

/** The alias that marks an object open where its schema says nothing of undeclared keys. */
export const OPEN_TYPE = 'Open'

const OPEN = `/** Keys beyond those listed are accepted. */\ntype ${OPEN_TYPE} = { [key: string]: JsonValue }`

const GLOBALS = `/** What a failed call rejects with. */
declare class ToolCallError extends Error { readonly toolName: string; readonly code: string }
declare const console: Record<
  'log' | 'info' | 'warn' | 'error' | 'debug' | 'table' | 'dir' | 'trace' | 'assert'
  | 'group' | 'groupCollapsed' | 'groupEnd' | 'count' | 'countReset' | 'time' | 'timeLog' | 'timeEnd', (...data: unknown[]) => void>
declare const catalog: {
  /** Finds tools by what they do. */
  search(query: string, options?: { limit?: number }): Promise<{ name: string; description: string }[]>;
  /** A tool's declaration. */
  describe(name: string): Promise<string>;
}`

/** What every program can use besides its tools. */
export const SDK_PRELUDE: string = [JSON_VALUE, OPEN, GLOBALS].join('\n')

/** The helper types that a text uses. */
export function helperTypes(text: string): string[] {
  const helpers: string[] = []
  const open = /\bOpen\b/.test(text)
  if (open || /\bJsonValue\b/.test(text)) helpers.push(JSON_VALUE)
  if (open) helpers.push(OPEN)
  return helpers
}
