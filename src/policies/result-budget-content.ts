import { canonicalJson } from '../json/canonical-json.js'
import type { JsonValue } from '../json/json-value.js'
import type { ContentBlock } from '../tools/content-block.js'
import { cutText } from './result-budget-text.js'
import { firstBytes, grouped, more, utf8Bytes } from './utf8.js'

/** What a content was cut to, without the note that says so. */
export interface CutContent {
  readonly blocks: readonly ContentBlock[]
  readonly bytes: number
  readonly wholeBytes: number
  /** How many blocks at the end are not shown at all. */
  readonly blocksLeftOut: number
}

/** No block is given less room than what stands in its place takes. */
const LEAST = 160
const MOST_OF_A_NAME = 60

/** The blocks that must be shown whole or not at all. */
type Whole = Exclude<ContentBlock, { type: 'text' }>

// Not JSON.stringify, which overflows the stack where these are nested deeply.
const jsonBytes = (value: unknown): number =>
  value === undefined ? 0 : utf8Bytes(canonicalJson(value as JsonValue))

/** UTF-8 bytes of what the model reads of a block. */
function sizeOf(block: ContentBlock): number {
  const beside = jsonBytes(block.annotations) + jsonBytes(block._meta)
  switch (block.type) {
    case 'text':
      return beside + utf8Bytes(block.text)
    case 'image':
    case 'audio':
      return beside + block.data.length + block.mimeType.length
    case 'resource_link':
      return jsonBytes(block)
    case 'resource': {
      const { text, blob, ...rest } = block.resource
      return beside + jsonBytes(rest) + (blob?.length ?? 0) + (text === undefined ? 0 : utf8Bytes(text))
    }
  }
}

const shown = (name: string): string =>
  name.length > MOST_OF_A_NAME ? `${firstBytes(name, MOST_OF_A_NAME)}…` : name

function describe(block: Whole): string {
  switch (block.type) {
    case 'image':
    case 'audio':
      return `${block.type} of type ${shown(block.mimeType)}`
    case 'resource_link':
      return `link to ${shown(block.uri)}`
    case 'resource':
      return `resource ${shown(block.resource.uri)}`
  }
}

const leftOut = (block: Whole, size: number): ContentBlock => ({
  type: 'text',
  text: `[${describe(block)}, ${grouped(size)} bytes, left out]`,
})

/** A block in so much room; what else it says of itself goes first. */
function cutBlock(block: ContentBlock, size: number, room: number, maxStringBytes: number): ContentBlock {
  if (block.type === 'text') {
    const text = utf8Bytes(block.text)
    const isRoomy = size - text <= room - Math.min(text, LEAST)
    const cut = cutText(block.text, isRoomy ? room - (size - text) : room, maxStringBytes)
    if (size <= room && cut === block.text) return block
    return isRoomy ? { ...block, text: cut } : { type: 'text', text: cut }
  }
  if (block.type === 'resource' && block.resource.text !== undefined) {
    const { text } = block.resource
    const beside = size - utf8Bytes(text)
    if (beside > room - Math.min(size - beside, LEAST)) return leftOut(block, size)
    const cut = cutText(text, room - beside, maxStringBytes)
    return cut === text && size <= room ? block : { ...block, resource: { ...block.resource, text: cut } }
  }
  return size <= room ? block : leftOut(block, size)
}

/** How much each of the first blocks may take, so that all together fit with a line end between them. */
function rooms(sizes: readonly number[], maxBytes: number): number[] {
  const first: number[] = []
  let spare = maxBytes
  for (const size of sizes) {
    const least = Math.min(size, LEAST) + (first.length > 0 ? 1 : 0)
    if (least > spare) break
    spare -= least
    first.push(Math.min(size, LEAST))
  }
  const large = first
    .map((_, i) => i)
    .filter(i => (sizes[i] as number) > LEAST)
    .sort((a, b) => (sizes[a] as number) - (sizes[b] as number))
  let room = spare + large.length * LEAST
  for (const [n, i] of large.entries()) {
    const share = Math.min(sizes[i] as number, Math.floor(room / (large.length - n)))
    first[i] = share
    room -= share
  }
  return first
}

const isCuttable = (block: ContentBlock): boolean =>
  block.type === 'text' || (block.type === 'resource' && block.resource.text !== undefined)

/** The rooms of blocks; what cannot be cut and does not fit gives its room to the others. */
function sharedRooms(
  content: readonly ContentBlock[],
  sizes: readonly number[],
  maxBytes: number,
): readonly number[] {
  const first = rooms(sizes, maxBytes)
  const isOut = (i: number): boolean =>
    i < first.length && (sizes[i] as number) > (first[i] as number) && !isCuttable(content[i] as ContentBlock)
  if (!sizes.some((_, i) => isOut(i))) return first
  return rooms(
    sizes.map((size, i) => (isOut(i) ? Math.min(size, LEAST) : size)),
    maxBytes,
  )
}

const joined = (sizes: readonly number[]): number =>
  sizes.reduce((sum, size) => sum + size, 0) + Math.max(0, sizes.length - 1)

/** UTF-8 bytes of a content as the model reads it, a line end between its blocks. */
export const contentBytes = (content: readonly ContentBlock[]): number => joined(content.map(sizeOf))

/** A content in so many bytes; `undefined` if it is within `limit` and none of its JSON has a longer string. */
export function cutContent(
  content: readonly ContentBlock[],
  limit: number,
  maxBytes: number,
  maxStringBytes: number,
): CutContent | undefined {
  const sizes = content.map(sizeOf)
  const wholeBytes = joined(sizes)
  const cutTo = (room: readonly number[]): CutContent => {
    const blocks = room.map((bytes, i) =>
      cutBlock(content[i] as ContentBlock, sizes[i] as number, bytes, maxStringBytes),
    )
    return { blocks, bytes: contentBytes(blocks), wholeBytes, blocksLeftOut: content.length - blocks.length }
  }
  if (wholeBytes > limit) return cutTo(sharedRooms(content, sizes, maxBytes))
  if (maxStringBytes >= limit) return undefined
  const shortened = cutTo(sizes)
  if (shortened.blocks.every((block, i) => block === content[i])) return undefined
  return shortened.bytes <= maxBytes ? shortened : cutTo(sharedRooms(content, sizes, maxBytes))
}

/** The line that says what was cut, and how to get the rest. */
export function noteOf(cut: CutContent, handle: string | undefined): string {
  const { wholeBytes, bytes, blocksLeftOut } = cut
  const blocks = blocksLeftOut > 0 ? `, with them ${more(blocksLeftOut, 'block', 'blocks')}` : ''
  const rest =
    handle === undefined
      ? 'Ask for less at a time: a filter, a range, a page.'
      : `All of it is kept as ${handle}`
  return `[Too large to show: ${grouped(Math.max(0, wholeBytes - bytes))} of ${grouped(wholeBytes)} bytes are left out${blocks}. ${rest}]`
}
