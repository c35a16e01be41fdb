const BLOCK_BYTES = 4096
const WORD_BYTES = 4

/** Where a memory holds anything but zeros: from, and up to but not with. */
export type Extent = readonly [from: number, to: number]

/** What a memory holds, without the zeros. */
export type MemoryImage = readonly { readonly at: number; readonly bytes: Uint8Array }[]

/** Finds what of a memory is in use, in whole blocks. */
export function findExtents(buffer: ArrayBufferLike): readonly Extent[] {
  const words = new Uint32Array(buffer)
  const isZero = (at: number): boolean => {
    for (let i = at / WORD_BYTES; i < (at + BLOCK_BYTES) / WORD_BYTES; i++) if (words[i] !== 0) return false
    return true
  }
  const extents: Extent[] = []
  for (let from = 0; from < buffer.byteLength; from += BLOCK_BYTES) {
    if (isZero(from)) continue
    let to = from + BLOCK_BYTES
    while (to < buffer.byteLength && !isZero(to)) to += BLOCK_BYTES
    extents.push([from, to])
    from = to
  }
  return extents
}

/** Copies what a memory holds in these extents. */
export function copyImage(buffer: ArrayBufferLike, extents: readonly Extent[]): MemoryImage {
  return extents.map(([from, to]) => ({ at: from, bytes: new Uint8Array(buffer).slice(from, to) }))
}

/** How large a memory must be to hold an image. */
export function imageBytes(image: MemoryImage): number {
  const last = image.at(-1)
  return last === undefined ? 0 : last.at + last.bytes.length
}

/** Puts a memory into the state of an image, whatever it held: every byte is written. */
export function restoreImage(buffer: ArrayBufferLike, image: MemoryImage): void {
  const bytes = new Uint8Array(buffer)
  let done = 0
  for (const { at, bytes: held } of image) {
    bytes.fill(0, done, at)
    bytes.set(held, at)
    done = at + held.length
  }
  bytes.fill(0, done)
}
