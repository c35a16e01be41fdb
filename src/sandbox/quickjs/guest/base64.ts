import { apply, bareList, codeAt, define, join, NativeBytes, textOf } from './intrinsics.js'
import type { Load } from './lazy.js'

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'
const PAD = 61
const NONE = 255
const SPACE = 254
const codes = new NativeBytes(64)
const values = new NativeBytes(128)
for (let i = 0; i < 128; i++) values[i] = NONE
for (let i = 0; i < ALPHABET.length; i++) {
  codes[i] = codeAt(ALPHABET, i)
  values[codes[i] as number] = i
}
for (const code in { 9: 0, 10: 0, 12: 0, 13: 0, 32: 0 }) values[+code] = SPACE

const fromCharCode: unknown = String.fromCharCode
/** Units that are made a text at once; a text that grows by one at a time is copied again and again. */
const PIECE = 4096

type Fail = (message: string) => never

/** A text that is made of units. */
class Growing {
  #units = bareList<number>()
  #pieces = bareList<string>()
  add(unit: number): void {
    this.#units[this.#units.length] = unit
    if (this.#units.length >= PIECE) this.#flush()
  }
  #flush(): void {
    this.#pieces[this.#pieces.length] = apply(fromCharCode as () => string, undefined, this.#units as never)
    this.#units = bareList()
  }
  text(): string {
    this.#flush()
    return join(this.#pieces)
  }
}

function encode(input: unknown, fail: Fail): string {
  const text = textOf(input)
  const { length } = text
  const out = new Growing()
  for (let i = 0; i < length; i += 3) {
    let bits = 0
    for (let k = 0; k < 3; k++) {
      const unit = i + k < length ? codeAt(text, i + k) : 0
      if (unit > 255) fail('btoa: the text has a character outside Latin-1; encode it first')
      bits = (bits << 8) | unit
    }
    out.add(codes[bits >> 18] as number)
    out.add(codes[(bits >> 12) & 63] as number)
    out.add(i + 1 < length ? (codes[(bits >> 6) & 63] as number) : PAD)
    out.add(i + 2 < length ? (codes[bits & 63] as number) : PAD)
  }
  return out.text()
}

function decode(input: unknown, fail: Fail): string {
  const text = textOf(input)
  const { length } = text
  const out = new Growing()
  let bits = 0
  let digits = 0
  let pads = 0
  for (let i = 0; i < length; i++) {
    const code = codeAt(text, i)
    const value = code < 128 ? (values[code] as number) : NONE
    if (value === SPACE) continue
    if (code === PAD) {
      pads += 1
      continue
    }
    if (value === NONE || pads > 0) fail('atob: the text is not base64')
    digits += 1
    bits = ((bits << 6) | value) & 0xffffff
    const rest = digits % 4
    if (rest !== 1) out.add((bits >> (rest === 2 ? 4 : rest === 3 ? 2 : 0)) & 255)
  }
  const isWhole = pads === 0 ? digits % 4 !== 1 : pads <= 2 && (digits + pads) % 4 === 0
  if (!isWhole) fail('atob: the text is not base64')
  return out.text()
}

/** `atob` and `btoa`. */
export function makeBase64(load: Load, scope: object): void {
  const fail: Fail = message => {
    const DOMException = load('exceptions').DOMException as new (message: string, name: string) => Error
    throw new DOMException(message, 'InvalidCharacterError')
  }
  const { atob, btoa } = {
    atob(input: unknown): string {
      return decode(input, fail)
    },
    btoa(input: unknown): string {
      return encode(input, fail)
    },
  }
  define(scope, 'atob', atob, false)
  define(scope, 'btoa', btoa, false)
}
