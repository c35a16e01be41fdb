import { codeAt, create, define, textOf } from './intrinsics.js'
import type { Load } from './lazy.js'

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'
const fromCharCode: (unit: number) => string = String.fromCharCode
const values: Record<string, number> = create(null)
for (let i = 0; i < ALPHABET.length; i++) values[ALPHABET[i] as string] = i

type Fail = (message: string) => never

function encode(input: unknown, fail: Fail): string {
  const text = textOf(input)
  let out = ''
  for (let i = 0; i < text.length; i += 3) {
    let bits = 0
    for (let k = 0; k < 3; k++) {
      const unit = i + k < text.length ? codeAt(text, i + k) : 0
      if (unit > 255) fail('btoa: the text has a character outside Latin-1; encode it first')
      bits = (bits << 8) | unit
    }
    const left = text.length - i
    out += '' + ALPHABET[bits >> 18] + ALPHABET[(bits >> 12) & 63]
    out += '' + (left > 1 ? ALPHABET[(bits >> 6) & 63] : '=') + (left > 2 ? ALPHABET[bits & 63] : '=')
  }
  return out
}

function decode(input: unknown, fail: Fail): string {
  const text = textOf(input)
  let digits = ''
  for (let i = 0; i < text.length; i++) {
    const unit = codeAt(text, i)
    if (unit !== 32 && unit !== 9 && unit !== 10 && unit !== 12 && unit !== 13) digits += text[i]
  }
  let end = digits.length
  if (end % 4 === 0) for (let k = 0; k < 2; k++) if (end > 0 && digits[end - 1] === '=') end -= 1
  let out = ''
  let bits = 0
  let count = 0
  for (let i = 0; i < end; i++) {
    const value = values[digits[i] as string]
    if (value === undefined || end % 4 === 1) return fail('atob: the text is not base64')
    bits = ((bits << 6) | value) & 0xffffff
    count += 6
    if (count < 8) continue
    count -= 8
    out += fromCharCode((bits >> count) & 255)
  }
  return out
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
