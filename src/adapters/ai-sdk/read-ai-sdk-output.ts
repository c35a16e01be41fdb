import { ToolOutputError } from '../../errors/errors.js'
import { ToolgateError } from '../../errors/toolgate-error.js'
import type { ContentBlock } from '../../tools/content-block.js'
import { isList, isRecord } from '../wire/json.js'

export const asText = (value: unknown): string =>
  typeof value === 'string' ? value : (JSON.stringify(value) ?? '')

const isText = (value: unknown): value is string => typeof value === 'string' && value !== ''

class NoJson extends Error {}

// What JSON would lose or change in silence is left to the pipeline, which names it.
function onlyJson(_key: string, value: unknown): unknown {
  const isOdd =
    (typeof value === 'number' && !Number.isFinite(value)) ||
    (typeof value === 'object' && value !== null && !Array.isArray(value) && !isPlain(value))
  if (isOdd) throw new NoJson()
  return value
}

function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === null || prototype === Object.prototype
}

/** An output as JSON: without what is undefined, and with what `toJSON` makes of dates and the like. */
export function asJson(output: unknown): unknown {
  if (output === undefined) return null
  try {
    const text = JSON.stringify(output, onlyJson)
    return text === undefined ? output : JSON.parse(text)
  } catch {
    return output
  }
}

function asBase64(data: unknown): string | undefined {
  if (typeof data === 'string') return data
  const bytes = data instanceof ArrayBuffer ? new Uint8Array(data) : data
  if (!(bytes instanceof Uint8Array)) return undefined
  let binary = ''
  for (const byte of bytes) binary += String.fromCharCode(byte)
  return btoa(binary)
}

function readPart(part: unknown): ContentBlock {
  if (!isRecord(part)) return { type: 'text', text: asText(part) }
  if (part.type === 'text') return { type: 'text', text: asText(part.text) }
  const { mediaType, filename } = part
  const given: unknown = part.data
  const tagged = isRecord(given) && typeof given.type === 'string' ? given : { type: 'data', data: given }
  if (tagged.type === 'text') return { type: 'text', text: asText(tagged.text) }
  const url: unknown = given instanceof URL ? given : tagged.type === 'url' ? tagged.url : undefined
  if (url instanceof URL || isText(url))
    return { type: 'resource_link', uri: String(url), name: isText(filename) ? filename : 'file' }
  const data = tagged.type === 'data' ? asBase64(tagged.data) : undefined
  if (data === undefined || typeof mediaType !== 'string') return { type: 'text', text: asText(part) }
  if (mediaType.startsWith('image/')) return { type: 'image', mimeType: mediaType, data }
  if (mediaType.startsWith('audio/')) return { type: 'audio', mimeType: mediaType, data }
  return { type: 'resource', resource: { uri: `data:${mediaType}`, mimeType: mediaType, blob: data } }
}

/**
 * What `toModelOutput` of a tool of the AI SDK says, as content.
 * @throws ToolgateError for an error, a denial, and what is no output.
 */
export function readAiSdkOutput(name: string, output: unknown): ContentBlock[] {
  if (!isRecord(output) || typeof output.type !== 'string') {
    throw new ToolOutputError(name, [
      { path: 'value', message: 'toModelOutput must return an output with a type' },
    ])
  }
  const { type, value, reason } = output
  if (type === 'error-text' || type === 'error-json') throw new ToolgateError('TOOL_FAILED', asText(value))
  if (type === 'execution-denied')
    throw new ToolgateError('DENIED', isText(reason) ? reason : `The tool "${name}" refused the call`)
  if (type === 'content' && isList(value)) return value.map(readPart)
  return [{ type: 'text', text: asText(value) }]
}
