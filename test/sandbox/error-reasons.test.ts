import { describe, expect, test } from 'vitest'
import { run } from './support/run-code.js'

const ANY = `await Promise.any(['a', 'b'].map(async name => { throw new Error(name + ' is down') }))`
const WRAPPED = `throw new Error('outer', { cause: new TypeError('inner', { cause: 'why' }) })`
const told = async (program: string): Promise<readonly string[]> => {
  const { error } = await run(program)
  expect(error?.kind).toBe('exception')
  const [head = ''] = (error?.message ?? '').split('\n\n')
  return head.split('\n')
}

describe('what led to an error is told with it', () => {
  test('by a failure', async () => {
    expect(await told(ANY)).toEqual([
      'AggregateError: All promises were rejected',
      '  errors[0]: Error: a is down',
      '  errors[1]: Error: b is down',
    ])
    expect(await told(WRAPPED)).toEqual(['Error: outer', '  cause: TypeError: inner', '  cause.cause: "why"'])
  })

  test('by console', async () => {
    const { logs } = await run(`try { ${WRAPPED} } catch (error) { console.log(error) }`)
    expect(logs).toEqual(['Error: outer\n  cause: TypeError: inner\n  cause.cause: "why"'])
  })

  test('up to ten, and each once', async () => {
    const many = await told(
      `throw new AggregateError(Array.from({ length: 2000 }, (_, i) => new Error(i)), 'many')`,
    )
    expect([many.length, many.at(-2), many.at(-1)]).toEqual([12, '  errors[9]: Error: 9', '  …'])
    const round = `const a = new Error('a'), b = new Error('b', { cause: a }); a.cause = b; throw a`
    expect(await told(round)).toEqual(['Error: a', '  cause: Error: b', '  cause.cause: Error: a'])
  })

  test('as far as it can be read', async () => {
    const hostile = `const error = new Error('outer')
Object.defineProperty(error, 'cause', { get() { for (;;) {} } })
Object.prototype.errors = [1]
throw error`
    expect(await told(hostile)).toEqual(['Error: outer'])
    const proxied = `const cause = new Proxy({}, { get() { throw 1 }, ownKeys() { throw 2 } }); throw new Error('outer', { cause })`
    expect((await told(proxied))[0]).toBe('Error: outer')
  })
})

test('console shows what an array has beside its items, and a value says what to do about it', async () => {
  const { logs, error } =
    await run(`const match = 'a2b'.match(/(?<n>\\d)/); console.log(match); console.log([1, , 3])
return match`)
  expect(logs).toEqual(['["2","2","index":1,"input":"a2b","groups":{"n":"2"}]', '[1,<1 empty item>,3]'])
  expect(error?.message).toContain('value is an array with extra properties; use [...array]')
})
