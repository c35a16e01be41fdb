import { codeAt, create, define, NativeError, toText } from './intrinsics.js'

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'
const fromCharCode: (unit: number) => string = String.fromCharCode
const values: Record<string, number> = create(null)
for (let i = 0; i < ALPHABET.length; i++) values[ALPHABET[i] as string] = i

function btoa(input: unknown): string {
  const text = toText(input)
  let out = ''
  for (let i = 0; i < text.length; i += 3) {
    let bits = 0
    for (let k = 0; k < 3; k++) {
      const unit = i + k < text.length ? codeAt(text, i + k) : 0
      if (unit > 255) throw new NativeError('btoa: the text has a character outside Latin-1; encode it first')
      bits = (bits << 8) | unit
    }
    const left = text.length - i
    out += '' + ALPHABET[bits >> 18] + ALPHABET[(bits >> 12) & 63]
    out += '' + (left > 1 ? ALPHABET[(bits >> 6) & 63] : '=') + (left > 2 ? ALPHABET[bits & 63] : '=')
  }
  return out
}

function atob(input: unknown): string {
  const text = toText(input)
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
    if (value === undefined || end % 4 === 1) throw new NativeError('atob: the text is not base64')
    bits = ((bits << 6) | value) & 0xffffff
    count += 6
    if (count < 8) continue
    count -= 8
    out += fromCharCode((bits >> count) & 255)
  }
  return out
}

/** `atob` and `btoa`. */
export function makeBase64(scope: object): void {
  define(scope, 'atob', atob, false)
  define(scope, 'btoa', btoa, false)
}
