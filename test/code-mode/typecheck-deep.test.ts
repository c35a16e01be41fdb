import { renderToolsSdk } from 'toolgate'
import { typescriptChecker } from 'toolgate/typecheck'
import { describe, expect, it } from 'vitest'
import { honestTools } from './support/honest-tools.js'

const names = Array.from({ length: 12 }, (_, i) => `k${i}`)
const tree = {
  type: 'object',
  additionalProperties: false,
  properties: { v: { type: 'string' }, ...Object.fromEntries(names.map(name => [name, { $ref: '#' }])) },
  required: ['v', ...names],
}
const declarations = renderToolsSdk([
  ...honestTools(),
  { name: 'plant', description: 'Plants.', parameters: tree } as never,
])
const check = (program: string) => typescriptChecker().check({ program, declarations })

const row = (length: number, item: (i: number) => string): string =>
  Array.from({ length }, (_, i) => item(i)).join('')

/** What makes a walk over a program recurse, or take one way again and again. */
const DEEP: readonly (readonly [string, string])[] = [
  ['an arrow that returns a call of itself', 'const f = (): Promise<number> => f(); if (!f()) return 1'],
  [
    'arrows that return calls of each other',
    'const a = (): Promise<void> => b(); const b = (): Promise<void> => a(); if (!a()) return 1',
  ],
  ['a promise that is made of itself', 'const p: Promise<number> = p; if (!p) return 1'],
  ['promises that are made of each other', 'const p: Promise<number> = q; const q = p; if (!q) return 1'],
  ['a long sum', `const s = ${row(6000, () => "'a' + ")}'b'; console.log(s.length)`],
  ['a long sum as an argument', `const s = await tools.echo({ text: ${row(6000, () => "'a' + ")}'b' })`],
  [
    'a look-up that goes through many variables',
    `const r = await tools.get({ id: 1 }); const a0 = r.zip; ${row(3000, i => `const a${i + 1} = a${i};`)}`,
  ],
  [
    'a text that goes through many variables',
    `const a0 = "x"; ${row(3000, i => `const a${i + 1} = a${i};`)} console.log(a3000.zip?.())`,
  ],
  [
    'a promise that goes through many variables',
    `const a0 = tools.open({}); ${row(3000, i => `const a${i + 1} = a${i};`)} if (!a3000) return 1`,
  ],
  [
    'many promises that are made of each other',
    `const a0 = tools.open({}); ${row(300, i => `const a${i + 1} = a${i}; if (!a${i + 1}) return 1;`)}`,
  ],
  [
    'types that lead back to themselves by many ways',
    `interface T { v: string | number; ${row(12, i => `k${i}: T;`)} } const g = () => null as unknown as T; await tools.plant(g())`,
  ],
]

describe('a program that leads the check deep', () => {
  it.each(DEEP)(
    '%s: the fault behind it is told all the same',
    async (_what, program) => {
      const text = await check(`${program}\nreturn (await tools.get({ id: 1 })).nope`)
      expect(text).toContain("Property 'nope' does not exist")
    },
    20_000,
  )
})
