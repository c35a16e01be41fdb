/** How many of ascending numbers are below a bound, by what each of them is. */
export function countBelow(length: number, bound: number, at: (index: number) => number): number {
  let low = 0
  let high = length
  while (low < high) {
    const middle = (low + high) >>> 1
    if (at(middle) < bound) low = middle + 1
    else high = middle
  }
  return low
}
