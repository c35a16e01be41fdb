import { parseArgs } from 'node:util'

/** Options of a program that tries random inputs, each with a seed of its own. */
const OPTIONS = {
  seconds: { type: 'string', default: '60' },
  seed: { type: 'string', default: String(Date.now() % 1e9) },
  count: { type: 'string', default: 'Infinity' },
  print: { type: 'boolean', default: false },
}

/** What the command line says, with options of the program's own. */
export const readOptions = (own = {}) => parseArgs({ options: { ...OPTIONS, ...own } }).values

/** The seeds to try, for as long and as many as wanted, and one at least. */
export function* seedsOf({ seed, seconds, count }) {
  const end = performance.now() + Number(seconds) * 1000
  const first = Number(seed)
  for (let n = 0; n < Number(count) && (n === 0 || performance.now() < end); n++) yield first + n
}
