import type { CodeNamespace } from '../../code-runtime.js'

/** What the prelude sets the globals of a run up from: JSON, the same for the same namespaces. */
export function setUpText(namespaces: readonly CodeNamespace[], outputBytes: number): string {
  return JSON.stringify({
    namespaces: namespaces.map(({ global, functions, open, errorClass }) => ({
      global,
      functions: Object.fromEntries(functions.map(name => [name, 0])),
      open: open === true,
      errorClass: errorClass ?? null,
    })),
    outputBytes,
  })
}
