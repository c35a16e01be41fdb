import { placeOf } from './place-table.js'

// Where things are in this build, in bytes. Tests compare what is read here with what the engine's own errors say.
const RUNTIME_FRAME = 148
const RUNTIME_ATOMS = 56
const FRAME_FUNCTION = 8
const FRAME_NEXT_CODE = 28
const OBJECT_CLASS = 4
const OBJECT_SHAPE = 20
const OBJECT_PROPERTIES = 24
const FUNCTION_CODE = 32
const CODE_START = 20
const CODE_FILE = 68
const PLACES_LENGTH = 76
const PLACES_START = 80
const SHAPE_SECOND_KEY = 60
const SECOND_VALUE = 8
const SECOND_TAG = 12
const TEXT_LENGTH = 4
const TEXT_START = 16

/** Functions with code of their own: plain, generators, async, async generators. */
const WITH_CODE = [13, 16, 54, 58]
const NAME_KEY = 58
const TEXT_TAG = 0xfffffff9
const WIDE_TEXT = 0x80000000

/** The name that the engine gives to the guest's own frames. */
export const GUEST_FILE = 'toolgate'

const MAX_FRAMES = 50
/** Bytes of tables that are looked through beyond that of the first place: a frame after those is left out. */
const MOST_TABLE_BYTES = 65_536
const MAX_NAME_UNITS = 100

function readText(memory: ArrayBufferLike, words: Uint32Array, pointer: number): string {
  const length = words[(pointer + TEXT_LENGTH) >> 2] as number
  const isWide = (length & WIDE_TEXT) !== 0
  const units = Math.min((length & ~WIDE_TEXT) >>> 0, MAX_NAME_UNITS)
  const start = pointer + TEXT_START
  const text = isWide ? new Uint16Array(memory, start, units) : new Uint8Array(memory, start, units)
  let read = ''
  for (let i = 0; i < units; i++) read += String.fromCharCode(text[i] as number)
  return read
}

/** The calls that lead to where a program is, read from the engine's memory while it calls its host. */
export class CallStack {
  readonly #memory: WebAssembly.Memory
  /** The guest has its own frames' file for as long as there is one. */
  #guestFile = -1

  constructor(memory: WebAssembly.Memory) {
    this.#memory = memory
  }

  /**
   * Where the program is, as the `stack` of an error that it made here would say it, without the guest's own frames. To make
   * an error takes the engine ten microseconds, and few calls need one. `charge` is told how many bytes were looked through.
   */
  read(runtime: number, charge: (bytes: number) => void): string {
    const memory = this.#memory.buffer
    const words = new Uint32Array(memory)
    const at = (pointer: number): number => words[pointer >> 2] ?? 0
    const fileOf = (code: number): string =>
      readText(memory, words, at(at(runtime + RUNTIME_ATOMS) + 4 * at(code + CODE_FILE)))
    let shown = ''
    let natives = ''
    let seen = 0
    let most = Number.POSITIVE_INFINITY
    let frame = at(runtime + RUNTIME_FRAME)
    for (let i = 0; i < MAX_FRAMES && frame !== 0; i++, frame = at(frame)) {
      const fn = at(frame + FRAME_FUNCTION)
      const code = WITH_CODE.includes(at(fn + OBJECT_CLASS) >>> 16) ? at(fn + FUNCTION_CODE) : undefined
      if (code !== undefined && at(code + CODE_FILE) === this.#guestFile) continue
      const file = code === undefined ? undefined : fileOf(code)
      if (code !== undefined && file === GUEST_FILE) {
        this.#guestFile = at(code + CODE_FILE)
        continue
      }
      const properties = at(fn + OBJECT_PROPERTIES)
      const isNamed =
        at(at(fn + OBJECT_SHAPE) + SHAPE_SECOND_KEY) === NAME_KEY && at(properties + SECOND_TAG) === TEXT_TAG
      const name = (isNamed && readText(memory, words, at(properties + SECOND_VALUE))) || '<anonymous>'
      if (code === undefined) {
        natives += `    at ${name} (native)\n`
        continue
      }
      const length = at(code + PLACES_LENGTH)
      if (seen + length > most) break
      seen += length
      if (shown === '') most = seen + MOST_TABLE_BYTES
      const places = new Uint8Array(memory, at(code + PLACES_START), length)
      const { line, column } = placeOf(places, at(frame + FRAME_NEXT_CODE) - at(code + CODE_START) - 1)
      shown += `${natives}    at ${name} (${file}:${line}:${column})\n`
      natives = ''
    }
    charge(seen)
    return shown.includes('\0') ? shown.replaceAll('\0', '') : shown
  }
}
