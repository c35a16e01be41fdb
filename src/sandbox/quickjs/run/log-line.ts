import type { CodeLog } from '../../code-runtime.js'

const PREFIXES: Partial<Record<CodeLog['level'], string>> = { warn: '[warn] ', error: '[error] ' }

/** A printed line as the outcome lists it. */
export function lineOf({ level, text }: CodeLog): string {
  return `${PREFIXES[level] ?? ''}${text}`
}
