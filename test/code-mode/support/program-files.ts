import { readFileSync } from 'node:fs'

const blocks = (file: string): string[] =>
  readFileSync(new URL(file, import.meta.url), 'utf8')
    .split(/^----\n/m)
    .map(block => block.trim())

/** Programs as models write them, each right in its own way, for `honestTools`. */
export const honestPrograms: readonly string[] = blocks('honest-programs.txt')

/** Programs that fail or lie, what is said of them, and the place. */
export const faultyPrograms: readonly (readonly [program: string, told: string, place: string])[] = blocks(
  'faulty-programs.txt',
).map(block => {
  const [program = '', rest = ''] = block.split('\n=> ')
  const [told = '', place = ''] = rest.split(' | ')
  return [program, told, place]
})
