import { describe, expect, test } from 'vitest'
import { run, toolsOf } from './support/run-code.js'

const PROTOCOLS = ['then', 'toJSON', 'constructor', 'toString', 'valueOf', '__proto__', 'next', 'inspect']

/** A namespace that lists these names and counts what is called. */
function counted(names: readonly string[]) {
  const calls: string[] = []
  const namespace = toolsOf(
    {},
    {
      functions: names,
      open: true,
      call: async ({ name, args }) => {
        calls.push(name)
        return { ok: true, value: [name, ...args] }
      },
    },
  )
  return { calls, namespaces: [namespace] }
}

const uses: readonly (readonly [string, string])[] = [
  ['JSON.stringify', 'return JSON.stringify(tools) + JSON.stringify({ tools: [tools] })'],
  ['String', 'return String(tools) + tools + [tools].join()'],
  ['a number', 'return String(+tools)'],
  ['await', 'await tools; return 1'],
  ['return from an async function', 'await (async () => tools)(); return 1'],
  ['Promise.resolve and race', 'await Promise.race([Promise.resolve(tools), tools]); return 1'],
  ['console', 'console.log(tools, [tools], { tools }); console.error(tools); return 1'],
  ['spread', 'return Object.keys({ ...tools }).length >= 0'],
  ['in', 'return "then" in tools || "x" in tools || true'],
  ['keys and entries', 'return [Object.keys(tools), Object.entries(tools)].length'],
  ['for in', 'let n = 0; for (const k in tools) n++; return n >= 0'],
  ['iteration', 'try { return [...tools] } catch (e) { return e.name }'],
  ['destructuring', 'const { x, ...rest } = tools; return typeof x'],
  ['comparison', 'return [tools == "x", tools === tools, tools < 1]'],
  ['template tags and concat', 'return [].concat(tools).length + "".concat(tools)'],
  ['sets, maps and array-likes', 'return [new Set([tools]).size, Array.from(tools).length]'],
  ['freezing and reflection', 'return [Object.isFrozen(Object.freeze({ tools })), Reflect.ownKeys(tools)]'],
  ['throwing it', 'try { throw tools } catch (e) { return e === tools }'],
  ['a property descriptor', 'return Object.defineProperty({}, "a", tools).a === undefined'],
  ['toStringTag and instanceof', 'return [Object.prototype.toString.call(tools), tools instanceof Promise]'],
]

describe('what the language looks up by itself makes no call', () => {
  test.each(uses)('%s', async (_what, program) => {
    for (const names of [['echo'], PROTOCOLS]) {
      const { calls, namespaces } = counted(names)
      const { error, notAwaited } = await run(program, {}, { namespaces })
      expect([error, notAwaited, calls]).toEqual([undefined, undefined, []])
    }
  })
})

describe('a function by a name of the language', () => {
  test.each(PROTOCOLS)('%s is called as it is listed', async name => {
    const { calls, namespaces } = counted(PROTOCOLS)
    const program = `const key = ${JSON.stringify(name)}
return [await tools[key]({ a: 1 }), await tools[key](), Object.keys(tools).includes(key), tools[key].name]`
    const { value, error } = await run(program, {}, { namespaces })
    expect(error).toBeUndefined()
    expect(value).toEqual([[name, { a: 1 }], [name], true, name])
    expect(calls).toEqual([name, name])
  })

  test('is not made up where it is not listed, and any other is', async () => {
    const { namespaces } = counted(['echo'])
    const names = ['then', 'toJSON', 'constructor', 'toString', 'valueOf', 'hasOwnProperty', '__proto__']
    const program = `return [${JSON.stringify(names)}.map(n => typeof tools[n]), typeof tools.next, typeof tools.other]`
    const { value } = await run(program, {}, { namespaces })
    expect(value).toEqual([names.map(() => 'undefined'), 'function', 'function'])
  })

  test('that is then stays away from the namespace once that was awaited', async () => {
    const { calls, namespaces } = counted(['then', 'echo'])
    const program = 'const t = await tools; return [typeof t.then, await t.echo(1), await tools.then(2)]'
    const { value } = await run(program, {}, { namespaces })
    expect(value).toEqual(['undefined', ['echo', 1], ['then', 2]])
    expect(calls).toEqual(['echo', 'then'])
  })
})
