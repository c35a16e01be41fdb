/** A number as digits and a power of ten: its decimal notation, exactly. */
function decimalOf(value: number): readonly [digits: bigint, exponent: number] {
  const [coefficient = '', exponent = '0'] = Math.abs(value).toString().split('e')
  const [whole = '', fraction = ''] = coefficient.split('.')
  return [BigInt(whole + fraction), Number(exponent) - fraction.length]
}

/** Whether a number is a multiple of another, both taken for the decimals that were written: 0.3 is one of 0.1. */
export function isMultipleOf(value: number, divisor: number): boolean {
  if (Number.isSafeInteger(value) && Number.isSafeInteger(divisor)) return value % divisor === 0
  const [digits, exponent] = decimalOf(value)
  const [divisorDigits, divisorExponent] = decimalOf(divisor)
  const shift = exponent - divisorExponent
  return shift >= 0
    ? (digits * 10n ** BigInt(shift)) % divisorDigits === 0n
    : digits % (divisorDigits * 10n ** BigInt(-shift)) === 0n
}
