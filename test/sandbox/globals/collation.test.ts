import { quickJsRuntime } from 'toolgate/quickjs'
import { describe, expect, test } from 'vitest'
import { run } from '../support/run-code.js'
import { sameAsHost } from './same-as-host.js'

const runtime = quickJsRuntime({ limits: { cpuMs: 60_000 } })

/** What each kind of text is made of. */
const KINDS: readonly (readonly [kind: string, characters: string])[] = [
  [
    'Latin letters',
    'aàáâäãåāăąbcçćčdđeéèêëēęěfghiíìîïīıjklłmnñńňoóòôöõøōőpqrřsšśßtťuúùûüůűvwxyýÿzžźżæœþABCÉÈÊÖÜZ 19',
  ],
  ['signs', 'ab–—‐-“”"‘’\'(),.:;!?¡¿·«»[]{}&#%‰†‡•°©®+±÷×<=>|~$€£¥¢ §¶_/\\@*9A'],
  ['Cyrillic letters', 'абвгдежзийклмнопрстуфхцчшщъыьэюяіїєґёћђџјљњўАБВІЇЄҐЁЙ '],
  ['all of these', 'aéZ9 -–“ёйПabc.þ'],
]
const SETTINGS: readonly Intl.CollatorOptions[] = [
  {},
  { sensitivity: 'base' },
  { sensitivity: 'accent' },
  { numeric: true },
]
const PAIRS = 1_500

const seed = Math.floor(Math.random() * 1e9) + 1

/** Pairs of short texts that a seed decides; every third differs in its last character alone. */
function pairsOf(characters: string): readonly (readonly [string, string])[] {
  let state = seed
  const below = (n: number): number => {
    state = (state * 1_103_515_245 + 12_345) & 0x7fffffff
    return (state >>> 8) % n
  }
  const all = [...characters]
  const one = (): string => all[below(all.length)] as string
  const word = (): string => Array.from({ length: 1 + below(4) }, one).join('')
  return Array.from({ length: PAIRS }, () => {
    const first = word()
    return [first, below(3) === 0 ? first.slice(0, -1) + one() : word()]
  })
}

describe(`texts are ordered as Node orders them, by seed ${seed}`, () => {
  test.each(KINDS)('%s', async (_kind, characters) => {
    const pairs = pairsOf(characters)
    for (const settings of SETTINGS) {
      const program = `const { compare } = new Intl.Collator('en', ${JSON.stringify(settings)})
return ${JSON.stringify(pairs)}.map(([a, b]) => compare(a, b))`
      const { value } = await run(program, {}, {}, runtime)
      const { compare } = new Intl.Collator('en-US', settings)
      const wanted = pairs.map(([a, b]) => [a, b, compare(a, b)])
      expect(pairs.map(([a, b], i) => [a, b, (value as number[])[i]])).toEqual(wanted)
    }
  })
})

describe('lists are sorted as they are elsewhere', () => {
  sameAsHost([
    '["è", "é", "ê", "e"].sort((a, b) => a.localeCompare(b))',
    '["Report – 2024", "Report (old)", "Report, new", "Report “x”", "Report: a"].sort((a, b) => a.localeCompare(b))',
    '["Thor", "Þór", "Ulf", "zz"].sort((a, b) => a.localeCompare(b))',
    '["Їжак", "Ігор", "Яна", "Ґанок", "Галина"].sort((a, b) => a.localeCompare(b))',
    '["O\'Brien", "O’Brien", "O-Brien", "O–Brien", "OBrien"].sort((a, b) => a.localeCompare(b))',
  ])
})
