import { isRecord } from '../json/is-record.js'
import type { JsonObject, JsonValue } from '../json/json-value.js'

/** Text for the model. */
export interface TextContent {
  readonly type: 'text'
  readonly text: string
  readonly annotations?: JsonObject
  readonly _meta?: JsonObject
}

/** An image or a sound, base64 encoded. */
export interface MediaContent {
  readonly type: 'image' | 'audio'
  readonly data: string
  readonly mimeType: string
  readonly annotations?: JsonObject
  readonly _meta?: JsonObject
}

/** A resource the model may read later. */
export interface ResourceLinkContent {
  readonly type: 'resource_link'
  readonly uri: string
  readonly name: string
  readonly title?: string
  readonly description?: string
  readonly mimeType?: string
  readonly size?: number
  readonly annotations?: JsonObject
  readonly _meta?: JsonObject
}

/** A resource with its contents: either `text` or base64 `blob`. */
export interface ResourceContent {
  readonly type: 'resource'
  readonly resource: {
    readonly uri: string
    readonly mimeType?: string
    readonly text?: string
    readonly blob?: string
    readonly _meta?: JsonObject
  }
  readonly annotations?: JsonObject
  readonly _meta?: JsonObject
}

/** One part of what the model sees of a result, in the shapes of the Model Context Protocol. */
export type ContentBlock = TextContent | MediaContent | ResourceLinkContent | ResourceContent

const REQUIRED: Readonly<Record<string, readonly string[]>> = {
  text: ['text'],
  image: ['data', 'mimeType'],
  audio: ['data', 'mimeType'],
  resource_link: ['uri', 'name'],
}

function blockFault(block: JsonValue, path: string): string | undefined {
  if (!isRecord(block)) return `${path} must be a content block, an object with a "type"`
  const { type } = block
  if (type === 'resource') {
    const { resource } = block
    if (!isRecord(resource)) return `${path}.resource must be an object`
    if (typeof resource.uri !== 'string') return `${path}.resource.uri must be a string`
    if (typeof resource.text === 'string' || typeof resource.blob === 'string') return undefined
    return `${path}.resource must have a "text" or a "blob" string`
  }
  const required = typeof type === 'string' && Object.hasOwn(REQUIRED, type) ? REQUIRED[type] : undefined
  if (required === undefined)
    return `${path}.type must be one of "text", "image", "audio", "resource_link", "resource"`
  const missing = required.find(key => typeof block[key] !== 'string')
  return missing === undefined ? undefined : `${path}.${missing} must be a string`
}

/** Says what is wrong with a value that should be a list of content blocks; `undefined` if nothing is. */
export function contentFault(value: JsonValue, path: string): string | undefined {
  if (!Array.isArray(value)) return `${path} must be an array of content blocks`
  const blocks = value as readonly JsonValue[]
  for (let i = 0; i < blocks.length; i++) {
    const fault = blockFault(blocks[i] as JsonValue, `${path}[${i}]`)
    if (fault !== undefined) return fault
  }
  return undefined
}

/** The text of a content list; a block that is no text reads `[image content]`. */
export function contentText(content: readonly ContentBlock[]): string {
  return content.map(block => (block.type === 'text' ? block.text : `[${block.type} content]`)).join('\n')
}
