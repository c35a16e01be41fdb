// Puts the state of an engine that has booted and evaluated the prelude into the engine's own data, so that a new instance
// begins with it.
import binaryen from 'binaryen'
import { assemble } from './assemble.mjs'

/** Zeros between two pieces of data that are cheaper to write out than to begin another piece for. */
const GAP_BYTES = 16

/** The pieces of a memory that are not zero. */
function piecesOf(bytes) {
  const pieces = []
  for (let from = 0; from < bytes.length; from++) {
    if (bytes[from] === 0) continue
    let to = from + 1
    for (let zeros = 0, i = to; i < bytes.length && zeros <= GAP_BYTES; i++) {
      zeros = bytes[i] === 0 ? zeros + 1 : 0
      if (zeros === 0) to = i + 1
    }
    pieces.push({ from, bytes: bytes.subarray(from, to) })
    from = to
  }
  return pieces
}

const escaped = bytes => Array.from(bytes, byte => `\\${byte.toString(16).padStart(2, '0')}`).join('')

// An instance of the build as published begins by clearing what it believes to be unused.
const withoutStart = part => part.replace(/\n \(start \$\S+\)/, '')

/** The engine with a memory as its data, and a number that tells which. */
export function bakeImage(binary, memory, id) {
  const source = binaryen.readBinary(binary)
  const parts = source.emitText().split(/(?=\n \((?:func|data|export|import|global|table|elem) )/)
  source.dispose()
  const data = piecesOf(memory).map(({ from, bytes }) => `\n (data (i32.const ${from}) "${escaped(bytes)}")`)
  const at = parts.findIndex(part => part.startsWith('\n (data '))
  if (at < 0) throw new Error('The engine has no data to replace')
  const kept = parts.filter(part => !part.startsWith('\n (data ')).map(withoutStart)
  kept.splice(at, 0, ...data, `\n (global $image i32 (i32.const ${id}))\n (export "image" (global $image))`)
  const text = kept.join('')
  if (text.includes('(start ')) throw new Error('The engine would still change its data when it starts')
  return assemble(text)
}
