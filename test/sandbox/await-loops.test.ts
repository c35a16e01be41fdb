import { describe, expect, test } from 'vitest'
import { returned, run } from './support/run-code.js'

const AsyncFunction = (async () => {}).constructor as new (body: string) => () => Promise<unknown>
/** What a program returns or throws in the runtime that the tests run in. */
const inHost = async (program: string): Promise<unknown> =>
  new AsyncFunction(`"use strict"; ${program}`)().catch(error => String(error))
const inSandbox = async (program: string): Promise<unknown> => {
  const { value, error } = await run(program)
  return error === undefined ? value : error.message.split('\n', 1)[0]
}

const GIVEN = `const log = []
async function* slow() { try { yield 1; yield 2; yield 3 } finally { await null; await null; await null; log.push('closed') } }
async function* failing() { try { yield 1 } finally { throw new Error('not saved') } }
function* sync() { try { yield 1; yield 2 } finally { log.push('closed'); throw new Error('late') } }
const list = of => ({ [Symbol.iterator]: () => ({ next: () => ({ value: 1, done: false }), ...of }) })
const ending = end => ({ [Symbol.asyncIterator]: () => ({ next: async () => ({ value: 1, done: false }), return: end }) })
`

describe('a loop that waits also waits for the end of what it leaves early', () => {
  test.each([
    "for await (const x of slow()) break; log.push('after'); return log",
    "for await (const x of slow()) log.push(x); log.push('after'); return log",
    'const f = async () => { for await (const x of slow()) return x }; log.push(await f()); return log',
    "try { for await (const x of slow()) throw new Error('body') } catch (e) { log.push(e.message) } return log",
    'a: for await (const x of slow()) for await (const y of slow()) { log.push([x, y]); if (y > 1) continue a }\nreturn log',
    'a: for await (const x of slow()) for await (const y of slow()) { log.push([x, y]); if (y > 1) break a }\nreturn log',
    "for await (const x of failing()) break; return 'saved'",
    "for await (const x of failing()) throw new Error('first'); return 'saved'",
    "for await (const x of ending(() => Promise.reject(new Error('late')))) break; return log",
    "for await (const x of ending(() => { throw new Error('at once') })) break; return log",
    'for await (const x of ending(undefined)) break; return log',
    'for await (const x of [Promise.resolve(1), 2]) log.push(x); return log',
    'const s = { [Symbol.asyncIterator]() { return this }, async next() { return { done: true } }, return() { log.push("asked") } }; for await (const x of s); return log',
    'const s = { [Symbol.asyncIterator]() { return this }, next() { return { done: true } }, return() { log.push("asked") } }; for await (const x of s); return log',
    `class Pages { i = 0; open = true; [Symbol.asyncIterator]() { return this } async next() { return this.i < 2 ? { value: this.i++, done: false } : { value: undefined, done: true } } async return() { this.open = false; return {} } }
const all = new Pages(), some = new Pages(); for await (const x of all) log.push(x); for await (const x of some) { log.push(x); break } return [log, all.open, some.open]`,
    'let n = 0; const s = { [Symbol.asyncIterator]() { return this }, async next() { throw new Error("next") }, return() { n++ } }; try { for await (const x of s); } catch (e) { return [e.message, n] }',
    'const s = { [Symbol.asyncIterator]() { return this }, next: async () => ({ value: {}, done: false }), return() { log.push("asked"); return {} } }; try { for await (const { a: { b } } of s); } catch (e) { return [e.name, log] }',
    "if (log) for await (const x of slow()) log.push(x); else log.push('no'); return log",
    'switch (1) { case 1: for await (const x of slow()) { log.push(x); break } log.push(5) } return log',
    'async function* twice() { for await (const x of slow()) yield x * 2 }\nfor await (const x of twice()) { log.push(x); if (x > 2) break } return log',
    'const of = slow(); for await (const x of(of)) if (x > 1) break\nreturn log',
    'let x; for await (x of slow()) if (x > 1) break\nreturn [x, log]',
    'for await (var { a = 1 } of [{}, { a: 2 }]) log.push(a)\n;[3].map(v => log.push(v)); return [a, log]',
    'const $loop0 = 1, $loop1$ = 2; for await (const x of slow()) { log.push($loop0 + $loop1$); break } return log',
    'try { for await (const x of sync()) break } catch (e) { log.push(e.message) } return log',
    'const f = async () => { for await (const x of sync()) return x }; try { log.push(await f()) } catch (e) { log.push(e.message) } return log',
    'a: for (const i of [1]) { try { for await (const x of sync()) continue a } catch (e) { log.push(e.message) } } return log',
    "try { for await (const x of sync()) throw new Error('first') } catch (e) { log.push(e.message) } return log",
    'try { for await (const x of list({ return: () => 5 })) break } catch (e) { log.push(e.name) } return log',
    "for await (const x of list({ return: () => ({ value: Promise.reject(new Error('value')) }) })) break; return log",
    "for await (const x of list({ return: () => ({ get done() { throw new Error('done') } }) })) break; return log",
    "const l = { get return() { throw new Error('got') } }; for await (const x of { [Symbol.iterator]: () => Object.assign(Object.create(l), { next: () => ({ value: 1 }) }) }) break; return log",
    'for await (const x of list({ return: undefined })) break; return log',
    "for await (const x of list({ next: () => ({ done: true }), return() { log.push('asked') } })) break; return log",
    "try { for await (const x of list({ next() { throw new Error('next') }, return() { log.push('asked') } })) break } catch (e) { log.push(e.message) } return log",
    "try { for await (const x of list({ next: () => 5, return() { log.push('asked') } })) break } catch (e) { log.push(e.name) } return log",
    'class L extends Array { *[Symbol.iterator]() { yield* sync() } } try { for await (const x of new L()) break } catch (e) { log.push(e.message) } return log',
    "for await (const x of 'abc') { log.push(x); if (x === 'b') break } for await (const x of new Map([[1, 2]])) log.push(x); for await (const x of [4, 5].values()) { log.push(x); break } return log",
    'const g = (function* () { yield 1; yield Promise.resolve(2); yield 3 })(); for await (const x of g) { log.push(x); if (x === 2) break } log.push([...g]); return log',
    'for (const l of [5, {}, { [Symbol.asyncIterator]: 5, [Symbol.iterator]: 4 }, { [Symbol.asyncIterator]: null, *[Symbol.iterator]() { yield 4 } }]) try { for await (const x of l) log.push(x) } catch (e) { log.push(e.name) } return log',
    'let n = 0; (async () => { for (;;) { await null; if (n++ > 20) break } })(); function* two() { yield 1; yield 2 } for await (const x of two()) log.push(n); log.push(n); for await (const x of two()) break; log.push(n); return log',
    'let n = 0; (async () => { for (;;) { await null; if (n++ > 20) break } })(); for await (const x of ending(async () => ({}))) { log.push(n); break } log.push(n); return log',
  ])('%s', async program => {
    expect(await inSandbox(GIVEN + program)).toEqual(await inHost(GIVEN + program))
  })

  test('and refuses an end that is no object', async () => {
    expect(await inSandbox(`${GIVEN}for await (const x of ending(async () => 5)) break`)).toMatch(
      /^TypeError/,
    )
  })

  test('so that the calls of its last block are made', async () => {
    const names: string[] = []
    const note = ({ name }: { readonly name: string }): null => {
      names.push(name)
      return null
    }
    const program = `async function* pages() { try { await tools.open(); for (;;) yield 1 } finally { await null; await tools.close() } }
for await (const page of <any>pages() as any) break
return 'closed'`
    expect(await returned(program, { open: note, close: note })).toBe('closed')
    expect(names).toEqual(['open', 'close'])
  })

  test('whatever the program makes of what the language is made of', async () => {
    const program = `${GIVEN}Reflect.apply = Symbol.prototype.toString = Object.prototype.of = () => 1
Object.prototype.failed = true
for await (const x of slow()) break
return log`
    expect(await inSandbox(program)).toEqual(['closed'])
  })

  test('and failures in it are placed as ever', async () => {
    const { error } = await run('const a = 1\nfor await (const x of [1]) null.x')
    expect(error?.message).toContain('> 2 |')
    expect(error?.message).toContain('at 2:32')
    const { error: far } = await run(
      'const a = { [Symbol.asyncIterator]: () => ({ next() { return null.x } }) }\nfor await (const x of a) x',
    )
    expect(far?.message).toMatch(/at next \(1:66\)\n {4}at 2:23$/)
  })
})
