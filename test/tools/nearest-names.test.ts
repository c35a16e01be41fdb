import fc from 'fast-check'
import { distance } from 'fastest-levenshtein'
import { createToolRegistry } from 'toolgate'
import { describe, expect, it } from 'vitest'
import { nearestNames } from '../../src/tools/nearest-names.js'
import { countedTool } from '../support/tools.js'

const simplify = (name: string): string => name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '')

/** What is near, said without an index: every name is looked at. */
function slowlyNearest(name: string, known: readonly string[]): string[] {
  const wanted = simplify(name.slice(0, 200))
  const within = Math.max(2, Math.floor(wanted.length / 3))
  const far = (candidate: string): number => {
    const simple = simplify(candidate)
    if (simple === wanted) return 0
    const contained = wanted.length >= 3 && simple.includes(wanted)
    const containing = wanted.length >= 3 && simple.length >= 3 && wanted.includes(simple)
    return contained || containing ? 1 : distance(wanted, simple)
  }
  return [...known]
    .filter(candidate => far(candidate) <= within)
    .sort((a, b) => far(a) - far(b) || (a < b ? -1 : 1))
    .slice(0, 3)
}

describe('the names nearest to a misspelt one', () => {
  const letters = fc.string({
    unit: fc.constantFrom('a', 'b', 'c', 'A', '_', '-', 'é', '1', '𝒳'),
    maxLength: 9,
  })
  const words = fc
    .array(fc.constantFrom('get', 'user', 'list', 'file', 'read', 's', '2', 'Id'), {
      minLength: 1,
      maxLength: 7,
    })
    .map(parts => parts.join('_'))
  const long = fc.tuple(words, fc.integer({ min: 1, max: 12 })).map(([word, times]) => word.repeat(times))
  const names = fc.oneof(letters, words, long)

  it('are those that a look at every name finds, in the same order', () => {
    const known = fc.uniqueArray(names, { maxLength: 40 })
    fc.assert(
      fc.property(names, known, (name, all) => {
        expect(nearestNames(name, all)).toEqual(slowlyNearest(name, all))
      }),
      { numRuns: 3000 },
    )
  })

  it('are found for a slip of the fingers in one of them', () => {
    const slip = fc.uniqueArray(words, { minLength: 1, maxLength: 40 }).chain(known =>
      fc.record({
        known: fc.constant(known),
        meant: fc.constantFrom(...known),
        at: fc.nat(),
        put: fc.constantFrom('', 'x', 'get', '_'),
      }),
    )
    fc.assert(
      fc.property(slip, ({ known, meant, at, put }) => {
        const place = at % (meant.length + 1)
        const name = `${meant.slice(0, place)}${put}${meant.slice(place + 1)}`
        expect(nearestNames(name, known)).toEqual(slowlyNearest(name, known))
      }),
      { numRuns: 2000 },
    )
  })

  it('follow what a scope sees now', async () => {
    const registry = createToolRegistry({ tools: [countedTool('read_file')] })
    const scope = registry.createScope({ id: 's' })
    const asked = async (): Promise<string> => {
      const result = await scope.execute({ callId: 'c', name: 'read_files' })
      return result.isError ? result.error.message : 'ran'
    }
    expect(await asked()).toContain('Did you mean "read_file"?')
    const lift = scope.restrict({ deny: ['read_file'] })
    expect(await asked()).not.toContain('"read_file"')
    const gone = registry.register(countedTool('read_file_2'))
    expect(await asked()).toContain('Did you mean "read_file_2"?')
    gone()
    lift()
    expect(await asked()).toContain('Did you mean "read_file"?')
  })
})

describe('many misspelt names among ten thousand', () => {
  const verbs = [
    'get',
    'list',
    'create',
    'update',
    'delete',
    'search',
    'archive',
    'export',
    'import',
    'merge',
  ]
  const things = ['user', 'account', 'invoice', 'repository', 'pull_request', 'calendar_event', 'message']
  const known = Array.from(
    { length: 10_000 },
    (_, i) => `${verbs[i % 10]}_${things[i % 7]}_${things[(i * 3) % 5]}_${i}`,
  )
  const registry = createToolRegistry({ tools: known.map(name => countedTool(name)) })
  const cpuMs = async (work: () => Promise<unknown>): Promise<number> => {
    const before = process.cpuUsage()
    await work()
    const { user, system } = process.cpuUsage(before)
    return (user + system) / 1000
  }
  // Each takes a fraction of a millisecond; one that looked at all names with care took tens of them.
  it.each([
    ['words like theirs', (i: number) => `get_acount_mesage_${i}_x`],
    ['all of their words', (i: number) => `${verbs.join('_')}_${things.join('_')}_${i}`],
    ['the beginning of one, over and over', (i: number) => `${'getuser'.repeat(25)}${i}`],
    ['one letter', (i: number) => `${'e'.repeat(20 + (i % 7))}`],
    ['a name as long as may be', (i: number) => `${i}${known.join('').slice(i, i + 195)}`],
  ])('cost the host little: %s', async (_what, nameOf) => {
    const ask = (i: number): Promise<unknown> => registry.execute({ callId: `c${i}`, name: nameOf(i) })
    await ask(0)
    const spent = await cpuMs(async () => {
      for (let i = 1; i <= 200; i++) expect(await ask(i)).toMatchObject({ error: { code: 'UNKNOWN_TOOL' } })
    })
    expect(spent).toBeLessThan(700)
  })
})
