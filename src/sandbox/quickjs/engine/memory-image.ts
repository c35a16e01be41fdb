import type { Engine } from './engine.js'

const BLOCK_BYTES = 4096
const WORD_BYTES = 8

/** The state of an engine instance at rest: its memory, without the zeros, and its stack pointer. */
export interface MemoryImage {
  readonly blocks: readonly { readonly at: number; readonly bytes: Uint8Array }[]
  readonly stackPointer: number
  readonly runtime: number
  readonly context: number
}

/** Copies the state of an instance. No engine call may be on the stack. */
export function takeImage(engine: Engine): MemoryImage {
  const { buffer } = engine.memory
  const bytes = new Uint8Array(buffer)
  const words = new BigUint64Array(buffer)
  const isZero = (block: number): boolean => {
    const first = (block * BLOCK_BYTES) / WORD_BYTES
    for (let i = first; i < first + BLOCK_BYTES / WORD_BYTES; i++) if (words[i] !== 0n) return false
    return true
  }
  const blocks: { at: number; bytes: Uint8Array }[] = []
  const count = bytes.length / BLOCK_BYTES
  for (let from = 0; from < count; from++) {
    if (isZero(from)) continue
    let to = from + 1
    while (to < count && !isZero(to)) to++
    blocks.push({ at: from * BLOCK_BYTES, bytes: bytes.slice(from * BLOCK_BYTES, to * BLOCK_BYTES) })
    from = to
  }
  const { runtime, context } = engine
  return { blocks, stackPointer: engine.exports.stackPointer(), runtime, context }
}

/**
 * Puts an instance into the state of an image, whatever it has been through: every byte is written. The stack pointer is the
 * one thing of the engine's own that lies outside the memory.
 */
export function restoreImage(engine: Engine, image: MemoryImage): void {
  const bytes = new Uint8Array(engine.memory.buffer)
  let done = 0
  for (const block of image.blocks) {
    bytes.fill(0, done, block.at)
    bytes.set(block.bytes, block.at)
    done = block.at + block.bytes.length
  }
  bytes.fill(0, done)
  engine.exports.restoreStack(image.stackPointer)
  engine.enter(image.runtime, image.context)
}
