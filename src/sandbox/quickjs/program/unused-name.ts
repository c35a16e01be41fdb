/** A short name that no name of a text begins with, unless a digit follows. Of patterns' signs, `stem` has `$` at most. */
export function unusedName(text: string, stem: string): string {
  const taken = new Set<string>()
  for (const [, number = ''] of text.matchAll(new RegExp(`${stem.replace('$', '\\$')}(\\d*)`, 'g')))
    taken.add(number)
  let number = 0
  while (taken.has(String(number))) number += 1
  return stem + number
}
