/** Globals that every program has beside the language and its namespaces, as they are told. */
export const OWN_GLOBALS: string =
  'console, setTimeout, clearTimeout, queueMicrotask, structuredClone, TextEncoder, TextDecoder, URL, URLSearchParams, ' +
  'atob, btoa, crypto.randomUUID, crypto.getRandomValues, performance.now, Intl (en-US)'

/** Names of other places that programs use at once: something stands there that fails and says what exists. */
export const STAND_INS: Record<string, 'function' | 'object'> = {
  __proto__: null,
  fetch: 'function',
  require: 'function',
  XMLHttpRequest: 'function',
  WebSocket: 'function',
  EventSource: 'function',
  Buffer: 'function',
  process: 'object',
} as never

/** Names of other places that programs look for first: they are not defined, and who uses them is told what exists. */
export const ABSENT: readonly string[] = [
  'window',
  'document',
  'navigator',
  'location',
  'localStorage',
  'sessionStorage',
  'global',
  'self',
  'module',
  'exports',
  '__dirname',
  '__filename',
  'fs',
  'path',
  'os',
  'Deno',
  'Bun',
  'setInterval',
  'clearInterval',
  'setImmediate',
  'AbortController',
  'AbortSignal',
  'Headers',
  'Request',
  'Response',
  'FormData',
  'Blob',
  'File',
  'ReadableStream',
  'Worker',
  'SharedArrayBuffer',
  'Atomics',
  'WebAssembly',
  'alert',
  'prompt',
  'Temporal',
]

/** What exists, for who reached for something that does not. */
export function existingText(namespaces: string): string {
  return 'What exists: ' + namespaces + OWN_GLOBALS + ' and the JavaScript language'
}

export function missingText(what: string, existing: string): string {
  return what + ' does not exist in this sandbox. ' + existing
}

/** The line of an error, with what exists if it is about a name of another place. */
export function withExisting(line: string, existing: string): string {
  for (let i = 0; i < ABSENT.length; i++)
    if (line === "ReferenceError: '" + ABSENT[i] + "' is not defined")
      return line + '. ' + missingText(ABSENT[i] as string, existing)
  return line
}
