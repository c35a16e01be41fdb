import { deleteProperty, globals } from './intrinsics.js'

const CHANGE_LENGTH = ['resize', 'transfer', 'transferToFixedLength']

/**
 * Takes away what changes a buffer's length. The engine goes on with the length it has read, in several places, when a getter
 * of the program's changes it meanwhile; and a shared buffer that grows reaches past what was set aside for it. Either gives
 * the program the whole memory of the engine.
 */
export function fixBuffers(): void {
  deleteProperty(globals, 'SharedArrayBuffer')
  for (let i = 0; i < CHANGE_LENGTH.length; i++)
    deleteProperty(ArrayBuffer.prototype, CHANGE_LENGTH[i] as string)
}
