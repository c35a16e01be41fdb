import type { ContentBlock } from '../../tools/content-block.js'
import type { MediaKinds } from './provider-limits.js'

/** One part of a result, in what wires tell apart. */
export type WirePart =
  | { readonly kind: 'text'; readonly text: string }
  | {
      readonly kind: 'image' | 'audio' | 'file'
      readonly mimeType: string
      readonly data: string
      readonly name: string
    }

// From the end: a pattern that is anchored there starts anew at each padding within, and the data is whatever a tool sent.
function bytesOf(base64: string): number {
  let end = base64.length
  while (end > 0 && /[=\s]/.test(base64[end - 1] as string)) end--
  return Math.floor((end * 3) / 4)
}

const kindOf = (mimeType: string): 'image' | 'audio' | 'file' =>
  mimeType.startsWith('image/') ? 'image' : mimeType.startsWith('audio/') ? 'audio' : 'file'

const lastOf = (uri: string): string => uri.split(/[?#]/)[0]?.split('/').at(-1) || 'file'

/** Reads one block of content. */
export function readBlock(block: ContentBlock): WirePart {
  switch (block.type) {
    case 'text':
      return { kind: 'text', text: block.text }
    case 'image':
    case 'audio':
      return { kind: block.type, mimeType: block.mimeType, data: block.data, name: block.type }
    case 'resource_link': {
      const words = [block.title ?? block.name, block.uri, block.mimeType, block.description]
      return { kind: 'text', text: `[resource: ${words.filter(word => word !== undefined).join(', ')}]` }
    }
    default: {
      const { uri, mimeType = 'application/octet-stream', text, blob = '' } = block.resource
      if (text !== undefined) return { kind: 'text', text: `[resource: ${uri}]\n${text}` }
      return { kind: kindOf(mimeType), mimeType, data: blob, name: lastOf(uri) }
    }
  }
}

/** What stands in a text for a part that cannot be sent there. */
export const partInWords = (part: WirePart): string =>
  part.kind === 'text'
    ? part.text
    : `[${part.kind}: ${part.mimeType}, ${bytesOf(part.data)} bytes, which cannot be shown here]`

/** The address of data that stands in the address itself. */
export const dataUrl = ({ mimeType, data }: { readonly mimeType: string; readonly data: string }): string =>
  `data:${mimeType};base64,${data}`

/** A part that is no text. */
export type MediaPart = Exclude<WirePart, { readonly kind: 'text' }>

/** The part as media, if the provider takes its kind. */
export function asMedia(part: WirePart, { images, audio, files }: MediaKinds): MediaPart | undefined {
  if (part.kind === 'text' || part.data === '') return undefined
  if (part.kind === 'image') return images.includes(part.mimeType) ? part : undefined
  if (part.kind === 'audio') return Object.hasOwn(audio, part.mimeType) ? part : undefined
  return files.includes(part.mimeType) ? part : undefined
}

/** What a remark says, and who says it. */
export const remarkText = ({
  source,
  parts,
}: {
  readonly source: string
  readonly parts: readonly WirePart[]
}): string => `[${source}] ${parts.map(partInWords).join('\n')}`
